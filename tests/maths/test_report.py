"""The documents of `upcard odds` and `upcard strategy`, as programs read them."""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb
from typing import Any

import pytest

from upcard import fields, reports
from upcard.game import Game
from upcard.games import ANALYSED, CATALOGUE, find
from upcard.maths import queries, report, threecard
from upcard.refused import Refused
from upcard.twentyone.rules import Rules as TwentyOneRules


def refusal(*arguments: Any, **options: Any) -> str:
    """Why one hand's values are refused."""
    with pytest.raises(Refused) as refused:
        report.hand_values(*arguments, **options)
    assert refused.value.code == "field"
    return refused.value.sentence


THREECARD = find("threecard")
TOP3 = find("top3")


# Side bets


def test_rows_say_how_many_of_how_many() -> None:
    """The row of the contract, with the published six-deck counts."""
    rows = report.side_bets(TOP3)["classic"]["rows"]
    assert rows[0] == {
        "name": "straight_flush",
        "pays": "9:1",
        "count": 10_368,
        "of": 5_013_320,
        "probability": "1296/626665",
    }
    assert [row["name"] for row in rows] == [
        "straight_flush",
        "three_of_a_kind",
        "straight",
        "flush",
    ]


@pytest.mark.parametrize("game", CATALOGUE, ids=lambda game: game.key)
def test_denominators_are_what_the_bet_sees(game: Game) -> None:
    """`of`: C(n,3) sets, C(n,2)(n-2) for match_super and in_bet, C(n,2) for pairs_pay."""
    n = 52 * game.rules.decks
    of = {
        "match_super": comb(n, 2) * (n - 2),
        "in_bet": comb(n, 2) * (n - 2),
        "pairs_pay": comb(n, 2),
        "ace_plus": 22_100,
    }
    for key, found in report.side_bets(game).items():
        assert {row["of"] for row in found["rows"]} == {of.get(key, comb(n, 3))}
        exact = Fraction(found["rtp_exact"])
        assert found["rtp"] == float(exact)
        assert "/" in found["rtp_exact"]
        for row in found["rows"]:
            assert Fraction(row["probability"]) == Fraction(row["count"], row["of"])


def test_side_bets_are_all_of_the_game_in_its_order() -> None:
    assert [*report.side_bets(find("ags"))] == ["trifecta", "match_super", "pairs_pay", "in_bet"]


def test_progressive_is_given_at_the_reset_meter() -> None:
    """T-85: 10,000.00. Published: fixed part 0.5669, the meter 1 in 31,333."""
    found = report.side_bets(TOP3)["progressive"]
    assert found["meter"] == 1_000_000
    assert round(float(Fraction(found["fixed"])), 4) == 0.5669
    assert round(1 / found["per_stake_of_meter"]) == 31_333
    assert found["rtp"] == pytest.approx(
        float(Fraction(found["fixed"])) + found["per_stake_of_meter"] * 2_000, abs=1e-15
    )


def test_progressive_at_a_meter() -> None:
    found = report.side_bets(TOP3)["progressive"]
    even = report.side_bets(TOP3, meter=found["break_even_meter"])["progressive"]
    assert even["meter"] == found["break_even_meter"]
    assert even["rtp"] == pytest.approx(1, abs=1e-6)
    assert even["rtp"] >= 1
    for name in ("fixed", "per_stake_of_meter", "break_even_meter", "long_run"):
        assert even[name] == found[name]


@pytest.mark.parametrize(
    ("key", "meter", "sentence"),
    [
        ("ags", 1, "--meter: no bet of ags has a meter; leave it out."),
        ("top3", -1, "--meter -1 cannot be; a meter holds 0 cents or more."),
    ],
)
def test_a_meter_that_cannot_be_is_refused(key: str, meter: int, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        report.odds(find(key), meter)
    assert (refused.value.code, refused.value.sentence) == ("field", sentence)


# 3 Card Blackjack


def test_threecard_document() -> None:
    """`rtp = 1 + ev`, `rtp_wagered = 1 + ev/mean_stake`. Published: 3.42 %."""
    document = report.odds(THREECARD)
    assert (document["game"], document["decks"]) == ("threecard", 1)
    assert document["rules"] == fields.texts(THREECARD.rules)
    main = document["main"]
    assert round(-100 * main["ev"], 2) == 3.42
    assert main["rtp"] == pytest.approx(1 + main["ev"], abs=1e-15)
    assert main["rtp_wagered"] == pytest.approx(1 + main["ev"] / main["mean_stake"], abs=1e-15)
    assert (main["sd_basis"], "sd_se" in main) == ("exact", False)
    assert 1 < main["mean_stake"] < 2
    assert Fraction(document["side_bets"]["ace_plus"]["rtp_exact"]) == Fraction(5373, 5525)


def test_threecard_strategy() -> None:
    """C-08: a total that the dealer's 17 beats is folded; C-10: a blackjack is raised."""
    plan = report.strategy(THREECARD)
    assert set(plan["hard"]["20"].values()) == {"R"}
    assert set(plan["hard"]["12"].values()) == {"F"}
    assert set(plan["soft"]["21"].values()) == {"R"}
    assert list(plan["hard"]["17"]) == [*"23456789TA"]
    assert plan["exceptions"] == []
    assert plan["alone"]["ev"] == report.main_odds(THREECARD)["ev"]
    assert plan["alone"]["mean_stake"] == report.main_odds(THREECARD)["mean_stake"]


def test_threecard_exceptions_gain_what_they_say() -> None:
    """Of hands of one total the fewer that gain by the other play are exceptions."""
    game = THREECARD.with_rule("qualifies_at", "21").with_rule("tie", "lose")
    plan = report.strategy(game)
    assert plan["exceptions"]
    gains = [each["gain"] for each in plan["exceptions"]]
    assert gains == sorted(gains, reverse=True)
    for each in plan["exceptions"]:
        values = report.hand_values(game, each["cards"], each["up"])
        assert abs(values["raise"] - values["fold"]) == pytest.approx(each["gain"], abs=1e-15)
        assert each["code"] == ("R" if values["raise"] > values["fold"] else "F")
        assert plan[each["chart"]][each["row"]][each["up"]] != each["code"]
    # Without its exceptions the chart loses what they gain, as often as they are dealt.
    solution = threecard.solve(game.rules)
    deals = sum(found.ways for found in solution.decisions.values())
    lost = sum(
        each["gain"] * found.ways / deals
        for each in plan["exceptions"]
        for found in solution.decisions.values()
        if queries.names(found.hand) == each["cards"]
        and queries.VALUE_NAMES[found.up - 1] == each["up"]
    )
    assert plan["alone"]["ev"] == pytest.approx(float(solution.ev) - lost, abs=1e-14)


def test_threecard_hand() -> None:
    """By hand: A-K-Q against a dealer who cannot qualify nets one ante, else two (C-09, C-10).

    With 2 up, 17 or more needs A + 6..T or two cards of 15 or more, or A-A + 4..: counted below.
    """
    values = report.hand_values(THREECARD, "A K Q", "2")
    # Cards left: aces 3, 2s 3, 3s-9s 4 each, tens 14; pairs under the 2: C(48, 2) = 1,128.
    qualifying = 0
    left = {1: 3, 2: 3, **{value: 4 for value in range(3, 10)}, 10: 14}
    for first in left:
        for second in range(first, 11):
            pairs = left[first] * (left[first] - 1) // 2
            ways = pairs if first == second else left[first] * left[second]
            best = max(
                total
                for part in ((2, first), (2, second), (first, second), (2, first, second))
                for total in (sum(part), sum(part) + 10 * (1 in part))
                if total <= 21
            )
            qualifying += ways * (best >= 17)
    assert values == {
        "raise": pytest.approx(1 + qualifying / 1_128, abs=1e-15),
        "fold": -1.0,
    }


@pytest.mark.parametrize(
    ("same", "as_this"),
    [("10 9 5", "T 9 5"), ("K 9 5", "T 9 5"), ("Kh 9c 5d", "T 9 5"), (" 5  T 9 ", "T 9 5")],
)
def test_ways_to_write_a_hand(same: str, as_this: str) -> None:
    """10 is T, and a suit may be left out."""
    assert report.hand_values(THREECARD, same, "7") == report.hand_values(THREECARD, as_this, "7")


def test_hands_that_cannot_be_are_refused() -> None:
    """Refused with the field's name and what is allowed."""
    assert refusal(THREECARD, "A A", "2") == "--hand 'A A' has 2 cards; it takes exactly 3."
    assert "'1' is no card" in refusal(THREECARD, "1 2 3", "2")
    assert refusal(THREECARD, "A 2 3", "X").startswith("--up: 'X' is no card; a card is A, 2 to 9")
    assert refusal(THREECARD, "5 5 5", "").startswith("--up: '' is no card")
    assert refusal(THREECARD, "5 5 5", "5 5").startswith("--up: '5 5' is no card")
    assert refusal(THREECARD, "Ah Ah 3", "2") == (
        "--hand and --up take 2 of Ah and this shoe holds 1; at most 1 can be asked for."
    )
    assert refusal(THREECARD, "T T T", "A T").startswith("--up: 'A T' is no card")
    assert report.hand_values(THREECARD, "A A A", "A")["fold"] == -1
    for option in ("split", "doubled"):
        assert f"--{option}" in refusal(THREECARD, "A 2 3", "4", **{option: True})


# Drawing games

BLACKJACK = find("blackjack", ANALYSED)
SUPER21 = find("super21")
AGS = find("ags")


def variant(game: Game, **rules: str) -> Game:
    for name, text in rules.items():
        game = game.with_rule(name.replace("__", "."), text)
    return game


@pytest.mark.parametrize("game", [TOP3, SUPER21, AGS, BLACKJACK], ids=lambda game: game.key)
def test_drawing_documents(game: Game) -> None:
    """The definitions of the returns, and `by_up_card` as a mean weighted by probability."""
    main = report.odds(game)["main"]
    assert main["rtp"] == pytest.approx(1 + main["ev"], abs=1e-15)
    assert main["rtp_wagered"] == pytest.approx(1 + main["ev"] / main["mean_stake"], abs=1e-15)
    by_up = main["by_up_card"]
    assert sorted(by_up) == sorted("A23456789T")
    weighted = sum(value * (4 if up == "T" else 1) for up, value in by_up.items()) / 13
    assert weighted == pytest.approx(main["ev"], abs=1e-12)
    assert (main["sd_basis"], main["nets_basis"]) == ("exact", "simulated")
    assert sum(chance for _, chance in main["nets"]) == pytest.approx(1, abs=1e-12)
    second = sum(net**2 * chance for net, chance in main["nets"])
    # The simulated rounds with a split leave an error of some 5e-5 in this second way to it.
    assert main["sd"] == pytest.approx((second - main["ev"] ** 2) ** 0.5, abs=5e-4)


def test_without_splits_the_spread_is_exact() -> None:
    main = report.main_odds(variant(BLACKJACK, split__hands_max="1"))
    assert (main["sd_basis"], main["nets_basis"]) == ("exact", "exact")
    assert sum(net * chance for net, chance in main["nets"]) == pytest.approx(main["ev"], abs=1e-12)


def test_ags_returns_what_its_sheet_prints() -> None:
    """A-23: 99.83 %; 99.8256 % of the money wagered, 99.8031 % per initial bet."""
    main = report.odds(AGS)["main"]
    assert f"{100 * main['rtp_wagered']:.2f}" == "99.83"
    assert f"{100 * main['rtp_wagered']:.4f}" == "99.8256"
    assert f"{100 * main['rtp']:.4f}" == "99.8031"
    assert f"{main['mean_stake']:.5f}" == "1.12866"


def test_top3_is_the_cell_of_the_reference() -> None:
    """Published: 6 decks S17 DAS LS SP2, -0.384284098515 % of the initial bet."""
    assert 100 * report.odds(TOP3)["main"]["ev"] == pytest.approx(-0.384284098515, abs=1e-9)


@pytest.mark.parametrize(
    ("rules", "hand", "stand", "hit", "double"),
    [
        ({"decks": "1"}, "2 A", -0.661732, -0.067808, -0.593281),
        ({"decks": "1"}, "3 2", -0.659375, -0.291565, -1.318751),
        ({"decks": "1"}, "6 5", -0.634013, 0.172946, 0.240259),
        ({"decks": "1"}, "7 A", -0.101015, -0.108386, -0.357778),
        ({"decks": "5"}, "6h 5c", -0.660850, 0.148532, 0.133896),
        (
            {"decks": "6", "hole_card": "none", "dealer_hits_soft_17": "true"},
            "5 6",
            -0.720879,
            -0.235772,
            -0.535879,
        ),
    ],
)
def test_hands_against_an_ace(
    rules: dict[str, str], hand: str, stand: float, hit: float, double: float
) -> None:
    """Wizard of Odds, appendix 9, to the digits printed."""
    values = report.hand_values(variant(BLACKJACK, **rules), hand, "A")
    assert values == pytest.approx({"stand": stand, "hit": hit, "double": double}, abs=6e-7)


def test_choices_are_those_open_to_the_hand() -> None:
    assert [*report.hand_values(TOP3, "8 8", "10")] == [
        "stand",
        "hit",
        "double",
        "split",
        "surrender",
    ]
    assert [*report.hand_values(TOP3, "8 5 3", "T")] == ["stand", "hit"]  # T-61, T-67
    assert [*report.hand_values(TOP3, "A 5", "T", split=True)] == ["stand"]  # T-65
    assert [*report.hand_values(AGS, "A 5", "T", split=True)] == ["stand", "hit", "double"]
    assert "split" in report.hand_values(SUPER21, "A A", "T", split=True)  # S-11
    assert "split" not in report.hand_values(AGS, "8 8", "T", split=True)
    assert report.hand_values(TOP3, "T 6", "T")["surrender"] == -0.5  # T-67


def test_a_finished_hand_can_only_stand() -> None:
    """`{stand}` alone. T-04 3:2; S-03, S-04, S-09, S-10 likewise."""
    assert [*report.hand_values(TOP3, "T 6 5", "T")] == ["stand"]
    assert report.hand_values(TOP3, "A K", "T") == {"stand": 1.5}
    assert report.hand_values(SUPER21, "2 3 2 3 2 3", "T") == {"stand": 1.0}
    assert report.hand_values(SUPER21, "5 5 5 4 2", "T") == {"stand": 2.0}


@pytest.mark.parametrize(
    ("hand", "up", "value"),
    [
        ("Ad Td", "9", 2),
        ("Ad Qc", "9", 1),
        ("Ad Jd", "9", 2),
        # 8 decks: a quarter of all cards are diamonds.
        ("A T", "9", 1 + 1 / 16),
        ("Ad T", "9", 1 + 1 / 4),
        ("Ac T", "9", 1),
        # One ten of diamonds less among 32 tens.
        ("Ad T", "Td", 1 + 7 / 31),
    ],
)
def test_a_diamond_natural_is_a_mean_over_suits(hand: str, up: str, value: float) -> None:
    """S-03, S-04; unsuited = mean over suits."""
    assert report.hand_values(SUPER21, hand, up) == {"stand": pytest.approx(value, abs=1e-14)}


def test_doubled_hands_stand_or_are_rescued() -> None:
    """S-07: the doubled part is lost, the original bet comes back; a doubled 21 is not asked."""
    assert report.hand_values(SUPER21, "5 4 9", "9", doubled=True)["rescue"] == -1
    assert [*report.hand_values(SUPER21, "5 6 T", "9", doubled=True)] == ["stand"]
    assert [*report.hand_values(TOP3, "5 4 9", "9", doubled=True)] == ["stand"]
    stood = report.hand_values(TOP3, "5 4 9", "9")["stand"]
    assert report.hand_values(TOP3, "5 4 9", "9", doubled=True)["stand"] == pytest.approx(
        2 * stood, abs=1e-14
    )


def test_drawing_hands_that_cannot_be_are_refused() -> None:
    """A hand that cannot be is refused, with what is allowed."""
    one = variant(BLACKJACK, decks="1")
    assert refusal(one, "8 8", "8 8").startswith("--up: '8 8' is no card")
    assert refusal(one, "A A A A", "A") == (
        "--hand and --up take 5 of A and this shoe holds 4; at most 4 can be asked for."
    )
    assert refusal(TOP3, "8", "T") == "--hand '8' has 1 cards; it takes at least 2."
    assert refusal(TOP3, "8 B", "T").startswith("'B' is no card; a card is A, 2 to 9, T (or 10)")
    assert refusal(TOP3, "T T 5", "T") == (
        "--hand 'T T 5' counts 25; a hand over 21 has lost and is asked nothing."
    )
    for cards, options in [
        ("A 5 5", {"split": True}),  # T-65: split aces get one card
        ("2 3 4 5", {"doubled": True}),  # T-61: no double on three cards
    ]:
        assert "cannot be under these rules" in refusal(TOP3, cards, "T", **options)
    # S-09: six cards have won and take no seventh.
    assert "cannot be under these rules" in refusal(SUPER21, "2 2 2 2 2 2 2", "T")
    assert "three cards or more" in refusal(TOP3, "5 6", "T", doubled=True)
    single = variant(BLACKJACK, split__hands_max="1")
    assert refusal(single, "8 8", "T", split=True).startswith("--split: no hand is split")


def test_cards_may_come_in_any_order_that_the_rules_allow() -> None:
    """Ace and ten take no card, but five and ace take a ten. Where only a hard nine is doubled,
    four and five may double into an ace, and no two of ace, four and six may.
    """
    assert [*report.hand_values(TOP3, "A T 5", "T")] == ["stand", "hit"]
    nine = variant(TOP3, double__totals="9")
    assert [*report.hand_values(nine, "A 4 5", "T", doubled=True)] == ["stand"]
    assert "cannot be" in refusal(nine, "A 4 6", "T", doubled=True)


# Charts

USUAL = {
    "hard": {
        range(17, 22): "SSSSSSSSSS",
        range(16, 17): "SSSSSHHRRR",
        range(15, 16): "SSSSSHHHRH",
        range(13, 15): "SSSSSHHHHH",
        range(12, 13): "HHSSSHHHHH",
        range(11, 12): "DDDDDDDDDH",
        range(10, 11): "DDDDDDDDHH",
        range(9, 10): "HDDDDHHHHH",
        range(4, 9): "HHHHHHHHHH",
    },
    "soft": {
        range(19, 22): "SSSSSSSSSS",
        range(18, 19): "SDDDDSSHHH",
        range(17, 18): "HDDDDHHHHH",
        range(15, 17): "HHDDDHHHHH",
        range(13, 15): "HHHDDHHHHH",
    },
}
USUAL_PAIRS = {
    "A": "PPPPPPPPPP",
    "T": "SSSSSSSSSS",
    "9": "PPPPPSPPSS",
    "8": "PPPPPPPPPP",
    "7": "PPPPPPHHHH",
    "6": "PPPPPHHHHH",
    "5": "DDDDDDDDHH",
    "4": "HHHPPHHHHH",
    "3": "PPPPPPHHHH",
    "2": "PPPPPPHHHH",
}
UPS = "23456789TA"


def test_top3_chart_is_the_usual_one() -> None:
    """Published: the usual chart of 4 to 8 decks, S17, DAS, LS, typed from any blackjack book."""
    plan = report.strategy(TOP3)
    for chart, rows in USUAL.items():
        for totals, letters in rows.items():
            for total in totals:
                assert "".join(plan[chart][str(total)][up][0] for up in UPS) == letters, total
    for rank, letters in USUAL_PAIRS.items():
        assert "".join(plan["pairs"][rank][up][0] for up in UPS) == letters, rank
    assert plan["codes"]["Ds"] == "double, else stand"


def test_charts_by_cards_have_the_rows_that_hands_can_have() -> None:
    """By hand: three cards without a counting ace make 6 (2-2-2) or more, four 8, five 10."""
    plan = report.strategy(SUPER21)
    for cards, hard, soft in [("2", 4, 12), ("3", 6, 13), ("4", 8, 14), ("5+", 10, 15)]:
        part = plan["by_cards"][cards]
        most = 20 if cards == "2" else 21
        assert [*map(int, part["hard"])] == [*range(hard, most + 1)]
        assert [*map(int, part["soft"])] == [*range(soft, 22)]
    doubled = report.strategy(variant(BLACKJACK, double__rescue="true"))["rescue"]
    assert [*doubled] == ["3"]
    assert [*map(int, doubled["3"]["hard"])] == [*range(6, 22)]


def test_super21_features_that_sources_agree_on() -> None:
    """Published: 9 v 3-6 and 10 double on up to three or four cards; 16 v 9-A surrender; rescue."""
    plan = report.strategy(SUPER21)
    assert plan["hard"] == plan["by_cards"]["2"]["hard"]
    two, three, four = (plan["by_cards"][cards]["hard"] for cards in "234")
    assert {two["9"][up] for up in "3456"} == {"D"}
    assert {three["10"][up] for up in "23456789"} == {"D"}
    assert {four["10"][up] for up in "456"} == {"D"}
    assert {two["16"][up] for up in "9TA"} == {"R"}
    assert [*plan["rescue"]] == ["3", "4", "5+"]
    for part in plan["rescue"].values():
        for total in range(12, 17):
            assert {part["hard"][str(total)][up] for up in "89TA"} == {"R"}
            assert {part["hard"][str(total)][up] for up in "234567"} == {"S"}
        assert part["hard"]["17"]["A"] == "R"
        assert {part["hard"]["17"][up] for up in "23456789T"} == {"S"}


def test_the_chart_alone_is_worth_the_published_optimum() -> None:
    """MGP's analyser, best play by total, 6 decks S17 DAS SP4: -0.4059224176988 %."""
    alone = report.strategy(BLACKJACK)["alone"]
    assert 100 * alone["ev"] == pytest.approx(-0.4059224176988, abs=1e-9)
    assert alone["rtp_wagered"] == pytest.approx(1 + alone["ev"] / alone["mean_stake"], abs=1e-15)


CHOICES = {"S": "stand", "H": "hit", "D": "double", "R": "surrender", "P": "split"}


@pytest.mark.parametrize("game", [TOP3, SUPER21], ids=lambda game: game.key)
def test_exceptions_gain_what_they_say(game: Game) -> None:
    """Theorem: the value of the better play less that of the chart's, hand by hand."""
    plan = report.strategy(game)
    assert plan["exceptions"]
    for each in plan["exceptions"]:
        *cards, name = each["chart"].split("/")
        part = plan["by_cards"][cards[0]] if cards else plan
        code = part[name][each["row"]][each["up"]]
        values = report.hand_values(game, each["cards"], each["up"])
        charted = CHOICES[code[0]]
        if charted not in values:
            charted = "stand" if code[1:] == "s" else "hit"
        assert values[CHOICES[each["code"]]] == max(values.values())
        assert values[CHOICES[each["code"]]] - values[charted] == pytest.approx(
            each["gain"], abs=1e-12
        )


# The stored reports


@pytest.mark.parametrize("game", CATALOGUE, ids=lambda game: game.key)
def test_stored_reports_are_what_is_computed(game: Game) -> None:
    """All decks offered, each figure again: exact ones to the letter, floats to 1e-12."""
    stored, computed = reports.stored(game.key), report.reports(game)
    assert list(stored) == [str(decks) for decks in game.decks_offered]
    assert_same(stored, json.loads(json.dumps(computed)), game.key)


def test_stored_charts_are_what_is_computed() -> None:
    """Every cell of every chart again, for all decks offered."""
    assert [*reports.charts()] == json.loads(json.dumps([*report.charts()]))
    drawing = [game for game in CATALOGUE if isinstance(game.rules, TwentyOneRules)]
    assert len([*reports.charts()]) == sum(len(game.decks_offered) for game in drawing)


def assert_same(one: Any, other: Any, place: str) -> None:
    if isinstance(one, dict):
        assert list(one) == list(other), place
        for key in one:
            assert_same(one[key], other[key], f"{place}.{key}")
    elif isinstance(one, list):
        assert len(one) == len(other), place
        for number, (here, there) in enumerate(zip(one, other, strict=True)):
            assert_same(here, there, f"{place}[{number}]")
    elif isinstance(one, float):
        assert one == pytest.approx(other, rel=1e-12, abs=1e-12), place
    else:
        assert one == other, place


def test_a_game_without_a_report_has_none() -> None:
    assert reports.stored("roulette") == {}

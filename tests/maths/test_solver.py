"""The solver against published figures; nothing here is copied from our own output."""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from typing import Literal

import numpy as np
import pytest

from upcard.games.ags import AGS
from upcard.games.super21 import SUPER21
from upcard.games.top3 import TOP3
from upcard.maths.analysis import dealer_totals
from upcard.maths.best import Solution, solve
from upcard.money import Odds
from upcard.refused import Refused
from upcard.twentyone.rules import Double, Rules, Split

EXACT_POINTS = 1e-9
"""Per cent of the initial bet: how near the exact cells must be."""
OTHERS_POINTS = 1e-3
"""Other authors model splits a little differently."""
ONE_DECK_POINTS = 2.5e-3
ROUNDED = 6e-7
"""Half a unit of the sixth decimal, and a little."""

solved = lru_cache(maxsize=None)(solve)


def game(decks: int, *, h17: bool, column: str = "DAS") -> Rules:
    """The table of exact cells: double any two cards, peek, split to four hands unless `SP2`."""
    words = column.split()
    return Rules(
        decks=decks,
        dealer_hits_soft_17=h17,
        double=Double(after_split="DAS" in words),
        split=Split(hands_max=2 if "SP2" in words else 4, resplit_aces="RSA" in words),
        surrender="first" if "LS" in words else "none",
    )


COLUMNS = ("no", "DAS", "DAS LS", "DAS LS RSA", "DAS LS SP2")
EXACT_CELLS = """
1 S17  +0.041251576986  +0.181934306148  +0.203982313024  +0.235519128465  +0.175168002670
1 H17  -0.152139146082  -0.008734732880  +0.029275255486  +0.060720652009  +0.000526449091
2 S17  -0.321163338872  -0.178859905533  -0.127706253756  -0.074596050273  -0.172016280239
6 S17  -0.544565160874  -0.402870236115  -0.330268037338  -0.261401351177  -0.384284098515
6 H17  -0.759848501532  -0.615389122925  -0.527191546946  -0.459001388215  -0.580634717208
8 H17  -0.788811660099  -0.644553851920  -0.553001881204  -0.482827288318  -0.607615313155
"""
"""possibly-wrong/blackjack 7.6, CDZ-: per cent, a row for decks and soft 17, by column."""


@pytest.mark.parametrize(
    ("decks", "h17", "column", "points"),
    [
        (int(decks), soft == "H17", column, float(points))
        for decks, soft, *cells in map(str.split, EXACT_CELLS.strip().splitlines())
        for column, points in zip(COLUMNS, cells, strict=True)
    ],
)
def test_whole_games(decks: int, h17: bool, column: str, points: float) -> None:
    found = solved(game(decks, h17=h17, column=column))
    assert 100 * found.ev == pytest.approx(points, abs=EXACT_POINTS)


SIX, EIGHT_LS = game(6, h17=False), game(8, h17=True, column="DAS LS")


@pytest.mark.parametrize(
    ("rules", "points"),
    [
        (
            dataclasses.replace(SIX, double=Double(totals=(10, 11), after_split=False)),
            -0.718038838534,
        ),
        (dataclasses.replace(SIX, natural=Odds(6, 5)), -1.762559867597),
        (
            dataclasses.replace(SIX, surrender="first", double=Double(cards="any")),
            -0.101397696643,
        ),
        (dataclasses.replace(EIGHT_LS, natural=Odds(1)), -2.816308483813),
        (
            dataclasses.replace(EIGHT_LS, natural=Odds(1), double=Double(cards="any")),
            -2.587669563629,
        ),
    ],
    ids=["doubles 10 and 11", "naturals 6:5", "doubles any cards", "naturals 1:1", "both"],
)
def test_variants_of_the_exact_cells(rules: Rules, points: float) -> None:
    """possibly-wrong/blackjack 7.6."""
    assert 100 * solved(rules).ev == pytest.approx(points, abs=EXACT_POINTS)


@pytest.mark.parametrize(
    ("decks", "h17", "hole", "das", "no_das"),
    [
        (1, False, "peek", +0.1839, +0.0423),
        (1, True, "peek", -0.0072, -0.1513),
        (2, True, "peek", -0.3797, -0.5252),
        (5, False, "peek", -0.3804, -0.5225),
        (5, True, "peek", -0.5918, -0.7366),
        (6, True, "none", -0.72705, -0.86975),
        (8, True, "none", -0.7562, -0.89865),
    ],
)
def test_whole_games_of_appendix_9(
    decks: int, h17: bool, hole: Literal["peek", "none"], das: float, no_das: float
) -> None:
    """Wizard of Odds, blackjack appendix 9."""
    near = ONE_DECK_POINTS if decks == 1 else OTHERS_POINTS
    for column, points in (("DAS", das), ("no", no_das)):
        rules = dataclasses.replace(game(decks, h17=h17, column=column), hole_card=hole)
        assert 100 * solved(rules).ev == pytest.approx(points, abs=near)


def test_bjstrat_8_decks() -> None:
    assert 100 * solved(EIGHT_LS).ev == pytest.approx(-0.5530080610784475, abs=OTHERS_POINTS)


def test_a_fixed_chart_bounds_the_optimum_from_below() -> None:
    """hhoppe/blackjack, one chart for all, approximated: DAS SP4 LS."""
    charts = {
        False: {1: 0.161, 2: -0.144, 4: -0.287, 6: -0.333, 8: -0.357},
        True: {1: -0.013, 2: -0.328, 4: -0.480, 6: -0.530, 8: -0.555},
    }
    for h17, by_decks in charts.items():
        for decks, points in by_decks.items():
            found = 100 * solved(game(decks, h17=h17, column="DAS LS")).ev
            assert points - OTHERS_POINTS < found < points + 0.06


# Single hands


@pytest.mark.parametrize(
    ("decks", "h17", "hand", "stand", "hit", "double"),
    [
        (1, False, "2 A", -0.661732, -0.067808, -0.593281),
        (1, False, "3 2", -0.659375, -0.291565, -1.318751),
        (1, False, "6 5", -0.634013, +0.172946, +0.240259),
        (1, False, "7 A", -0.101015, -0.108386, -0.357778),
        (1, True, "6 5", -0.575374, +0.143003, +0.234296),
        (5, False, "6 5", -0.660850, +0.148532, +0.133896),
        (5, True, "6 5", -0.594346, +0.109880, +0.128187),
        (2, True, "6 5", -0.587564, +0.121079, +0.166650),
    ],
)
def test_single_hands_against_an_ace(
    decks: int, h17: bool, hand: str, stand: float, hit: float, double: float
) -> None:
    """Wizard of Odds, blackjack appendix 9, given no dealer natural."""
    found = solved(game(decks, h17=h17)).hand(hand, "A")
    expected = {"stand": stand, "hit": hit, "double": double}
    assert found == pytest.approx(expected, abs=ROUNDED)


def test_a_single_hand_without_hole_card() -> None:
    """Wizard of Odds, blackjack appendix 9: the dealer's natural included."""
    rules = dataclasses.replace(game(6, h17=True), hole_card="none")
    expected = {"stand": -0.720879, "hit": -0.235772, "double": -0.535879}
    assert solved(rules).hand("6 5", "A") == pytest.approx(expected, abs=ROUNDED)


def test_splitting_threes_once_without_hole_card() -> None:
    """MGP's analyser: 8 decks S17, no hole card, no double after the split."""
    rules = Rules(
        decks=8, hole_card="none", double=Double(after_split=False), split=Split(hands_max=2)
    )
    assert solved(rules).hand("3 3", "T")["split"] == pytest.approx(-0.641977, abs=ROUNDED)


DEALER = ("17", "18", "19", "20", "21", "natural", "bust")
DEALER_TOTALS = {
    (1, "A"): (0.126128, 0.131003, 0.129486, 0.131553, 0.0515646, 0.313726, 0.11654),
    (1, "6"): (0.166948, 0.106454, 0.107192, 0.100705, 0.0978785, 0, 0.420823),
    (1, "T"): (0.114418, 0.112879, 0.114662, 0.328879, 0.0364661, 0.0784314, 0.214264),
    (1, "all"): (0.14583, 0.138063, 0.13482, 0.175806, 0.0736296, 0.0482655, 0.283585),
    (2, "A"): (0.128467, 0.13089, 0.130179, 0.131159, 0.0527542, 0.31068, 0.115872),
    (2, "6"): (0.166224, 0.10617, 0.106749, 0.101217, 0.097508, 0, 0.422132),
}


@pytest.mark.parametrize(("decks", "up"), DEALER_TOTALS)
def test_dealer_totals(decks: int, up: str) -> None:
    """Wizard of Odds, blackjack appendix 2: S17, before the peek."""
    found = dealer_totals(Rules(decks=decks))[up]
    assert found == pytest.approx(
        dict(zip(DEALER, DEALER_TOTALS[decks, up], strict=True)), abs=ROUNDED
    )


# The games


def test_ags_returns_what_its_sheet_prints() -> None:
    """A-23: 99.83 %; 99.8256 % of the money wagered, 99.8031 % per initial bet."""
    found = solved(AGS.rules)
    assert 100 * found.rtp_wagered == pytest.approx(99.8256, abs=5e-5)
    assert 100 * found.rtp == pytest.approx(99.8031, abs=5e-5)
    assert found.mean_stake == pytest.approx(1.12866, abs=5e-6)


def test_top3_is_the_sp2_cell() -> None:
    assert 100 * solved(TOP3.rules).ev == pytest.approx(-0.384284098515, abs=EXACT_POINTS)


@pytest.mark.parametrize(("h17", "edge"), [(True, 0.94), (False, 0.75)])
def test_super_21_from_one_deck(h17: bool, edge: float) -> None:
    """Published for one deck, four hands: 0.94 % H17, about 0.75 % S17."""
    rules = dataclasses.replace(
        SUPER21.rules,
        decks=1,
        dealer_hits_soft_17=h17,
        split=dataclasses.replace(SUPER21.rules.split, hands_max=4),
    )
    assert -100 * solved(rules).ev == pytest.approx(edge, abs=5e-3)


def test_super_21_plays_as_its_sources_agree() -> None:
    """9 against 3-6 doubles, 16 against 9, 10 and ace surrenders, and what is rescued."""
    found = solved(SUPER21.rules)
    assert {found.choice("4 5", up) for up in "3456"} == {"double"}
    assert {found.choice("T 6", up) for up in "9TA"} == {"surrender"}
    for up in "89TA":
        for total, cards in {12: "2 2 8", 16: "3 3 T", 17: "3 4 T"}.items():
            rescued = total < 17 or up == "A"
            expected = "rescue" if rescued else "stand"
            assert found.choice(cards, up, doubled=True) == expected, (cards, up)


# What must hold whatever the rules


@pytest.mark.parametrize("rules", [SIX, AGS.rules, SUPER21.rules], ids=["bare", "ags", "super21"])
def test_up_cards_add_up(rules: Rules) -> None:
    found = solved(rules)
    chances = {up: (4 if up == "T" else 1) / 13 for up in "A23456789T"}
    mean = sum(chances[up] * value for up, value in found.by_up_card.items())
    assert mean == pytest.approx(found.ev, abs=1e-14)


@pytest.mark.parametrize(("split", "doubled"), [(False, False), (True, False), (False, True)])
def test_a_finished_hand_may_only_stand(split: bool, doubled: bool) -> None:
    found = solved(SIX)
    assert [*found.hand("A 8 2", "6", split=split, doubled=doubled)] == ["stand"]
    assert [*found.hand("A T", "6", split=True)] == ["stand"]


def test_a_natural_is_worth_its_odds() -> None:
    """T-04 and T-28: paid once the dealer is known to have none."""
    assert solved(SIX).hand("A T", "A") == {"stand": 1.5}
    assert solved(SUPER21.rules).hand("Ad Kd", "A") == {"stand": 2.0}
    assert solved(SUPER21.rules).hand("Ad Kh", "A") == {"stand": 1.0}
    assert solved(SUPER21.rules).hand("A K", "A")["stand"] == pytest.approx(1 + 1 / 16)


def test_automatic_wins_are_worth_their_odds() -> None:
    """S-09 and S-10."""
    found = solved(SUPER21.rules)
    assert found.hand("2 2 2 2 3 3", "T") == {"stand": 1.0}
    assert found.hand("2 2 2 5 T", "T") == {"stand": 2.0}


def test_insurance_and_even_money_by_counting() -> None:
    """6 decks: 96 tens among 311 cards, or among the 309 that are not in hand."""
    found = solved(SIX)
    assert found.insurance()["insurance"] == pytest.approx((2 * 96 - 215) / 311 / 2)
    assert found.insurance("T T")["insurance"] == pytest.approx((2 * 94 - 215) / 309 / 2)
    played = found.even_money()["no_even_money"]
    assert played == pytest.approx(1.5 * (1 - 95 / 309))


def test_a_shoe_by_cards_or_by_values() -> None:
    whole = solved(SIX)
    assert solve(SIX, [6] * 52).ev == whole.ev
    assert solve(SIX, [24] * 9 + [96]).ev == whole.ev
    assert solve(SUPER21.rules, [8] * 52).ev == pytest.approx(solved(SUPER21.rules).ev, abs=1e-15)


@pytest.mark.parametrize(
    ("shoe", "sentence"),
    [
        ([1] * 13, "these are 13"),
        ([4] * 9 + [-1], "none below 0"),
        ([3, 3, 2, 0, 0, 0, 0, 0, 0, 1], "too small"),
    ],
)
def test_shoes_that_cannot_be(shoe: list[int], sentence: str) -> None:
    with pytest.raises(Refused, match=sentence) as refused:
        solve(SIX, shoe)
    assert refused.value.code == "field"


@pytest.mark.parametrize(
    ("cards", "up", "sentence"),
    [
        ("T 6 7", "T", "not over 21"),
        ("8", "T", "two cards or more"),
        ("8 X", "T", "no card"),
        ("8 8", "TT", "no card"),
        ("A A A A", "A", "too few cards of A"),
    ],
)
def test_hands_that_cannot_be(cards: str, up: str, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence) as refused:
        solved(game(1, h17=False)).hand(cards, up)
    assert refused.value.code == "field"


def test_rubbish_in_memory_changes_nothing() -> None:
    """Arrays come as the allocator leaves them; once a hand read what was never written."""
    clean = [solve(SIX).ev, solve(AGS.rules).ev]
    for _ in range(5):
        rubbish = [np.full((3100, 10), np.nan) for _ in range(160)]
        # Holes between arrays that stay, a little larger than an array over all hands, are what
        # the next such arrays get.
        kept = rubbish[::2]
        del rubbish
        assert [solve(SIX).ev, solve(AGS.rules).ev] == clean
        del kept


def _same(first: Solution, second: Solution) -> bool:
    return first.ev == second.ev and first.mean_stake == second.mean_stake


def test_nothing_is_remembered_between_shoes() -> None:
    first = solve(SIX)
    solve(game(1, h17=True))
    assert _same(first, solve(SIX))

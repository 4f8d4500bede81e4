"""What the house does not take: each edge of each limit, tables that cannot be, rules that cannot.

Every refusal has one of the contract's codes and one sentence that names what is allowed; nothing
has changed after it, for everything here is a value.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

import pytest

from tests.rules.dealer import play, prefers
from tests.rules.made_up import FORTNIGHT
from upcard.cards import parse_cards
from upcard.game import Game, Level, Limit, Round
from upcard.games import ANALYSED, CATALOGUE, find
from upcard.money import MeterShare, Odds, parse_cents
from upcard.paytable import PayTable, Row
from upcard.refused import Refused
from upcard.sidebets import PAIR, Pool, SideBet
from upcard.table import SpotBets


@contextmanager
def refused(code: str, *named: str) -> Iterator[None]:
    """Refused with this code, in one sentence that has all these words."""
    with pytest.raises(Refused) as no:
        yield
    sentence = no.value.sentence
    assert no.value.code == code, sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert [word for word in named if word not in sentence] == [], sentence


def lay(game: Game, level: str, **bets: int) -> tuple[SpotBets, ...]:
    return game.laid(level, [SpotBets(1, tuple(bets.items()))])


# Limits


LOW = "main 5.00-50.00/0.50 top3 1.00-25.00/0.50 classic 1.00-25.00/0.50 progressive 5.00"
LEVELS = {
    # T-10 to T-13, G-09
    ("top3", "micro"): "main 1.00-10.00/0.50 top3 0.50-5.00/0.50 classic 0.50-5.00/0.50",
    ("top3", "low"): LOW,
    ("top3", "high"): "main 25.00-500.00/0.50 top3 2.00-250.00/0.50 classic 2.00-250.00/0.50 "
    "progressive 5.00",
    ("top3", "high_roller"): "main 100.00-2000.00/0.50 top3 5.00-1000.00/0.50 "
    "classic 5.00-1000.00/0.50 progressive 5.00",
    # C-04, C-05
    ("threecard", "table"): "ante 5.00-500.00/1.00 ace_plus 5.00-100.00/1.00",
    # S-15
    ("super21", "table"): "main 1.00-500.00/1.00",
    #
    ("ags", "table"): "main 1.00-5000.00/1.00 trifecta 1.00-5000.00/1.00 "
    "match_super 1.00-5000.00/1.00 pairs_pay 1.00-5000.00/1.00 in_bet 1.00-5000.00/1.00",
}


def limit_of(text: str) -> Limit:
    low, _, rest = text.partition("-")
    if not rest:
        return Limit(parse_cents(low), parse_cents(low), parse_cents(low))
    high, step = rest.split("/")
    return Limit(parse_cents(low), parse_cents(high), parse_cents(step))


def test_the_limits_are_those_of_the_clauses() -> None:
    for game in CATALOGUE:
        for level in game.levels:
            words = LEVELS[game.key, level.key].split()
            expected = dict(zip(words[::2], map(limit_of, words[1::2]), strict=True))
            assert level.bets == expected
    levels = {(game.key, level.key) for game in CATALOGUE for level in game.levels}
    assert levels == LEVELS.keys()


def with_needs(game: Game, level: Level, bet: str, cents: int) -> dict[str, int]:
    """The bet, with the least of what must lie beside it."""
    bets = {game.main: level.bets[game.main].min}
    if bet != game.main and game.side_bet(bet).needs:
        needed = str(game.side_bet(bet).needs)
        bets[needed] = level.bets[needed].min
    return bets | {bet: cents}


def every_place() -> Iterator[tuple[str, str, str, str]]:
    for (key, level), text in LEVELS.items():
        words = text.split()
        for bet, limit in zip(words[::2], words[1::2], strict=True):
            yield key, level, bet, limit


def table_with(key: str, bet: str) -> Game:
    """The game at a table where this bet is open."""
    game = find(key)
    if key != "ags":
        return game.at_table()
    other = "in_bet" if bet != "in_bet" else "trifecta"
    return game.at_table(side_bets=[bet if bet != "main" else "pairs_pay", other])


@pytest.mark.parametrize(("key", "level", "bet", "text"), [*every_place()])
def test_each_edge_of_each_limit(key: str, level: str, bet: str, text: str) -> None:
    """G-09, T-10 to T-13, T-38, C-04, C-05, S-15, A-22."""
    game = table_with(key, bet)
    limit = limit_of(text)
    amounts = text.replace("/", "-").split("-")
    for cents in {limit.min, limit.max, limit.min + limit.step, limit.max - limit.step}:
        bets = with_needs(game, game.level(level), bet, cents)
        if limit.min <= cents <= limit.max:
            assert dict(lay(game, level, **bets)[0].bets) == bets
    for cents in (limit.min - limit.step, limit.max + limit.step, 0, -limit.min, 10**15, 1):
        with refused("limit", bet, "spot 1", *amounts):
            lay(game, level, **with_needs(game, game.level(level), bet, cents))
    for cents in (limit.min + 1, limit.max - 1, limit.min + limit.step - 1):
        if limit.min <= cents <= limit.max:
            with refused("step", bet, "spot 1", *amounts):
                lay(game, level, **with_needs(game, game.level(level), bet, cents))


@pytest.mark.parametrize("amount", ["0.50", "1.00", "4.50", "5.50", "10.00", "25.00"])
def test_the_progressive_takes_exactly_five(amount: str) -> None:
    """T-38, T-85."""
    for level in ("low", "high", "high_roller"):
        game = find("top3").at_table()
        bets = with_needs(game, game.level(level), "progressive", parse_cents(amount))
        with refused("limit", "progressive", "exactly 5.00", amount):
            lay(game, level, **bets)
        assert lay(game, level, **bets | {"progressive": 500})


def test_limits_bind_each_spot_by_itself() -> None:
    """One bad amount refuses the whole table (G-08)."""
    game = find("top3").at_table()
    spots = [SpotBets(1, (("main", 1_000),)), SpotBets(2, (("main", 1_050),))]
    with refused("limit", "main", "spot 2", "1.00", "10.00"):
        game.laid("micro", spots)


def test_limits_bind_initial_bets_only() -> None:
    """G-09: double, split and insurance stay open at the maximum."""
    bets = [SpotBets(1, (("main", 200_000),))]
    round_ = Round.begin(find("top3").at_table(), "high_roller", bets)
    over = play(
        round_, parse_cards("8c As 8d 9h 3c 3d Ts Td"), prefers("insurance", "split", "double")
    )
    (spot,) = over.table.spots
    assert [hand.stake for hand in spot.hands] == [400_000, 400_000]


# Bets that need another


def test_top_3_needs_classic_on_the_same_spot() -> None:
    """T-81."""
    game = find("top3").at_table()
    with refused("bet_needs", "top3", "classic", "spot 1"):
        lay(game, "low", main=500, top3=100)
    with refused("bet_needs", "top3", "classic", "spot 1"):
        game.laid(
            "low",
            [
                SpotBets(1, (("main", 500), ("top3", 100))),
                SpotBets(2, (("main", 500), ("classic", 100))),
            ],
        )
    assert lay(game, "low", main=500, top3=100, classic=2_500)


@pytest.mark.parametrize(
    ("key", "level", "bets"),
    [
        ("top3", "low", {"classic": 100}),
        ("top3", "low", {"progressive": 500}),
        ("top3", "low", {}),
        ("threecard", "table", {"ace_plus": 500}),
        ("threecard", "table", {}),
        ("super21", "table", {}),
        ("ags", "table", {}),
        ("blackjack", "table", {}),
    ],
)
def test_a_spot_needs_its_bet(key: str, level: str, bets: dict[str, int]) -> None:
    """T-21, C-05, A-05: side bets lie beside a main bet, but alone at `ags`."""
    game = find(key, ANALYSED).at_table()
    with refused("bet_needs", "Spot 1", game.main):
        lay(game, level, **bets)
    with refused("bet_needs", game.main):
        game.laid(level, [])


def test_a_side_bet_may_lie_alone_at_ags() -> None:
    """A-15."""
    game = find("ags").at_table()
    assert lay(game, "table", trifecta=100) == (SpotBets(1, (("trifecta", 100),)),)
    assert lay(game, "table", match_super=100, trifecta=500)
    with refused("bet_needs", "Spot 2", "main or a side bet"):
        game.laid("table", [SpotBets(1, (("main", 100),)), SpotBets(2, ())])


# Spots


@pytest.mark.parametrize(
    ("key", "most"), [("top3", 3), ("ags", 3), ("super21", 1), ("threecard", 1), ("blackjack", 3)]
)
def test_a_table_has_so_many_spots(key: str, most: int) -> None:
    """T-02, A-15, S-15, C-16."""
    game = find(key, ANALYSED).at_table()
    level = game.levels[0]
    bets = ((game.main, level.bets[game.main].min),)
    allowed = "spots 1 to 3" if most > 1 else "one spot, number 1"
    for numbers in ([0], [most + 1], [-1], [1, 1], [1, most + 1], [99]):
        with refused("field", game.key, allowed, "once"):
            game.laid(level.key, [SpotBets(number, bets) for number in numbers])
    every = [SpotBets(number, bets) for number in range(most, 0, -1)]
    assert [spot.spot for spot in game.laid(level.key, every)] == list(range(1, most + 1))


# Names that are none


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    with refused("field", "'poker'", "top3", "threecard", "super21", "ags"):
        find("poker")
    with refused("field", "'blackjack'"):
        find("blackjack")
    with refused("field", "''", "blackjack"):
        find("", ANALYSED)


@pytest.mark.parametrize("game", ANALYSED, ids=lambda game: game.key)
def test_unknown_names_are_refused_with_the_known_ones(game: Game) -> None:
    with refused("field", "'penthouse'", *(level.key for level in game.levels)):
        game.level("penthouse")
    with refused("field", "'luck'", game.key, *(side.key for side in game.side_bets)):
        game.side_bet("luck")
    table = game.at_table()
    level = table.levels[-1]
    with refused("field", "'luck'", *level.bets):
        lay(table, level.key, **{game.main: level.bets[game.main].min, "luck": 100})
    with refused("field", "'penthouse'"):
        lay(table, "penthouse", **{game.main: level.bets[game.main].min})
    with refused("field", "'luck'", "decks"):
        game.with_rule("luck", "1")
    with refused("field", "'luck'"):
        game.with_pay("luck", "row", "1:1")
    for side in game.side_bets:
        with refused("field", "'royal'", *side.evaluate.outcomes):
            game.with_pay(side.key, "royal", "1:1")


def test_a_game_without_side_bets_says_so() -> None:
    with refused("field", "super21", "none"):
        find("super21").side_bet("trifecta")


def test_insurance_and_raise_are_no_initial_bets() -> None:
    with refused("field", "'insurance'", "main"):
        lay(find("top3").at_table(), "low", main=500, insurance=250)
    with refused("field", "'raise'", "ante"):
        lay(find("threecard").at_table(), "table", ante=500, **{"raise": 500})


# Closed bets and tables


def test_the_progressive_is_closed_at_micro() -> None:
    """T-10."""
    with refused("field", "'progressive'", "main", "top3", "classic"):
        lay(find("top3").at_table(), "micro", main=100, progressive=500)


def test_two_side_bets_are_open_at_ags_and_the_others_closed() -> None:
    """A-14."""
    with refused("field", "'in_bet'", "main", "trifecta", "match_super"):
        lay(find("ags").at_table(), "table", main=100, in_bet=100)
    chosen = find("ags").at_table(side_bets=["in_bet", "pairs_pay"])
    with refused("field", "'trifecta'", "main", "pairs_pay", "in_bet"):
        lay(chosen, "table", main=100, trifecta=100)
    with refused("field", "'trifecta'"):
        chosen.at_table(side_bets=["trifecta", "in_bet"])


@pytest.mark.parametrize(
    "side_bets",
    [
        [],
        ["trifecta"],
        ["trifecta", "trifecta"],
        ["trifecta", "match_super", "in_bet"],
        ["trifecta", "match_super", "pairs_pay", "in_bet"],
    ],
)
def test_exactly_two_different_side_bets_are_chosen(side_bets: list[str]) -> None:
    with refused("field", "exactly 2 different side bets", "ags"):
        find("ags").at_table(side_bets=side_bets)


def test_a_side_bet_of_another_game_is_no_choice() -> None:
    with refused("field", "'classic'", "trifecta", "match_super", "pairs_pay", "in_bet"):
        find("ags").at_table(side_bets=["trifecta", "classic"])
    with refused("field", "'trifecta'", "super21"):
        find("super21").at_table(side_bets=["trifecta"])


@pytest.mark.parametrize(
    ("key", "decks"),
    [
        ("top3", (5, 9, 1, 0, -6)),
        ("threecard", (2, 0)),
        ("super21", (6, 7)),
        ("ags", (8, 1)),
        ("blackjack", (0, 9)),
    ],
)
def test_decks_that_are_not_offered(key: str, decks: tuple[int, ...]) -> None:
    """T-01, C-01, S-01, A-01."""
    game = find(key, ANALYSED)
    for number in decks:
        with refused("field", key, *map(str, game.decks_offered), f"not from {number}"):
            game.at_table(decks=number)


def test_never_asking_for_insurance_is_a_setting_of_one_served_game() -> None:
    """T-50."""
    for game in (it.at_table() for it in CATALOGUE):
        level = game.levels[0]
        bets = [SpotBets(1, ((game.main, level.bets[game.main].min),))]
        if game.key == CATALOGUE[0].key:
            assert not Round.begin(game, level.key, bets, ask_insurance=False).ask_insurance
        else:
            with refused("field", "ask_insurance", game.key):
                Round.begin(game, level.key, bets, ask_insurance=False)


def test_a_round_is_played_at_a_table() -> None:
    """Four side bets at once is a programmer's mistake."""
    with pytest.raises(AssertionError, match="open a table first"):
        Round.begin(find("ags"), "table", [SpotBets(1, (("main", 100),))])


def test_a_refused_choice_changes_nothing() -> None:
    bets = [SpotBets(1, (("main", 500),))]
    round_ = Round.begin(find("top3").at_table(), "low", bets)
    for card in parse_cards("Tc 5d 6h 8s"):
        round_ = round_.give(card)
    before = (round_.state, round_.events, round_.given, round_.table)
    with refused("choice", "split", "hit", "stand", "double", "surrender"):
        round_.give("split")
    assert (round_.state, round_.events, round_.given, round_.table) == before


# Rules that cannot be


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("decks", ["0", "9", "-1", "6.0", "six", "", " 6", "\u0666", "\u00b2", "6" * 5_000]),
        ("dealer_hits_soft_17", ["yes", "1", "True", "", "none"]),
        ("hole_card", ["hidden", "", "PEEK"]),
        ("natural", ["1.5", "3:0", "3", "none", "-3:2", "\u0663:2"]),
        ("natural_suited", ["", "diamonds", "stars@2:1", "diamonds@", "Diamonds@2:1", "d@2:1"]),
        (
            "auto_wins",
            [
                "",
                "2@1:1",
                "12@1:1",
                "0@1:1",
                "6",
                "6@",
                "6@2",
                "6/22@1:1",
                "6/5@1:1",
                "6/@1:1",
                "6@1:1,6@2:1",
                "5/21@2:1,5/21@2:1",
                "6@1:1,",
                ",",
                "-6@1:1",
                "none,6@1:1",
                "\u0666@1:1",
                "6/1\u0669@1:1",
            ],
        ),
        ("double.cards", ["3", "all", ""]),
        ("double.totals", ["", "21", "3", "10,10", "10,", ",", "10;11", "ten", "any,10", "9-11"]),
        ("double.after_split", ["no", ""]),
        ("double.rescue", ["maybe"]),
        ("split.hands_max", ["0", "5", "1.5", "-1", ""]),
        ("split.aces", ["split", "", "HIT"]),
        ("split.resplit_aces", ["2"]),
        ("surrender", ["late", "early", "true", ""]),
        ("insurance", ["2", "none", "2:0"]),
        ("even_money", ["offered"]),
        ("stands_on_21", ["soft", "true"]),
    ],
)
def test_a_field_of_drawing_games_takes_what_it_says(name: str, texts: list[str]) -> None:
    """Code `field`, and the sentence says what the field is."""
    game = find("blackjack", ANALYSED)
    for text in texts:
        with refused("field", name, f"{name} is "):
            game.with_rule(name, text)


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("decks", ["0", "9"]),
        ("qualifies_at", ["3", "22", "", "soft 17"]),
        ("best_of", ["two", "2", ""]),
        ("dealer_natural_beats_21", ["yes"]),
        ("tie", ["win", ""]),
    ],
)
def test_a_field_of_three_cards_takes_what_it_says(name: str, texts: list[str]) -> None:
    for text in texts:
        with refused("field", name, f"{name} is "):
            find("threecard").with_rule(name, text)


def test_fields_of_one_shape_are_none_of_the_other() -> None:
    with refused("field", "'tie'", "split.aces"):
        find("ags").with_rule("tie", "lose")
    with refused("field", "'split.aces'", "tie"):
        find("threecard").with_rule("split.aces", "hit")
    for name in ("double", "split", "double.", ".cards", "double.cards.x", "__class__", ""):
        with refused("field", "double.cards"):
            find("ags").with_rule(name, "2")


def test_a_pay_that_is_none_is_refused() -> None:
    game = find("top3")
    for text in ("9", "9:0", "-1:1", "9/1", "", "1e3:1", "0.5:1"):
        with refused("field", "9:1"):
            game.with_pay("classic", "flush", text)


def test_only_a_bet_with_a_meter_pays_from_it() -> None:
    with refused("field", "classic", "no meter", "9:1"):
        find("top3").with_pay("classic", "flush", "meter")
    game = find("top3").with_pay("progressive", "suited_three", "meter/10")
    row = game.side_bet("progressive").pays.first({"suited_three"})
    assert row == Row("suited_three", MeterShare(10))


# Broken cents


@pytest.mark.parametrize(
    ("key", "name", "text"),
    [
        ("blackjack", "natural", "4:3"),
        ("top3", "natural", "7:4"),
        ("blackjack", "natural_suited", "clubs@1:3"),
        ("blackjack", "auto_wins", "6@1:1,5@2:3"),
        ("super21", "auto_wins", "5/21@100:7"),
        # Insurance is half the bet: 0.25 at top3.
        ("top3", "insurance", "3:2"),
        ("ags", "insurance", "5:3"),
        ("blackjack", "insurance", "1:100"),
    ],
)
def test_rules_that_could_pay_a_broken_cent_build_no_game(key: str, name: str, text: str) -> None:
    """G-09: exact on every step, or there is no such game."""
    with refused("field", "main", "exact in cents"):
        find(key, ANALYSED).with_rule(name, text)


@pytest.mark.parametrize(
    ("key", "bet", "row", "text"),
    [
        ("top3", "classic", "flush", "1:3"),
        ("ags", "in_bet", "more", "1:3"),
        ("threecard", "ace_plus", "axx", "1:7"),
    ],
)
def test_pays_that_could_break_a_cent_build_no_game(
    key: str, bet: str, row: str, text: str
) -> None:
    with refused("field", bet, "exact in cents"):
        find(key).with_pay(bet, row, text)


def coin(limit: Limit, pays: Odds, pool: Pool | None = None) -> Game:
    """The made-up game with one more side bet."""
    side = SideBet(
        key="coin",
        title="Coin",
        evaluate=PAIR,
        pays=PayTable((Row("suited", pays),)),
        pool=pool,
    )
    level = Level("table", "Table", {"main": Limit(200, 400, 200), "coin": limit})
    return dataclasses.replace(FORTNIGHT, side_bets=(side,), side_bets_open_max=1, levels=(level,))


def test_a_game_looks_at_every_step_of_every_bet() -> None:
    assert coin(Limit(100, 100, 100), Odds(5, 4))
    with refused("field", "coin", "1.00"):
        coin(Limit(100, 100, 100), Odds(5, 8))
    with refused("field", "coin", "0.25"):
        coin(Limit(25, 100, 25), Odds(5, 4))
    for share, good in ((Fraction(1, 4), True), (Fraction(17, 1000), False)):
        pool = Pool(key="coin", seed=100, share=share)
        if good:
            assert coin(Limit(100, 100, 100), Odds(5, 4), pool)
        else:
            with refused("field", "coin", "exact in cents"):
                coin(Limit(100, 100, 100), Odds(5, 4), pool)


def test_a_main_bet_that_cannot_be_halved_builds_no_game() -> None:
    """Insurance and surrender are halves, whatever the pays; an ante is never halved."""
    even = find("blackjack", ANALYSED).with_rule("natural", "1:1")
    with refused("field", "main", "0.25"):
        dataclasses.replace(even, levels=(quarters("main"),))
    assert dataclasses.replace(find("threecard"), side_bets=(), levels=(quarters("ante"),))


def quarters(bet: str) -> Level:
    return Level("table", "Table", {bet: Limit(25, 100, 25)})


def test_a_level_limits_bets_of_its_game_only() -> None:
    level = Level("table", "Table", {"main": Limit(100, 200, 100), "luck": Limit(100, 200, 100)})
    with refused("field", "'luck'", "blackjack"):
        dataclasses.replace(find("blackjack", ANALYSED), levels=(level,))


@pytest.mark.parametrize(
    ("low", "high", "step"),
    [
        (0, 100, 50),
        (100, 50, 50),
        (100, 200, 0),
        (100, 200, -50),
        (50, 200, 100),
        (150, 200, 100),
        (100, 250, 100),
        (-100, 100, 50),
    ],
)
def test_a_limit_that_cannot_be_is_refused(low: int, high: int, step: int) -> None:
    with refused("field", "whole steps"):
        Limit(low, high, step)


def test_bets_are_dealt_in_the_game_s_order_whatever_order_they_came_in() -> None:
    game = find("top3").at_table()
    laid = lay(game, "low", progressive=500, classic=100, top3=100, main=500)
    assert [bet for bet, _ in laid[0].bets] == ["main", "top3", "classic", "progressive"]

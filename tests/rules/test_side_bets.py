"""Side bets: every outcome counted over all cards, every row paid in a whole round, the meter.

Counts go over the 52 different cards with the number of ways in which so many decks hold them, as
exact fractions. They meet figures that others have published (docs/clauses.md names the tables).
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from math import comb
from random import Random

import pytest

from tests.rules import naive
from tests.rules.dealer import TABLES, follow, play, prefers
from upcard.cards import CARDS, Card, parse_cards
from upcard.events import Awarded, Paid, Settled
from upcard.game import Limit, Round
from upcard.games import find
from upcard.money import ForOne, MeterShare, Odds, parse_cents, parse_pay
from upcard.paytable import PayTable, Row
from upcard.sidebets import ACES, BETWEEN, MATCH, PAIR, POKER, Pool, SideBet
from upcard.table import Meter, MeterFor, SpotBets

EVALUATORS = {"poker": POKER, "match": MATCH, "pair": PAIR, "between": BETWEEN, "aces": ACES}
each_evaluator = pytest.mark.parametrize("name", EVALUATORS)


# Each evaluator against naive.py, over all cards there are


@cache
def triples(sees: str) -> tuple[tuple[Card, Card, Card], ...]:
    """Three cards with repeats: in any order, or two in any order and the up card."""
    if sees == "three":
        return tuple(combinations_with_replacement(CARDS, 3))
    pairs = combinations_with_replacement(CARDS, 2)
    return tuple((one, other, up) for one, other in pairs for up in CARDS)


@pytest.mark.usefixtures("unmeasured")
@each_evaluator
def test_an_evaluator_names_all_that_three_cards_are(name: str) -> None:
    evaluator, tests = EVALUATORS[name], naive.FITS[name]
    assert set(evaluator.outcomes) == tests.keys()
    seen = set()
    for cards in triples(evaluator.sees):
        one, other, third = map(str, cards)
        fitting = {outcome for outcome, fits in tests.items() if fits(one, other, third)}
        assert evaluator.fits(cards) == fitting, cards
        seen |= fitting
    assert seen == tests.keys()


@pytest.mark.usefixtures("unmeasured")
@each_evaluator
def test_the_order_matters_only_where_it_is_said_to(name: str) -> None:
    """The player's two cards always change places; all three do where `sees` is `three`."""
    evaluator = EVALUATORS[name]
    for cards in Random(name).sample(triples(evaluator.sees), 2_000):
        orders = list(permutations(cards)) if evaluator.sees == "three" else [cards[1::-1]]
        fitting = {evaluator.fits((*order, cards[2])[:3]) for order in orders}
        assert fitting == {evaluator.fits(cards)}


def test_the_second_only_evaluator_does_not_see_the_up_card() -> None:
    assert PAIR.sees == "two"
    for one, other in combinations_with_replacement(CARDS[:26], 2):
        assert len({PAIR.fits((one, other, up)) for up in CARDS}) == 1


# Counting over the cards of so many decks


def ways(sees: str, cards: tuple[Card, Card, Card], decks: int) -> int:
    """In how many ways the physical cards of so many decks are these three."""
    if sees == "three":
        ways_ = 1
        for number in Counter(cards).values():
            ways_ *= comb(decks, number)
        return ways_
    one, other, up = cards
    pair = comb(decks, 2) if one == other else decks * decks
    left = decks - (one, other).count(up)
    return pair * (left if sees == "two_and_up" else 1)


def every(sees: str, decks: int) -> int:
    cards = 52 * decks
    return {
        "three": comb(cards, 3),
        "two_and_up": comb(cards, 2) * (cards - 2),
        "two": comb(cards, 2),
    }[sees]


@cache
def fitting(name: str) -> tuple[tuple[tuple[Card, Card, Card], frozenset[str]], ...]:
    """All triples with what they are; a bet on two cards is looked at under one up card only."""
    evaluator = EVALUATORS[name]
    cards = triples(evaluator.sees)
    if evaluator.sees == "two":
        cards = tuple(three for three in cards if three[2] == CARDS[0])
    return tuple((three, evaluator.fits(three)) for three in cards)


def counts(name: str, pays: PayTable, decks: int) -> Counter[str]:
    """Row → how many of all physical sets it pays; misses under `lose`."""
    sees = EVALUATORS[name].sees
    found: Counter[str] = Counter()
    for cards, outcomes in fitting(name):
        row = pays.first(outcomes)
        found[row.name if row else "lose"] += ways(sees, cards, decks)
    assert sum(found.values()) == every(sees, decks)
    return found


def table(rows: str) -> PayTable:
    """`straight 10:1, flush 5:1` → PayTable."""
    split = (row.split(" ", 1) for row in rows.split(", "))
    return PayTable(tuple(Row(name, parse_pay(pay)) for name, pay in split))


def edge_per_cent(name: str, rows: str, decks: int) -> Fraction:
    """The house's share of 100 staked; a row that takes a meter counts nothing."""
    pays = table(rows)
    found = counts(name, pays, decks)
    total = sum(
        found[row.name] * row.pays.paid(1000)
        for row in pays.rows
        if isinstance(row.pays, Odds | ForOne)
    )
    return 100 - Fraction(100 * total, 1000 * every(EVALUATORS[name].sees, decks))


def assert_rounds_to(value: Fraction, published: str) -> None:
    """Equal as far as the published figure goes."""
    _, _, decimals = published.partition(".")
    assert abs(value - Fraction(published)) <= Fraction(1, 2 * 10 ** len(decimals)), float(value)


CLASSIC = "straight_flush 9:1, three_of_a_kind 9:1, straight 9:1, flush 9:1"
TOP3 = "suited_three 270:1, straight_flush 180:1, three_of_a_kind 90:1"
MATCH_SUPER = "two_suited 22:1, suited_unsuited 15:1, suited 11:1, two_unsuited 8:1, unsuited 4:1"
PAIRS = "suited 15:1, unsuited 10:1"
IN_BET = "triple 30:1, one 10:1, two 6:1, three 4:1, more 1:1"
JACOBSON = "triple 30:1, one 12:1, two 6:1, three 4:1, more 1:1"
GRADED = "suited_three {}:1, straight_flush {}:1, three_of_a_kind {}:1, straight {}:1, flush {}:1"
GRADED_4 = "straight_flush {}:1, three_of_a_kind {}:1, straight {}:1, flush {}:1"


@pytest.mark.usefixtures("unmeasured")
@pytest.mark.parametrize(
    ("name", "rows", "decks", "published"),
    [
        # 21+3 at 9:1 for each hand, Wizard of Odds
        ("poker", CLASSIC, 1, "13.30"),
        ("poker", CLASSIC, 2, "7.26"),
        ("poker", CLASSIC, 4, "4.24"),
        ("poker", CLASSIC, 6, "3.24"),
        ("poker", CLASSIC, 8, "2.74"),
        # Top 3
        ("poker", TOP3, 4, "15.04"),
        ("poker", TOP3, 6, "11.07"),
        ("poker", TOP3, 8, "9.00"),
        # Match the Dealer and Pairs, six decks, Wizard of Odds
        ("match", MATCH_SUPER, 6, "4.06"),
        ("pair", PAIRS, 6, "10.6109"),
        # In Bet, Wizard of Odds; with 12:1 for one rank between, Jacobson
        ("between", IN_BET, 1, "10.46"),
        ("between", IN_BET, 2, "7.76"),
        ("between", JACOBSON, 2, "5.696"),
        ("between", JACOBSON, 6, "3.396"),
        # Graded tables of 21+3
        ("poker", GRADED.format(100, 40, 30, 10, 5), 6, "4.6210"),
        ("poker", GRADED.format(100, 40, 30, 10, 5), 8, "3.7039"),
        ("poker", GRADED.format(100, 35, 33, 10, 5), 6, "4.1427"),
        ("poker", GRADED.format(100, 35, 33, 10, 5), 8, "3.1849"),
        ("poker", GRADED_4.format(30, 20, 10, 5), 6, "13.3896"),
        ("poker", GRADED_4.format(30, 20, 10, 5), 8, "12.8912"),
    ],
)
def test_the_house_edge_is_the_published_one(
    name: str, rows: str, decks: int, published: str
) -> None:
    assert_rounds_to(edge_per_cent(name, rows, decks), published)


@pytest.mark.parametrize(
    ("game", "bet", "rows"),
    [
        ("top3", "classic", CLASSIC),
        ("top3", "top3", TOP3),
        ("ags", "match_super", MATCH_SUPER),
        ("ags", "pairs_pay", PAIRS),
        ("ags", "in_bet", IN_BET),
    ],
)
def test_the_published_tables_are_those_of_the_games(game: str, bet: str, rows: str) -> None:
    """T-83, T-84, A-19 to A-21: so the edges above are theirs."""
    assert find(game).side_bet(bet).pays == table(rows)


SIX_DECKS = {
    "straight_flush": 10_368,
    "suited_three": 1_040,
    "three_of_a_kind": 26_312 - 1_040,
    "straight": 155_520,
    "flush": 292_896,
}


@pytest.mark.usefixtures("unmeasured")
def test_six_decks_hold_as_many_hands_as_published() -> None:
    """21+3 at six decks, of C(312, 3) = 5,013,320 sets; 2,024 of the trips are fives."""
    found = counts("poker", table(GRADED.format(1, 1, 1, 1, 1)), 6)
    assert found == SIX_DECKS | {"lose": 5_013_320 - sum(SIX_DECKS.values())}
    assert counts("poker", table("three_fives 1:1"), 6)["three_fives"] == 2_024


@pytest.mark.usefixtures("unmeasured")
def test_flushes_with_a_pair_are_flushes() -> None:
    """56,160 of the flushes at six decks hold a pair, by rank and so by suit the same card."""
    paired = sum(
        ways("three", cards, 6)
        for cards, outcomes in fitting("poker")
        if outcomes == {"flush"} and len(set(cards)) == 2
    )
    assert paired == 56_160


@pytest.mark.usefixtures("unmeasured")
def test_the_progressive_is_table_1_of_pennsylvania() -> None:
    """T-85, 58 Pa. Code 633b.17: the house's part is 0.5669, the meter is hit once in 31,333."""
    pays = find("top3").side_bet("progressive").pays
    found = counts("poker", pays, 6)
    assert_rounds_to(Fraction(5_013_320, found["suited_aces_kings"]), "31333")
    rows = ", ".join(f"{row.name} {row.pays}" for row in pays.rows)
    assert_rounds_to(1 - edge_per_cent("poker", rows, 6) / 100, "0.5669")


@pytest.mark.usefixtures("unmeasured")
def test_other_progressive_hits_come_as_often_as_published() -> None:
    """The Ritz table counts queens among its highest row; straight flushes and trips are ours."""
    found = counts("poker", table(GRADED.format(1, 1, 1, 1, 1)), 6)
    aces_and_kings = counts("poker", table("suited_aces_kings 1:1"), 6)["suited_aces_kings"]
    with_queens = aces_and_kings + 4 * comb(6, 3)
    for hits, one_in in (
        (with_queens, "20889"),
        (found["suited_three"] - with_queens, "6267"),
        (found["straight_flush"], "484"),
        (found["three_of_a_kind"], "198"),
    ):
        assert_rounds_to(Fraction(5_013_320, hits), one_in)


@pytest.mark.usefixtures("unmeasured")
def test_ace_plus_returns_as_much_as_counted() -> None:
    """C-12: 5373/5525 of the stake, from C(52, 3) = 22,100 hands of one deck."""
    pays = find("threecard").side_bet("ace_plus").pays
    rows = ", ".join(f"{row.name} {row.pays}" for row in pays.rows)
    assert 1 - edge_per_cent("aces", rows, 1) / 100 == Fraction(5373, 5525)
    # With 4 aces, 16 tens and 32 others.
    assert counts("aces", pays, 1) == {
        "aaa": 4,
        "aat": 6 * 16,
        "aax": 6 * 32,
        "att": 4 * comb(16, 2),
        "atx": 4 * 16 * 32,
        "axx": 4 * comb(32, 2),
        "lose": comb(48, 3),
    }


def one_deck(sees: str) -> Iterator[tuple[Card, ...]]:
    if sees == "three":
        yield from combinations(CARDS, 3)
        return
    for one, other in combinations(CARDS, 2):
        for up in CARDS if sees == "two_and_up" else (CARDS[0],):
            if sees == "two" or up not in (one, other):
                yield one, other, up


@pytest.mark.usefixtures("unmeasured")
@each_evaluator
def test_one_deck_counted_card_by_card(name: str) -> None:
    """The same counts without any weight: the 52 cards of a deck, each there once."""
    evaluator = EVALUATORS[name]
    pays = PayTable(tuple(Row(outcome, Odds(1)) for outcome in evaluator.outcomes))
    found: Counter[str] = Counter()
    for cards in one_deck(evaluator.sees):
        row = pays.first(evaluator.fits(cards))
        found[row.name if row else "lose"] += 1
    assert found == +counts(name, pays, 1)


# Every row in a whole round

ROWS = [
    # T-83, T-86
    ("top3", "classic", "straight_flush", "5d 6d", "7d", "1.00", "10.00"),
    ("top3", "classic", "straight_flush", "Qh Ah", "Kh", "1.00", "10.00"),
    ("top3", "classic", "three_of_a_kind", "9c 9d", "9c", "1.00", "10.00"),
    ("top3", "classic", "straight", "2c Ad", "3c", "1.00", "10.00"),
    ("top3", "classic", "straight", "Kc Ad", "Qc", "1.00", "10.00"),
    ("top3", "classic", "flush", "2h 9h", "Th", "25.00", "250.00"),
    ("top3", "classic", "flush", "Kh Ah", "2h", "25.00", "250.00"),
    ("top3", "classic", "lose", "Kc Ah", "2h", "1.00", "0.00"),
    # T-84: the highest only
    ("top3", "top3", "suited_three", "9c 9c", "9c", "1.00", "271.00"),
    ("top3", "top3", "straight_flush", "9c Tc", "Jc", "2.50", "452.50"),
    ("top3", "top3", "three_of_a_kind", "9c 9d", "9h", "1.00", "91.00"),
    ("top3", "top3", "lose", "2h 9h", "Th", "1.00", "0.00"),
    ("top3", "top3", "lose", "2h 3c", "4h", "1.00", "0.00"),
    # T-85: the stake is not returned
    ("top3", "progressive", "suited_three", "9c 9c", "9c", "5.00", "625.00"),
    ("top3", "progressive", "suited_three", "Qs Qs", "Qs", "5.00", "625.00"),
    ("top3", "progressive", "straight_flush", "9c Tc", "Jc", "5.00", "125.00"),
    ("top3", "progressive", "three_of_a_kind", "Ac Ad", "Ac", "5.00", "100.00"),
    ("top3", "progressive", "straight", "9c Tc", "Jd", "5.00", "35.00"),
    ("top3", "progressive", "flush", "2h 9h", "Th", "5.00", "15.00"),
    ("top3", "progressive", "lose", "2h 9h", "Tc", "5.00", "0.00"),
    # three fives in any suits, suited trips as trips
    ("ags", "trifecta", "three_fives", "5c 5d", "5h", "1.00", "201.00"),
    ("ags", "trifecta", "three_fives", "5c 5c", "5c", "1.00", "201.00"),
    ("ags", "trifecta", "straight_flush", "5c 6c", "4c", "1.00", "31.00"),
    ("ags", "trifecta", "three_of_a_kind", "6c 6d", "6h", "1.00", "21.00"),
    ("ags", "trifecta", "three_of_a_kind", "6c 6c", "6c", "1.00", "21.00"),
    ("ags", "trifecta", "straight", "Ac 2d", "3h", "1.00", "11.00"),
    ("ags", "trifecta", "flush", "Ac 9c", "3c", "1.00", "6.00"),
    ("ags", "trifecta", "lose", "5c 5d", "6h", "1.00", "0.00"),
    #
    ("ags", "match_super", "two_suited", "8c 8c", "8c", "2.00", "46.00"),
    ("ags", "match_super", "suited_unsuited", "8d 8c", "8c", "2.00", "32.00"),
    ("ags", "match_super", "suited", "8c 9c", "8c", "2.00", "24.00"),
    ("ags", "match_super", "two_unsuited", "8d 8h", "8c", "2.00", "18.00"),
    ("ags", "match_super", "unsuited", "9c 8h", "8c", "2.00", "10.00"),
    ("ags", "match_super", "lose", "Qc Kh", "Jc", "2.00", "0.00"),
    #
    ("ags", "pairs_pay", "suited", "Qh Qh", "2c", "3.00", "48.00"),
    ("ags", "pairs_pay", "unsuited", "Qc Qh", "2c", "3.00", "33.00"),
    ("ags", "pairs_pay", "lose", "Qc Kc", "2c", "3.00", "0.00"),
    # ace high; neighbours and other pairs lose
    ("ags", "in_bet", "triple", "Qc Qh", "Qd", "1.00", "31.00"),
    ("ags", "in_bet", "one", "Kc Jh", "Qc", "1.00", "11.00"),
    ("ags", "in_bet", "one", "Ac Qh", "Kc", "1.00", "11.00"),
    ("ags", "in_bet", "two", "Tc Kh", "Qc", "1.00", "7.00"),
    ("ags", "in_bet", "three", "4c 8h", "5c", "1.00", "5.00"),
    ("ags", "in_bet", "more", "4c 9h", "5c", "1.00", "2.00"),
    ("ags", "in_bet", "more", "2c Ah", "3c", "1.00", "2.00"),
    ("ags", "in_bet", "lose", "Ac 3h", "2c", "1.00", "0.00"),
    ("ags", "in_bet", "lose", "9c 8h", "9c", "1.00", "0.00"),
    ("ags", "in_bet", "lose", "9c 9h", "8c", "1.00", "0.00"),
    # C-12
    ("threecard", "ace_plus", "aaa", "Ac Ad", "As", "5.00", "505.00"),
    ("threecard", "ace_plus", "aat", "Ac Ad", "Js", "5.00", "130.00"),
    ("threecard", "ace_plus", "aax", "Ac 9d", "As", "5.00", "80.00"),
    ("threecard", "ace_plus", "att", "Tc Ad", "Ks", "5.00", "35.00"),
    ("threecard", "ace_plus", "atx", "2c Ad", "Ks", "5.00", "20.00"),
    ("threecard", "ace_plus", "axx", "2c 9d", "As", "5.00", "10.00"),
    ("threecard", "ace_plus", "lose", "Tc Jd", "Ks", "5.00", "0.00"),
]


def test_no_row_is_left_out() -> None:
    """With the meter's row, which has tests of its own below."""
    rows = {
        (game, side.key, row.name)
        for game in ("top3", "ags", "threecard")
        for side in find(game).side_bets
        for row in side.pays.rows
    }
    tried = {(game, bet, row) for game, bet, row, *_ in ROWS}
    assert rows - tried == {("top3", "progressive", "suited_aces_kings")}


@pytest.mark.parametrize(("key", "bet", "row", "own", "up", "stake", "paid"), ROWS)
def test_a_row_pays_what_the_clause_says(
    key: str, bet: str, row: str, own: str, up: str, stake: str, paid: str
) -> None:
    """The first cards decide, whatever follows (T-82, C-07)."""
    first, second = parse_cards(own)
    (third,) = parse_cards(up)
    rest = parse_cards("9s 2c 3d 4h 5s 6c 7d 8h")
    three = key == "threecard"
    cards = (first, second, third, *rest) if three else (first, third, second, *rest)
    for last in ("fold", "raise") if three else ("stand", "hit", "surrender"):
        round_ = play(begin(key, {bet: parse_cents(stake)}), cards, prefers(last))
        payments = [event for event in round_.events if isinstance(event, Paid)]
        assert [event for event in payments if event.bet == bet] == [
            Paid(1, None, bet, row, parse_cents(stake), parse_cents(paid))
        ]


def begin(key: str, sides: dict[str, int], spots: int = 1) -> Round:
    """A round with the least main bet, these side bets and those they need on each spot."""
    game = find(key)
    if len(game.side_bets) > game.side_bets_open_max:
        other = next(side.key for side in game.side_bets if side.key not in sides)
        game = game.at_table(side_bets=[*sides, other])
    else:
        game = game.at_table()
    level = game.levels[min(1, len(game.levels) - 1)]
    needs = {game.side_bet(bet).needs for bet in sides} - {None}
    bets = {game.main: level.bets[game.main].min} | sides
    bets |= {need: level.bets[need].min for need in needs if need}
    return Round.begin(
        game, level.key, [SpotBets(spot + 1, tuple(bets.items())) for spot in range(spots)]
    )


# The meter


def awards(round_: Round) -> list[tuple[int, int, int]]:
    """Spot, meter as it was met, and what was won, in order."""
    found = [event for event in round_.events if isinstance(event, Awarded)]
    return [(event.spot, event.meter, event.paid) for event in found]


@pytest.mark.parametrize("ace_or_king", ["Ac", "Kd"])
def test_the_meter_is_won_whole_with_the_stakes_of_its_own_round(ace_or_king: str) -> None:
    """T-85: 0.85 of each 5.00 is in it; the rightmost spot takes it, the next what it then is.

    The meter stands at 12,345.67. Three spots bet: 12,348.22 for the first, and 10,000.00, where
    it starts again, for each of the others.
    """
    round_ = begin("top3", {"progressive": 500}, spots=3)
    cards = parse_cards(" ".join([ace_or_king] * 7 + ["9c"] * 9))
    over = play(round_, cards, prefers("no_insurance", "stand"), meter=1_234_567)
    won = [(1, 1_234_822, 1_234_822), (2, 1_000_000, 1_000_000), (3, 1_000_000, 1_000_000)]
    assert awards(over) == won
    paid = [event for event in over.events if isinstance(event, Paid)]
    assert [event for event in paid if event.bet == "progressive"] == [
        Paid(spot, None, "progressive", "suited_aces_kings", 500, cents) for spot, _, cents in won
    ]
    # 5.00 each on the main bet and on this one; whatever else comes back is in the sum too.
    assert over.events[-1] == Settled(3 * (500 + 500), sum(event.paid for event in paid))


def test_a_round_waits_for_the_meter_and_nothing_else() -> None:
    """The engine never touches a meter: it says which share is won and is told how it stands."""
    round_ = begin("top3", {"progressive": 500})
    for card in parse_cards("As As As 9c"):
        assert not isinstance(round_.wants, MeterFor)
        round_ = round_.give(card)
    assert round_.wants == MeterFor(1, "progressive", MeterShare())
    assert round_.choices == ()
    told = round_.give(Meter(1_000_085, epoch=4))
    assert Awarded(1, "progressive", 4, 1_000_085, 1_000_085) in told.events


@pytest.mark.parametrize(
    ("cards", "paid"),
    [("Qc Qc Qc", 62_500), ("Ah Ad Ah", 10_000), ("Kc Kc Kd", 10_000), ("Qs Ks As", 12_500)],
)
def test_the_other_rows_leave_the_meter_alone(cards: str, paid: int) -> None:
    """T-85: these five are paid by the house."""
    round_ = begin("top3", {"progressive": 500})
    over = play(round_, parse_cards(f"{cards} 9c 9d 8h 7s"), prefers("stand"))
    assert awards(over) == []
    payments = [event for event in over.events if isinstance(event, Paid)]
    assert [event.paid for event in payments if event.bet == "progressive"] == [paid]


def test_a_part_of_the_meter_leaves_the_rest_in_it() -> None:
    """A tenth of 1,000.07 is 100.00, the seven cents stay; the next gets a tenth of the rest.

    At the made-up table a quarter of each 4.00 enters the meter.
    """
    game = TABLES["fortnight"].game
    spots = [SpotBets(spot, (("royal", 400),)) for spot in (1, 2)]
    cards = parse_cards("9h 9c Th Jh Jc 2d")
    assert [str(card) for card in cards[:3]] == ["9h", "9c", "Th"]
    over = play(Round.begin(game, "garden", spots), cards, prefers(), meter=99_807)
    # Spot 1: nine, jack and the ten up in hearts. Spot 2: nine and jack of clubs, no flush.
    assert awards(over) == [(1, 99_807 + 2 * 100, 10_000)]
    cards = parse_cards("9h Jh Th Jh 9h 2d")
    over = play(Round.begin(game, "garden", spots), cards, prefers(), meter=99_807)
    assert awards(over) == [(1, 100_007, 10_000), (2, 90_007, 9_000)]


def test_three_cards_may_have_a_meter_too() -> None:
    """A share is met after the decision, between other side bets, and the round then ends."""
    plus = find("threecard").side_bet("ace_plus")
    grand = SideBet(
        key="grand",
        title="Grand",
        evaluate=ACES,
        pool=Pool(key="grand", seed=50_000, share=Fraction(1, 10)),
        pays=PayTable((Row("aaa", MeterShare()), Row("aat", MeterShare(2)), Row("axx", Odds(2)))),
    )
    (level,) = find("threecard").levels
    level = dataclasses.replace(level, bets={**level.bets, "grand": Limit(100, 100, 100)})
    game = dataclasses.replace(
        find("threecard"), side_bets=(grand, plus), side_bets_open_max=2, levels=(level,)
    )
    bets = SpotBets(1, (("ante", 500), ("grand", 100), ("ace_plus", 500)))
    begun = Round.begin(game.at_table(), "table", [bets])
    for own, share in (("Ac Ad Ah", 20_010), ("Ac Ad Th", 10_005), ("Ac 9d 8h", 300)):
        cards = parse_cards(f"{own} 2c 3d 4h")
        for choice in ("raise", "fold"):
            over = play(begun, cards, follow([choice]), meter=20_000)
            paid = {event.bet: event.paid for event in over.events if isinstance(event, Paid)}
            assert paid["grand"] == share
            assert paid["ace_plus"] > 500
            assert over.is_over


def test_a_share_is_whole_cents_and_the_rest_stays() -> None:
    assert MeterShare().of(1_000_001) == 1_000_001
    assert MeterShare(10).of(1_000_009) == 100_000
    assert MeterShare(3).of(2) == 0

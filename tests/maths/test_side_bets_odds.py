"""Side bets against published figures, closed counts, and every deal of a shoe one by one."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upcard.cards import CARDS, RANKS, Card, numbered
from upcard.game import Game
from upcard.games import CATALOGUE, find
from upcard.maths import shoe, sidebets
from upcard.money import ForOne, MeterShare, Odds
from upcard.paytable import PayTable, Row
from upcard.refused import Refused
from upcard.sidebets import POKER, Evaluator, SideBet

ALL = [(game, side) for game in CATALOGUE for side in game.side_bets]
DECKS = range(1, 9)
METER, STAKE = 1_234_567, 500


def bet(key: str, **pays: str) -> SideBet:
    """A side bet by its key, some rows paying otherwise."""
    game = next(game for game, side in ALL if side.key == key)
    for row, text in pays.items():
        game = game.with_pay(key, row, text)
    return game.side_bet(key)


def edge(side: SideBet, decks: int) -> float:
    """House edge in per cent."""
    return 100 * float(1 - sidebets.side_bet(side, shoe.full(decks)).rtp)


RITZ = {
    "suited_ace_king_queen": 20_889,
    "other_suited_three": 6_267,
    "straight_flush": 484,
    "other_three": 198,
}
"""The Ritz progressive of six decks: how rare its rows are, one in so many."""


def _ritz(cards: Sequence[Card]) -> frozenset[str]:
    fits = POKER.fits(cards)
    if "suited_three" in fits:
        high = RANKS[cards[0].rank] in "AKQ"
        return frozenset(["suited_ace_king_queen" if high else "other_suited_three"])
    return frozenset({"other_three"} if "three_of_a_kind" in fits else fits & {"straight_flush"})


def test_the_rows_of_the_ritz_progressive_are_as_rare_as_published() -> None:
    """58 Pa. Code 633b.17, the Ritz table: rows that no game of ours has."""
    ritz = SideBet(
        key="ritz",
        title="Ritz",
        evaluate=Evaluator(tuple(RITZ), "three", _ritz),
        pays=PayTable(tuple(Row(name, Odds(1)) for name in RITZ)),
    )
    rows = {each.row.name: each for each in sidebets.side_bet(ritz, shoe.full(6)).rows}
    assert {name: round(1 / row.probability) for name, row in rows.items()} == RITZ


@pytest.mark.parametrize(
    ("key", "decks", "published"),
    [
        ("classic", 1, "13.30"),
        ("classic", 2, "7.26"),
        ("classic", 4, "4.24"),
        ("classic", 6, "3.24"),
        ("classic", 8, "2.74"),
        ("top3", 4, "15.04"),
        ("top3", 6, "11.07"),
        ("top3", 8, "9.00"),
        ("match_super", 6, "4.06"),
        ("pairs_pay", 6, "10.6109"),
        ("in_bet", 1, "10.46"),
        ("in_bet", 2, "7.76"),
    ],
)
def test_house_edges_are_the_published_ones(key: str, decks: int, published: str) -> None:
    """Wizard of Odds, Lubin, to the digits printed."""
    digits = len(published.partition(".")[2])
    assert f"{edge(bet(key), decks):.{digits}f}" == published


@pytest.mark.parametrize(("decks", "published"), [(2, 5.696), (6, 3.396)])
def test_in_bet_with_twelve_for_one_between(decks: int, published: float) -> None:
    """Jacobson."""
    assert edge(bet("in_bet", one="12:1"), decks) == pytest.approx(published, abs=0.0005)


@pytest.mark.parametrize(
    ("pays", "six", "eight"),
    [
        (("40:1", "30:1", "10:1", "5:1", "100:1"), 4.6210, 3.7039),
        (("35:1", "33:1", "10:1", "5:1", "100:1"), 4.1427, 3.1849),
        (("30:1", "20:1", "10:1", "5:1"), 13.3896, 12.8912),
    ],
    ids=str,
)
def test_graded_tables(pays: tuple[str, ...], six: float, eight: float) -> None:
    """Published edges of graded 21+3 tables, the last without a row for suited trips."""
    rows = ("straight_flush", "three_of_a_kind", "straight", "flush", "suited_three")
    graded = bet("classic", **dict(zip(rows, pays, strict=False)))
    assert edge(graded, 6) == pytest.approx(six, abs=0.00005)
    assert edge(graded, 8) == pytest.approx(eight, abs=0.00005)


def test_ace_plus_returns_what_it_counts_to() -> None:
    """5373/5525 by counting."""
    assert sidebets.side_bet(bet("ace_plus"), shoe.full(1)).rtp == Fraction(5373, 5525)


def test_variance_of_pairs() -> None:
    """10.3199 is the variance that a public page prints as an edge."""
    pairs = sidebets.side_bet(bet("pairs_pay"), shoe.full(6))
    assert float(pairs.variance) == pytest.approx(10.3199, abs=0.00005)
    assert pairs.sd == pytest.approx(10.3199**0.5, abs=0.00001)


def test_six_deck_counts() -> None:
    """The counts of 21+3 at six decks."""
    classic = counts(bet("classic", suited_three="9:1"), 6)
    assert classic == {
        "suited_three": 1_040,
        "straight_flush": 10_368,
        "three_of_a_kind": 26_312 - 1_040,
        "straight": 155_520,
        "flush": 292_896,
    }
    assert counts(bet("trifecta"), 6)["three_fives"] == 2_024


def test_top3_hits_about_one_in_130() -> None:
    """Lubin: hits 1 in 130 or so."""
    assert 125 < 1 / sidebets.side_bet(bet("top3"), shoe.full(6)).hit < 140


# Closed counts: how many deals fall on each outcome, written down for any number of decks


def counts(side: SideBet, decks: int) -> dict[str, int]:
    return {row.row.name: row.count for row in sidebets.side_bet(side, shoe.full(decks)).rows}


def closed(key: str, d: int) -> tuple[int, dict[str, int]]:
    """All deals and those of each row, by hand, from `d` copies of each card."""
    n = 52 * d
    suited_trips = comb(d, 3)
    three = {
        "straight_flush": 48 * d**3,
        "straight": 12 * (4 * d) ** 3 - 48 * d**3,
        "flush": 4 * comb(13 * d, 3) - 48 * d**3 - 52 * suited_trips,
    }
    trips = 13 * comb(4 * d, 3)
    match key:
        case "classic":
            return comb(n, 3), three | {"three_of_a_kind": trips}
        case "trifecta":
            fives = comb(4 * d, 3)
            return comb(n, 3), three | {"three_of_a_kind": trips - fives, "three_fives": fives}
        case "top3":
            del three["straight"], three["flush"]
            suited = 52 * suited_trips
            return comb(n, 3), three | {"suited_three": suited, "three_of_a_kind": trips - suited}
        case "progressive":
            return comb(n, 3), three | {
                "suited_aces_kings": 8 * suited_trips,
                "suited_three": 44 * suited_trips,
                "three_of_a_kind": trips - 52 * suited_trips,
            }
        case "ace_plus":
            a, t, x = 4 * d, 16 * d, 32 * d
            return comb(n, 3), {
                "aaa": comb(a, 3),
                "aat": comb(a, 2) * t,
                "aax": comb(a, 2) * x,
                "att": a * comb(t, 2),
                "atx": a * t * x,
                "axx": a * comb(x, 2),
            }
        case "match_super":
            same, alike, other = d - 1, 3 * d, 48 * d
            return comb(n, 2) * (n - 2), {
                "two_suited": n * comb(same, 2),
                "suited_unsuited": n * same * alike,
                "suited": n * same * other,
                "two_unsuited": n * comb(alike, 2),
                "unsuited": n * alike * other,
            }
        case "pairs_pay":
            return comb(n, 2), {"suited": 52 * comb(d, 2), "unsuited": 13 * 6 * d**2}
        case _:
            spread = {k: (12 - k) * k * (4 * d) ** 3 for k in range(1, 12)}
            return comb(n, 2) * (n - 2), {
                "triple": 13 * comb(4 * d, 2) * (4 * d - 2),
                "one": spread[1],
                "two": spread[2],
                "three": spread[3],
                "more": sum(spread[k] for k in range(4, 12)),
            }


@pytest.mark.parametrize(("game", "side"), ALL, ids=lambda value: value.key)
@pytest.mark.parametrize("decks", DECKS)
def test_counts_equal_the_closed_ones(game: Game, side: SideBet, decks: int) -> None:
    """Theorem: elementary counting, for every bet and 1 to 8 decks."""
    of, expected = closed(side.key, decks)
    odds = sidebets.side_bet(side, shoe.full(decks), meter=METER, stake=STAKE)
    assert {row.row.name: row.count for row in odds.rows} == expected
    assert {row.of for row in odds.rows} == {of}


# Every deal of a shoe, one by one


@pytest.mark.parametrize(("game", "side"), ALL, ids=lambda value: value.key)
def test_a_lopsided_shoe_equals_a_count_of_all_kinds_of_deals(game: Game, side: SideBet) -> None:
    """Theorem: all 140,608 ordered kinds of three cards, each weighed by the cards there are."""
    draw = random.Random(side.key)
    lopsided = tuple(draw.randrange(4) for _ in range(52))
    rows: Counter[str | None] = Counter()
    for first, one in enumerate(lopsided):
        for second, two in enumerate(lopsided):
            ways = one * (two - (first == second))
            for third, three in enumerate(lopsided if ways else ()):
                left = three - (first == third) - (second == third)
                if left > 0:
                    cards = (CARDS[first], CARDS[second], CARDS[third])
                    row = side.judge(cards)
                    rows[row.name if row else None] += ways * left
    odds = sidebets.side_bet(side, lopsided, meter=METER, stake=STAKE)
    for found in odds.rows:
        assert found.probability == Fraction(rows[found.row.name], rows.total())


def net(side: SideBet, cards: tuple[Card, ...]) -> Fraction:
    """What a stake of 500 cents wins or loses, in stakes, from the row that pays."""
    row = side.judge(cards)
    if row is None:
        return Fraction(-1)
    pays = row.pays
    paid = pays.of(METER) if hasattr(pays, "of") else pays.paid(STAKE)
    return Fraction(paid, STAKE) - 1


few_cards = st.lists(st.integers(0, 103), min_size=3, max_size=7, unique=True)


@settings(max_examples=40, deadline=None)
@given(numbers=few_cards, game=st.sampled_from([game for game in CATALOGUE if game.side_bets]))
def test_bets_together_equal_every_deal(numbers: list[int], game: Game) -> None:
    """Theorem: mean, variance, covariance and the joint distribution by their definitions."""
    cards = [numbered(number) for number in numbers]
    deals = list(permutations(cards, 3))
    bets = game.side_bets
    found = sidebets.together(
        bets, shoe.of(cards), meter=METER, stakes={side.key: STAKE for side in bets}
    )
    nets = [tuple(net(side, deal) for side in bets) for deal in deals]
    expected = Counter(nets)
    assert found.nets == {key: Fraction(count, len(deals)) for key, count in expected.items()}
    means = [Fraction(sum(column), len(deals)) for column in zip(*nets, strict=True)]
    for first, side in enumerate(bets):
        odds = sidebets.side_bet(side, shoe.of(cards), meter=METER, stake=STAKE)
        assert odds.rtp - 1 == means[first] == found.mean(first)
        assert odds.variance == found.covariance(first, first)
        assert odds.hit == Fraction(sum(row[first] > -1 for row in nets), len(deals))
        for second in range(len(bets)):
            products = sum(
                (row[first] - means[first]) * (row[second] - means[second]) for row in nets
            )
            assert found.covariance(first, second) == Fraction(products, len(deals))


def test_stakes_add_up_in_the_distribution() -> None:
    """Theorem: the variance of a sum is the sum of all covariances."""
    ags = find("ags")
    stakes = (1, 2, 3, 5)
    found = sidebets.together(ags.side_bets, shoe.full(6))
    total = found.distribution(stakes)
    assert sum(total.values()) == 1
    mean = sum(value * chance for value, chance in total.items())
    variance = sum((value - mean) ** 2 * chance for value, chance in total.items())
    assert variance == sum(
        stakes[a] * stakes[b] * found.covariance(a, b) for a in range(4) for b in range(4)
    )
    assert found.correlation(0, 0) == pytest.approx(1, abs=1e-15)
    assert 0 < found.correlation(0, 1) < 1  # trips are both


def test_a_bet_that_always_ends_alike_goes_with_nothing() -> None:
    top3 = find("top3")
    found = sidebets.together(top3.side_bets[:2], shoe.full(1))
    assert found.covariance(0, 1) > 0
    lost = sidebets.together(find("ags").side_bets[:2], shoe.of(CARDS[:1] + CARDS[20:22]))
    assert lost.correlation(0, 1) == 0.0


def test_rows_that_cannot_come_are_kept_and_misses_are_not() -> None:
    """Zero counts kept, misses left out."""
    odds = sidebets.side_bet(bet("match_super"), shoe.full(1))
    assert [(row.row.name, row.count) for row in odds.rows[:3]] == [
        ("two_suited", 0),
        ("suited_unsuited", 0),
        ("suited", 0),
    ]


def test_a_row_that_gives_nothing_back_is_no_hit() -> None:
    flush_lost = bet("progressive", flush="0 for 1")
    full = sidebets.side_bet(bet("progressive"), shoe.full(6), meter=METER, stake=STAKE)
    less = sidebets.side_bet(flush_lost, shoe.full(6), meter=METER, stake=STAKE)
    assert full.hit - less.hit == Fraction(292_896, 5_013_320)
    assert full.rtp - less.rtp == 3 * Fraction(292_896, 5_013_320)


def test_ways_to_pay_in_stakes() -> None:
    """T-85: for one, the stake is not returned; a share of the meter in whole cents."""
    assert sidebets.payback(Odds(3, 2)) == Fraction(5, 2)
    assert sidebets.payback(ForOne(125)) == 125
    assert sidebets.payback(MeterShare(10), meter=1_234_567, stake=500) == Fraction(123_456, 500)


@pytest.mark.parametrize("cards", [0, 1, 2])
def test_a_shoe_too_small_is_refused(cards: int) -> None:
    for count in (sidebets.side_bet, lambda side, few: sidebets.together([side], few)):
        with pytest.raises(Refused, match=f"a shoe of {cards} cards is too small") as refused:
            count(bet("pairs_pay"), shoe.of(CARDS[:cards]))
        assert refused.value.code == "field"

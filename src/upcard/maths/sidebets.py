"""Side bets as exact fractions, by counting, from the very evaluators and rows that pay.

Three cards decide a side bet: two of the player's and one more. What an evaluator sees of them is
settled once for each *class*: their ranks, and which of their suits are alike; suits are
interchangeable (a test holds every evaluator to it). How many deals of a shoe fall in each class
is counted card by card, so any multiset of cards can be the starting shoe.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from upcard.cards import CARDS, CARDS_PER_DECK, RANKS, Card
from upcard.maths import shoe as shoes
from upcard.maths.shoe import Shoe
from upcard.money import ForOne, MeterShare, Odds, Pay
from upcard.paytable import Row
from upcard.sidebets import Evaluator, SideBet

CARDS_MIN = 3
Ints = NDArray[np.int64]
Probabilities = Mapping[tuple[Fraction, ...], Fraction]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowOdds:
    """One row of a pay table. `count` of `of` deals fall on it, `payback` stakes come back."""

    row: Row
    count: int
    of: int
    payback: Fraction

    @property
    def probability(self) -> Fraction:
        return Fraction(self.count, self.of)


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBetOdds:
    """A side bet counted out. All is per stake; misses are no row and bring nothing back."""

    bet: SideBet
    rows: tuple[RowOdds, ...]

    @property
    def rtp(self) -> Fraction:
        """What comes back of a stake on average."""
        return sum((row.probability * row.payback for row in self.rows), Fraction(0))

    @property
    def hit(self) -> Fraction:
        """How often anything comes back."""
        return sum((row.probability for row in self.rows if row.payback), Fraction(0))

    @property
    def variance(self) -> Fraction:
        squares = sum((row.probability * row.payback**2 for row in self.rows), Fraction(0))
        return squares - self.rtp**2

    @property
    def sd(self) -> float:
        return root(self.variance)


def side_bet(
    bet: SideBet, shoe: Shoe, *, meter: int | None = None, stake: int | None = None
) -> SideBetOdds:
    """The odds of a bet that is dealt from this shoe.

    A row that pays from a meter needs to know how that stands and the stake, both in cents.
    Raises Refused (`field`) for a shoe of fewer than three cards.
    """
    shoes.check_size(shoe, CARDS_MIN)
    counts = _row_counts(bet, shoe)
    deals, part = _deals(sum(shoe), bet.evaluate)
    rows = tuple(
        RowOdds(
            row=row,
            count=count // part,
            of=deals // part,
            payback=payback(row.pays, meter=meter, stake=stake),
        )
        for row, count in zip(bet.pays.rows, counts, strict=True)
    )
    return SideBetOdds(bet=bet, rows=rows)


def payback(pays: Pay, *, meter: int | None = None, stake: int | None = None) -> Fraction:
    """The stakes that come back when a row pays so, the stake itself included where it does."""
    match pays:
        case Odds(won, staked):
            return 1 + Fraction(won, staked)
        case ForOne(stakes):
            return Fraction(stakes)
        case MeterShare():
            assert meter is not None, "a share of a meter is worth what the meter holds"
            assert stake, "and is counted in stakes"
            return Fraction(pays.of(meter), stake)


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """Bets on one spot, decided by the same three cards.

    `nets`: net result of each bet, in stakes of its own and in the order of `bets` → probability.
    """

    bets: tuple[SideBet, ...]
    nets: Probabilities

    def mean(self, first: int) -> Fraction:
        return sum((nets[first] * chance for nets, chance in self.nets.items()), Fraction(0))

    def covariance(self, first: int, second: int) -> Fraction:
        """Of two bets by their place in `bets`; of a bet with itself it is its variance."""
        product = sum(
            (nets[first] * nets[second] * chance for nets, chance in self.nets.items()), Fraction(0)
        )
        return product - self.mean(first) * self.mean(second)

    def correlation(self, first: int, second: int) -> float:
        """0 where one of them always ends alike."""
        scale = self.covariance(first, first) * self.covariance(second, second)
        return float(self.covariance(first, second)) / root(scale) if scale else 0.0

    def distribution(self, stakes: Sequence[int]) -> dict[Fraction, Fraction]:
        """Net result of all bets together → probability, for so much staked on each."""
        found: dict[Fraction, Fraction] = {}
        for nets, chance in self.nets.items():
            total = sum((net * stake for net, stake in zip(nets, stakes, strict=True)), Fraction(0))
            found[total] = found.get(total, Fraction(0)) + chance
        return dict(sorted(found.items()))


def together(
    bets: Sequence[SideBet],
    shoe: Shoe,
    *,
    meter: int | None = None,
    stakes: Mapping[str, int] | None = None,
) -> Together:
    """Several bets on one spot. `meter` and `stakes` (by bet key, in cents) as in `side_bet`."""
    shoes.check_size(shoe, CARDS_MIN)
    paybacks = [
        [
            Fraction(0),
            *(
                payback(row.pays, meter=meter, stake=(stakes or {}).get(bet.key))
                for row in bet.pays.rows
            ),
        ]
        for bet in bets
    ]
    paying = np.stack([_paying_rows(bet) for bet in bets])
    kinds, kind_of = np.unique(paying, axis=1, return_inverse=True)
    counts = _summed(kind_of.ravel(), _class_counts(shoe), kinds.shape[1])
    deals = sum(counts)
    nets: dict[tuple[Fraction, ...], Fraction] = {}
    for kind, count in zip(kinds.T.tolist(), counts, strict=True):
        if count:
            key = tuple(back[row] - 1 for back, row in zip(paybacks, kind, strict=True))
            nets[key] = nets.get(key, Fraction(0)) + Fraction(count, deals)
    return Together(bets=tuple(bets), nets=nets)


def root(square: Fraction) -> float:
    """The square root, right to the last digit of a float or nearly."""
    scale = 1 << 128
    return math.isqrt(square.numerator * scale**2 // square.denominator) / scale


# Counting


def _deals(cards: int, evaluator: Evaluator) -> tuple[int, int]:
    """Deals of an unordered two cards and a third; how many of them are one for what is seen."""
    deals = math.comb(cards, 2) * (cards - 2)
    return deals, {"three": 3, "two_and_up": 1, "two": cards - 2}[evaluator.sees]


def _row_counts(bet: SideBet, shoe: Shoe) -> list[int]:
    """How many deals fall on each row."""
    return _summed(_paying_rows(bet), _class_counts(shoe), 1 + len(bet.pays.rows))[1:]


def _paying_rows(bet: SideBet) -> Ints:
    """Class → the row that pays, counted from 1; 0 is a miss."""
    kinds, kind_of = _judged(bet.evaluate)
    rows: list[Row | None] = [None, *bet.pays.rows]
    numbers = [rows.index(bet.pays.first(fitting)) for fitting in kinds]
    return np.array(numbers, dtype=np.int64)[kind_of]


def _summed(group: Ints, counts: Ints, groups: int) -> list[int]:
    """Counts added up by group. Sums stay below 2**53, where a float still counts by ones."""
    sums = np.bincount(group, weights=counts.astype(np.float64), minlength=groups)
    return [int(total) for total in sums.tolist()]


@cache
def _judged(evaluator: Evaluator) -> tuple[tuple[frozenset[str], ...], Ints]:
    """The different verdicts of an evaluator, and class → which of them is passed on it."""
    kinds: dict[frozenset[str], int] = {}
    numbers = [kinds.setdefault(evaluator.fits(cards), len(kinds)) for cards in _classes().examples]
    return tuple(kinds), np.array(numbers, dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Classes:
    """All deals of a pair (unordered, by card number) and a third card, and their classes."""

    first: Ints
    second: Ints
    third: Ints
    class_of: Ints
    examples: tuple[tuple[Card, Card, Card], ...]


@cache
def _classes() -> _Classes:
    first, second, third = (
        axis.ravel() for axis in np.meshgrid(*(np.arange(CARDS_PER_DECK),) * 3, indexing="ij")
    )
    once = first <= second
    first, second, third = first[once], second[once], third[once]
    keys = np.zeros_like(first)
    for cards in (first, second, third):
        keys = keys * len(RANKS) + cards % len(RANKS)
    suits = [cards // len(RANKS) for cards in (first, second, third)]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        keys = keys * 2 + (suits[one] == suits[other])
    _, example, class_of = np.unique(keys, return_index=True, return_inverse=True)
    picked = zip(first[example], second[example], third[example], strict=True)
    return _Classes(
        first=first,
        second=second,
        third=third,
        class_of=class_of,
        examples=tuple((CARDS[a], CARDS[b], CARDS[c]) for a, b, c in picked),
    )


@lru_cache(maxsize=16)
def _class_counts(shoe: Shoe) -> Ints:
    """How many deals of physical cards fall in each class."""
    classes = _classes()
    held = np.array(shoe, dtype=np.int64)
    first, second, third = classes.first, classes.second, classes.third
    same = first == second
    pairs = np.where(same, held[first] * (held[first] - 1) // 2, held[first] * held[second])
    left = held[third] - (third == first) - (third == second)
    sums = np.bincount(classes.class_of, weights=(pairs * left).astype(np.float64))
    assert int(sums.sum()) < 2**53, "a shoe beyond counting"
    return sums.astype(np.int64)

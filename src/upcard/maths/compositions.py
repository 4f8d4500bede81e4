"""Every hand that is not over 21, as a multiset of card values, and the hands one card further.

There are 3,072 of them with two cards or more. They are numbered by rising hard total, so that a
card leads from every hand to one of a higher number; backward induction walks down the numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import numpy as np

from upcard.maths.arrays import Hands
from upcard.maths.tables import ACE, VALUES
from upcard.twentyone.hand import Hand
from upcard.twentyone.rules import BEST_TOTAL

BUST = -1
"""The number that stands for every hand over 21."""


def number_of(values: Iterable[int]) -> int:
    """The number of the hand of these value indices (0 the ace), BUST if it is over 21."""
    after = hands().after
    at = 0
    for value in values:
        if at != BUST:
            at = int(after[at, value])
    return at


def values_of(number: int) -> tuple[int, ...]:
    """The value indices of a hand, rising."""
    counts = hands().counts[number]
    return tuple(value for value in range(VALUES) for _ in range(int(counts[value])))


@cache
def hands() -> Hands:
    """All of them, made once."""
    multisets = sorted(_multisets(BEST_TOTAL, VALUES - 1), key=lambda hand: (_hard(hand), hand))
    places = {hand: number for number, hand in enumerate(multisets)}
    after = np.full((len(multisets), VALUES), BUST)
    for number, hand in enumerate(multisets):
        for value in range(min(BEST_TOTAL - _hard(hand), VALUES)):
            longer = (*hand[:value], hand[value] + 1, *hand[value + 1 :])
            after[number, value] = places[longer]
    counts = np.array(multisets)
    hard = counts @ np.arange(1, VALUES + 1)
    ace = (counts[:, ACE] > 0).astype(np.int64)
    total = [Hand(hard=int(h), ace=bool(a)).total for h, a in zip(hard, ace, strict=True)]
    return Hands(counts, counts.sum(axis=1), hard, ace, np.array(total), after)


def _hard(hand: tuple[int, ...]) -> int:
    return sum(count * (value + 1) for value, count in enumerate(hand))


def _multisets(room: int, highest: int) -> Iterator[tuple[int, ...]]:
    """Counts of the values 0 to `highest` whose hard total is within `room`."""
    if highest < 0:
        yield ()
        return
    for count in range(room // (highest + 1) + 1):
        for lower in _multisets(room - count * (highest + 1), highest - 1):
            yield (*lower, count)

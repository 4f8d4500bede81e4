"""The dealer's finished hands, grouped by their cards, as a trie that the kernel walks.

A dealer who draws without replacement makes the multiset M, starting with the up card u, with
probability  ways(M, u) · Π falling(shoe_v, M_v) / falling(cards, |M|),  where `ways` counts the
orders of M that start with u and in which no earlier hand would have stopped. Orders are a matter
of the rules alone; the product is shared by all up cards; and M sorted by value shares its
first factors with its neighbours. Hands over 21 need not be listed: they are what is left.

One value may be set apart: it comes last in the order, its factor is left out of the product, and
sums are kept by how often it occurs. Then one walk serves the shoe and the same shoe with one,
two, three ... cards of that value fewer, which is what splits ask for.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from upcard.maths import compositions
from upcard.maths.arrays import DealerTrie
from upcard.maths.compiled import kernel
from upcard.maths.compositions import BUST
from upcard.maths.tables import ACE, TEN, VALUES, Bools, Floats

FLOOR = 17
"""Below this total no dealer stops (asserted); totals are counted from it: 0 to 4."""
ALL_UPS = (1 << VALUES) - 1
"""All up cards, as a set of bits."""


@lru_cache(maxsize=8)
def _finished(draws_bytes: bytes) -> tuple[Floats, Bools]:
    """ways[n, u]: orders of hand n that start with u, every earlier hand drawing; and which hands
    are finished, the natural left out."""
    hands = compositions.hands()
    draws = np.frombuffer(draws_bytes, np.bool_).reshape(-1, 2)[hands.hard, hands.ace]
    ways = np.zeros(hands.after.shape)
    ways[hands.after[0], np.arange(VALUES)] = 1
    # An up card alone always gets a second card.
    for number in np.flatnonzero((draws | (hands.cards == 1)) & (hands.cards > 0)):
        row = ways[number]
        if row.any():
            for longer in hands.after[number]:
                if longer != BUST:
                    ways[longer] += row
    finished = ~draws & (hands.cards > 1) & ways.any(axis=1)
    finished[compositions.number_of((ACE, TEN))] = False
    assert (hands.total[finished] >= FLOOR).all()
    return ways, finished


def dealer_trie(draws: Bools, apart: int, ups: int = ALL_UPS) -> DealerTrie:
    """The trie for `HandTables.dealer_draws`, for these up cards only."""
    return _trie(draws.tobytes(), apart, ups)


@lru_cache(maxsize=256)
def _trie(draws_bytes: bytes, apart: int, ups: int) -> DealerTrie:
    hands = compositions.hands()
    ways, finished = _finished(draws_bytes)
    shown = np.array([bool(ups >> up & 1) for up in range(VALUES)])
    ways = ways * shown
    total = np.where(finished & ways.any(axis=1), hands.total - FLOOR, -1)
    order = [value for value in range(VALUES) if value != apart]
    path, added, above, best = kernel.preorder(hands, np.array([apart, *order]), total)
    kept = np.flatnonzero(best >= 0)
    number, added = path[kept], added[kept]
    skip = np.searchsorted(kept, above[kept])
    had = hands.counts[number, added] - 1
    is_end = total[number] >= 0
    end, up = np.nonzero(ways[number] * is_end[:, None])
    ended = number[end]
    keys = (hands.counts[ended, apart] * kernel.DEPTH + hands.cards[ended]) * VALUES + up
    found, slot = np.unique(keys, return_inverse=True)
    cards, shown_up = np.divmod(found, VALUES)
    slots = np.stack([*np.divmod(cards, kernel.DEPTH), shown_up], axis=1)
    bounds = np.searchsorted(end, np.arange(len(number) + 1))
    return DealerTrie(
        apart=apart,
        depth=hands.cards[number],
        product=hands.cards[number] - hands.counts[number, apart],
        value=added,
        had=had,
        total=total[number],
        best=best[kept],
        skip=skip,
        first=bounds[:-1].copy(),
        last=bounds[1:].copy(),
        slot=slot,
        ways=ways[number[end], up],
        slots=slots,
    )

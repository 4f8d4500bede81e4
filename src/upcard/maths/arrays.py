"""The arrays that the compiled kernel works on, with their names and shapes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Bits = NDArray[np.uint8]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Choices = NDArray[np.int8]


class Hands(NamedTuple):
    """Arrays over all hands, n of them, by rising hard total; hand 0 is the empty one.

    counts[n, 10], cards[n], hard[n], ace[n] (0 or 1), total[n] (an ace counts 11 where it may);
    after[n, 10]: the number of the hand with one more card of that value, negative if over 21.
    """

    counts: Ints
    cards: Ints
    hard: Ints
    ace: Ints
    total: Ints
    after: Ints


class DealerTrie(NamedTuple):
    """The dealer's finished hands; nodes in preorder, see `upcard.maths.dealer`.

    apart: the value set apart. depth: the number of cards; product: how many of them are not set
    apart; value: the card added; had: cards of that value above it; total: counted from 17 if the
    node is a finished hand, else -1; best: the highest such total at or below the node; skip: the
    first node that is not below it; first, last: where its ways stand in `slot` and `ways`.

    slots[s] = (cards set apart, cards, up card): what the sums are kept by, sorted.
    """

    apart: int
    depth: Ints
    product: Ints
    value: Ints
    had: Ints
    total: Ints
    best: Ints
    skip: Ints
    first: Ints
    last: Ints
    slot: Ints
    ways: Floats
    slots: Ints


class Play(NamedTuple):
    """What hands of one origin do: choice[n, u], by number; rescue[n, u], 1 where a doubled hand
    is given up; won[n], the odds of a hand that has won by itself, else negative."""

    choice: Choices
    rescue: Choices
    won: Floats


class Cells(NamedTuple):
    """A chart for one up card: of[n], the cell of hand n; by cell 0 or 1: hit[c] (else stand),
    double[c] and surrender[c] (where allowed, surrender first), rescue[c] (of a doubled hand)."""

    of: Ints
    hit: Choices
    double: Choices
    surrender: Choices
    rescue: Choices


class Ends(NamedTuple):
    """One hand of a split against one up card, taken apart into ends that it may come to.

    The net result is a sum over ends n, reached along ways[n] orders of cards that are counted in
    already: fixed[n] whatever the dealer gets, and stood[n] times what a stake that stands with
    this total brings back. Its square is likewise square[n] and tied[n] times whether it ties.
    """

    fixed: Floats
    stood: Floats
    square: Floats
    tied: Floats

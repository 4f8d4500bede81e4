"""Side bets as the simulator sees them: one look-up for all that lie on a spot.

Three cards win some row of each bet that lies there, or none; deals that win the same rows are one
class. As in `upcard.maths.sidebets` the evaluators may know ranks, and which suits are equal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Final

import numpy as np

from upcard.cards import CARDS_PER_DECK, RANKS, SUITS, Card
from upcard.money import MeterShare
from upcard.paytable import Row
from upcard.sidebets import SideBet
from upcard.simulate.records import CLASSES, SIDES, Bytes, Ints, Record, record

SUITS_ALIKE: Final = ((0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (0, 1, 2))
"""Which of three suits are equal: suits that show it."""
TEN_RANK: Final = RANKS.index("T")


def place_of(card: Card, decks: int) -> int:
    """Where the first of these cards lies in a shoe in order: by rank, then by suit."""
    return (card.rank * len(SUITS) + card.suit) * decks


@dataclass(frozen=True, slots=True)
class Laid:
    """A side bet with the cents that lie on it."""

    bet: SideBet
    cents: int

    def net(self, row: Row | None) -> int:
        """What a row wins, without its share of a meter."""
        if row is None or isinstance(row.pays, MeterShare):
            return -self.cents
        return row.pays.paid(self.cents) - self.cents


@dataclass(frozen=True)
class SideBets:
    """All side bets of a spot together.

    rows[class][bet]: the row that pays, None for a miss; class 0 is a miss of all.
    """

    laid: tuple[Laid, ...]

    @cached_property
    def _classes(self) -> tuple[Bytes, tuple[tuple[Row | None, ...], ...]]:
        found: dict[tuple[Row | None, ...], int] = {(None,) * len(self.laid): 0}
        ranks = product(range(len(RANKS)), repeat=3)
        of_kind = np.array(
            [
                [found.setdefault(self._judged(three, suits), len(found)) for suits in SUITS_ALIKE]
                for three in ranks
            ]
        )
        assert len(found) <= CLASSES, "more classes than a byte can tell apart"
        return of_kind[_kinds()].reshape(-1).astype(np.uint8), tuple(found)

    def _judged(self, ranks: Sequence[int], suits: Sequence[int]) -> tuple[Row | None, ...]:
        cards = [Card(rank, suit) for rank, suit in zip(ranks, suits, strict=True)]
        return tuple(laid.bet.judge(cards) for laid in self.laid)

    @property
    def rows(self) -> tuple[tuple[Row | None, ...], ...]:
        return self._classes[1] if self.laid else ((),)

    def shares(self, kind: int) -> Mapping[int, MeterShare]:
        """The bets of a class that win a share of their meter."""
        return {
            at: row.pays
            for at, row in enumerate(self.rows[kind])
            if row is not None and isinstance(row.pays, MeterShare)
        }

    def arrays(self) -> Record:
        """As the kernel takes them."""
        nets = [[laid.net(row) for laid, row in zip(self.laid, rows, strict=True)]
                for rows in self.rows]  # fmt: skip
        wins = [bool(self.shares(kind)) for kind in range(len(self.rows))]
        return record(
            SIDES,
            of_cards=self._classes[0] if self.laid else np.zeros(1, np.uint8),
            net=np.array(nets, np.int32).reshape(len(self.rows), len(self.laid)),
            stake=np.array([laid.cents for laid in self.laid], np.int32),
            wins_meter=np.array(wins, np.uint8),
            bets=len(self.laid),
            meters=any(wins),
        )


def _kinds() -> tuple[Ints, Ints]:
    """For every deal of three cards, as they lie in a shoe in order, its ranks as one number, and
    which suits are equal."""
    rank, suit = np.divmod(np.arange(CARDS_PER_DECK), len(SUITS))
    axes = np.ix_(range(CARDS_PER_DECK), range(CARDS_PER_DECK), range(CARDS_PER_DECK))
    first, second, third = axes
    ranks = (rank[first] * len(RANKS) + rank[second]) * len(RANKS) + rank[third]
    same = (suit[first] == suit[second], suit[first] == suit[third], suit[second] == suit[third])
    alike = np.where(
        same[0] & same[1], 0, np.where(same[0], 1, np.where(same[1], 2, np.where(same[2], 3, 4)))
    )
    return ranks, alike

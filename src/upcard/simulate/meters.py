"""Progressive meters over many rounds: chunks say when shares were won, and here they are paid.

The cards of a round do not depend on its meter, so chunks are played apart and in any order. What a
meter holds when it is hit depends on all rounds before; the hits are paid in their order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final

from upcard.simulate.counts import Counts, Hit
from upcard.simulate.sides import SideBets

GAP_PARTS: Final = 8
"""Gaps are kept to an eighth of their power of two."""


@dataclass(slots=True)
class Meter:
    """One bet's meter: `cents` after round `since`, each round adding `grows`.

    wins: how often its largest share was won; gaps: rounds from one such win to the next, by their
    lower bounds, with sums of them and of their squares; `met` the sum of what it then held.
    """

    cents: int
    seed: int
    grows: int
    since: int = 0
    last_win: int = 0
    wins: int = 0
    paid: int = 0
    met: int = 0
    highest: int = 0
    gap_sum: int = 0
    gap_squares: int = 0
    gaps: Counter[int] = field(default_factory=Counter)

    def at(self, number: int) -> int:
        """What it holds in a round (counted from 0), the stakes of that round included."""
        return self.cents + self.grows * (number + 1 - self.since)

    def win(self, number: int, part: int) -> int:
        """A share is won in a round; the cents it pays. The whole meter starts from its seed."""
        holds = self.at(number)
        paid = holds // part
        self.cents, self.since = self.seed if part == 1 else holds - paid, number + 1
        self.paid += paid
        if part == 1:
            self._count(number, holds)
        return paid

    def _count(self, number: int, holds: int) -> None:
        gap = number + 1 - self.last_win
        self.last_win = number + 1
        self.wins += 1
        self.met += holds
        self.highest = max(self.highest, holds)
        self.gap_sum += gap
        self.gap_squares += gap * gap
        self.gaps[_rough(gap)] += 1

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__ if name != "gaps"} | {
            "gaps": {str(gap): often for gap, often in sorted(self.gaps.items())}
        }

    @classmethod
    def from_dict(cls, document: dict[str, Any]) -> Meter:
        gaps = Counter({int(gap): int(often) for gap, often in document["gaps"].items()})
        return cls(**{name: int(value) for name, value in document.items() if name != "gaps"},
                   gaps=gaps)  # fmt: skip


def _rough(gap: int) -> int:
    """The highest number not above it with four leading bits."""
    shift = max(gap.bit_length() - GAP_PARTS.bit_length(), 0)
    return gap >> shift << shift


def meters(sides: SideBets, spots: int, cents: int | None) -> dict[int, Meter]:
    """The meters of bets by their place among `sides`, at so many cents or at their seeds."""
    found = {}
    for at, laid in enumerate(sides.laid):
        pool = laid.bet.pool
        if pool is not None:
            grows = pool.contribution(laid.cents) * spots
            found[at] = Meter(pool.seed if cents is None else cents, pool.seed, grows)
    return found


def pay(counts: Counts, hits: Sequence[Hit], before: int, held: dict[int, Meter],
        sides: SideBets) -> None:  # fmt: skip
    """Pay the hits of a chunk that begins after so many rounds, and count what they paid."""
    width = counts.columns // counts.spots
    first = width - len(sides.laid)
    for number, group in groupby(hits, key=lambda hit: hit.round):
        won = tuple(group)
        nets = list(won[0].nets)
        for hit in won:
            for bet, share in sorted(sides.shares(hit.kind).items()):
                paid = held[bet].win(before + number, share.part)
                nets[hit.spot * width + first + bet] += paid
        counts.pay(won[0].nets, nets)

"""What rounds are counted by, and how counts of chunks are added: whole numbers throughout.

Nothing here depends on the order or the number of those who played: sums of whole numbers are the
same however they are added, so a result is bit for bit that of its seed and its rounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from upcard.simulate.records import HIT_NETS, Ints, Record


@dataclass(frozen=True, slots=True)
class Hit:
    """A spot's side bets won a share of a meter: round of the chunk, spot from 0, class, and the
    nets of the whole round without what meters paid."""

    round: int
    spot: int
    kind: int
    nets: tuple[int, ...]


@dataclass(slots=True)
class Counts:
    """Rounds and what they brought, in cents. Columns are bets, spot by spot.

    nets: net of a round → how often; sums, stakes by column; products[column][column]: sums of
    products of nets; classes[spot][class of side bets]; hits wait to be paid by a meter.
    """

    columns: int
    spots: int
    kinds: int
    rounds: int = 0
    nets: Counter[int] = field(default_factory=Counter)
    sums: list[int] = field(default_factory=list)
    stakes: list[int] = field(default_factory=list)
    products: list[list[int]] = field(default_factory=list)
    classes: list[list[int]] = field(default_factory=list)
    hits: list[Hit] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sums = self.sums or [0] * self.columns
        self.stakes = self.stakes or [0] * self.columns
        self.products = self.products or [[0] * self.columns for _ in range(self.columns)]
        self.classes = self.classes or [[0] * self.kinds for _ in range(self.spots)]

    def add(self, other: Counts) -> None:
        """Take in the counts of other rounds of the same experiment, hits left out."""
        self.rounds += other.rounds
        self.nets.update(other.nets)
        self.sums = _plus(self.sums, other.sums)
        self.stakes = _plus(self.stakes, other.stakes)
        self.products = [_plus(*rows) for rows in zip(self.products, other.products, strict=True)]
        self.classes = [_plus(*rows) for rows in zip(self.classes, other.classes, strict=True)]

    def pay(self, before: Sequence[int], after: Sequence[int]) -> None:
        """A counted round had other nets."""
        self.nets[sum(before)] -= 1
        if not self.nets[sum(before)]:
            del self.nets[sum(before)]
        self.nets[sum(after)] += 1
        for first in range(self.columns):
            self.sums[first] += after[first] - before[first]
            for second in range(first + 1):
                gained = after[first] * after[second] - before[first] * before[second]
                self.products[first][second] += gained

    def covariance(self, first: int, second: int) -> float:
        """Of the nets of two columns, in square cents."""
        first, second = max(first, second), min(first, second)
        rounds = self.rounds
        whole = rounds * self.products[first][second] - self.sums[first] * self.sums[second]
        return whole / rounds**2


def _plus(first: Sequence[int], second: Sequence[int]) -> list[int]:
    return [one + other for one, other in zip(first, second, strict=True)]


def counted(tally: Record, counts: Counts, lowest: int, unit: int) -> Counts:
    """Empty counts with what is in a tally of the kernel, whose nets begin with `lowest` cents and
    go by steps of `unit`."""
    columns = counts.columns
    counts.sums = tally.sums[:columns].tolist()
    counts.stakes = tally.stakes[:columns].tolist()
    counts.products = tally.products[:columns, :columns].tolist()
    counts.classes = tally.classes[: counts.spots, : counts.kinds].tolist()
    for place in np.flatnonzero(tally.nets).tolist():
        counts.nets[lowest + place * unit] += int(tally.nets[place])
    counts.hits = sorted(
        (_hit(row, columns) for row in tally.hits[: int(tally.hit_count)]),
        key=lambda hit: (hit.round, hit.spot),
    )
    return counts


def _hit(row: Ints, columns: int) -> Hit:
    at, spot, kind = (int(each) for each in row[:HIT_NETS])
    return Hit(at, spot, kind, tuple(row[HIT_NETS : HIT_NETS + columns].tolist()))

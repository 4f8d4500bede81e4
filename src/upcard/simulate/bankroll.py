"""Bankrolls: many sittings of so many rounds, each from the same bankroll; how they end.

A sitting is over early, ruined, when its bankroll no longer covers the bets of a round. Doubles,
splits and insurance are always paid for, the last of a sitting on credit if it must be. A meter
begins every sitting as it stands at first and grows by the sitting's own bets.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from upcard.refused import Refused
from upcard.simulate import machine
from upcard.simulate.counts import Hit
from upcard.simulate.experiment import CHUNK, Experiment, check_shoe, stream
from upcard.simulate.meters import Meter, meters
from upcard.simulate.records import NOTES, TRACE_ROOM, record
from upcard.simulate.result import QUANTILES, quantile


@dataclass(slots=True)
class Sittings:
    """How sittings ended: `finals` cents and `falls`, the deepest from a peak, by how often;
    ruined, and after how many rounds those were."""

    bankroll: int
    bet: int
    length: int
    count: int = 0
    ruined: int = 0
    finals: Counter[int] = field(default_factory=Counter)
    falls: Counter[int] = field(default_factory=Counter)
    ruin_rounds: Counter[int] = field(default_factory=Counter)

    def add(self, other: Sittings) -> None:
        self.count += other.count
        self.ruined += other.ruined
        self.finals.update(other.finals)
        self.falls.update(other.falls)
        self.ruin_rounds.update(other.ruin_rounds)

    def document(self) -> dict[str, Any]:
        """As `--json` prints it; `risk_of_ruin` with its standard error."""
        risk = self.ruined / self.count
        total = sum(final * often for final, often in self.finals.items())
        return {
            "bankroll": self.bankroll,
            "bet": self.bet,
            "rounds_each": self.length,
            "sittings": self.count,
            "risk_of_ruin": risk,
            "risk_of_ruin_se": float(np.sqrt(risk * (1 - risk) / self.count)),
            "final_mean": total / self.count,
            "final_quantiles": {f"{q:g}": quantile(self.finals, q) for q in QUANTILES},
            "drawdown_quantiles": {f"{q:g}": quantile(self.falls, q) for q in QUANTILES},
            "ruin_round_quantiles": {f"{q:g}": quantile(self.ruin_rounds, q) for q in QUANTILES},
        }


@dataclass(frozen=True, slots=True)
class Sitting:
    """Sittings to be played: cents to begin with, and rounds each."""

    bankroll: int
    length: int

    def check(self, made: Experiment) -> None:
        """Raises Refused (`field`)."""
        if self.length < 1:
            raise Refused("field", f"--sitting {self.length} cannot be; it is one round or more.")
        if self.bankroll < made.laid:
            raise Refused(
                "field",
                f"--bankroll {self.bankroll} is below one bet; {made.laid} cents lie on the table "
                "before each round.",
            )

    def chunks(self, rounds: int) -> list[int]:
        """How many sittings are in each chunk; so many rounds in all, or a sitting at least."""
        each, left = max(CHUNK // self.length, 1), max(rounds // self.length, 1)
        return [min(each, left - first) for first in range(0, left, each)]


def play_sittings(
    made: Experiment, sitting: Sitting, seed: int, chunk: int, count: int, meter: int | None
) -> Sittings:
    """The sittings of one chunk."""
    deal, bankroll = made.deal, sitting.bankroll
    source, notes = deal.source(stream(seed, chunk)), record(NOTES, traced=1)
    state = np.array([bankroll, bankroll, 0, -1, 0, 0], np.int64)
    ended = np.zeros((count, len(Ended._fields)), np.int64)
    awards, done = _Awards(made, sitting.length, meter), 0
    while done < count * sitting.length:
        tally = deal.tally()
        wanted = min(count * sitting.length - done, TRACE_ROOM)
        rounds = deal.play(source, tally, notes, wanted)
        check_shoe(source)
        nets = notes.told[:rounds, 1].copy()
        if tally.hit_count:
            for hit in deal.counts(tally, rounds).hits:
                nets[hit.round] += awards.paid(hit, done + hit.round)
        stakes = (made.laid, bankroll, sitting.length)
        machine.call("follow", nets, len(nets), *stakes, state, ended)
        done += rounds
    found = Sittings(bankroll, made.laid, sitting.length, count)
    for row in ended.tolist():
        _end(found, Ended(*row))
    return found


class Ended(NamedTuple):
    """A sitting at its end; `ruined` after so many rounds, or -1."""

    bank: int
    peak: int
    fall: int
    ruined: int


class _Awards:
    """The meters of sitting after sitting."""

    def __init__(self, made: Experiment, length: int, meter: int | None) -> None:
        self.made, self.length, self.meter = made, length, meter
        self.sitting = -1
        self.held: dict[int, Meter] = {}

    def paid(self, hit: Hit, number: int) -> int:
        """What a hit in a round of all sittings is paid."""
        sitting, at = divmod(number, self.length)
        if sitting != self.sitting:
            self.sitting = sitting
            self.held = meters(self.made.sides, len(self.made.spots), self.meter)
        shares = sorted(self.made.sides.shares(hit.kind).items())
        return sum(self.held[bet].win(at, share.part) for bet, share in shares)


def _end(found: Sittings, ended: Ended) -> None:
    found.finals[ended.bank] += 1
    found.falls[ended.fall] += 1
    if ended.ruined >= 0:
        found.ruined += 1
        found.ruin_rounds[ended.ruined] += 1


def summed(made: Experiment, sitting: Sitting, parts: list[Sittings]) -> Sittings:
    whole = Sittings(sitting.bankroll, made.laid, sitting.length)
    for part in parts:
        whole.add(part)
    return whole

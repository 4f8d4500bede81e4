"""What came out: figures, tidy tables (a dict of columns each) and plots."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from upcard.paytable import Row
from upcard.simulate.counts import Counts
from upcard.simulate.experiment import Experiment
from upcard.simulate.meters import Meter

Table = dict[str, list[Any]]
"""Column name → values, all of one length: what a data frame is made of."""
INSURANCE: Final = "insurance"
QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)


def mean_and_error(made: Experiment, counts: Counts) -> tuple[float, float]:
    """The mean net of the main bet per initial bet, and its standard error."""
    mains = [spot * made.deal.width for spot in range(counts.spots)]
    return _mean_and_error(counts, mains, made.main * len(mains))


def _mean_and_error(counts: Counts, columns: list[int], stake: int) -> tuple[float, float]:
    """Of the sum of some columns, per so many cents."""
    mean = sum(counts.sums[column] for column in columns) / counts.rounds / stake
    both = itertools.product(columns, repeat=2)
    variance = sum(counts.covariance(first, second) for first, second in both)
    return mean, math.sqrt(max(variance, 0.0) / counts.rounds) / stake


@dataclass(frozen=True)
class Result:
    """The counts of a run and what they say.

    `seconds`: the wall time of the loop, for `rounds_now` rounds; `complete` is false for a run
    that was stopped. `path`: (rounds, mean, standard error) of the main bet on the way.
    """

    experiment: Experiment
    seed: int
    counts: Counts
    meters: dict[int, Meter]
    path: tuple[tuple[int, float, float], ...]
    seconds: float
    rounds_now: int
    complete: bool

    # The main bet

    @property
    def rounds(self) -> int:
        return self.counts.rounds

    @cached_property
    def _main(self) -> tuple[float, float]:
        return mean_and_error(self.experiment, self.counts)

    @property
    def ev(self) -> float:
        """The mean net result per initial bet."""
        return self._main[0]

    @property
    def se(self) -> float:
        """Its standard error."""
        return self._main[1]

    @property
    def sd(self) -> float:
        """The standard deviation of one spot's net result per initial bet."""
        columns = self._columns("main")
        variance = sum(self.counts.covariance(column, column) for column in columns)
        return math.sqrt(variance / len(columns)) / self.experiment.main

    @property
    def mean_stake(self) -> float:
        """All main money put down, per initial bet."""
        columns = self._columns("main")
        staked = sum(self.counts.stakes[column] for column in columns)
        return staked / len(columns) / self.rounds / self.experiment.main

    def _columns(self, bet: str) -> list[int]:
        width, at = self.experiment.deal.width, self.bets.index(bet)
        return [spot * width + at for spot in range(self.counts.spots)]

    # Bets

    @property
    def bets(self) -> list[str]:
        """The bets of a spot in the order of their columns; the main bet is called `main`."""
        insured = [INSURANCE] if self.experiment.deal.insures else []
        return ["main", *insured, *(laid.bet.key for laid in self.experiment.sides.laid)]

    def side_bet(self, key: str) -> dict[str, Any]:
        """`{rtp, se, hit, rows}` of a side bet, per its stake."""
        at = [laid.bet.key for laid in self.experiment.sides.laid].index(key)
        laid = self.experiment.sides.laid[at]
        columns = self._columns(key)
        mean, error = _mean_and_error(self.counts, columns, laid.cents * len(columns))
        rows: dict[str, int] = {row.name: 0 for row in laid.bet.pays.rows}
        for name, count in self._row_counts(at):
            rows[name] += count
        spots = self.rounds * self.counts.spots
        return {
            "rtp": 1 + mean,
            "se": error,
            "hit": sum(rows.values()) / spots,
            "rows": [{"name": name, "count": count, "share": count / spots}
                     for name, count in rows.items()],
        }  # fmt: skip

    def _row_counts(self, at: int) -> list[tuple[str, int]]:
        found = []
        for kind, rows in enumerate(self.experiment.sides.rows):
            row: Row | None = rows[at]
            if row is not None:
                found.append((row.name, sum(spot[kind] for spot in self.counts.classes)))
        return found

    def insurance(self) -> dict[str, Any] | None:
        """`{rtp, se, taken}` per its stake, None if nobody ever takes it."""
        if not self.experiment.deal.insures:
            return None
        columns = self._columns(INSURANCE)
        staked = sum(self.counts.stakes[column] for column in columns)
        half = self.experiment.main // 2
        mean, error = _mean_and_error(self.counts, columns, half * len(columns))
        share = staked / half / self.rounds / len(columns)
        back = 1 + mean / share if share else 0.0
        return {"rtp": back, "se": error / share if share else 0.0, "taken": share}

    # Meters

    def progressive(self) -> dict[str, dict[str, Any]]:
        """Bet → what became of its meter: wins of the whole, rounds between them, what it held."""
        laid = self.experiment.sides.laid
        return {laid[at].bet.key: self._meter(meter) for at, meter in self.meters.items()}

    def _meter(self, meter: Meter) -> dict[str, Any]:
        wins = meter.wins
        gap = meter.gap_sum / wins if wins else None
        spread = math.sqrt(max(meter.gap_squares / wins - gap * gap, 0.0)) if gap else None
        return {
            "wins": wins,
            "paid": meter.paid,
            "meter": meter.at(self.rounds - 1),
            "meter_met_mean": meter.met / wins if wins else None,
            "meter_met_highest": meter.highest if wins else None,
            "rounds_between": gap,
            "rounds_between_sd": spread,
            "rounds_between_quantiles": {
                f"{share:g}": quantile(meter.gaps, share) for share in QUANTILES if wins
            },
            "rounds_since": self.rounds - meter.last_win,
        }

    # Tables

    def table(self, name: str) -> Table:
        """`bets`, `nets`, `covariance`, `rows` or `path` as columns."""
        made: Table = getattr(self, f"_{name}_table")()
        return made

    def tables(self) -> dict[str, Table]:
        return {name: self.table(name) for name in ("bets", "nets", "covariance", "rows", "path")}

    def _bets_table(self) -> Table:
        found: Table = {"bet": [], "rtp": [], "se": [], "hit": []}
        for bet in self.bets:
            if bet == "main":
                row: dict[str, Any] = {"rtp": 1 + self.ev, "se": self.se, "hit": None}
            elif bet == INSURANCE:
                row = {**(self.insurance() or {}), "hit": None}
            else:
                row = self.side_bet(bet)
            for column, values in found.items():
                values.append(bet if column == "bet" else row[column])
        return found

    def _nets_table(self) -> Table:
        nets = sorted(self.counts.nets)
        counts = [self.counts.nets[net] for net in nets]
        return {"net": nets, "count": counts, "share": [count / self.rounds for count in counts]}

    def _covariance_table(self) -> Table:
        """Of every two bets, each per its own stake."""
        names = [(spot + 1, bet) for spot in range(self.counts.spots) for bet in self.bets]
        stakes = self._unit_stakes()
        found: Table = {"spot": [], "bet": [], "other_spot": [], "other_bet": [], "covariance": []}
        for first, (spot, bet) in enumerate(names):
            for second, (other_spot, other_bet) in enumerate(names[: first + 1]):
                covariance = self.counts.covariance(first, second)
                row = (
                    spot,
                    bet,
                    other_spot,
                    other_bet,
                    covariance / stakes[first] / stakes[second],
                )
                for values, value in zip(found.values(), row, strict=True):
                    values.append(value)
        return found

    def _unit_stakes(self) -> list[int]:
        main = self.experiment.main
        insured = [main // 2] if self.experiment.deal.insures else []
        sides = [laid.cents for laid in self.experiment.sides.laid]
        return [main, *insured, *sides] * self.counts.spots

    def _rows_table(self) -> Table:
        found: Table = {"bet": [], "row": [], "count": [], "share": []}
        for laid in self.experiment.sides.laid:
            for row in self.side_bet(laid.bet.key)["rows"]:
                found["bet"].append(laid.bet.key)
                found["row"].append(row["name"])
                found["count"].append(row["count"])
                found["share"].append(row["share"])
        return found

    def _path_table(self) -> Table:
        rounds, means, errors = zip(*self.path, strict=True) if self.path else ((), (), ())
        return {"rounds": [*rounds], "ev": [*means], "se": [*errors]}

    # One document

    def document(self) -> dict[str, Any]:
        """What `upcard simulate --json` prints."""
        speed = self.rounds_now / self.seconds if self.seconds else 0.0
        found = {
            "game": self.experiment.game.key,
            "seed": self.seed,
            "spots": self.counts.spots,
            "complete": self.complete,
            "rounds": self.rounds,
            "ev": self.ev,
            "se": self.se,
            "sd": self.sd,
            "mean_stake": self.mean_stake,
            "side_bets": {
                laid.bet.key: self.side_bet(laid.bet.key) for laid in self.experiment.sides.laid
            },
            "seconds": self.seconds,
            "rounds_per_second": speed,
            "bets": self.table("bets"),
            "nets": self.table("nets"),
            "covariance": self.table("covariance"),
        }
        insured = {"insurance": self.insurance()} if self.experiment.deal.insures else {}
        return found | insured | ({"progressive": self.progressive()} if self.meters else {})

    # Plots

    def convergence_svg(self) -> str:
        """How the mean came along, with two standard errors either way."""
        from upcard.simulate.plots import convergence

        return convergence(self.path)

    def distribution_svg(self) -> str:
        """How often a round nets what, in initial bets."""
        from upcard.simulate.plots import distribution

        stake = self.experiment.main
        shares = [(net / stake, count / self.rounds) for net, count in self.counts.nets.items()]
        return distribution(sorted(shares))

    def _repr_html_(self) -> str:
        return f"{self.convergence_svg()}{self.distribution_svg()}"


def quantile(counts: dict[int, int], share: float) -> int | None:
    """The least value that so large a share of them does not exceed; None of nothing."""
    left = share * sum(counts.values())
    for value in sorted(counts):
        left -= counts[value]
        if left <= 0:
            return value
    return None

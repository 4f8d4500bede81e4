"""A progressive bet: what it returns by meter, when that breaks even, and in the long run.

A stake of `s` cents brings back, on average and in stakes,

    fixed + per_stake_of_meter * meter / s

where `fixed` is what the rows of the pay table bring that the house pays, and `meter` is what the
winner meets, contributions of the winner's own round included (T-85). Odd cents that a share of
the meter leaves behind are not counted here; a row of the whole meter leaves none.

**The long run.** After N stakes a meter has taken in its first seed, N contributions, and a fresh
seed after each time it was won whole; what it does not hold it has paid to players. What it holds
stays bounded, so per stake it pays the contribution and the seeds:

    long_run = fixed + share + (chance of the whole meter) * seed / s

whatever the number of spots, the order of hits, or how unevenly they fall. Players get back their
contributions, and each win of the whole meter costs the house one seed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from upcard.game import Game
from upcard.maths import sidebets
from upcard.maths.shoe import Shoe
from upcard.money import MeterShare
from upcard.sidebets import Pool, SideBet


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressiveOdds:
    """All returns in stakes, `stake` and meters in cents."""

    pool: Pool
    stake: int
    fixed: Fraction
    per_stake_of_meter: Fraction
    """What each stake's worth of meter adds to the return."""
    whole_meter: Fraction
    """How often one bet wins the whole meter."""

    def rtp(self, meter: int) -> Fraction:
        return self.fixed + self.per_stake_of_meter * Fraction(meter, self.stake)

    @property
    def break_even(self) -> Fraction | None:
        """The meter at which the bet returns what it costs; None if no meter is enough."""
        if not self.per_stake_of_meter:
            return None
        return (1 - self.fixed) * self.stake / self.per_stake_of_meter

    @property
    def break_even_meter(self) -> int | None:
        """The same in whole cents, rounded up: the least meter that is no loss, never below 0."""
        exact = self.break_even
        return None if exact is None else max(0, math.ceil(exact))

    @property
    def long_run(self) -> Fraction:
        if not self.per_stake_of_meter:
            return self.fixed  # the meter only grows
        return (
            self.fixed + self.pool.share + self.whole_meter * Fraction(self.pool.seed, self.stake)
        )

    @property
    def bets_between_wins(self) -> Fraction | None:
        """How many bets are made for each one that wins the whole meter, on average."""
        return 1 / self.whole_meter if self.whole_meter else None

    @property
    def meter_met(self) -> Fraction | None:
        """What the meter holds on average when one lone bet a round wins it whole, in cents.

        Of a table where nothing but the whole meter is paid from it.
        """
        if not self.whole_meter or self.per_stake_of_meter != self.whole_meter:
            return None
        return self.pool.seed + self.stake * self.pool.share / self.whole_meter


def progressive(bet: SideBet, shoe: Shoe, stake: int) -> ProgressiveOdds:
    """A bet with a meter, dealt from this shoe, at a stake of so many cents."""
    assert bet.pool is not None, f"{bet.key} has no meter"
    odds = sidebets.side_bet(bet, shoe, meter=0, stake=stake)
    shares = [(row, row.row.pays) for row in odds.rows if isinstance(row.row.pays, MeterShare)]
    return ProgressiveOdds(
        pool=bet.pool,
        stake=stake,
        fixed=odds.rtp,
        per_stake_of_meter=_total([row.probability / share.part for row, share in shares]),
        whole_meter=_total([row.probability for row, share in shares if share.part == 1]),
    )


def _total(chances: list[Fraction]) -> Fraction:
    return sum(chances, Fraction(0))


def stake_of(game: Game, bet: SideBet) -> int:
    """The least that the bet takes at any level, in cents; a progressive takes one amount."""
    return min(level.bets[bet.key].min for level in game.levels if bet.key in level.bets)

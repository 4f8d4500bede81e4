"""The figures of a PAR sheet beyond the odds: volatility, confidence bands, bets taken together.

**Volatility index** of a bet: z(90 %) times its standard deviation, z = 1.645, as PAR sheets of
gaming machines have it. Divided by the square root of the rounds it is the half-width of the 90 %
band of the observed return.

**Bands** are those of the normal law: return ± z · sd / sqrt(rounds). They hold once the rarest
prize that weighs on the return has been hit some thirty times; `rounds_min` says when that is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist

from upcard.game import Game
from upcard.maths import progressive, shoe, sidebets
from upcard.maths.sidebets import SideBetOdds, Together
from upcard.sidebets import SideBet

LEVELS = (0.90, 0.95, 0.99)
ROUNDS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)
HITS_MIN = 30
"""The normal law is trusted once a prize has come so often."""
PRIZE_WEIGHT = Fraction(1, 100)
"""A prize weighs if it brings at least this part of the return."""


def z(level: float) -> float:
    """Half the width of the middle `level` of the normal law, in standard deviations."""
    return NormalDist().inv_cdf((1 + level) / 2)


def volatility_index(sd: float) -> float:
    return z(LEVELS[0]) * sd


def half_width(sd: float, rounds: int, level: float) -> float:
    """Of the band of the observed return, a part of one."""
    return z(level) * sd / math.sqrt(rounds)


def rounds_min(found: SideBetOdds) -> int:
    """Rounds after which the bands of a side bet may be trusted."""
    weighing = [
        row.probability
        for row in found.rows
        if row.probability * row.payback > PRIZE_WEIGHT * found.rtp
    ]
    return math.ceil(HITS_MIN / min(weighing)) if weighing else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBetFigures:
    """A side bet and all that the sheet prints of it; `stake` in cents where a meter pays."""

    bet: SideBet
    found: SideBetOdds
    progressive: progressive.ProgressiveOdds | None
    meter: int | None


def side_bet_figures(game: Game, side: SideBet, meter: int | None) -> SideBetFigures:
    cards = shoe.full(game.rules.decks)
    if side.pool is None:
        return SideBetFigures(
            bet=side, found=sidebets.side_bet(side, cards), progressive=None, meter=None
        )
    stands = side.pool.seed if meter is None else meter
    stake = progressive.stake_of(game, side)
    return SideBetFigures(
        bet=side,
        found=sidebets.side_bet(side, cards, meter=stands, stake=stake),
        progressive=progressive.progressive(side, cards, stake),
        meter=stands,
    )


def together(game: Game, figures: Sequence[SideBetFigures]) -> Together | None:
    """The side bets of a spot taken together, where there are two or more."""
    if len(figures) < 2:
        return None
    stakes = {each.bet.key: each.progressive.stake for each in figures if each.progressive}
    meters = [each.meter for each in figures if each.meter is not None]
    return sidebets.together(
        [each.bet for each in figures],
        shoe.full(game.rules.decks),
        meter=meters[0] if meters else None,
        stakes=stakes,
    )

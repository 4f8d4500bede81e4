"""The only home of a three-card hand rule: the best total, blackjack, qualifying, comparing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from upcard.threecard.rules import BEST_TOTAL, Rules

ACE_EXTRA = 10
TEN = 10

Result = Literal["win", "push", "lose"]
Values = Sequence[int]
"""The values of three cards, an ace 1."""


@dataclass(frozen=True, slots=True)
class Best:
    """The total a hand plays, whether an ace counts 11 in it, and whether it is a blackjack."""

    total: int
    soft: bool
    natural: bool

    @property
    def standing(self) -> int:
        """The total to compare; a hand over 21 stands below every other."""
        return self.total if self.total <= BEST_TOTAL else 0


def best(rules: Rules, values: Values) -> Best:
    """The best total not over 21 from any two or all three cards, or from all three (C-03).

    A blackjack is an ace and a ten-value card among the three, whichever cards make the total.
    """
    sizes = (2, 3) if rules.best_of == "any" else (3,)
    totals = [total_of(part) for size in sizes for part in combinations(values, size)]
    within = [total for total in totals if total[0] <= BEST_TOTAL] or totals
    total, soft = max(within)
    return Best(total, soft, natural=1 in values and TEN in values)


def total_of(values: Values) -> tuple[int, bool]:
    """The plain total of all these cards, and whether an ace counts 11 in it."""
    hard = sum(values)
    soft = 1 in values and hard + ACE_EXTRA <= BEST_TOTAL
    return (hard + ACE_EXTRA, True) if soft else (hard, False)


def qualifies(rules: Rules, dealer: Best) -> bool:
    """Whether the dealer's hand is valid, soft totals too (C-08)."""
    return dealer.standing >= rules.qualifies_at


@dataclass(frozen=True, slots=True)
class Outcome:
    """What becomes of ante and raise."""

    ante: Result
    raise_: Result


def outcome(rules: Rules, player: Best, dealer: Best) -> Outcome:
    """Ante and raise of a player who raised (C-09, C-10, C-11)."""
    if not qualifies(rules, dealer):
        return Outcome("win" if player.natural else "push", "push")
    result = _compare(rules, player, dealer)
    return Outcome(result, result)


def _compare(rules: Rules, player: Best, dealer: Best) -> Result:
    if player.natural:
        return "win"
    if player.standing != dealer.standing:
        return "win" if player.standing > dealer.standing else "lose"
    beaten = dealer.natural and rules.dealer_natural_beats_21 and dealer.total == BEST_TOTAL
    return "lose" if beaten else rules.tie

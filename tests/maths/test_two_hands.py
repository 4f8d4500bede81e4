"""Two spots against one dealer, played at random by the solver's best play.

A third witness for mean and deviation, and the published covariance of two hands, for which the
solver, which plays one spot, has no figure of its own.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numba
import numpy as np
import pytest

from upcard.maths.best import Solution, solve
from upcard.maths.kernel import _dealer_total, _play_out, _take
from upcard.maths.tables import FIRST, SPLIT, SPLIT_ACES
from upcard.twentyone.rules import Double, Rules, Split

ROUNDS: Final = 1_000_000
NATURAL: Final = 1.5
"""3:2, as in all the games below."""


@numba.njit
def _is_natural(one: Any, other: Any) -> Any:
    return min(one, other) == 0 and max(one, other) == 9


@numba.njit
def _play_spot(first: Any, second: Any, up: Any, table: Any, totals: Any, stakes: Any) -> Any:
    """What is settled before the dealer plays, and how many hands stand, which are written down."""
    deck, hands, plays, split, hands_max = table
    splits = first == second and split[first, up]
    play = plays[0] if not splits else plays[2] if first == 0 else plays[1]
    net, stood, waiting = 0.0, 0, 2 if splits else 1
    made = waiting
    while waiting > 0:
        waiting -= 1
        card = _take(deck) if splits else second
        if splits and card == first and made < hands_max[first]:
            made += 1
            waiting += 2
            continue
        n = hands.after[hands.after[0, first], card]
        settled, total, stake = _play_out(n, up, deck, hands, play)
        net += settled
        if stake > 0.0:
            totals[stood], stakes[stood] = total, stake
            stood += 1
    return net, stood


@numba.njit
def _two_hands(nets: Any, shoe: Any, table: Any, beaten: Any, dealer_draws: Any) -> None:
    """Net results of both spots, round by round; the dealer peeks."""
    np.random.seed(7)
    deck, hands = table[0], table[1]
    totals, stakes = np.empty((2, 8), np.int64), np.empty((2, 8))
    stood = np.empty(2, np.int64)
    for at in range(len(nets)):
        deck[:] = shoe
        dealt = (_take(deck), _take(deck), _take(deck), _take(deck))
        up, hole = _take(deck), _take(deck)
        met = _is_natural(up, hole)
        stood[:] = 0
        for spot in range(2):
            first, second = dealt[spot], dealt[spot + 2]
            if _is_natural(first, second):
                nets[at, spot] = 0.0 if met else NATURAL
            elif met:
                nets[at, spot] = -1.0
            else:
                nets[at, spot], stood[spot] = _play_spot(
                    first, second, up, table, totals[spot], stakes[spot]
                )
        if stood.sum() > 0:
            dealer = _dealer_total(up, hole, deck, hands, dealer_draws)
            for spot in range(2):
                for hand in range(stood[spot]):
                    result = 1.0 if dealer == 0 else 1.0 - beaten[totals[spot, hand], dealer]
                    nets[at, spot] += stakes[spot, hand] * result


def simulated(found: Solution) -> Any:
    """The net results of two spots, a row a round."""
    analysis, tables, plays = found.analysis, found.analysis.tables, found.plan.plays
    nets = np.zeros((ROUNDS, 2))
    table = (
        np.empty(10, np.int64),
        analysis.hands,
        (plays[FIRST], plays[SPLIT], plays[SPLIT_ACES]),
        np.array(found.plan.split) != 0,
        np.array(tables.hands_max, np.int64),
    )
    shoe = np.array(analysis.shoe.counts, np.int64)
    _two_hands(nets, shoe, table, tables.beaten, tables.dealer_draws.astype(np.uint8))
    return nets


@pytest.mark.parametrize(
    ("rules", "covariance"),
    [
        (Rules(surrender="first", split=Split(resplit_aces=True)), 0.479),
        (Rules(dealer_hits_soft_17=True), 0.499),
        (Rules(decks=8, dealer_hits_soft_17=True, double=Double(after_split=False)), 0.489),
        (Rules(decks=2, dealer_hits_soft_17=True), 0.495),
    ],
    ids=["6 S17 DAS LS RSA", "6 H17 DAS", "8 H17", "2 H17 DAS"],
)
def test_covariance_of_two_hands(rules: Rules, covariance: float) -> None:
    """Wizard of Odds, blackjack appendix 4, within 0.01; means and deviations are the solver's.

    The second spot sees the same dealer, so its mean is the first one's (exchangeability).
    """
    found = solve(rules)
    nets = simulated(found)
    for spot in range(2):
        error = found.sd / math.sqrt(ROUNDS)
        assert abs(float(nets[:, spot].mean()) - found.ev) < 5 * error
        assert float(nets[:, spot].std()) == pytest.approx(found.sd, abs=0.005)
    assert float(np.cov(nets.T)[0, 1]) == pytest.approx(covariance, abs=0.01)

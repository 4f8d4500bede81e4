"""How results are distributed. Rounds without splits are walked in test_tiny_decks."""

from __future__ import annotations

import math

import pytest

from upcard.games.super21 import SUPER21
from upcard.maths import compositions
from upcard.maths.best import solve
from upcard.maths.moments import split_nets
from upcard.twentyone.rules import Double, Rules, Split


@pytest.mark.parametrize(
    ("rules", "variance"),
    [
        (Rules(surrender="first", split=Split(resplit_aces=True)), 1.303),
        (Rules(dealer_hits_soft_17=True), 1.346),
        (Rules(decks=8, dealer_hits_soft_17=True, double=Double(after_split=False)), 1.309),
        (Rules(decks=2, dealer_hits_soft_17=True), 1.341),
    ],
    ids=["6 S17 DAS LS RSA", "6 H17 DAS", "8 H17", "2 H17 DAS"],
)
def test_variance(rules: Rules, variance: float) -> None:
    """Wizard of Odds, blackjack appendix 4: by total and with a cut card, hence the tolerance."""
    found = solve(rules)
    assert found.sd**2 == pytest.approx(variance, abs=0.01)


def test_the_simulated_spread_agrees_with_the_exact_deviation() -> None:
    found = solve(SUPER21.rules)
    spread = found.spread
    assert spread.basis == "simulated"
    assert 0 < spread.sd_se < 1e-4
    assert abs(spread.sd - found.sd) < 5 * spread.sd_se


def test_simulated_splits_agree_with_the_exact_mean() -> None:
    """Within five standard errors, pair by pair; the third witness of the split's value."""
    for rules in (Rules(), SUPER21.rules):
        found = solve(rules)
        analysis = found.analysis
        for pair in analysis.pairs():
            number = compositions.number_of((pair, pair))
            exact = analysis.split(pair, found.plan.plays[2 if pair == 0 else 1])[0]
            for up in range(0, 10, 3):
                nets = split_nets(analysis, found.plan, pair, up, 20_000)
                error = float(nets.std()) / math.sqrt(len(nets))
                mean = exact[up] / analysis.live[number, up]
                assert abs(float(nets.mean()) - mean) < 5 * error, (pair, up)


def test_chances_are_chances() -> None:
    for rules in (SUPER21.rules, Rules(hole_card="none")):
        found = solve(rules)
        chances = found.spread.chances
        assert sum(chances.values()) == pytest.approx(1, abs=1e-12)
        mean = sum(net * chance for net, chance in chances.items())
        assert mean == pytest.approx(found.ev, abs=5e-4)
        assert min(chances) >= -8

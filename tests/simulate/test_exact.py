"""What comes back at random is what the solver says exactly, within four standard errors.

A theorem (the central limit theorem) with the exact values of `upcard.maths` as authority; these
are held to published figures by `tests/maths`.
"""

from __future__ import annotations

import math
import os
from fractions import Fraction

import numpy as np
import pytest

from upcard.game import Game
from upcard.games import ANALYSED, find
from upcard.maths import report, strategy, threecard_play
from upcard.maths.best import solve
from upcard.simulate import simulate
from upcard.simulate.result import Result
from upcard.simulate.strategies import best_chart
from upcard.twentyone.rules import Rules

SOAK = bool(os.environ.get("UPCARD_SOAK"))
ROUNDS = 1_000_000_000 if SOAK else 20_000_000
WITHIN = 4.0


def exact(game: Game) -> tuple[float, float]:
    """Mean and mean stake of the best play by total."""
    if isinstance(game.rules, Rules):
        found = strategy.value(game.rules, best_chart(game.rules))
        return found.ev, found.mean_stake
    alone = threecard_play.strategy(game.rules)["alone"]
    return alone["ev"], alone["mean_stake"]


SIDES = {"top3": ["top3", "classic"], "ags": ["trifecta", "match_super"]}


@pytest.mark.parametrize("key", [game.key for game in ANALYSED])
def test_the_main_bet_and_side_bets_are_the_exact_ones(key: str) -> None:
    game = find(key, ANALYSED)
    bets = SIDES.get(key, [side.key for side in game.side_bets])
    found = simulate(game, rounds=ROUNDS, seed=1, bets=bets)
    ev, mean_stake = exact(game)
    print(f"\n{key}: {(found.ev - ev) / found.se:+.2f} standard errors of {found.se:.2e}")
    assert found.rounds == ROUNDS
    assert abs(found.ev - ev) < WITHIN * found.se
    # A round's main stake is between 1 and 8, hardly ever above 2.
    assert found.mean_stake == pytest.approx(mean_stake, abs=WITHIN / math.sqrt(ROUNDS))
    odds = report.odds(game)
    assert found.sd == pytest.approx(odds["main"]["sd"], rel=0.002)
    for bet in bets:
        check_side_bet(found, bet, odds["side_bets"][bet])


def check_side_bet(found: Result, bet: str, exactly: dict[str, object]) -> None:
    """Its return, and all its rows and the miss together by chi-square."""
    seen = found.side_bet(bet)
    assert abs(seen["rtp"] - float(str(exactly["rtp"]))) < WITHIN * seen["se"], bet
    rows = exactly["rows"]
    assert isinstance(rows, list)
    chances = [float(Fraction(row["probability"])) for row in rows]
    counts = {row["name"]: row["count"] for row in seen["rows"]}
    observed = [counts[row["name"]] for row in rows]
    spots = found.rounds * found.counts.spots
    chances.append(1 - sum(chances))
    observed.append(spots - sum(observed))
    expected = np.array(chances) * spots
    square = float((((np.array(observed) - expected) ** 2) / expected).sum())
    freedom = len(expected) - 1
    # The mean of a chi-square is its degrees of freedom, its variance twice that.
    assert square < freedom + 5 * math.sqrt(2 * freedom), f"{bet}: {square} of {freedom}"


def test_several_spots_and_the_other_bets() -> None:
    """Every spot has the mean of one (exchangeability); ags with the two other side bets."""
    found = simulate("ags", rounds=ROUNDS // 10, seed=2, spots=3, bets=["pairs_pay", "in_bet"])
    game = find("ags")
    assert abs(found.ev - exact(game)[0]) < WITHIN * found.se
    odds = report.odds(game)["side_bets"]
    for bet in ("pairs_pay", "in_bet"):
        check = found.side_bet(bet)
        assert abs(check["rtp"] - odds[bet]["rtp"]) < WITHIN * check["se"]


def test_best_play_by_composition() -> None:
    """FACTS, 1 deck H17, DAS: -0.008734732880 % of the initial bet (possibly-wrong/blackjack)."""
    game = find("blackjack", ANALYSED).with_rule("decks", "1")
    game = game.with_rule("dealer_hits_soft_17", "true")
    found = simulate(game, rounds=ROUNDS, seed=3, strategy="composition")
    assert abs(found.ev - -0.00008734732880) < WITHIN * found.se
    assert abs(found.ev - solve(game.rules).ev) < WITHIN * found.se


def test_insurance_taken_always() -> None:
    """An insured half is won at 2:1 with the chance of a ten under an ace: 96 of 311 (6 decks)."""
    game = find("blackjack", ANALYSED)
    chart = best_chart(game.rules).as_dict() | {"insurance": True}
    found = simulate(game, rounds=ROUNDS // 10, seed=4, strategy=chart).insurance()
    assert found is not None
    assert abs(found["rtp"] - 3 * 96 / 311) < WITHIN * found["se"]
    assert found["taken"] == pytest.approx(1 / 13, abs=1e-3)


@pytest.mark.parametrize(
    ("rules", "covariance"),
    [
        ({"surrender": "first", "split.resplit_aces": "true"}, 0.479),
        ({"dealer_hits_soft_17": "true"}, 0.499),
    ],
)
def test_covariance_of_two_spots(rules: dict[str, str], covariance: float) -> None:
    """Wizard of Odds, blackjack appendix 4, within 0.01."""
    game = find("blackjack", ANALYSED)
    for name, text in rules.items():
        game = game.with_rule(name, text)
    found = simulate(game, rounds=4_000_000, seed=5, spots=2).table("covariance")
    by_place = dict(zip(zip(found["spot"], found["other_spot"], strict=True),
                        found["covariance"], strict=True))  # fmt: skip
    assert by_place[2, 1] == pytest.approx(covariance, abs=0.01)


def test_the_meter_in_the_long_run() -> None:
    """Rounds between wins of the meter are geometric: 1 in 31,333 (FACTS, T-85), deviation as much;
    in the long run a progressive returns its fixed part, its share, and the seed per win."""
    found = simulate("top3", rounds=ROUNDS, seed=6, bets=["progressive"])
    meter = found.progressive()["progressive"]
    assert meter["wins"] == pytest.approx(ROUNDS / 31_333.25, abs=5 * math.sqrt(ROUNDS / 31_333))
    assert meter["rounds_between"] == pytest.approx(31_333, rel=5 / math.sqrt(meter["wins"]))
    assert meter["rounds_between_sd"] == pytest.approx(31_333, rel=8 / math.sqrt(meter["wins"]))
    # 0.5669 (FACTS), 0.17 of each stake, 10,000.00 a win at 5.00 a stake.
    long_run = 0.5669 + 0.17 + 2000 / 31_333
    assert found.side_bet("progressive")["rtp"] == pytest.approx(
        long_run, abs=WITHIN * found.side_bet("progressive")["se"] + 0.001
    )

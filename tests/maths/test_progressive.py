"""The progressive bet: published figures, and the long run by another derivation."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import pytest

from upcard.games.top3 import TOP3
from upcard.maths import progressive, shoe, sidebets
from upcard.maths.progressive import ProgressiveOdds
from upcard.sidebets import SideBet

BET = TOP3.side_bet("progressive")
STAKE = 500


def odds(decks: int = 6, bet: SideBet = BET) -> ProgressiveOdds:
    return progressive.progressive(bet, shoe.full(decks), STAKE)


def paying(**pays: str) -> SideBet:
    game = TOP3
    for row, text in pays.items():
        game = game.with_pay("progressive", row, text)
    return game.side_bet("progressive")


def test_the_bet_costs_five() -> None:
    """T-85."""
    assert progressive.stake_of(TOP3, BET) == STAKE


def test_fixed_part_and_meter_hits_are_the_published_ones() -> None:
    """Published: 0.5669 at six decks, the meter 1 in 31,333."""
    six = odds()
    assert round(float(six.fixed), 4) == 0.5669
    assert six.bets_between_wins is not None
    assert round(six.bets_between_wins) == 31_333


def test_ritz_figures() -> None:
    """Published for the table at the Ritz: straight flush 1 in 484, three of a kind 1 in 198."""
    rows = sidebets.side_bet(BET, shoe.full(6), meter=0, stake=STAKE).rows
    every = {row.row.name: round(1 / row.probability) for row in rows}
    assert every["straight_flush"] == 484
    assert every["three_of_a_kind"] == 198


def test_fixed_part_from_the_six_deck_counts() -> None:
    """Published: the counts, and T-85: what each pays for one."""
    paid = 880 * 125 + 10_368 * 25 + 25_272 * 20 + 155_520 * 7 + 292_896 * 3
    assert odds().fixed == Fraction(paid, 5_013_320)
    assert odds().break_even_meter == (5_013_320 - paid) * STAKE // 160


@pytest.mark.parametrize("decks", [6, 7, 8])
@pytest.mark.parametrize("meter", [0, 1_000_000, 3_141_593])
def test_return_by_meter_is_what_the_rows_return(decks: int, meter: int) -> None:
    """Theorem: the bet evaluated row by row at that meter."""
    rows = sidebets.side_bet(BET, shoe.full(decks), meter=meter, stake=STAKE)
    assert odds(decks).rtp(meter) == rows.rtp


@pytest.mark.parametrize("decks", [6, 7, 8])
def test_break_even_is_the_least_meter_without_loss(decks: int) -> None:
    found = odds(decks)
    assert found.break_even is not None
    assert found.break_even_meter is not None
    assert found.rtp(found.break_even_meter) >= 1 > found.rtp(found.break_even_meter - 1)


@pytest.mark.parametrize("decks", [6, 7, 8])
def test_long_run_by_renewal(decks: int) -> None:
    """Theorem (renewal and reward): a win pays on average the seed and 1/p contributions."""
    found = odds(decks)
    chance = found.whole_meter
    mean_win = 1_000_000 + Fraction(85) / chance
    assert found.meter_met == mean_win
    assert found.long_run == found.fixed + chance * mean_win / STAKE


def test_long_run_with_a_tenth_by_a_stationary_mean() -> None:
    """Theorem: where the mean meter stands still, what goes in comes out.

    With chance p the whole is won and 10,000.00 put back, with chance q a tenth; m is the mean
    after a bet: m = (1 - p - q)(m + 85) + q 9/10 (m + 85) + p 1,000,000.
    """
    found = odds(bet=paying(suited_three="meter/10"))
    p, q = Fraction(160, 5_013_320), Fraction(880, 5_013_320)
    keep = 1 - p - q / 10
    mean = (keep * 85 + p * 1_000_000) / (1 - keep)
    assert found.long_run == found.fixed + (p + q / 10) * (mean + 85) / STAKE
    assert found.per_stake_of_meter == p + q / 10
    assert found.bets_between_wins == 1 / p
    assert found.meter_met is None


def test_a_meter_nobody_can_win_returns_nothing() -> None:
    """One deck has no suited three of a kind."""
    found = odds(1)
    assert found.break_even is None
    assert found.break_even_meter is None
    assert found.bets_between_wins is None
    assert found.meter_met is None
    assert found.long_run == found.fixed


def test_a_bet_that_always_gains_breaks_even_at_nothing() -> None:
    assert odds(bet=paying(straight="99 for 1")).break_even_meter == 0


def test_share_and_seed_enter_the_long_run() -> None:
    assert BET.pool is not None
    pool = dataclasses.replace(BET.pool, share=Fraction(1, 5), seed=2_000_000)
    usual, richer = odds(), odds(bet=dataclasses.replace(BET, pool=pool))
    more = Fraction(3, 100) + Fraction(160, 5_013_320) * 1_000_000 / STAKE
    assert richer.long_run - usual.long_run == more

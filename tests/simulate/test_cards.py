"""The cards: the generator is the published one, and every place of a deal is an even choice."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np
import pytest

from upcard.simulate import kernel
from upcard.simulate.experiment import Deal, stream
from upcard.simulate.records import BATCH, LANES, Ints

SOAK = bool(os.environ.get("UPCARD_SOAK"))
DEALS = 100_000_000 if SOAK else 4_000_000
WHOLE_BATCHES = 300 if SOAK else 60
"""Batches of deals whose decks are dealt to the last card."""
MASK = (1 << 64) - 1


def deal(decks: int, spots: int = 1) -> Deal:
    """Where cards come from, without a game: none is needed."""
    return Deal(
        kind="drawing",
        game=None,
        sides=None,
        mains=(1,) * spots,
        decks=decks,
        insures=False,
        main_nets=(0, 0),
        side_stakes=(),
        side_nets=(0, 0),
        unit=1,
    )


def xoshiro256pp(state: list[int]) -> int:
    """Blackman and Vigna's reference, in Python."""

    def turned(word: int, bits: int) -> int:
        return (word << bits | word >> (64 - bits)) & MASK

    word = (turned((state[0] + state[3]) & MASK, 23) + state[0]) & MASK
    shifted = state[1] << 17 & MASK
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = turned(state[3], 45)
    return word


def test_words_are_those_of_the_published_generator() -> None:
    """The first words from the state 1, 2, 3, 4 are 41943041, 58720359 (rand_xoshiro's vector)."""
    reference = [1, 2, 3, 4]
    assert [xoshiro256pp(reference) for _ in range(2)] == [41943041, 58720359]
    source = deal(6).source(stream(7, 3))
    states = source.state.reshape(4, LANES).T.tolist()
    kernel._refill(source)
    words = source.quarters.view(np.uint64).reshape(-1, LANES)
    for lane, state in enumerate(states):
        assert words[:20, lane].tolist() == [xoshiro256pp(state) for _ in range(20)]


@pytest.mark.parametrize("decks", range(1, 9))
def test_of_all_sixteen_bits_as_many_pick_each_card(decks: int) -> None:
    """By counting: every one of the 65,536 values, and 65,536 // cards of them for each card."""
    source, size = deal(decks).source(stream(1, 1)), 52 * decks
    found = np.zeros(size, np.int64)
    for first in range(0, 1 << 16, BATCH):
        source.quarters[:BATCH] = np.arange(first, first + BATCH)
        source.bad[:] = 0
        kernel._pick(source, np.uint64(0), np.uint64(0))
        picks = source.picks[:BATCH][source.bad == 0]
        found += np.bincount(picks, minlength=size)
    assert found.tolist() == [(1 << 16) // size] * size


@pytest.mark.parametrize(("decks", "spots"), [(1, 1), (6, 1), (6, 3), (8, 1)])
def test_every_card_at_every_place_is_as_likely(decks: int, spots: int) -> None:
    """Chi-square of place x card, and of pairs of neighbouring places by what they are worth."""
    made, size = deal(decks, spots), 52 * decks
    source = made.source(stream(11, decks))
    first, dealt = int(source.first), 0
    table = np.zeros((first, size), np.int64)
    pairs = np.zeros((first - 1, 13, 13), np.int64)
    while dealt < DEALS // first:
        kernel._deal(source)
        good = source.deals[: int(source.good)]
        picks = source.picks[: first * BATCH].reshape(first, BATCH)[:, good]
        dealt += len(good)
        for place in range(first):
            table[place] += np.bincount(picks[place], minlength=size)
        for place in range(first - 1):
            ranks = picks[place : place + 2].astype(np.int64) // (4 * decks)
            both = ranks[0] * 13 + ranks[1]
            pairs[place] += np.bincount(both, minlength=169).reshape(13, 13)
        ordered = np.sort(picks, axis=0)
        assert (ordered[1:] != ordered[:-1]).all(), "no card twice"
    near(table, np.full(size, dealt / size))
    alike, other = 4 * decks - 1, 4 * decks
    ways = np.where(np.eye(13) > 0, alike, other) / (13 * (size - 1))
    near(pairs.reshape(first - 1, 169), ways.reshape(-1) * dealt)


def near(observed: Ints, expected: Any) -> None:
    """Row by row: a chi-square has a mean of its freedom and a variance of twice that."""
    freedom = observed.shape[1] - 1
    squares = ((observed - expected) ** 2 / expected).sum(axis=1)
    assert (np.abs(squares - freedom) < 5.5 * math.sqrt(2 * freedom)).all(), squares


def test_further_cards_are_fresh_and_even() -> None:
    """Past the first cards too no card comes twice, and all that are left are as likely."""
    made = deal(1)
    source = made.source(stream(12, 0))
    first, wanted = int(source.first), 52
    last = np.zeros(52, np.int64)
    for _ in range(WHOLE_BATCHES):
        kernel._deal(source)
        for column in source.deals[: int(source.good)].tolist():
            drawn = np.uint64(first)
            while drawn < wanted:
                drawn = np.uint64(kernel._more(source, np.uint64(column), drawn))
            picks = source.picks.reshape(-1, BATCH)[:wanted, column]
            assert sorted(picks.tolist()) == [*range(52)]
            last[picks[first]] += 1
    near(last[None, :], np.full(52, last.sum() / 52))
    assert source.exhausted == 0
    kernel._more(source, np.uint64(0), np.uint64(52))
    assert source.exhausted == 1

"""Rounds kept in memory are a shortcut, the journal is the truth (contract of `recent`)."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.house.conftest import Guest, TestHouse
from upcard.house.audit import audit
from upcard.house.journal import StoredRound, played_stored, replay_stored
from upcard.house.recent import RecentRounds
from upcard.house.rounds import House

BETS = {
    "super21": ("1 main=5.00",),
    "threecard": ("1 ante=5.00 ace_plus=5.00",),
    "ags": ("1 main=5.00 trifecta=1.00", "2 main=5.00", "3 match_super=1.00"),
}


def _stored(hall: TestHouse, answer: dict[str, Any]) -> StoredRound:
    stored = hall.run(hall.store.round(answer["round"]))
    assert stored is not None
    return stored


@pytest.mark.parametrize("game", BETS)
def test_what_is_kept_is_what_the_journal_replays_to(hall: TestHouse, game: str) -> None:
    rng = random.Random(5)
    guest, recent, compared = hall.guest(), hall.house._recent, 0
    for number in range(25):
        answer = guest.bet(game, *BETS[game], client_seed=f"r{number}")
        while answer["status"] == "open":
            stored = _stored(hall, answer)
            known = recent.find(stored)
            assert known is not None
            steps = hall.run(hall.store.steps(stored.id))
            assert known.round == replay_stored(stored, steps, ())
            assert [*known.shoe] == [*stored.inputs.shoe()]
            compared += 1
            answer = guest.move(answer, rng.choice(answer["choices"])["choice"])
        assert len(recent) == 0, "a round that is over is forgotten"
    assert compared >= 25


def test_two_processes_may_take_turns_at_one_round(hall: TestHouse) -> None:
    """Any process can serve any round: what one remembers of an earlier step is not used."""
    here = hall.guest()
    other = House(hall.store, clock=hall.clock, entropy=hall.entropy)
    there = Guest(other, hall.store, hall.run, here.player)
    turns = 0
    for number in range(80):
        answer = here.bet("super21", "1 main=5.00", client_seed=f"r{number}")
        while answer["status"] == "open":
            hits = [each for each in answer["choices"] if each["choice"] == "hit"]
            choice = hits[0] if hits and answer["seq"] < 4 else answer["choices"][0]
            answer = (there, here)[answer["seq"] % 2].move(answer, choice["choice"])
            turns += answer["seq"] > 2
    assert turns > 10
    checks = hall.run(hall.store.books())
    assert all(check.ok for check in audit(checks))


@pytest.mark.parametrize(
    ("cards", "spots", "ask_insurance"),
    [
        # Two spots win a meter each: the second meets the seed that the first one left (T-85).
        ("Kh Kh Kh Kh Kh 5c 9d 9s 8c 8d Tc", ["1", "2"], True),
        # An ace up, and insurance declined beforehand (T-50).
        ("9c Ac 7d 5c Th Td Tc", ["1"], False),
    ],
    ids=["two meters", "no insurance"],
)
def test_a_round_is_the_same_after_a_restart(
    hall: TestHouse,
    stacked: Callable[[str, str], None],
    cards: str,
    spots: list[str],
    ask_insurance: bool,
) -> None:
    """G-12: nothing of it is in memory, and everything it met is met again in its order."""
    stacked("c", cards)
    guest = hall.guest()
    bets = [f"{spot} main=5.00 progressive=5.00" for spot in spots]
    before = guest.bet("top3", *bets, level="low", ask_insurance=ask_insurance)
    hall.close()
    hall.open()
    again = Guest(hall.house, hall.store, hall.run, guest.player)
    assert hall.run(hall.house.look(guest.player, before["round"])) == without_receipt(before)
    assert before["choices"][0]["choice"] == "hit"
    while before["status"] == "open":
        before = again.move(before, "stand")
    assert all(check.ok for check in audit(hall.run(hall.store.books())))


def without_receipt(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name != "receipt"}


def test_a_round_is_found_at_that_very_step_alone_and_the_oldest_goes_first(
    hall: TestHouse,
) -> None:
    guests = [hall.guest() for _ in range(3)]
    seeds = [_open_seed(hall, guest) for guest in guests]
    rounds = [_stored(hall, answer) for answer in seeds]
    recent = RecentRounds(2)
    for stored in rounds:
        steps = hall.run(hall.store.steps(stored.id))
        recent.keep(stored.id, stored.seq + 1, played_stored(stored, steps, ()))
        assert recent.find(stored) is None, "it is known one step further on"
        recent.keep(stored.id, stored.seq, played_stored(stored, steps, ()))
    assert len(recent) == 2
    assert [recent.find(stored) is not None for stored in rounds] == [False, True, True]


def _open_seed(hall: TestHouse, guest: Guest) -> dict[str, Any]:
    """A three-card round always waits for a choice (C-06)."""
    return guest.bet("threecard", "1 ante=5.00")

"""Random players at one house: bets, moves, repeats and lies, with a naive auditor beside it.

Found this way: what no list of cases holds. The auditor shares no code with the house.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.clock import Clock
from tests.house.conftest import Entropy, TestHouse, bet_request, told
from tests.house.naive_auditor import Auditor
from upcard.cards import Card, parse_cards
from upcard.fair import Shoe
from upcard.house.journal import RoundInputs
from upcard.house.rounds import DAY, BetRequest, RoundOpen
from upcard.refused import Refused

SHARDS = 4
RUNS = 2_000 if not os.environ.get("UPCARD_SOAK") else 40_000
KINGS = parse_cards("Kh Kh Kh 5c 6d 7s 8c 9c Tc 2d 2h 2s")
"""A hit of the meter, for rounds that bring the client seed `hit`."""

BETS = {
    "top3": (
        "low",
        ["main=5.00", "main=20.00 progressive=5.00", "main=5.50 classic=1.00 top3=2.00"],
    ),
    "threecard": ("table", ["ante=5.00", "ante=20.00 ace_plus=5.00"]),
    "super21": ("table", ["main=1.00", "main=500.00"]),
    "ags": ("table", ["main=3.00", "trifecta=2.00", "main=1.00 match_super=1.00 trifecta=1.00"]),
}
GAMES = st.sampled_from(sorted(BETS))
PLAYERS = st.integers(0, 2)


class Hall:
    """One house for all runs of a shard; every run brings new players."""

    def __init__(self, folder: Path) -> None:
        self.house = TestHouse(asyncio.new_event_loop(), str(folder / "h.db"), Clock(), Entropy())
        self.auditor = Auditor(self.house.path)

    def close(self) -> None:
        self.house.close()
        self.house.loop.close()


class RandomCommands(RuleBasedStateMachine):
    hall: Hall

    @initialize()
    def enter(self) -> None:
        self.guests = [self.hall.house.guest() for _ in range(3)]
        self.open: dict[tuple[int, str], dict[str, Any]] = {}
        self.last: dict[int, tuple[str, BetRequest, str]] = {}
        self.keys = 0
        for guest in self.guests:
            self.hall.auditor.guest(guest.player)

    @rule(
        player=PLAYERS,
        game=GAMES,
        pick=st.integers(0, 99),
        spots=st.integers(1, 3),
        hit=st.booleans(),
    )
    def bet(self, player: int, game: str, pick: int, spots: int, hit: bool) -> None:
        level, laid = BETS[game]
        count = spots if game in ("top3", "ags") else 1
        bets = [f"{spot} {laid[(pick + spot) % len(laid)]}" for spot in range(1, count + 1)]
        seed = f"c{pick}"
        if hit and game == "top3":
            seed, bets = "hit", ["1 main=5.00 progressive=5.00"]
        request = bet_request(game, *bets, level=level, client_seed=seed)
        key = f"k{self.keys}"
        self.keys += 1
        guest = self.guests[player]
        if (player, game) in self.open:
            with pytest.raises(RoundOpen):
                guest.run(guest.house.bet(guest.player, key, request))
            return
        try:
            answer = guest.run(guest.house.bet(guest.player, key, request))
        except Refused as refused:
            assert refused.code == "funds"  # noqa: PT017 - only some bets are refused
            return
        self.last[player] = (key, request, answer.text)
        self._told(player, game, told(answer.text))

    def _told(self, player: int, game: str, answer: dict[str, Any]) -> None:
        self.hall.auditor.told(self.guests[player].player, answer)
        if answer["status"] == "open":
            self.open[player, game] = answer
        else:
            self.open.pop((player, game), None)

    @precondition(lambda self: self.open)
    @rule(which=st.integers(0, 99), pick=st.integers(0, 99), twice=st.booleans())
    def move(self, which: int, pick: int, twice: bool) -> None:
        (player, game), answer = sorted(self.open.items(), key=str)[which % len(self.open)]
        guest = self.guests[player]
        offered = [choice for choice in answer["choices"] if choice["enabled"]]
        choice = offered[pick % len(offered)]["choice"]
        moved = guest.run(guest.house.move(guest.player, answer["round"], answer["seq"], choice))
        if twice:
            again = guest.run(
                guest.house.move(guest.player, answer["round"], answer["seq"], choice)
            )
            assert again.text == moved.text
        self._told(player, game, told(moved.text))

    @precondition(lambda self: self.open)
    @rule(
        which=st.integers(0, 99),
        seq=st.integers(-2, 9),
        choice=st.sampled_from(["hit", "fold", "rescue"]),
    )
    def lie(self, which: int, seq: int, choice: str) -> None:
        """A stale, foreign or impossible move changes nothing."""
        (player, _), answer = sorted(self.open.items(), key=str)[which % len(self.open)]
        stranger = self.guests[(player + 1) % 3]
        with pytest.raises(Refused):
            stranger.run(stranger.house.move(stranger.player, answer["round"], seq, choice))  # type: ignore[arg-type]
        if seq != answer["seq"]:
            guest = self.guests[player]
            events = [event for event in self.hall.auditor.rounds[answer["round"]]["events"]]
            made = [event["choice"] for event in events if event["type"] == "choice"]
            if not (0 <= seq < len(made) and made[seq] == choice):
                with pytest.raises(Refused):
                    guest.run(guest.house.move(guest.player, answer["round"], seq, choice))  # type: ignore[arg-type]

    @precondition(lambda self: self.last)
    @rule(which=st.integers(0, 99), other=st.booleans())
    def send_again(self, which: int, other: bool) -> None:
        player = sorted(self.last)[which % len(self.last)]
        key, request, text = self.last[player]
        guest = self.guests[player]
        if other:
            changed = bet_request("ags", "1 main=9.00", client_seed="other")
            with pytest.raises(Refused, match="key was used"):
                guest.run(guest.house.bet(guest.player, key, changed))
        else:
            assert guest.run(guest.house.bet(guest.player, key, request)).text == text

    @rule(player=PLAYERS)
    def refill(self, player: int) -> None:
        guest = self.guests[player]
        if any(owner == player for owner, _ in self.open):
            with pytest.raises(Refused, match="is open"):
                guest.run(guest.house.refill(guest.player))
        else:
            guest.run(guest.house.refill(guest.player))
            self.hall.auditor.refilled(guest.player)

    @rule()
    def abandon(self) -> None:
        """G-12: after the period everything open is finished, and told by a look."""
        hall = self.hall.house
        hall.clock.now += 30 * DAY + 1
        hall.run(hall.house.finish_abandoned())
        for (player, _), answer in sorted(self.open.items(), key=str):
            guest = self.guests[player]
            looked = guest.run(guest.house.look(guest.player, answer["round"]))
            known = len(self.hall.auditor.rounds[answer["round"]]["events"])
            assert looked["status"] == "settled"
            self.hall.auditor.booked(guest.player, {**looked, "events": looked["events"][known:]})
        self.open.clear()

    @invariant()
    def every_player_has_what_the_auditor_says(self) -> None:
        for guest in getattr(self, "guests", []):
            assert guest.balance == self.hall.auditor.available(guest.player)

    def teardown(self) -> None:
        """Leave no open round behind, so that the next run starts from settled books."""
        if getattr(self, "open", None):
            self.abandon()


@pytest.fixture
def shard(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    """A house in memory-backed storage where there is some: the disk is not what is tested here."""

    def shoe(inputs: RoundInputs) -> Shoe | tuple[Card, ...]:
        """Cards by client seed and nonce alone: a run repeated is the same run."""
        if inputs.client_seed == "hit":
            return KINGS
        decks = inputs.game_at_table().rules.decks
        return Shoe(bytes(64), inputs.client_seed, inputs.nonce, decks)

    monkeypatch.setattr(RoundInputs, "shoe", shoe)
    root = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=root) as folder:
        hall = Hall(Path(folder))
        yield hall
        hall.close()


@pytest.mark.parametrize("number", range(SHARDS))
def test_random_commands_leave_true_books(shard: Hall, number: int) -> None:
    """2,000 runs in all; G-07, G-08, G-12, T-85 and C-06 hold in whatever order things come."""

    class Machine(RandomCommands):
        hall = shard

    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=RUNS // SHARDS,
            stateful_step_count=12,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    shard.auditor.check_ledger()
    assert shard.auditor.epoch > 0, "the meter was won at least once"

"""What SQLite's store keeps of rows is what is there: a shortcut is never taken for the truth."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from typing import Any

import apsw
import pytest

from tests.house.conftest import Guest, TestHouse
from upcard.house.care import Wanted
from upcard.house.jackpot import PoolReading
from upcard.house.ledger import Entries, player_account
from upcard.house.store import Needs, Snapshot, Writes, sqlite
from upcard.house.store.sqlite import SqliteStore
from upcard.house.store.sqlite_seen import Rows, snapshot
from upcard.house.terms import TermsChange
from upcard.refused import Refused

BETS = {
    "top3": ("low", ("1 main=5.00 classic=1.00 progressive=5.00", "2 main=5.00")),
    "threecard": ("table", ("1 ante=5.00",)),
    "super21": ("table", ("1 main=5.00",)),
    "ags": ("table", ("1 main=5.00", "3 main=5.00 trifecta=1.00")),
}


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every sight of every command is read again from the database; whose they were."""
    seen: list[str] = []

    def both(rows: Rows, needs: Needs, pools: dict[str, PoolReading] | None = None) -> Snapshot:
        known = snapshot(rows, needs, pools)
        assert _whole(known) == _whole(snapshot(Rows(rows.db), needs, pools))
        seen.append(needs.player)
        return known

    monkeypatch.setattr(sqlite, "snapshot", both)
    return seen


def _whole(seen: Snapshot) -> list[Any]:
    """Sequences that are read when they are looked at are looked at."""
    return [
        list(part) if isinstance(part, Sequence) and not isinstance(part, tuple) else part
        for part in seen
    ]


def _plays(guest: Guest, rng: random.Random, rounds: int) -> None:
    for _ in range(rounds):
        game = rng.choice([*BETS])
        level, spots = BETS[game]
        answer = guest.bet(game, *spots, level=level, client_seed=f"{rng.getrandbits(32)}")
        while answer["choices"] and rng.random() < 0.9:
            choice = rng.choice([each["choice"] for each in answer["choices"]])
            answer = guest.move(answer, choice)
        while answer["choices"]:
            answer = guest.move(answer, answer["choices"][-1]["choice"])


def test_what_is_kept_is_what_is_there(file_hall: TestHouse, compared: list[str]) -> None:
    """Bets and moves, limits, exclusions and terms, refusals, and days that go by."""
    rng = random.Random(5)
    guests = [file_hall.guest() for _ in range(3)]
    for day in range(3):
        for guest in guests:
            _plays(guest, rng, 9)
        wanted: Wanted = {"stake": {"day": 100_000 - day}}
        file_hall.run(file_hall.house.care.set_limits(guests[0].player, wanted))
        change = TermsChange(
            key="top3", operator="o", reason="r", command=f"{day}", seed=1_000_100 + day * 100
        )
        file_hall.run(file_hall.house.change_terms(change))
        file_hall.clock.now += 86_400
    file_hall.run(file_hall.house.care.exclude(guests[1].player, 1))
    with pytest.raises(Refused, match="excluded"):
        _plays(guests[1], rng, 1)
    assert len(compared) > 200


@pytest.mark.parametrize("how", ["a store", "plain SQL"])
def test_what_another_connection_writes_is_seen_at_once(file_hall: TestHouse, how: str) -> None:
    """A void or a correction comes from another process; the next command decides on it."""
    guest = file_hall.guest()
    before = guest.balance

    def seen() -> int:
        needs = Needs(player=guest.player)
        return file_hall.run(file_hall.store.run(needs, lambda seen: (Writes(), seen.balance)))

    assert seen() == before
    if how == "a store":
        other = SqliteStore(file_hall.path)
        file_hall.run(other.run(Needs(player="x"), lambda _: (_gift(guest.player, 7), None)))
        file_hall.run(other.close())
    else:
        with apsw.Connection(str(file_hall.path)) as db:
            db.execute(
                "UPDATE balance SET cents = cents + 7 WHERE account = ?",
                (player_account(guest.player),),
            )
    assert seen() == before + 7


def _gift(player: str, cents: int) -> Writes:
    entries = Entries.of(f"gift-{cents}", 0)
    entries.move("issuance", player_account(player), cents, "play_money")
    return Writes(transfers=entries.transfers)


def test_what_was_undone_is_forgotten(
    file_hall: TestHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit that fails leaves nothing behind: not in the file, and not in memory either."""
    guest, store = file_hall.guest(), file_hall.store
    assert isinstance(store, SqliteStore)
    before = guest.balance
    honest = store._on_disk

    async def full(statement: str) -> None:
        raise apsw.FullError("the disk is full")

    monkeypatch.setattr(store, "_on_disk", full)
    with pytest.raises(apsw.FullError):
        file_hall.run(store.run(Needs(player=guest.player), lambda _: (_gift(guest.player, 9), 0)))
    monkeypatch.setattr(store, "_on_disk", honest)
    needs = Needs(player=guest.player)
    assert file_hall.run(store.run(needs, lambda seen: (Writes(), seen.balance))) == before


def test_a_clash_leaves_no_trace_in_what_is_kept(file_hall: TestHouse, compared: list[str]) -> None:
    """A batch that breaks a constraint is undone and run again, each command by itself."""
    guests = [file_hall.guest() for _ in range(4)]

    async def pay(player: str, cents: int) -> None:
        await file_hall.store.run(Needs(player=player), lambda _: (_gift(player, cents), None))

    async def together() -> list[Any]:
        # Of each player two, so that the first is written before the second is decided; and the
        # last ones are the same transfer, which the database takes once.
        own = [pay(guest.player, 10 + n) for n, guest in enumerate(guests)]
        shared = [pay(guest.player, 5) for guest in guests]
        return await asyncio.gather(*own, *shared, return_exceptions=True)

    outcomes = file_hall.run(together())
    assert [isinstance(each, Exception) for each in outcomes] == [*[False] * 5, True, True, True]
    compared.clear()
    for guest in guests:
        guest.bet("super21", "1 main=5.00")
    assert len(compared) >= len(guests)

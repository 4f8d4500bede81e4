"""A backup is the whole house as of one instant, taken while it goes on, and proved."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import apsw
import pytest

from tests.house.conftest import Guest, TestHouse, bet_request, drop_triggers
from upcard.house.backup import audit_file, back_up
from upcard.refused import Refused


def test_a_backup_is_the_house_as_it_was(hall: TestHouse, tmp_path: Path) -> None:
    """And a house that is opened on it goes on where it was: the same balance, the open round."""
    guest = hall.guest()
    open_ = guest.bet("threecard", "1 ante=5.00")
    hall.seal()
    before = hall.run(hall.store.books())
    copy = tmp_path / "copy.db"
    checks = hall.run(back_up(hall.store, copy))
    assert all(check.ok for check in checks)
    guest.move(open_, "fold")
    assert copy.stat().st_mode & 0o777 == 0o600, "it holds seeds"
    hall.close()
    hall.path = copy
    hall.open()
    assert hall.run(hall.store.books()).transfers == before.transfers
    restored = Guest(hall.house, hall.store, hall.run, guest.player)
    assert restored.move(open_, "fold")["status"] == "settled"
    hall.seal()
    assert all(check.ok for check in hall.run(audit_file(str(copy))))


def test_a_backup_that_was_told_of_outlives_a_power_cut(
    hall: TestHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """POSIX: a name is durable when its folder was synced after it was given."""
    done: list[str] = []
    link, fsync = os.link, os.fsync

    def linked(source: Path, target: Path) -> None:
        link(source, target)
        done.append(f"named {target.name}")

    def synced(descriptor: int) -> None:
        fsync(descriptor)
        if os.path.samestat(os.fstat(descriptor), tmp_path.stat()):
            done.append("synced its folder")

    monkeypatch.setattr(os, "link", linked)
    monkeypatch.setattr(os, "fsync", synced)
    hall.run(back_up(hall.store, tmp_path / "copy.db"))
    assert done == ["named copy.db", "synced its folder"]


def test_every_restored_house_draws_new_seeds(
    hall: TestHouse, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Those in a backup may have been shown since: who saw one would know the cards of a bet."""
    guest = hall.guest()

    def commits() -> set[str]:
        games = hall.run(hall.house.session(guest.player))["games"].values()
        return {game["commit"] for game in games}

    shown, copy = [commits()], tmp_path / "copy.db"
    hall.run(back_up(hall.store, copy))
    assert commits() == shown[0], "the house itself goes on as it was"
    for number in range(2):
        hall.close()
        hall.path = tmp_path / f"restored{number}.db"
        hall.path.write_bytes(copy.read_bytes())
        hall.open()
        assert "is a backup" in caplog.text
        caplog.clear()
        shown.append(commits())
        hall.close()
        hall.open()
        assert caplog.text == ""
        assert commits() == shown[-1], "only the first time"
    assert len(set.union(*shown)) == 3 * 4


def test_it_is_consistent_while_bets_run(hall: TestHouse, tmp_path: Path) -> None:
    players = [hall.guest().player for _ in range(4)]

    async def busy(player: str, done: asyncio.Event) -> int:
        bets = 0
        while not done.is_set():
            request = bet_request(
                "ags", "1 pairs_pay=1.00", client_seed=f"s{bets}", side_bets=("in_bet", "pairs_pay")
            )
            await hall.house.bet(player, f"k{bets}", request)
            bets += 1
        return bets

    async def all_at_once() -> list[int]:
        done = asyncio.Event()
        playing = [asyncio.create_task(busy(player, done)) for player in players]
        for number in range(3):
            await asyncio.sleep(0.02)
            checks = await back_up(hall.store, tmp_path / f"copy{number}.db")
            assert [check.sentence for check in checks if not check.ok] == []
            await hall.sealer.seal()
        done.set()
        return await asyncio.gather(*playing)

    assert min(hall.run(all_at_once())) > 3
    assert sorted(path.name for path in tmp_path.glob("copy*")) == [f"copy{n}.db" for n in range(3)]


def test_it_never_takes_the_place_of_a_file(hall: TestHouse, tmp_path: Path) -> None:
    taken = tmp_path / "taken.db"
    taken.write_text("mine")
    dangling = tmp_path / "dangling"
    dangling.symlink_to(tmp_path / "nowhere")
    for file in (taken, dangling, hall.path):
        before = file.read_bytes() if file.exists() else None
        with pytest.raises(Refused, match="exists; a backup goes into a new file"):
            hall.run(back_up(hall.store, file))
        assert (file.read_bytes() if file.exists() else None) == before


def test_a_backup_of_false_books_is_made_and_said_to_be_false(
    hall: TestHouse, tmp_path: Path
) -> None:
    """Who repairs something wants a copy of it first."""
    hall.guest()
    with apsw.Connection(str(hall.path)) as db:
        drop_triggers(db)
        db.execute("UPDATE balance SET cents = cents + 1 WHERE account LIKE 'player/%'")
    checks = hall.run(back_up(hall.store, tmp_path / "copy.db"))
    assert [check.name for check in checks if not check.ok] == ["balances"]
    assert (tmp_path / "copy.db").exists()


def test_where_no_file_can_be_nothing_is_left(hall: TestHouse, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    with pytest.raises(OSError, match="No such file"):
        hall.run(back_up(hall.store, tmp_path / "nowhere" / "copy.db"))
    assert sorted(tmp_path.iterdir()) == before

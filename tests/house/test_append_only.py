"""What has happened is not edited, whoever writes: the database itself refuses (append-only)."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.house.conftest import TestHouse, drop_triggers
from upcard.house.store.sqlite import SqliteStore, migrations

EDITS = (
    "UPDATE transfer SET cents = cents + 1",
    "UPDATE transfer SET code = 'gift' WHERE number = 1",
    "DELETE FROM transfer WHERE number = (SELECT max(number) FROM transfer)",
    "UPDATE step SET answer = '{}'",
    "DELETE FROM step",
    "UPDATE award SET cents = 1",
    "DELETE FROM award",
    "UPDATE request SET hash = ''",
    "DELETE FROM request",
    "DELETE FROM round",
    "UPDATE round SET server_seed = zeroblob(64)",
    "UPDATE round SET inputs = '{}'",
    "UPDATE round SET player = 'other'",
    "UPDATE round SET rules_hash = ''",
    "UPDATE round SET engine = '0'",
    "UPDATE round SET opened_at = 0",
    "UPDATE round SET number = number + 1000",
    "UPDATE round SET status = 'open' WHERE status = 'settled'",
    "UPDATE round SET seq = seq - 1 WHERE seq > 0",
    "UPDATE own_limit SET cents = 10 * cents",
    "DELETE FROM own_limit",
    "UPDATE exclusion SET ends = began + 1",
    "DELETE FROM exclusion",
)
KINGS = "Kh Kh Kh 5c 6d 7s 8c 9c Tc"


@pytest.fixture
def settled(hall: TestHouse, stacked: Callable[[str, str], None]) -> TestHouse:
    """A round with a choice that is settled, one that met the meter, and one that is open."""
    guest = hall.guest()
    guest.move(guest.bet("threecard", "1 ante=5.00"), "raise")
    stacked("kings", KINGS)
    guest.bet("top3", "1 main=5.00 progressive=5.00", level="low", client_seed="kings")
    guest.bet("threecard", "1 ante=5.00")
    hall.run(hall.house.care.set_limits(guest.player, {"loss": {"day": 10_000}}))
    hall.run(hall.house.care.exclude(guest.player, 1))
    return hall


@pytest.mark.parametrize("edit", EDITS)
def test_the_database_refuses_to_edit_what_has_happened(settled: TestHouse, edit: str) -> None:
    """By another program too, with another library; without the triggers it would have been."""
    before = settled.run(settled.store.books())
    with closing(sqlite3.connect(settled.path)) as db:
        with pytest.raises(sqlite3.IntegrityError, match=r"never|forwards"), db:
            db.execute(edit)
        assert settled.run(settled.store.books()) == before
        drop_triggers(db)
        assert db.execute(edit).rowcount > 0
        db.rollback()


def test_a_database_of_the_first_schema_is_brought_up_to_date(tmp_path: Path) -> None:
    """Migrations go forwards, over what is there."""
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(migrations()[0][1])
        db.execute(f"PRAGMA application_id = {0x55504344}")
        db.execute("PRAGMA user_version = 1")
        db.execute(
            "INSERT INTO transfer (source, seq, n, debit, credit, cents, code) "
            "VALUES ('s', 0, 0, 'issuance', 'player/p', 5, 'play_money')"
        )
        db.commit()
    asyncio.run(SqliteStore(path).close())
    assert _version(path) == migrations()[-1][0]
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT cents FROM transfer").fetchall() == [(5,)]
        with pytest.raises(sqlite3.IntegrityError, match="never deleted"):
            db.execute("DELETE FROM transfer")


def _version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])

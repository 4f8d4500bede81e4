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

COLUMNS = (
    "number, id, player, inputs, server_seed, rules_hash, engine, status, seq, opened_at, "
    "touched_at"
)
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
    "UPDATE block SET transfers = ''",
    "DELETE FROM block",
    "UPDATE signing_key SET public_key = ''",
    "DELETE FROM signing_key",
    "UPDATE voided SET reason = 'no reason'",
    "DELETE FROM voided",
    # What is there is not replaced either, by whichever of its keys it is met.
    "INSERT OR REPLACE INTO transfer SELECT number, source, seq, n, debit, credit, 1, code "
    "FROM transfer WHERE number = 1",
    "INSERT OR REPLACE INTO transfer SELECT 99999, source, seq, n, debit, credit, 1, code "
    "FROM transfer WHERE number = 1",
    "REPLACE INTO step SELECT round, seq, spot, hand, choice, at, '{}' FROM step",
    "REPLACE INTO award SELECT round, n, pool, epoch, 1 FROM award",
    "REPLACE INTO request SELECT player, key, '', round FROM request",
    "REPLACE INTO request SELECT player, 'another', '', round FROM request LIMIT 1",
    f"REPLACE INTO round SELECT {COLUMNS.replace('server_seed', 'zeroblob(64)')} FROM round",
    f"REPLACE INTO round SELECT {COLUMNS.replace('id,', '99,', 1)} FROM round WHERE number = 1",
    "REPLACE INTO signing_key SELECT id, algorithm, '', since FROM signing_key",
    "REPLACE INTO signing_key SELECT 'other', algorithm, public_key, since FROM signing_key",
    "REPLACE INTO block SELECT number, previous, first, last, '', at, key, signature FROM block",
    "REPLACE INTO voided SELECT round, 'Nobody', reason, at FROM voided",
    # A block goes nowhere but after the last one.
    "INSERT INTO block SELECT number + 2, previous, last + 1, last + 1, '', at, key, signature "
    "FROM block",
    "INSERT INTO block SELECT number + 1, previous, last + 2, last + 2, '', at, key, signature "
    "FROM block",
    "INSERT INTO block SELECT number + 1, previous, last, last, '', at, key, signature FROM block",
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
    assert len(hall.seal()) == 1
    with closing(sqlite3.connect(hall.path)) as db, db:
        db.execute("INSERT INTO voided VALUES ('a round', 'Ada', 'a reason', 0)")
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
        assert db.execute(edit).rowcount > 0, "without its trigger it would have been done"
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
        steps = [("r", 0, 0, 0, None, 7, "{}"), ("r", 1, 1, 0, "stand", 8, "{}")]
        db.executemany("INSERT INTO step VALUES (?, ?, ?, ?, ?, ?, ?)", reversed(steps))
        db.commit()
    asyncio.run(SqliteStore(path).close())
    assert _version(path) == migrations()[-1][0]
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT cents FROM transfer").fetchall() == [(5,)]
        assert db.execute("SELECT * FROM step").fetchall() == steps
        for table in ("transfer", "step"):
            with pytest.raises(sqlite3.IntegrityError, match="never deleted"):
                db.execute(f"DELETE FROM {table}")


def _version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])

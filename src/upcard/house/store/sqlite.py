"""The embedded store: SQLite through apsw, one writer, several commands a commit.

All commands that have come by the time a commit is done share the next one. They are decided and
written in the event loop itself, where nobody hands them about between threads; only the disk is
waited for elsewhere, and meanwhile the next ones come. Answers leave after the commit that makes
them durable (WAL, `synchronous=FULL`).
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor, wait
from contextlib import suppress
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

import apsw

from upcard.house.blocks import Block, Unsealed
from upcard.house.jackpot import PoolReading
from upcard.house.journal import StoredAward, StoredRound, StoredStep, StoredVoid
from upcard.house.keys import PublicKey
from upcard.house.ledger import Transfer, player_account
from upcard.house.sittings import Sitting
from upcard.house.store import (
    SESSIONS_KEPT_MAX,
    Account,
    Books,
    CommitWatch,
    Decide,
    Needs,
    Page,
    PoolWanted,
    Seat,
    Session,
    Snapshot,
    StoreBusy,
    StoredRequest,
    StoreRefused,
    Unreadable,
    Writes,
)
from upcard.house.store.command import Command
from upcard.house.store.sqlite_players import read_account, read_accounts, read_sittings
from upcard.house.store.sqlite_rows import (
    LATEST,
    check_file,
    read_awards,
    read_balance,
    read_books,
    read_keys,
    read_last_block,
    read_last_number,
    read_open_rounds,
    read_page,
    read_play_money,
    read_pool,
    read_request_of,
    read_round,
    read_seats,
    read_session,
    read_steps,
    read_transfers,
    read_unsealed,
    read_void,
    redraw_seeds,
    write_all,
)
from upcard.house.store.sqlite_seen import KnownRows, Rows, snapshot

T = TypeVar("T")

OLDEST_SQLITE = (3, 51, 3)
APPLICATION_ID = 0x55504344
"""`UPCD`: marks a file as ours, so that another program's database is not written into."""
COPY_ID = 0x55504342
"""`UPCB`: marks a backup until a house is opened on it."""
BUSY_MILLISECONDS = 5_000
COMMANDS_PER_COMMIT_MAX = 256
CACHE_KIBIBYTES = 32_768
PAGES_PER_CHECKPOINT = 4_000
OPEN_COUNT = "SELECT count(*) FROM round WHERE status = 'open'"


class _Clash(Exception):
    """Some command of a batch breaks a constraint, and it is not known which."""


class SqliteStore:
    """One SQLite file, made when it is not there. Raises StoreRefused.

    Used from one event loop at a time. `vfs` names how SQLite reaches its files, and `disk` is
    where commits are waited for: a simulation of the house has its own of both.
    """

    def __init__(self, path: Path, *, vfs: str | None = None, disk: Executor | None = None) -> None:
        _check_library()
        self._path = path
        self._vfs = vfs
        self.commits: CommitWatch = lambda commands, seconds: None
        try:
            self._writer = _connect(path, vfs)
            _migrate(self._writer, path)
            self._reader = _connect(path, vfs)
        except apsw.BusyError:
            raise StoreRefused(f"{path} is held by another program; try again later.") from None
        # What a batch changes stays in memory until its commit, and goes into the file itself in
        # fewer, larger portions. What is durable, and when, is the same.
        self._writer.execute(f"PRAGMA cache_size = -{CACHE_KIBIBYTES}")
        self._writer.execute(f"PRAGMA wal_autocheckpoint = {PAGES_PER_CHECKPOINT}")
        self._known = KnownRows(self._writer)
        self._sessions: dict[str, Session] = {}
        """Those that were asked for, until any session changes. One process serves a file."""
        self._sessions_changed = False
        self._disk = disk or ThreadPoolExecutor(1, thread_name_prefix="upcard-disk")
        self._waiting: deque[Command] = deque()
        self._working: asyncio.Task[None] | None = None
        self._closed = False

    # Commands

    async def run(self, needs: Needs, decide: Decide[T]) -> T:
        """One command, atomically and durably. What `decide` raises is raised, nothing written."""
        if self._closed:
            raise StoreBusy("The database is closed.")
        command = Command(needs, decide, asyncio.get_running_loop().create_future())
        self._waiting.append(command)
        if self._working is None:
            self._working = asyncio.create_task(self._work())
        result: T = await command.done
        return result

    async def close(self) -> None:
        """Finish what is queued and let go of the file."""
        self._closed = True
        if self._working is not None:
            await asyncio.wait([self._working])
        self._disk.shutdown()
        self._reader.close()
        self._writer.close()

    async def _work(self) -> None:
        """Batch after batch, each of all commands that have come by then, while there are any."""
        try:
            while self._waiting:
                count = min(len(self._waiting), COMMANDS_PER_COMMIT_MAX)
                await self._commit([self._waiting.popleft() for _ in range(count)])
        finally:
            self._working = None

    async def _commit(self, batch: list[Command]) -> None:
        """Run a batch and tell its callers: everybody after the commit, refusals too.

        A refusal may rest on what a neighbour has just done, and say so.
        """
        tell: list[Callable[[], None]] = []
        began = time.perf_counter()
        try:
            await self._begin()
            try:
                tell = self._run_together(batch)
            except _Clash:
                # Not to a savepoint: for one, SQLite copies aside whatever is changed after it.
                self._writer.execute("ROLLBACK")
                self._known.forget()
                await self._begin()
                tell = [self._run_alone(command) for command in batch]
            await self._on_disk("COMMIT")
            self._forget_sessions()
        except BaseException as error:
            busy = isinstance(error, apsw.BusyError)
            raised = StoreBusy("The database is busy; try again.") if busy else error
            for command in batch:
                command.fail(raised)
            self._known.forget()
            with suppress(apsw.ConnectionClosedError):
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
            if not isinstance(error, Exception):
                raise
        else:
            self.commits(len(batch), time.perf_counter() - began)
            for told in tell:
                told()

    async def _begin(self) -> None:
        """Become the one who writes; another program is waited for without holding anybody up."""
        try:
            self._writer.set_busy_timeout(0)
            self._writer.execute("BEGIN IMMEDIATE")
        except apsw.BusyError:
            self._writer.set_busy_timeout(BUSY_MILLISECONDS)
            await self._on_disk("BEGIN IMMEDIATE")
        self._known.begin()

    async def _on_disk(self, statement: str) -> None:
        """What may take its time. It comes to its end even if nobody waits for it any more."""
        ended = self._disk.submit(self._writer.execute, statement)
        try:
            await asyncio.wrap_future(ended)
        except asyncio.CancelledError:
            wait([ended])
            raise

    def _run_together(self, batch: list[Command]) -> list[Callable[[], None]]:
        """Decide all and write once; what to tell when it is durable. Raises _Clash.

        What is decided is written before anybody looks who could be affected: the same player, or
        whoever wants a meter.
        """
        tell: list[Callable[[], None]] = []
        decided: list[Writes] = []
        players: set[str] = set()

        def write() -> None:
            try:
                self._write(decided)
            except apsw.ConstraintError:
                raise _Clash from None
            decided.clear()
            players.clear()

        for command in batch:
            if command.needs.player in players:
                write()
            try:
                writes, result = self._decided(command, write)
            except _Clash:
                raise
            except Exception as error:
                tell.append(partial(command.fail, error))
            else:
                decided.append(writes)
                players.add(command.needs.player)
                tell.append(partial(command.succeed, result))
        write()
        return tell

    def _run_alone(self, command: Command) -> Callable[[], None]:
        """Run one command in its savepoint; what is to be told of it once it is durable."""
        self._writer.execute("SAVEPOINT command")
        try:
            writes, result = self._decided(command, lambda: None)
            self._write([writes])
            told = partial(command.succeed, result)
        except Exception as error:
            self._writer.execute("ROLLBACK TO command")
            told = partial(command.fail, error)
        self._writer.execute("RELEASE command")
        return told

    def _write(self, several: Sequence[Writes]) -> None:
        self._known.note(several, write_all(self._writer, several))
        if any(one.changes_sessions for one in several):
            self._sessions_changed = True

    def _forget_sessions(self) -> None:
        """Once it is durable: whoever asked before that was told, rightly, of those before."""
        if self._sessions_changed or len(self._sessions) > SESSIONS_KEPT_MAX:
            self._sessions.clear()
            self._sessions_changed = False

    def _decided(self, command: Command, before_meter: Callable[[], None]) -> tuple[Writes, Any]:
        pools: dict[str, PoolReading] = {}
        while True:
            try:
                return command.decide(snapshot(self._known, command.needs, pools))
            except PoolWanted as wanted:
                before_meter()
                unfounded = PoolReading(key=wanted.key, epoch=0, stripes=(0,))
                pools[wanted.key] = read_pool(self._writer, wanted.key) or unfounded

    # Reads

    def _read(self, read: Callable[[apsw.Connection], T]) -> T:
        """Read a little as of one instant. A writer never makes a reader wait."""
        self._reader.execute("BEGIN")
        try:
            return read(self._reader)
        finally:
            self._reader.execute("ROLLBACK")

    async def _read_much(self, read: Callable[[apsw.Connection], T]) -> T:
        """Read as of one instant, away from the event loop and on a connection of its own."""

        def elsewhere() -> T:
            db = _connect(self._path, self._vfs)
            try:
                db.execute("BEGIN")
                return read(db)
            finally:
                db.close()

        return await asyncio.to_thread(elsewhere)

    async def see(self, needs: Needs) -> Snapshot:
        def read(db: apsw.Connection) -> Snapshot:
            seen = snapshot(Rows(db), needs)
            return seen._replace(
                open_rounds=tuple(seen.open_rounds),
                steps=tuple(seen.steps),
                awards=tuple(seen.awards),
                days=tuple(seen.days),
                accounts=tuple(seen.accounts),
            )

        return self._read(read)

    async def session(self, token_hash: str) -> Session | None:
        known = self._sessions.get(token_hash)
        if known is None and (known := read_session(self._reader, token_hash)):
            self._sessions[token_hash] = known
        return known

    async def session_of_late(self, token_hash: str) -> Session | None:
        return await self.session(token_hash)

    async def account(self, key: str) -> Account | None:
        return read_account(self._reader, key)

    async def account_of(self, player: str) -> Account | None:
        return next(iter(read_accounts(self._reader, player)), None)

    async def balance(self, player: str) -> int:
        return read_balance(self._reader, player_account(player))

    async def seats(self, player: str) -> tuple[Seat, ...]:
        return read_seats(self._reader, player)

    async def round(self, round_: str) -> StoredRound | None:
        return read_round(self._reader, round_)

    async def steps(self, round_: str) -> tuple[StoredStep, ...]:
        return read_steps(self._reader, round_)

    async def awards(self, round_: str) -> tuple[StoredAward, ...]:
        return read_awards(self._reader, round_)

    async def request(self, round_: str) -> StoredRequest | None:
        return read_request_of(self._reader, round_)

    async def transfers(self, source: str) -> tuple[Transfer, ...]:
        return read_transfers(self._reader, source)

    async def play_money(self, player: str) -> tuple[Transfer, ...]:
        return read_play_money(self._reader, player)

    async def sittings(self, player: str, since: int = 0) -> tuple[Sitting, ...]:
        return read_sittings(self._reader, player, since)

    async def page(self, player: str, before: int | None, limit: int) -> Page:
        return self._read(lambda db: read_page(db, player, before, limit))

    async def open_rounds(self, touched_before: int | None = None) -> tuple[StoredRound, ...]:
        before = LATEST if touched_before is None else touched_before
        return await self._read_much(lambda db: read_open_rounds(db, before))

    async def open_count(self) -> int:
        return int(self._reader.execute(OPEN_COUNT).get)

    async def pool(self, key: str) -> PoolReading | None:
        return self._read(lambda db: read_pool(db, key))

    async def keys(self) -> tuple[PublicKey, ...]:
        return read_keys(self._reader)

    async def last_block(self) -> Block | None:
        return self._read(read_last_block)

    async def unsealed(self, after: int, count_max: int) -> Unsealed | None:
        if read_last_number(self._reader) <= after:
            return None
        return await self._read_much(lambda db: read_unsealed(db, after, count_max))

    async def void(self, round_: str) -> StoredVoid | None:
        return read_void(self._reader, round_)

    async def books(self) -> Books:
        def read(db: apsw.Connection) -> Books:
            try:
                check_file(db)
                return read_books(db)
            except apsw.CorruptError as error:
                raise Unreadable(f"The database file is damaged: {error}.") from None

        return await self._read_much(read)

    async def copy(self, to: Path) -> None:
        def read(db: apsw.Connection) -> None:
            copy = apsw.Connection(str(to), vfs=self._vfs)
            try:
                with copy.backup("main", db, "main") as backup:
                    backup.step()
                copy.execute("PRAGMA journal_mode = DELETE")  # one file, whole by itself
                copy.execute(f"PRAGMA application_id = {COPY_ID}")
            finally:
                copy.close()

        await self._read_much(read)

    async def resume(self, new_seed: Callable[[], bytes]) -> bool:
        with self._writer as db:
            if db.execute("PRAGMA application_id").get != COPY_ID:
                return False
            redraw_seeds(db, new_seed)
            self._known.forget()
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        return True


# Opening


def _check_library() -> None:
    version = tuple(map(int, apsw.sqlite_lib_version().split(".")))
    if version < OLDEST_SQLITE:
        oldest = ".".join(map(str, OLDEST_SQLITE))
        raise StoreRefused(
            f"SQLite {apsw.sqlite_lib_version()} is too old; {oldest} or newer is needed."
        )


def _connect(path: Path, vfs: str | None) -> apsw.Connection:
    try:
        db = apsw.Connection(str(path), vfs=vfs)
        db.set_busy_timeout(BUSY_MILLISECONDS)
        # Otherwise SQLite plans a statement anew whenever other values are bound to it.
        db.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        # Without it REPLACE deletes what it replaces, and no trigger hears of it.
        db.execute("PRAGMA recursive_triggers = ON")
    except apsw.NotADBError:
        raise StoreRefused(f"{path} is no SQLite database; name another file.") from None
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError):
        raise StoreRefused(f"{path} cannot be opened for writing; name another file.") from None
    return db


def migrations() -> list[tuple[int, str]]:
    """Number and text of each migration, in order."""
    folder = resources.files("upcard.house.store") / "migrations"
    files = sorted(file.name for file in folder.iterdir() if file.name.endswith(".sql"))
    return [(int(name[:4]), (folder / name).read_text("utf-8")) for name in files]


def _migrate(db: apsw.Connection, path: Path) -> None:
    """Bring the schema up to date. Nothing is written, and nothing waited for, where it is."""
    known = migrations()
    if _schema(db, path, known[-1][0]) == known[-1][0]:
        return
    db.execute("BEGIN IMMEDIATE")  # others may open the same new file: one migrates, all see it
    try:
        version = _schema(db, path, known[-1][0])
        for number, text in known:
            if number > version:
                db.execute(text)
                db.execute(f"PRAGMA user_version = {number}")
        if db.execute("PRAGMA application_id").get != COPY_ID:
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def _schema(db: apsw.Connection, path: Path, newest: int) -> int:
    """The number of the last migration that a file has seen, 0 for a new one."""
    with db:
        version = int(db.execute("PRAGMA user_version").get)
        tables = db.execute("SELECT count(*) FROM sqlite_master").get
        ours = db.execute("PRAGMA application_id").get in (APPLICATION_ID, COPY_ID)
    if tables and not ours:
        raise StoreRefused(f"{path} holds another program's data; name another file.")
    if version > newest:
        raise StoreRefused(
            f"{path} was written by a newer Upcard: its schema is {version}, and this one "
            f"knows {newest}."
        )
    return version

"""The embedded store: SQLite through apsw, one writer thread, several commands a commit.

Every command runs in a savepoint of its own, so that one that is refused leaves its neighbours
alone; answers leave after the commit that makes them durable (WAL, `synchronous=FULL`).
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib import resources
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import apsw

from upcard.house import ledger
from upcard.house.jackpot import PoolReading
from upcard.house.journal import (
    StoredAward,
    StoredRound,
    StoredStep,
    inputs_of,
    inputs_text,
)
from upcard.house.ledger import Transfer, escrow_account, player_account, pool_account
from upcard.house.store import (
    Books,
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
    Writes,
)

T = TypeVar("T")

OLDEST_SQLITE = (3, 51, 3)
APPLICATION_ID = 0x55504344
"""`UPCD`: marks a file as ours, so that another program's database is not written into."""
BUSY_MILLISECONDS = 5_000
COMMANDS_PER_COMMIT_MAX = 256
_STOP = None


@dataclass(slots=True)
class _Command:
    needs: Needs
    decide: Callable[[Snapshot], Any]
    done: asyncio.Future[Any]

    def succeed(self, result: Any) -> None:
        self._tell(lambda: self.done.set_result(result))

    def fail(self, error: BaseException) -> None:
        self._tell(lambda: self.done.set_exception(error))

    def _tell(self, tell: Callable[[], None]) -> None:
        """Wake the caller in its own loop, if it still waits."""
        self.done.get_loop().call_soon_threadsafe(lambda: None if self.done.done() else tell())


class SqliteStore:
    """One SQLite file, made when it is not there. Raises StoreRefused."""

    def __init__(self, path: Path) -> None:
        _check_library()
        self._path = path
        try:
            self._writer = _connect(path)
            _migrate(self._writer, path)
            self._reader = _connect(path)
        except apsw.BusyError:
            raise StoreRefused(f"{path} is held by another program; try again later.") from None
        self._reads = ThreadPoolExecutor(1, thread_name_prefix="upcard-read")
        self._queue: SimpleQueue[_Command | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._write_all, name="upcard-write", daemon=True)
        self._thread.start()

    # Commands

    async def run(self, needs: Needs, decide: Decide[T]) -> T:
        """One command, atomically and durably. What `decide` raises is raised, nothing written."""
        command = _Command(needs, decide, asyncio.get_running_loop().create_future())
        self._queue.put(command)
        result: T = await command.done
        return result

    async def close(self) -> None:
        """Finish what is queued and let go of the file."""
        self._queue.put(_STOP)
        await asyncio.to_thread(self._thread.join)
        self._reads.shutdown()
        self._reader.close()
        self._writer.close()

    def _write_all(self) -> None:
        while (first := self._queue.get()) is not _STOP:
            batch, stop = self._drain(first)
            self._commit(batch)
            if stop:
                return

    def _drain(self, first: _Command) -> tuple[list[_Command], bool]:
        """All commands that wait already, up to a limit; and whether the last one says stop."""
        batch = [first]
        while len(batch) < COMMANDS_PER_COMMIT_MAX:
            try:
                command = self._queue.get_nowait()
            except Empty:
                break
            if command is _STOP:
                return batch, True
            batch.append(command)
        return batch, False

    def _commit(self, batch: list[_Command]) -> None:
        """Run a batch and tell its callers: everybody after the commit, refusals too.

        A refusal may rest on what a neighbour has just done, and say so.
        """
        tell: list[Callable[[], None]] = []
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            tell = [self._run_one(command) for command in batch]
            self._writer.execute("COMMIT")
        except Exception as error:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
            busy = isinstance(error, apsw.BusyError)
            raised = StoreBusy("The database is busy; try again.") if busy else error
            for command in batch:
                command.fail(raised)
            return
        for told in tell:
            told()

    def _run_one(self, command: _Command) -> Callable[[], None]:
        """Run one command in its savepoint; what is to be told of it once it is durable."""
        self._writer.execute("SAVEPOINT command")
        try:
            told = partial(command.succeed, self._decide(command))
        except Exception as error:
            self._writer.execute("ROLLBACK TO command")
            told = partial(command.fail, error)
        self._writer.execute("RELEASE command")
        return told

    def _decide(self, command: _Command) -> Any:
        pools: dict[str, PoolReading] = {}
        while True:
            try:
                writes, result = command.decide(_snapshot(self._writer, command.needs, pools))
            except PoolWanted as wanted:
                unfounded = PoolReading(key=wanted.key, epoch=0, stripes=(0,))
                pools[wanted.key] = _pool(self._writer, wanted.key) or unfounded
            else:
                _write(self._writer, writes)
                return result

    # Reads

    async def _read(self, read: Callable[[apsw.Connection], T]) -> T:
        """Read as of one instant, away from the event loop."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._reads, self._read_now, read)

    def _read_now(self, read: Callable[[apsw.Connection], T]) -> T:
        self._reader.execute("BEGIN")
        try:
            return read(self._reader)
        finally:
            self._reader.execute("ROLLBACK")

    async def see(self, needs: Needs) -> Snapshot:
        return await self._read(lambda db: _snapshot(db, needs, {}))

    async def session(self, token_hash: str) -> Session | None:
        def read(db: apsw.Connection) -> Session | None:
            query = "SELECT player, expires FROM session WHERE token_hash = ?"
            for player, expires in db.execute(query, (token_hash,)):
                return Session(token_hash=token_hash, player=player, expires=expires)
            return None

        return await self._read(read)

    async def balance(self, player: str) -> int:
        return await self._read(lambda db: _balance(db, player_account(player)))

    async def seats(self, player: str) -> tuple[Seat, ...]:
        return await self._read(lambda db: _seats(db, player))

    async def round(self, round_: str) -> StoredRound | None:
        return await self._read(lambda db: _round(db, round_))

    async def steps(self, round_: str) -> tuple[StoredStep, ...]:
        return await self._read(lambda db: _steps(db, round_))

    async def awards(self, round_: str) -> tuple[StoredAward, ...]:
        return await self._read(lambda db: _awards(db, round_))

    async def transfers(self, source: str) -> tuple[Transfer, ...]:
        query = f"SELECT {_TRANSFER} FROM transfer WHERE source = ? ORDER BY number"
        return await self._read(lambda db: _transfers(db.execute(query, (source,))))

    async def page(self, player: str, before: int | None, limit: int) -> Page:
        return await self._read(lambda db: _page(db, player, before, limit))

    async def open_rounds(self, touched_before: int | None = None) -> tuple[StoredRound, ...]:
        def read(db: apsw.Connection) -> tuple[StoredRound, ...]:
            query = (
                f"SELECT {_ROUND} FROM round WHERE status = 'open' AND touched_at < ? "
                "ORDER BY number"
            )
            before = 1 << 62 if touched_before is None else touched_before
            return tuple(_stored_round(row) for row in db.execute(query, (before,)))

        return await self._read(read)

    async def pool(self, key: str) -> PoolReading | None:
        return await self._read(lambda db: _pool(db, key))

    async def books(self) -> Books:
        return await self._read(_books)


# Opening


def _check_library() -> None:
    version = tuple(map(int, apsw.sqlite_lib_version().split(".")))
    if version < OLDEST_SQLITE:
        oldest = ".".join(map(str, OLDEST_SQLITE))
        raise StoreRefused(
            f"SQLite {apsw.sqlite_lib_version()} is too old; {oldest} or newer is needed."
        )


def _connect(path: Path) -> apsw.Connection:
    try:
        db = apsw.Connection(str(path))
        db.set_busy_timeout(BUSY_MILLISECONDS)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
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
        ours = db.execute("PRAGMA application_id").get == APPLICATION_ID
    if tables and not ours:
        raise StoreRefused(f"{path} holds another program's data; name another file.")
    if version > newest:
        raise StoreRefused(
            f"{path} was written by a newer Upcard: its schema is {version}, and this one "
            f"knows {newest}."
        )
    return version


# Rows to records


_ROUND = "id, player, inputs, server_seed, rules_hash, engine, status, seq, opened_at, touched_at"
_TRANSFER = "source, seq, n, debit, credit, cents, code"


def _snapshot(db: apsw.Connection, needs: Needs, pools: dict[str, PoolReading]) -> Snapshot:
    seats = _seats(db, needs.player)
    seat = next((seat for seat in seats if seat.game == needs.game), None)
    named = needs.round or (seat.open_round if seat else None)
    round_ = _round(db, named) if named else None
    return Snapshot(
        balance=_balance(db, player_account(needs.player)),
        escrow=_balance(db, escrow_account(round_.id)) if round_ else 0,
        stripe=0,
        seat=seat,
        open_rounds=tuple(seat.open_round for seat in seats if seat.open_round),
        round=round_,
        steps=_steps(db, round_.id) if round_ else (),
        awards=_awards(db, round_.id) if round_ else (),
        request=_request(db, needs.player, needs.key) if needs.key else None,
        pools=dict(pools),
    )


def _balance(db: apsw.Connection, account: str) -> int:
    cents = db.execute("SELECT cents FROM balance WHERE account = ?", (account,)).get
    return 0 if cents is None else int(cents)


def _seats(db: apsw.Connection, player: str) -> tuple[Seat, ...]:
    query = "SELECT game, nonce, server_seed, open_round FROM seat WHERE player = ?"
    return tuple(
        Seat(player=player, game=game, nonce=nonce, server_seed=seed, open_round=open_round)
        for game, nonce, seed, open_round in db.execute(query, (player,))
    )


def _round(db: apsw.Connection, id_: str) -> StoredRound | None:
    for row in db.execute(f"SELECT {_ROUND} FROM round WHERE id = ?", (id_,)):
        return _stored_round(row)
    return None


def _stored_round(row: tuple[Any, ...]) -> StoredRound:
    id_, player, inputs, seed, rules_hash, engine, status, seq, opened_at, touched_at = row
    return StoredRound(
        id=id_,
        player=player,
        inputs=inputs_of(inputs, seed),
        rules_hash=rules_hash,
        engine=engine,
        status=status,
        seq=seq,
        opened_at=opened_at,
        touched_at=touched_at,
    )


def _steps(db: apsw.Connection, round_: str) -> tuple[StoredStep, ...]:
    query = "SELECT seq, spot, hand, choice, at, answer FROM step WHERE round = ? ORDER BY seq"
    return tuple(
        StoredStep(round=round_, seq=seq, spot=spot, hand=hand, choice=choice, at=at, answer=answer)
        for seq, spot, hand, choice, at, answer in db.execute(query, (round_,))
    )


def _awards(db: apsw.Connection, round_: str) -> tuple[StoredAward, ...]:
    query = "SELECT n, pool, epoch, cents FROM award WHERE round = ? ORDER BY n"
    return tuple(
        StoredAward(round=round_, n=n, key=key, epoch=epoch, cents=cents)
        for n, key, epoch, cents in db.execute(query, (round_,))
    )


def _request(db: apsw.Connection, player: str, key: str) -> StoredRequest | None:
    query = (
        "SELECT hash, request.round, answer FROM request JOIN step ON step.round = request.round "
        "AND step.seq = 0 WHERE player = ? AND key = ?"
    )
    for hash_, round_, answer in db.execute(query, (player, key)):
        return StoredRequest(player=player, key=key, hash=hash_, round=round_, answer=answer)
    return None


def _pool(db: apsw.Connection, key: str) -> PoolReading | None:
    for epoch, stripes in db.execute("SELECT epoch, stripes FROM pool WHERE key = ?", (key,)):
        cents = tuple(_balance(db, pool_account(key, stripe)) for stripe in range(stripes))
        return PoolReading(key=key, epoch=epoch, stripes=cents)
    return None


def _transfers(rows: Iterable[tuple[Any, ...]]) -> tuple[Transfer, ...]:
    return tuple(
        Transfer(source=source, seq=seq, n=n, debit=debit, credit=credit, cents=cents, code=code)
        for source, seq, n, debit, credit, cents, code in rows
    )


def _page(db: apsw.Connection, player: str, before: int | None, limit: int) -> Page:
    query = (
        f"SELECT number, {_ROUND} FROM round WHERE player = ? AND number < ? "
        "ORDER BY number DESC LIMIT ?"
    )
    start = 1 << 62 if before is None else before
    rows = list(db.execute(query, (player, start, limit + 1)))
    more = len(rows) > limit
    return Page(
        rounds=tuple(_stored_round(row[1:]) for row in rows[:limit]),
        next=rows[limit - 1][0] if more else None,
    )


def _books(db: apsw.Connection) -> Books:
    rounds = tuple(
        _stored_round(row) for row in db.execute(f"SELECT {_ROUND} FROM round ORDER BY number")
    )
    keys = [key for (key,) in db.execute("SELECT key FROM pool ORDER BY key")]
    query = f"SELECT {_TRANSFER} FROM transfer ORDER BY number"
    return Books(
        transfers=_transfers(db.execute(query)),
        balances=dict(db.execute("SELECT account, cents FROM balance")),
        rounds=rounds,
        steps={round_.id: _steps(db, round_.id) for round_ in rounds},
        awards={round_.id: _awards(db, round_.id) for round_ in rounds},
        pools=tuple(pool for key in keys if (pool := _pool(db, key))),
    )


# Records to rows


def _write(db: apsw.Connection, writes: Writes) -> None:
    _write_money(db, writes.transfers)
    if writes.round:
        _write_round(db, writes.round)
    for seat in writes.seats:
        db.execute(
            "INSERT INTO seat (player, game, nonce, server_seed, open_round) "
            "VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT DO UPDATE SET nonce = excluded.nonce, server_seed = excluded.server_seed, "
            "open_round = excluded.open_round",
            (seat.player, seat.game, seat.nonce, seat.server_seed, seat.open_round),
        )
    for step in writes.steps:
        db.execute(
            "INSERT INTO step (round, seq, spot, hand, choice, at, answer) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (step.round, step.seq, step.spot, step.hand, step.choice, step.at, step.answer),
        )
    for award in writes.awards:
        db.execute(
            "INSERT INTO award (round, n, pool, epoch, cents) VALUES (?, ?, ?, ?, ?)",
            (award.round, award.n, award.key, award.epoch, award.cents),
        )
    if request := writes.request:
        db.execute(
            "INSERT INTO request (player, key, hash, round) VALUES (?, ?, ?, ?)",
            (request.player, request.key, request.hash, request.round),
        )
    if session := writes.session:
        db.execute(
            "INSERT INTO session (token_hash, player, expires) VALUES (?, ?, ?) "
            "ON CONFLICT DO UPDATE SET expires = excluded.expires",
            (session.token_hash, session.player, session.expires),
        )
    for pool in writes.pools:
        db.execute(
            "INSERT INTO pool (key, epoch, stripes) VALUES (?, ?, ?) "
            "ON CONFLICT DO UPDATE SET epoch = excluded.epoch",
            (pool.key, pool.epoch, len(pool.stripes)),
        )


def _write_round(db: apsw.Connection, round_: StoredRound) -> None:
    db.execute(
        "INSERT INTO round (id, player, inputs, server_seed, rules_hash, engine, status, seq, "
        "opened_at, touched_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (id) DO UPDATE SET status = excluded.status, seq = excluded.seq, "
        "touched_at = excluded.touched_at",
        (
            round_.id,
            round_.player,
            inputs_text(round_.inputs),
            round_.inputs.server_seed,
            round_.rules_hash,
            round_.engine,
            round_.status,
            round_.seq,
            round_.opened_at,
            round_.touched_at,
        ),
    )


def _write_money(db: apsw.Connection, transfers: Iterable[Transfer]) -> None:
    transfers = list(transfers)
    db.executemany(
        f"INSERT INTO transfer ({_TRANSFER}) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (one.source, one.seq, one.n, one.debit, one.credit, one.cents, one.code)
            for one in transfers
        ],
    )
    for account, cents in ledger.balances(transfers).items():
        before = _balance(db, account)
        db.execute(
            "INSERT INTO balance (account, cents) VALUES (?, ?) "
            "ON CONFLICT DO UPDATE SET cents = excluded.cents",
            (account, before + cents),
        )

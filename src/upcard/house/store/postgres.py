"""The store of many processes: PostgreSQL through asyncpg, several commands a transaction.

The commands that wait when a connection is free share a transaction, one of each player: the way to
the database and the wait for its disk are paid once for all of them. A transaction first takes the
locks of its players, then sees all that they need, decides, and writes, each in one statement.
While one waits for the disk the next ones go on over other connections.

Locks come in one order - players, meters, balances - so that they seldom meet the other way round;
where they do, PostgreSQL breaks one off and it is tried again. So is what was under way when a
connection was lost, whether or not it came about: a command knows what it has done already.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, get_args

import asyncpg

from upcard.house.blocks import Block, Unsealed
from upcard.house.jackpot import PoolReading
from upcard.house.journal import StoredAward, StoredRound, StoredStep, StoredVoid
from upcard.house.keys import PublicKey
from upcard.house.ledger import Transfer, balances, player_account, pool_account
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
    Writes,
)
from upcard.house.store.command import Command
from upcard.house.store.postgres_opening import (
    CONNECT_SECONDS_MAX,
    MIGRATING,
    SETTINGS,
    open_pool,
    shown,
)
from upcard.house.store.postgres_players import read_account, read_account_of, read_sittings
from upcard.house.store.postgres_rows import (
    LATEST,
    STRIPES,
    MoreWanted,
    Seen,
    Wanted,
    lock_pool,
    read_awards,
    read_balance,
    read_books,
    read_keys,
    read_last_block,
    read_more,
    read_open_count,
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
    see_all,
    unsealed_of,
    write_all,
)

if TYPE_CHECKING:
    from asyncpg import Record

    from upcard.house.store.postgres_rows import Database

T = TypeVar("T")

WRITERS = 4
"""Transactions under way at once."""
READERS = 4
COMMANDS_PER_COMMIT_MAX = 256
TRY_SECONDS_MAX = 10.0
"""How long a command is tried again over lost connections and conflicts."""
PAUSE_SECONDS_MAX = 0.25

LOST = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.TooManyConnectionsError,
    asyncpg.InterfaceError,
    # Raised for a connection that was told it is over while nobody waited on it.
    asyncpg.InternalClientError,
    OSError,
    TimeoutError,
)
"""What says that a connection is gone, or cannot be had."""
IN_THE_WAY = (asyncpg.TransactionRollbackError, asyncpg.LockNotAvailableError)
"""What says that another transaction was faster."""

SEALING = 0x55504353
"""The advisory lock of the process that seals."""

log = logging.getLogger(__name__)


class PostgresStore:
    """One PostgreSQL database, reached when it is first used; then raises StoreRefused.

    Used from one event loop. With `must_exist` no schema is made or changed.
    """

    def __init__(self, url: str, *, must_exist: bool = False, writers: int = WRITERS) -> None:
        self._url = url
        self.commits: CommitWatch = lambda commands, seconds: None
        self._must_exist = must_exist
        self._writers = writers
        self._pool: asyncpg.Pool[Record] | None = None
        self._opening = asyncio.Lock()
        self._sealing: asyncpg.Connection[Record] | None = None
        self._waiting: deque[Command] = deque()
        self._sessions: dict[str, Session] = {}
        """As they stood when they were last asked for. Other processes may have ended some."""
        self._players: set[str] = set()
        """Those with a command under way."""
        self._working: set[asyncio.Task[None]] = set()
        self._closed = False

    async def _opened(self) -> asyncpg.Pool[Record]:
        async with self._opening:
            if self._pool is None:
                most = self._writers + READERS
                self._pool = await open_pool(
                    self._url, connections_max=most, must_exist=self._must_exist
                )
        return self._pool

    async def close(self) -> None:
        """Finish what is queued and hang up."""
        self._closed = True
        while self._working:
            await asyncio.wait(self._working)
        if self._sealing is not None:
            await self._sealing.close()
        if self._pool is not None:
            await self._pool.close()

    # Commands

    async def run(self, needs: Needs, decide: Decide[T]) -> T:
        """One command, atomically and durably. What `decide` raises is raised, nothing written."""
        if self._closed:
            raise StoreBusy("The database is closed.")
        await self._opened()
        command = Command(needs, decide, asyncio.get_running_loop().create_future())
        self._waiting.append(command)
        if len(self._working) < self._writers:
            self._working.add(asyncio.create_task(self._work()))
        result: T = await command.done
        return result

    async def _work(self) -> None:
        """Batch after batch, while there are commands of players who have none under way."""
        try:
            while batch := self._next_batch():
                players = {command.needs.player for command in batch}
                self._players |= players
                try:
                    await self._commit(batch)
                finally:
                    self._players -= players
        finally:
            # At once: who comes next has to see that nobody is at work.
            self._working.discard(_this_task())

    def _next_batch(self) -> list[Command]:
        """The first command of each player who has none under way; the rest waits, in order."""
        batch: list[Command] = []
        taken, left = set(self._players), deque[Command]()
        for command in self._waiting:
            if command.needs.player in taken or len(batch) == COMMANDS_PER_COMMIT_MAX:
                left.append(command)
            else:
                batch.append(command)
            taken.add(command.needs.player)
        self._waiting = left
        return batch

    async def _commit(self, batch: list[Command]) -> None:
        """Run a batch and tell its callers: everybody after the commit, refusals too."""
        began = time.perf_counter()
        try:
            tell = await self._again_and_again(partial(self._transact, batch))
        except asyncpg.IntegrityConstraintViolationError as error:
            if len(batch) == 1:
                batch[0].fail(error)
            else:
                # Which one of them it was is found out without the others.
                for command in batch:
                    await self._commit([command])
        except BaseException as error:
            for command in batch:
                command.fail(error)
            if not isinstance(error, Exception):
                raise
        else:
            self.commits(len(batch), time.perf_counter() - began)
            for told in tell:
                told()

    async def _again_and_again(self, work: Callable[[Database], Awaitable[T]]) -> T:
        """Work on a connection, again where it was lost or in the way. Raises StoreBusy."""
        deadline = asyncio.get_running_loop().time() + TRY_SECONDS_MAX
        pause = 0.001
        while True:
            try:
                pool = await self._opened()
                async with pool.acquire() as db:
                    try:
                        return await work(db)
                    except LOST:
                        with suppress(asyncpg.InterfaceError):  # it may be given up already
                            db.terminate()
                        raise
            except (*LOST, *IN_THE_WAY) as error:
                if isinstance(error, ValueError):  # a mistake of ours, which stays one
                    raise
                if asyncio.get_running_loop().time() + pause > deadline:
                    log.error("%s did not take a command: %r", shown(self._url), error)
                    raise StoreBusy("The database is busy; try again.") from error
            await asyncio.sleep(random.uniform(0, pause))
            pause = min(2 * pause, PAUSE_SECONDS_MAX)

    async def _transact(self, batch: list[Command], db: Database) -> list[Callable[[], None]]:
        """One transaction; what to tell when it is over."""
        try:
            await db.execute(_begin(batch))
            deciding = _Deciding(db, db.get_server_pid() % STRIPES, self._sessions)
            await deciding.decide(batch)
            await db.execute("COMMIT")
        except BaseException:
            await _undo(db)
            raise
        return deciding.tell

    # Reads

    async def see(self, needs: Needs) -> Snapshot:
        async def read(db: Database) -> Snapshot:
            async with db.transaction(isolation="repeatable_read", readonly=True):
                (seen,) = await see_all(db, [needs])
                for what in get_args(Wanted):
                    (seen,) = await read_more(db, what, [seen])
            return seen.snapshot(0, {})

        return await self._again_and_again(read)

    async def session(self, token_hash: str) -> Session | None:
        return await self._again_and_again(lambda db: read_session(db, token_hash))

    async def session_of_late(self, token_hash: str) -> Session | None:
        if known := self._sessions.get(token_hash):
            return known
        if found := await self.session(token_hash):
            if len(self._sessions) >= SESSIONS_KEPT_MAX:
                self._sessions.clear()
            self._sessions[token_hash] = found
        return found

    async def account(self, key: str) -> Account | None:
        return await self._again_and_again(lambda db: read_account(db, key))

    async def account_of(self, player: str) -> Account | None:
        return await self._again_and_again(lambda db: read_account_of(db, player))

    async def balance(self, player: str) -> int:
        return await self._again_and_again(lambda db: read_balance(db, player_account(player)))

    async def seats(self, player: str) -> tuple[Seat, ...]:
        return await self._again_and_again(lambda db: read_seats(db, player))

    async def round(self, round_: str) -> StoredRound | None:
        return await self._again_and_again(lambda db: read_round(db, round_))

    async def steps(self, round_: str) -> tuple[StoredStep, ...]:
        return (await self._again_and_again(lambda db: read_steps(db, [round_])))[round_]

    async def awards(self, round_: str) -> tuple[StoredAward, ...]:
        return (await self._again_and_again(lambda db: read_awards(db, [round_])))[round_]

    async def transfers(self, source: str) -> tuple[Transfer, ...]:
        return await self._again_and_again(lambda db: read_transfers(db, source))

    async def play_money(self, player: str) -> tuple[Transfer, ...]:
        return await self._again_and_again(lambda db: read_play_money(db, player))

    async def sittings(self, player: str, since: int = 0) -> tuple[Sitting, ...]:
        return await self._again_and_again(lambda db: read_sittings(db, player, since))

    async def page(self, player: str, before: int | None, limit: int) -> Page:
        return await self._again_and_again(lambda db: read_page(db, player, before, limit))

    async def open_rounds(self, touched_before: int | None = None) -> tuple[StoredRound, ...]:
        before = LATEST if touched_before is None else touched_before
        return await self._again_and_again(lambda db: read_open_rounds(db, before))

    async def open_count(self) -> int:
        return await self._again_and_again(read_open_count)

    async def pool(self, key: str) -> PoolReading | None:
        return await self._again_and_again(lambda db: read_pool(db, key))

    async def request(self, round_: str) -> StoredRequest | None:
        return await self._again_and_again(lambda db: read_request_of(db, round_))

    async def keys(self) -> tuple[PublicKey, ...]:
        return await self._again_and_again(read_keys)

    async def last_block(self) -> Block | None:
        return await self._again_and_again(read_last_block)

    async def void(self, round_: str) -> StoredVoid | None:
        return await self._again_and_again(lambda db: read_void(db, round_))

    async def unsealed(self, after: int, count_max: int) -> Unsealed | None:
        """As in the protocol; None as well where another process of this house seals."""
        if not await self._seals():
            return None
        rows = await self._again_and_again(lambda db: read_unsealed(db, after, count_max))
        return await asyncio.to_thread(unsealed_of, rows, after)

    async def _seals(self) -> bool:
        """Whether this process is the one that seals: a lock of its own, while it is connected."""
        if self._sealing is None or self._sealing.is_closed():
            try:
                db = await asyncpg.connect(
                    self._url, timeout=CONNECT_SECONDS_MAX, server_settings=SETTINGS
                )
                if not await db.fetchval(f"SELECT pg_try_advisory_lock({SEALING})"):
                    await db.close()
                    return False
            except LOST:
                return False  # nor has anybody else got it
            self._sealing = db
        return True

    async def copy(self, to: Path) -> None:
        """As in the protocol, which is what a server's own tools are for here."""
        raise StoreRefused(
            f"{shown(self._url)} is backed up by PostgreSQL itself; pg_basebackup and the archive "
            "of its log copy it while it is served."
        )

    async def resume(self, new_seed: Callable[[], bytes]) -> bool:
        """Make a house of a server that was restored, or that took over from another one."""

        async def redraw(db: Database) -> bool:
            async with db.transaction():
                # Of processes that begin together the first one does it.
                await db.execute(f"SELECT pg_advisory_xact_lock({MIGRATING})")
                return await redraw_seeds(db, new_seed)

        return await self._again_and_again(redraw)

    async def books(self) -> Books:
        async def read(db: Database) -> Books:
            async with db.transaction(isolation="repeatable_read", readonly=True):
                return await read_books(db)

        return await self._again_and_again(read)


def _this_task() -> asyncio.Task[None]:
    task = asyncio.current_task()
    assert task is not None
    return task


def _begin(batch: list[Command]) -> str:
    """Begin a transaction and take the locks of its players, in an order that all keep to.

    A lock by a number and not on a row: it is there before the player's first row is, and costs no
    write. Two players of one number wait for each other and nothing else. Whoever wants a name
    locks that too, because others may want it.
    """
    players = {f"player/{command.needs.player}" for command in batch}
    names = {f"name/{command.needs.name}" for command in batch if command.needs.name}
    locks = sorted(map(_lock_of, players | names))
    numbers = ",".join(map(str, locks))
    return (
        "BEGIN ISOLATION LEVEL READ COMMITTED; "
        f"SELECT pg_advisory_xact_lock(number) FROM unnest('{{{numbers}}}'::bigint[]) AS number"
    )


def _lock_of(what: str) -> int:
    digest = hashlib.blake2b(what.encode(), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)


async def _undo(db: Database) -> None:
    """Leave a connection as it was found, or give it up."""
    try:
        if not db.is_closed():
            await db.execute("ROLLBACK")
    except BaseException:
        with suppress(Exception):
            db.terminate()


@dataclass(slots=True)
class _Deciding:
    """Decides the commands of one transaction, one after the other, and writes all they change.

    They are of different players, so that what one of them changes concerns another only through a
    meter, whose newest reading is kept here once it is locked.
    """

    db: Database
    stripe: int
    sessions: dict[str, Session]
    """Those that are remembered; what has ended is forgotten."""
    tell: list[Callable[[], None]] = field(default_factory=list)
    _decided: list[Writes] = field(default_factory=list)
    _meters: dict[str, PoolReading] = field(default_factory=dict)

    async def decide(self, batch: list[Command]) -> None:
        seen = await see_all(self.db, [command.needs for command in batch])
        for come in seen:
            if (named := come.needs.session) and come.session is None:
                self.sessions.pop(named, None)
        left = list(zip(batch, seen, strict=True))
        while left:
            # What this process has played is seldom read again, and few have set anything: who
            # needs more is decided afterwards.
            aside: dict[Wanted, list[tuple[Command, Seen]]] = {}
            for each in left:
                try:
                    await self._one(*each)
                except MoreWanted as more:
                    aside.setdefault(more.what, []).append(each)
            left = []
            for what, those in aside.items():
                commands, several = zip(*those, strict=True)
                left += zip(commands, await read_more(self.db, what, several), strict=True)
        await write_all(self.db, self._decided, self.stripe)

    async def _one(self, command: Command, seen: Seen) -> None:
        pools: dict[str, PoolReading] = {}
        while True:
            try:
                writes, result = command.decide(seen.snapshot(self.stripe, pools))
            except PoolWanted as wanted:
                pools[wanted.key] = await self._meter(wanted.key)
            except MoreWanted:
                raise
            except Exception as error:
                self.tell.append(partial(command.fail, error))
                return
            else:
                self._keep(writes)
                self.tell.append(partial(command.succeed, result))
                return

    async def _meter(self, key: str) -> PoolReading:
        """A meter with all that was decided before, which is locked from now on."""
        if key not in self._meters:
            reading = await lock_pool(self.db, key)
            for writes in self._decided:
                reading = _after(reading, writes)
            self._meters[key] = reading
        return self._meters[key]

    def _keep(self, writes: Writes) -> None:
        self._decided.append(writes)
        self._meters = {key: _after(reading, writes) for key, reading in self._meters.items()}


def _after(reading: PoolReading, writes: Writes) -> PoolReading:
    """A meter after what a command writes."""
    moved = balances(writes.transfers)
    epochs = [pool.epoch for pool in writes.pools if pool.key == reading.key]
    stripes = enumerate(reading.stripes)
    return replace(
        reading,
        epoch=max([reading.epoch, *epochs]),
        stripes=tuple(cents + moved[pool_account(reading.key, n)] for n, cents in stripes),
    )

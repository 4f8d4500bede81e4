"""PostgreSQL: many processes on one database, lost connections, and what is not ours to open."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import asyncpg
import pytest

from tests.house.conftest import TestHouse, told
from tests.postgres import ask, with_database
from upcard.house import blocks
from upcard.house.audit import audit
from upcard.house.ledger import Entries
from upcard.house.store import (
    Account,
    Decide,
    Needs,
    PoolWanted,
    Snapshot,
    StoreBusy,
    StoreRefused,
    Writes,
)
from upcard.house.store import postgres as postgres_store
from upcard.house.store.opening import open_store
from upcard.house.store.postgres import PostgresStore
from upcard.house.store.postgres_opening import migrations
from upcard.house.store.postgres_rows import STRIPES

T = TypeVar("T")

EDITS = (
    "UPDATE transfer SET cents = cents + 1",
    "DELETE FROM transfer WHERE number = (SELECT max(number) FROM transfer)",
    "TRUNCATE transfer",
    "UPDATE step SET answer = '{}'",
    "DELETE FROM step",
    "TRUNCATE step",
    "UPDATE award SET cents = 1",
    "DELETE FROM award",
    "TRUNCATE award",
    "UPDATE request SET hash = ''",
    "DELETE FROM request",
    "TRUNCATE request",
    "DELETE FROM round",
    "TRUNCATE round",
    "UPDATE round SET server_seed = ''",
    "UPDATE round SET inputs = '{}'",
    "UPDATE round SET player = 'other'",
    "UPDATE round SET rules_hash = ''",
    "UPDATE round SET engine = '0'",
    "UPDATE round SET opened_at = 0",
    "UPDATE round SET status = 'open' WHERE status = 'settled'",
    "UPDATE round SET seq = seq - 1 WHERE seq > 0",
    "UPDATE own_limit SET cents = 10 * cents",
    "DELETE FROM own_limit",
    "TRUNCATE own_limit",
    "UPDATE exclusion SET ends = began + 1",
    "DELETE FROM exclusion",
    "TRUNCATE exclusion",
    "UPDATE block SET at = 0",
    "DELETE FROM block",
    "TRUNCATE block",
    "UPDATE signing_key SET since = 0",
    "DELETE FROM signing_key",
    "INSERT INTO block SELECT number + 2, '', last + 1, last + 1, '', 0, '', '', "
    "last_xact, 0 FROM block",
    "INSERT INTO block SELECT number + 1, '', last + 2, last + 2, '', 0, '', '', "
    "last_xact, 0 FROM block",
)
PASSWORD = "beat the dealer 1962"
KINGS = "Kh Kh Kh 5c 6d 7s 8c 9c Tc"
"""The player's two kings and the dealer's third, all hearts: the whole meter."""


def _pay(source: str, cents: int, debit: str = "issuance", credit: str = "player/p") -> Writes:
    entries = Entries.of(source, 0)
    entries.move(debit, credit, cents, "test")
    return Writes(transfers=entries.transfers)


@asynccontextmanager
async def stores(url: str, count: int) -> AsyncIterator[list[PostgresStore]]:
    """So many stores on one database, as several processes have them."""
    several = [PostgresStore(url) for _ in range(count)]
    try:
        yield several
    finally:
        for store in several:
            await store.close()


# Many processes


def test_processes_see_each_others_commands_one_after_the_other(postgres_url: str) -> None:
    """A player's commands come over four processes, and none is decided on an old balance."""

    async def play() -> tuple[list[int], int]:
        seen: list[int] = []
        async with stores(postgres_url, 4) as several:

            def decide(snapshot: Snapshot, source: str) -> tuple[Writes, int]:
                return _pay(source, 100), snapshot.balance

            work = [
                several[n % 4].run(Needs(player="p"), partial(decide, source=f"s{n}"))
                for n in range(120)
            ]
            seen = await asyncio.gather(*work)
            return seen, await several[0].balance("p")

    seen, balance = asyncio.run(play())
    assert sorted(seen) == [100 * n for n in range(120)]
    assert balance == 12_000


def test_one_connection_takes_one_command_after_the_other(postgres_url: str) -> None:
    """Also one that comes at the very moment at which the last one is answered."""

    async def play() -> int:
        store = PostgresStore(postgres_url, writers=1)
        for n in range(20):
            async with asyncio.timeout(60):
                await store.run(Needs(player="p"), lambda _, n=n: (_pay(f"s{n}", 5), None))  # type: ignore[misc]
        balance = await store.balance("p")
        await store.close()
        return balance

    assert asyncio.run(play()) == 100


def test_a_new_database_is_made_ready_once_however_many_begin(postgres_url: str) -> None:
    async def begin() -> None:
        async with stores(postgres_url, 4) as several:
            await asyncio.gather(*(store.open_rounds() for store in several))

    asyncio.run(begin())
    found = ask(postgres_url, "SELECT number FROM upcard.migration ORDER BY number")
    assert found == [(number,) for number, _ in migrations()]
    assert [number for number, _ in migrations()] == [*range(1, len(migrations()) + 1)]


def test_winners_at_once_take_the_meter_one_after_the_other(postgres_hall: TestHouse) -> None:
    """T-85: the first takes the meter, the next what stands after the reset; of 16 stripes, by
    winners of several processes, while others feed it."""
    url, start = postgres_hall.url, 1_000_000

    def feed(snapshot: Snapshot, source: str) -> tuple[Writes, None]:
        return _pay(source, 85, "issuance", f"pool/top3/{snapshot.stripe}"), None

    def win(snapshot: Snapshot, source: str) -> tuple[Writes, tuple[int, int]]:
        if "top3" not in snapshot.pools:
            raise PoolWanted("top3")
        reading = snapshot.pools["top3"]
        entries = Entries.of(source, 0)
        for stripe, cents in enumerate(reading.stripes):
            entries.move(f"pool/top3/{stripe}", "player/w", cents, "award")
        entries.move("house/top3", "pool/top3/0", start, "seed")
        after = replace(reading, epoch=reading.epoch + 1)
        return Writes(transfers=entries.transfers, pools=[after]), (
            reading.epoch,
            reading.meter.cents,
        )

    async def play() -> tuple[list[tuple[int, int]], int]:
        async with stores(url, 4) as several:
            work: list[Coroutine[Any, Any, Any]] = []
            for n in range(400):
                decide: Callable[..., Any] = win if n % 40 == 20 else feed
                needs = Needs(player=f"player{n}")
                work.append(several[n % 4].run(needs, partial(decide, source=f"s{n}")))
            results = await asyncio.gather(*work)
            pool = await several[0].pool("top3")
            assert pool is not None
            assert len(pool.stripes) == STRIPES
            assert sum(cents > 0 for cents in pool.stripes) >= 2, "several stripes are fed"
            return [result for result in results if result], pool.meter.cents

    wins, left = asyncio.run(play())
    assert sorted(epoch for epoch, _ in wins) == [*range(10)]
    assert all(cents >= start for _, cents in wins)
    # Each fed 85 once, and it is in exactly one of the meters that were won, or in what is left.
    assert sum(cents for _, cents in wins) + left == 11 * start + 390 * 85


def test_a_round_goes_on_in_another_process(
    postgres_hall: TestHouse, stacked: Callable[[str, str], None]
) -> None:
    """Any process can serve any round: what the first has in memory the second plays again."""
    stacked("s", "8h 6c 8d Ts 3h 2d Th 9s 3c")
    guest = postgres_hall.guest()
    answer = guest.bet("top3", "1 main=10.00", level="low", client_seed="s")
    other = TestHouse(
        postgres_hall.loop, postgres_hall.url, postgres_hall.clock, postgres_hall.entropy
    )
    for house, choice in ((other, "split"), (postgres_hall, "double"), (other, "double")):
        moved = house.run(
            house.house.move(guest.player, answer["round"], answer["seq"], choice)  # type: ignore[arg-type]
        )
        again = postgres_hall.run(
            postgres_hall.house.move(guest.player, answer["round"], answer["seq"], choice)  # type: ignore[arg-type]
        )
        assert again.text == moved.text
        answer = told(moved.text)
    other.close()
    # T-62 T-60: both hands doubled, 21 wins 40.00 and 19 pushes 20.00 of four times 10.00 staked.
    assert (answer["status"], guest.balance) == ("settled", 10_002_000)
    found = postgres_hall.run(postgres_hall.store.books())
    assert not [check.sentence for check in audit(found) if not check.ok]


# Blocks


def _in_order(url: str) -> list[str]:
    """The sources of all transfers in the order in which blocks hold them."""
    query = "SELECT source FROM upcard.transfer ORDER BY xact, number"
    return [source for (source,) in ask(url, query)]


def test_a_block_leaves_out_nothing_that_commits_later(postgres_hall: TestHouse) -> None:
    """A transaction got its numbers first and commits last: a block waits for it, and another one
    that came after it is not sealed before it."""
    postgres_hall.seal()
    sealed = len(postgres_hall.run(postgres_hall.store.books()).transfers)
    insert = (
        "INSERT INTO upcard.transfer (source, seq, n, debit, credit, cents, code) "
        "VALUES ('slow', 0, 0, 'issuance', 'x/slow', 1, 'test')"
    )

    async def overtake() -> tuple[list[Any], list[Any]]:
        slow = await asyncpg.connect(postgres_hall.url)
        await slow.execute(f"BEGIN; {insert}")
        await postgres_hall.store.run(Needs(player="p"), lambda _: (_pay("fast", 5), None))
        early = await postgres_hall.sealer.seal()
        await slow.execute("COMMIT")
        await slow.close()
        return early, await postgres_hall.sealer.seal()

    early, late = postgres_hall.run(overtake())
    assert early == []
    (block,) = late
    assert (block.first, block.last) == (sealed + 1, sealed + 2)
    assert _in_order(postgres_hall.url)[sealed:] == ["slow", "fast"]
    books = postgres_hall.run(postgres_hall.store.books())
    lines = "".join(map(blocks.line, books.numbers, books.transfers)).splitlines(keepends=True)
    assert block.transfers == blocks.lines_hash("".join(lines[sealed:]))


def test_blocks_hold_every_transfer_once_whoever_seals_in_between(postgres_hall: TestHouse) -> None:
    """Four processes write, one seals again and again; its blocks are the books, in order."""

    async def play() -> None:
        async with stores(postgres_hall.url, 4) as several:

            async def pay(number: int) -> None:
                work = _pay(f"t{number}", 5, credit=f"player/{number % 7}")
                await several[number % 4].run(Needs(player=str(number % 7)), lambda _: (work, None))

            paying = asyncio.gather(*map(pay, range(150)))
            while not paying.done():
                await postgres_hall.sealer.seal()
                await asyncio.sleep(0.005)
            await paying
            await postgres_hall.sealer.seal()

    postgres_hall.run(play())
    books = postgres_hall.run(postgres_hall.store.books())
    lines = "".join(map(blocks.line, books.numbers, books.transfers)).splitlines(keepends=True)
    assert len(books.blocks) > 1
    last = 0
    for block in books.blocks:
        assert block.first == last + 1
        assert block.transfers == blocks.lines_hash("".join(lines[last : block.last]))
        last = block.last
    assert last == len(lines) == 1 + 150, "and the seed of the meter"


def test_one_process_seals_and_the_next_one_when_it_is_gone(postgres_hall: TestHouse) -> None:
    async def take_turns() -> list[bool]:
        async with stores(postgres_hall.url, 2) as (first, second):
            seen = [await first.unsealed(0, 10), await second.unsealed(0, 10)]
            await first.close()
            seen.append(await second.unsealed(0, 10))
        return [each is not None for each in seen]

    assert postgres_hall.run(take_turns()) == [True, False, True]


# Lost connections


def _cut(url: str) -> None:
    """End every connection of ours at the database, as a failover does."""
    ask(
        url,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE application_name = 'upcard' AND datname = current_database()",
    )


@pytest.mark.parametrize("point", ["begin", "commit", "committed"])
def test_a_step_over_a_lost_connection_is_made_once(
    postgres_hall: TestHouse, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    """Before, at and after its commit, when nobody knows any more whether it came about."""
    guest = postgres_hall.guest()
    honest = asyncpg.Connection.execute
    cuts: list[str] = []

    async def execute(db: Any, query: str, *more: Any, **named: Any) -> str:
        ours = query.startswith("BEGIN") if point == "begin" else query == "COMMIT"
        if ours and not cuts:
            cuts.append(query)
            if point == "committed":
                await honest(db, query, *more, **named)
            await asyncio.to_thread(_cut, postgres_hall.url)
        return await honest(db, query, *more, **named)

    monkeypatch.setattr(asyncpg.Connection, "execute", execute)
    answer = guest.bet("threecard", "1 ante=5.00")
    assert len(cuts) == 1
    moved = guest.move(answer, "fold")
    assert (moved["seq"], moved["status"]) == (1, "settled")
    assert guest.balance == 10_000_000 - 500
    found = postgres_hall.run(postgres_hall.store.books())
    assert [stored.seq for stored in found.rounds] == [1]
    assert not [check.sentence for check in audit(found) if not check.ok]


@pytest.fixture
def cut_once(postgres_hall: TestHouse, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """From its call on, the next commit comes about and its connection is lost before it says so.

    The list says what was cut.
    """
    honest = asyncpg.Connection.execute
    cuts: list[str] = []

    async def execute(db: Any, query: str, *more: Any, **named: Any) -> str:
        if query == "COMMIT" and not cuts:
            cuts.append(query)
            await honest(db, query, *more, **named)
            await asyncio.to_thread(_cut, postgres_hall.url)
        return await honest(db, query, *more, **named)

    def begin() -> list[str]:
        cuts.clear()
        monkeypatch.setattr(asyncpg.Connection, "execute", execute)
        return cuts

    return begin


def test_a_new_guest_over_a_lost_connection_is_one_guest(
    postgres_hall: TestHouse, cut_once: Callable[[], list[str]]
) -> None:
    cuts = cut_once()
    assert postgres_hall.guest().balance == 10_000_000
    assert cuts
    assert postgres_hall.cents("issuance") == -10_000_000


def test_what_a_player_sets_over_a_lost_connection_is_set_once(
    postgres_hall: TestHouse, cut_once: Callable[[], list[str]]
) -> None:
    """The store contract: a command that is asked again knows its own work, and refuses nobody."""
    house, accounts = postgres_hall.house, postgres_hall.house.accounts
    player, token = postgres_hall.run(house.new_session())

    def over_a_cut(work: Coroutine[Any, Any, T]) -> T:
        cuts = cut_once()
        result = postgres_hall.run(work)
        assert cuts
        return result

    token = over_a_cut(accounts.register(player, token, "Thorp", PASSWORD))
    token = over_a_cut(accounts.change_password(player, PASSWORD, f"{PASSWORD}!"))
    over_a_cut(accounts.logout(player, token))
    back = over_a_cut(accounts.login(None, "thorp", f"{PASSWORD}!"))
    assert back[0] == player == postgres_hall.run(house.player_of(back[1]))
    over_a_cut(house.care.set_limits(player, {"loss": {"day": 10_000}}))
    over_a_cut(house.care.exclude(player, 7))
    over_a_cut(house.beat())
    seen = postgres_hall.run(postgres_hall.store.see(Needs(player=player)))
    assert (len(seen.limits), len(seen.exclusions), len(seen.accounts)) == (1, 1, 1)


def test_of_processes_that_give_one_name_at_once_one_gives_it(postgres_hall: TestHouse) -> None:
    """Also where they come together in one transaction; who is second hears that it is taken."""

    def give(player: str) -> Decide[bool]:
        account = Account(
            key="thorp", name="Thorp", player=player, password="p", created_at=1, changed_at=1
        )

        def decide(seen: Snapshot) -> tuple[Writes, bool]:
            return (Writes(), False) if seen.named else (Writes(account=account), True)

        return decide

    async def all_at_once() -> list[bool]:
        async with stores(postgres_hall.url, 3) as several:
            return await asyncio.gather(
                *(
                    store.run(Needs(player=f"{n}-{m}", name="thorp"), give(f"{n}-{m}"))
                    for m in range(4)
                    for n, store in enumerate(several)
                )
            )

    assert sorted(postgres_hall.run(all_at_once())) == [False] * 11 + [True]


def test_a_database_that_stays_away_is_busy(
    postgres_hall: TestHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The caller hears that the same command may be sent again."""
    monkeypatch.setattr(postgres_store, "TRY_SECONDS_MAX", 0.3)
    monkeypatch.setattr(
        postgres_store._Deciding, "decide", _raises(asyncpg.DeadlockDetectedError("deadlock"))
    )
    with pytest.raises(StoreBusy):
        postgres_hall.run(
            postgres_hall.store.run(Needs(player="p"), lambda _: (_pay("s", 5), None))
        )


def test_a_connection_that_is_lost_every_time_is_told_as_lost(
    postgres_hall: TestHouse, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An operator reads what happened, not what became of tidying up behind it."""
    honest = asyncpg.Connection.execute

    async def execute(db: Any, query: str, *more: Any, **named: Any) -> str:
        if query == "COMMIT":
            await asyncio.to_thread(_cut, postgres_hall.url)
        return await honest(db, query, *more, **named)

    monkeypatch.setattr(asyncpg.Connection, "execute", execute)
    monkeypatch.setattr(postgres_store, "TRY_SECONDS_MAX", 0.3)
    with pytest.raises(StoreBusy):
        postgres_hall.run(
            postgres_hall.store.run(Needs(player="p"), lambda _: (_pay("s", 5), None))
        )
    assert "did not take a command" in caplog.text
    assert "released back to the pool" not in caplog.text


def _raises(error: Exception) -> Callable[..., Coroutine[Any, Any, None]]:
    async def fail(*_: object) -> None:
        raise error

    return fail


def test_a_deadlock_is_tried_again(
    postgres_hall: TestHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = postgres_store._Deciding.decide
    met: list[object] = []

    async def decide(deciding: Any, batch: Any) -> None:
        await honest(deciding, batch)
        if len(met) < 3:
            met.append(batch)
            raise asyncpg.DeadlockDetectedError("deadlock")

    monkeypatch.setattr(postgres_store._Deciding, "decide", decide)
    postgres_hall.run(postgres_hall.store.run(Needs(player="p"), lambda _: (_pay("s", 5), None)))
    assert len(met) == 3
    assert postgres_hall.run(postgres_hall.store.balance("p")) == 5


# The database itself


@pytest.fixture
def settled(postgres_hall: TestHouse, stacked: Callable[[str, str], None]) -> TestHouse:
    """A round with a choice that is settled, one that met the meter, and one that is open."""
    guest = postgres_hall.guest()
    guest.move(guest.bet("threecard", "1 ante=5.00"), "raise")
    stacked("kings", KINGS)
    guest.bet("top3", "1 main=5.00 progressive=5.00", level="low", client_seed="kings")
    guest.bet("threecard", "1 ante=5.00")
    care = postgres_hall.house.care
    postgres_hall.run(care.set_limits(guest.player, {"loss": {"day": 10_000}}))
    postgres_hall.run(care.exclude(guest.player, 1))
    postgres_hall.seal()
    return postgres_hall


def test_the_database_refuses_to_edit_what_has_happened(settled: TestHouse) -> None:
    """By another program too; without the triggers each would have been done."""

    async def try_all() -> None:
        db = await asyncpg.connect(settled.url)
        await db.execute("SET search_path = upcard")
        for edit in EDITS:
            with pytest.raises(asyncpg.IntegrityConstraintViolationError, match=r"never|forwards"):
                await db.execute(edit)
            async with _undone(db):
                await db.execute("SET LOCAL session_replication_role = replica")
                done = await db.execute(edit)
                assert done == "TRUNCATE TABLE" or int(done.split()[-1]) > 0, edit
        await db.close()

    before = settled.run(settled.store.books())
    settled.run(try_all())
    assert settled.run(settled.store.books()) == before


@asynccontextmanager
async def _undone(db: Any) -> AsyncIterator[None]:
    await db.execute("BEGIN")
    yield
    await db.execute("ROLLBACK")


def test_an_answer_is_durable_when_it_leaves(postgres_hall: TestHouse) -> None:
    """Whatever the server or the role is set to, a commit waits for the disk."""

    async def setting() -> str:
        assert isinstance(postgres_hall.store, PostgresStore)
        pool = await postgres_hall.store._opened()
        found: str = await pool.fetchval("SHOW synchronous_commit")
        return found

    assert postgres_hall.run(setting()) == "on"


def _refused(url: str, *, must_exist: bool = False) -> str:
    async def reach() -> None:
        store = open_store(url, must_exist=must_exist)
        try:
            await store.open_rounds()
        finally:
            await store.close()

    with pytest.raises(StoreRefused) as refused:
        asyncio.run(reach())
    return refused.value.sentence


def test_a_server_on_another_timeline_draws_new_seeds(postgres_hall: TestHouse) -> None:
    """What was shown since the moment that it was restored to may not be bet on again."""
    guest = postgres_hall.guest()
    before = postgres_hall.run(postgres_hall.house.session(guest.player))["games"]
    postgres_hall.close()
    postgres_hall.open()
    assert postgres_hall.run(postgres_hall.house.session(guest.player))["games"] == before
    ask(postgres_hall.url, "UPDATE upcard.opened_on SET timeline = '000000FF' RETURNING 1")
    postgres_hall.close()
    postgres_hall.open()
    after = postgres_hall.run(postgres_hall.house.session(guest.player))["games"]
    assert {game: its["nonce"] for game, its in after.items()} == {game: 1 for game in before}
    assert not {its["commit"] for its in after.values()} & {
        its["commit"] for its in before.values()
    }


def test_a_backup_is_left_to_the_server(postgres_hall: TestHouse, tmp_path: Path) -> None:
    with pytest.raises(StoreRefused, match="pg_basebackup"):
        postgres_hall.run(postgres_hall.store.copy(tmp_path / "copy"))


def test_a_newer_schema_is_refused(postgres_hall: TestHouse) -> None:
    ask(postgres_hall.url, "INSERT INTO upcard.migration VALUES (9999) RETURNING 1")
    assert "newer Upcard" in _refused(postgres_hall.url)


def test_another_programs_schema_is_refused_and_left_alone(postgres_url: str) -> None:
    ask(postgres_url, "CREATE SCHEMA upcard", "CREATE TABLE upcard.theirs (x int)", "SELECT 1")
    assert "another program" in _refused(postgres_url)
    tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'upcard'"
    assert ask(postgres_url, tables) == [("theirs",)]


def test_no_schema_is_made_for_an_audit(postgres_url: str) -> None:
    assert "holds no house" in _refused(postgres_url, must_exist=True)
    assert ask(postgres_url, "SELECT 1 FROM pg_namespace WHERE nspname = 'upcard'") == []


def test_an_unreachable_database_is_named_without_its_password() -> None:
    sentence = _refused("postgresql://house:s3cret@127.0.0.1:1/cards")
    assert "postgresql://house@127.0.0.1:1/cards cannot be reached" in sentence
    assert "s3cret" not in sentence


def test_a_database_that_does_not_exist_is_said(postgres_url: str) -> None:
    assert "does not exist" in _refused(with_database(postgres_url, "upcard_none"))

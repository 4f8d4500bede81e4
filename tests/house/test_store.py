"""The store contract: one atomic durable command, and refusing what is not ours to open."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path

import apsw
import asyncpg
import pytest

from tests.house.conftest import TestHouse
from upcard.house.jackpot import PoolReading
from upcard.house.ledger import Entries
from upcard.house.limits import Exclusion, OwnLimit
from upcard.house.sittings import DAY, PlayDay, Sitting
from upcard.house.store import (
    Account,
    Needs,
    PoolWanted,
    Session,
    Snapshot,
    StoreBusy,
    StoreRefused,
    Writes,
)
from upcard.house.store.opening import open_store
from upcard.house.store.sqlite import SqliteStore, migrations

ON_EACH_STORE = True
NEEDS = Needs(player="p")
BROKEN = (apsw.ConstraintError, asyncpg.IntegrityConstraintViolationError)
"""What the databases say to what can only be a mistake of ours."""


def _pay(source: str, cents: int, debit: str = "issuance", credit: str = "player/p") -> Writes:
    entries = Entries.of(source, 0)
    entries.move(debit, credit, cents, "test")
    return Writes(transfers=entries.transfers)


def test_what_decide_raises_is_raised_and_nothing_is_written(hall: TestHouse) -> None:
    def decide(seen: Snapshot) -> tuple[Writes, None]:
        raise ZeroDivisionError

    before = hall.run(hall.store.books())
    with pytest.raises(ZeroDivisionError):
        hall.run(hall.store.run(NEEDS, decide))
    assert hall.run(hall.store.books()) == before


def test_a_command_sees_the_writes_of_the_one_before_it(hall: TestHouse) -> None:
    """Many commands may share a commit; each still sees all that came before it."""
    seen: list[int] = []

    def decide(snapshot: Snapshot) -> tuple[Writes, int]:
        seen.append(snapshot.balance)
        return _pay(f"s{len(seen)}", 100), snapshot.balance

    async def all_at_once() -> list[int]:
        return await asyncio.gather(*(hall.store.run(NEEDS, decide) for _ in range(500)))

    assert hall.run(all_at_once()) == [100 * n for n in range(500)]
    assert hall.run(hall.store.balance("p")) == 50_000


def test_a_store_that_is_closed_says_so(hall: TestHouse) -> None:
    """The contract of `Store`: StoreBusy when it cannot take a command now, and nobody waits."""

    async def too_late() -> None:
        await hall.store.close()
        async with asyncio.timeout(5):
            await hall.store.run(NEEDS, lambda _: (Writes(), None))

    with pytest.raises(StoreBusy, match="closed"):
        hall.run(too_late())


def test_a_refused_command_leaves_its_neighbours_alone(hall: TestHouse) -> None:
    def good(number: int) -> object:
        return hall.store.run(NEEDS, lambda _: (_pay(f"good-{number}", 1), number))

    def bad(number: int) -> object:
        overdraft = _pay(f"bad-{number}", 1 << 40, "player/p", "house/x")
        return hall.store.run(NEEDS, lambda _: (overdraft, number))

    async def mixed() -> list[object]:
        work = [bad(n) if n % 3 == 1 else good(n) for n in range(90)]
        return await asyncio.gather(*work, return_exceptions=True)  # type: ignore[call-overload,no-any-return]

    results = hall.run(mixed())
    for number, result in enumerate(results):
        assert isinstance(result, BROKEN) if number % 3 == 1 else result == number
    assert hall.run(hall.store.balance("p")) == 60


def test_a_player_sees_what_that_player_did_in_the_same_commit(hall: TestHouse) -> None:
    """Of several players in turn: nobody decides on a balance that a neighbour has changed."""
    seen: dict[str, list[int]] = {"a": [], "b": [], "c": []}

    def pay(player: str, number: int) -> object:
        def decide(snapshot: Snapshot) -> tuple[Writes, None]:
            seen[player].append(snapshot.balance)
            return _pay(f"{player}{number}", 10, credit=f"player/{player}"), None

        return hall.store.run(Needs(player=player), decide)

    async def in_turn() -> None:
        work = [pay(player, number) for number in range(20) for player in seen]
        await asyncio.gather(*work)  # type: ignore[call-overload]

    hall.run(in_turn())
    assert seen == {player: [10 * n for n in range(20)] for player in seen}


def test_a_meter_is_read_with_what_the_same_commit_put_in(hall: TestHouse) -> None:
    """T-85: contributions count from the commit of their deal on, in its order."""

    def feed(number: int) -> object:
        writes = _pay(f"feed{number}", 85, "issuance", "pool/top3/0")
        return hall.store.run(Needs(player=f"p{number}"), lambda _: (writes, None))

    def look(snapshot: Snapshot) -> tuple[Writes, int]:
        if "top3" not in snapshot.pools:
            raise PoolWanted("top3")
        return Writes(), snapshot.pools["top3"].meter.cents

    async def together() -> int:
        *_, met = await asyncio.gather(*map(feed, range(5)), hall.store.run(NEEDS, look))  # type: ignore[call-overload]
        return int(met)

    assert hall.run(together()) == 1_000_000 + 5 * 85


def test_a_caller_that_leaves_does_not_stop_what_it_asked_for(hall: TestHouse) -> None:
    async def leave() -> None:
        work = asyncio.create_task(hall.store.run(NEEDS, lambda _: (_pay("s", 5), None)))
        await asyncio.sleep(0)
        work.cancel()
        await asyncio.wait([work])

    hall.run(leave())
    hall.close()
    hall.open()
    assert hall.run(hall.store.balance("p")) == 5


def test_another_program_that_writes_holds_up_commands_and_nobody_else(
    file_hall: TestHouse,
) -> None:
    async def wait_for_it() -> int:
        with closing(apsw.Connection(str(file_hall.path))) as other:
            other.execute("BEGIN IMMEDIATE")
            work = asyncio.create_task(file_hall.store.run(NEEDS, lambda _: (_pay("s", 5), None)))
            for _ in range(50):
                await asyncio.sleep(0.001)
                assert await file_hall.store.balance("p") == 0
            assert not work.done()
            other.execute("COMMIT")
        await work
        return await file_hall.store.balance("p")

    assert file_hall.run(wait_for_it()) == 5


def test_steps_are_read_when_they_are_looked_at(hall: TestHouse) -> None:
    guest = hall.guest()
    answer = guest.bet("threecard", "1 ante=5.00")
    needs = Needs(player=guest.player, round=answer["round"])

    def decide(seen: Snapshot) -> tuple[Writes, tuple[object, ...]]:
        assert seen.seat is not None
        return Writes(), (len(seen.steps), seen.steps[0].seq, [*seen.awards], seen.seat.game)

    assert hall.run(hall.store.run(needs, decide)) == (1, 0, [], "threecard")


# What belongs to a player


def _sitting(day: int, began: int, staked: int, paid: int = 0) -> Sitting:
    return Sitting(
        player="p", day=day, began=began, last=began, dealt_ms=1, rounds=1, staked=staked, paid=paid
    )


def test_sittings_are_kept_and_summed_by_day(hall: TestHouse) -> None:
    """The last one is seen by each command; a sitting replaces its older self."""
    first, later = _sitting(1, DAY + 5, 300), _sitting(1, DAY + 9, 200, 50)
    next_day = _sitting(2, DAY + 9, 70)
    for one in (first._replace(staked=1), first, later, next_day):
        hall.write(Writes(sitting=one))
    hall.write(Writes(sitting=first._replace(player="q", day=3)), "q")
    seen = hall.run(hall.store.see(NEEDS))
    assert seen.sitting == next_day
    assert [*seen.days] == [PlayDay(2, 70, 0), PlayDay(1, 500, 50)]
    assert hall.run(hall.store.sittings("p")) == (first, later, next_day)
    assert hall.run(hall.store.sittings("p", DAY + 9)) == (later, next_day)
    assert hall.run(hall.store.see(Needs(player="nobody"))).sitting is None


def test_limits_and_exclusions_are_seen_in_the_order_they_were_set(hall: TestHouse) -> None:
    """By commands too, which may decide twice for it; another player sees his own."""
    limits = [
        OwnLimit(player="p", kind="loss", period="day", cents=cents, asked_at=1, acts_at=2)
        for cents in (900, 500, None)
    ]
    exclusion = Exclusion(player="p", days=1, began=5, ends=9)
    hall.write(Writes(limits=limits[:2]))
    hall.write(Writes(limits=limits[2:], exclusion=exclusion))

    def look(seen: Snapshot) -> tuple[Writes, object]:
        return Writes(), ([*seen.limits], [*seen.exclusions], [*seen.days], [*seen.accounts])

    async def together() -> list[object]:
        players = ("p", "q", "r")
        return await asyncio.gather(
            *(hall.store.run(Needs(player=player), look) for player in players)
        )

    nothing: object = ([], [], [], [])
    assert hall.run(together()) == [(limits, [exclusion], [], []), nothing, nothing]


def test_accounts_are_found_by_name_and_by_player(hall: TestHouse) -> None:
    """Key and player are unique; of an account the password and its date alone change."""
    account = Account(
        key="thorp", name="Thorp", player="p", password="old", created_at=1, changed_at=1
    )
    changed = account._replace(password="new", changed_at=2)
    for one in (account, changed):
        hall.write(Writes(account=one))
    assert hall.run(hall.store.account("thorp")) == changed
    assert hall.run(hall.store.account("Thorp")) is None
    assert hall.run(hall.store.account_of("p")) == changed
    assert hall.run(hall.store.account_of("q")) is None
    seen = hall.run(hall.store.see(Needs(player="q", name="thorp")))
    assert (seen.named, [*seen.accounts]) == (changed, [])
    with pytest.raises(BROKEN):
        hall.write(Writes(account=account._replace(player="q")), "q")


def test_sessions_end_before_the_new_one_begins(hall: TestHouse) -> None:
    def session(token_hash: str, player: str = "p") -> Session:
        return Session(token_hash=token_hash, player=player, expires=9)

    def there() -> list[str]:
        return [each for each in "abcdx" if hall.run(hall.store.session(each))]

    for token_hash in "abc":
        hall.write(Writes(session=session(token_hash)))
    hall.write(Writes(session=session("x", "q")), "q")
    hall.write(Writes(ended_sessions=["a"]))
    assert there() == ["b", "c", "x"]
    hall.write(Writes(ended_sessions_of="p", session=session("d")))
    assert there() == ["d", "x"]


def test_a_command_sees_whether_its_session_stands(hall: TestHouse) -> None:
    """Also where the one before it, in the same commit, ends it: what is remembered is no truth."""
    mine = Session(token_hash="a", player="p", expires=9)
    seen: list[Session | None] = []

    def look(snapshot: Snapshot) -> tuple[Writes, None]:
        seen.append(snapshot.session)
        return Writes(), None

    async def run_all(*commands: Writes | None) -> None:
        named = NEEDS._replace(session="a")
        running = [
            hall.store.run(NEEDS, lambda _, writes=each: (writes, None))  # type: ignore[misc]
            if each
            else hall.store.run(named, look)
            for each in commands
        ]
        await asyncio.gather(*running)

    hall.run(run_all(None, Writes(session=mine), None))
    assert hall.run(hall.store.session_of_late("a")) == mine
    hall.run(run_all(None, Writes(ended_sessions=["a"]), None))
    assert seen == [None, mine, mine, None]
    assert hall.run(hall.store.session_of_late("a")) is None


def test_play_money_alone_is_told_as_such(hall: TestHouse) -> None:
    player, _ = hall.run(hall.house.new_session())
    given = hall.run(hall.store.play_money(player))
    assert [(one.credit, one.cents) for one in given] == [(f"player/{player}", 10_000_000)]
    assert hall.run(hall.store.play_money("p")) == ()


def test_open_rounds_are_counted(hall: TestHouse) -> None:
    guest = hall.guest()
    assert hall.run(hall.store.open_count()) == 0
    answer = guest.bet("threecard", "1 ante=5.00")
    hall.guest().bet("threecard", "1 ante=5.00")
    assert hall.run(hall.store.open_count()) == 2
    guest.move(answer, "fold")
    assert hall.run(hall.store.open_count()) == 1


def test_each_commit_is_told_with_its_commands(hall: TestHouse) -> None:
    told: list[int] = []
    hall.store.commits = lambda commands, seconds: told.append(commands)

    async def ten() -> None:
        work = [
            hall.store.run(Needs(player=f"p{n}"), lambda _: (Writes(), None)) for n in range(10)
        ]
        await asyncio.gather(*work)

    hall.run(ten())
    hall.run(hall.house.beat())
    assert sum(told) == 11


# The ledger


@pytest.mark.parametrize("account", ["player/p", "escrow/r", "pool/top3/0"])
def test_what_belongs_to_somebody_is_never_overdrawn(hall: TestHouse, account: str) -> None:
    cents = hall.cents(account)
    with pytest.raises(BROKEN):
        hall.run(hall.store.run(NEEDS, lambda _: (_pay("x", cents + 1, account, "house/x"), None)))
    assert hall.cents(account) == cents


def test_the_same_transfer_is_never_booked_twice(hall: TestHouse) -> None:
    hall.run(hall.store.run(NEEDS, lambda _: (_pay("once", 700), None)))
    with pytest.raises(BROKEN):
        hall.run(hall.store.run(NEEDS, lambda _: (_pay("once", 700), None)))
    assert hall.run(hall.store.balance("p")) == 700


def test_a_meter_is_read_when_it_is_asked_for(hall: TestHouse) -> None:
    def decide(seen: Snapshot) -> tuple[Writes, PoolReading]:
        if "top3" not in seen.pools:
            raise PoolWanted("top3")
        return Writes(), seen.pools["top3"]

    reading = hall.run(hall.store.run(NEEDS, decide))
    assert (reading.key, reading.epoch, reading.meter.cents) == ("top3", 0, 1_000_000)


def test_what_was_answered_is_there_after_opening_again(hall: TestHouse) -> None:
    hall.run(hall.store.run(NEEDS, lambda _: (_pay("s", 123), None)))
    before = hall.run(hall.store.books())
    hall.close()
    hall.open()
    assert hall.run(hall.store.books()) == before


def test_the_database_is_durable_at_every_commit(file_hall: TestHouse) -> None:
    """Without FULL a power cut may lose commits that were answered."""
    assert isinstance(file_hall.store, SqliteStore)
    db = file_hall.store._writer
    assert db.execute("PRAGMA journal_mode").get == "wal"
    assert db.execute("PRAGMA synchronous").get == 2


def test_migrations_are_numbered_without_a_gap() -> None:
    assert [number for number, _ in migrations()] == [*range(1, len(migrations()) + 1)]


def test_a_newer_database_is_refused(file_hall: TestHouse, tmp_path: Path) -> None:
    path = tmp_path / "newer.db"
    asyncio.run(SqliteStore(path).close())
    with apsw.Connection(str(path)) as db:
        db.execute("PRAGMA user_version = 9999")
    with pytest.raises(StoreRefused, match="newer Upcard"):
        SqliteStore(path)


def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with apsw.Connection(str(path)) as db:
        db.execute("CREATE TABLE theirs (x)")
    with pytest.raises(StoreRefused, match="another program"):
        SqliteStore(path)
    with apsw.Connection(str(path)) as db:
        assert [*db.execute("SELECT name FROM sqlite_master")] == [("theirs",)]


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "text.db"
    path.write_text("not a database, but long enough to be looked at as one " * 20)
    before = path.read_bytes()
    with pytest.raises(StoreRefused, match="no SQLite database"):
        SqliteStore(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("mysql://somewhere/x", "names no database"),
        ("{folder}/missing/house.db", "no folder"),
        ("{folder}", "cannot be opened"),
    ],
)
def test_what_cannot_be_opened_is_said_in_a_sentence(
    tmp_path: Path, url: str, sentence: str
) -> None:
    with pytest.raises(StoreRefused, match=sentence):
        open_store(url.format(folder=tmp_path))


def test_a_missing_database_is_not_made_for_an_audit(tmp_path: Path) -> None:
    with pytest.raises(StoreRefused, match="does not exist"):
        open_store(str(tmp_path / "none.db"), must_exist=True)
    assert list(tmp_path.iterdir()) == []


def test_a_url_and_a_path_name_the_same_file(tmp_path: Path) -> None:
    for url in (f"sqlite:///{tmp_path}/a.db", f"{tmp_path}/a.db"):
        asyncio.run(open_store(url).close())
    assert (tmp_path / "a.db").is_file()

"""A database with so many rounds, made once: some are played, and repeated row by row.

What is repeated is a round as it was written, with every row that belongs to it, under another id
and later numbers; so rows, pages and indexes are those of a house that played them all. The players
stay the same, each with all the more rounds, and their balances are those that all of it comes to.
Blocks are sealed over all of it by the house's own sealer. `upcard audit` finds nothing amiss.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

PLAYED = 10_000
PLAYERS = 256
TIME_DIGITS = 12
"""Of a round's id: milliseconds, hexadecimal."""

Row = tuple[Any, ...]
Plays = Callable[[Any, str, random.Random, Callable[[], bool]], Awaitable[None]]
"""Plays rounds of a house as this player, one after the other, as long as there is another."""


def make(path: Path, rounds: int, plays: Plays) -> list[str]:
    """Write the database, a few minutes for a million rounds; the session tokens of its players."""
    played = min(rounds, PLAYED)
    tokens = asyncio.run(_play(path, played, plays))
    _repeat(path, rounds)
    asyncio.run(_seal(path))
    return tokens


async def _play(path: Path, rounds: int, plays: Plays) -> list[str]:
    from upcard.house.rounds import House, Settings
    from upcard.house.store.sqlite import SqliteStore

    store = SqliteStore(path)
    settings = Settings(play_money=10**13)
    house = House(store, clock=time.time, entropy=secrets.token_bytes, settings=settings)
    await house.open()
    left = rounds

    def another() -> bool:
        nonlocal left
        left -= 1
        return left >= 0

    sessions = [await house.new_session() for _ in range(PLAYERS)]
    playing = [
        plays(house, player, random.Random(n), another) for n, (player, _) in enumerate(sessions)
    ]
    await asyncio.gather(*playing)
    await store.close()
    return [token for _, token in sessions]


async def _seal(path: Path) -> None:
    from upcard.house.keys import key_for
    from upcard.house.sealer import Sealer
    from upcard.house.store.sqlite import SqliteStore

    store = SqliteStore(path)
    key = key_for(None, path, await store.keys())
    await Sealer(store, key=key, clock=time.time).seal()
    await store.close()


def _repeat(path: Path, rounds: int) -> None:
    """Fill the database up to so many rounds. All at once, without the guards of its triggers."""
    import apsw

    db = apsw.Connection(str(path))
    db.execute("PRAGMA journal_mode = OFF")
    db.execute("PRAGMA synchronous = OFF")
    db.execute("PRAGMA cache_size = -1000000")
    guards = list(db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))
    for name, _ in guards:
        db.execute(f"DROP TRIGGER {name}")
    with db:
        kept = {table: list(db.execute(query)) for table, query in _KEPT.items()}
        span, ids = _span(kept["round"]), [row[0] for row in kept["round"]]
        missing = rounds - db.execute("SELECT count(*) FROM round").get
        for copy in range(-(-missing // len(ids))):
            _write(db, kept, (copy + 1) * span, {*ids[: missing - copy * len(ids)]})
    for _, sql in guards:
        db.execute(sql)
    db.execute("PRAGMA journal_mode = WAL")
    db.close()


_KEPT = {
    "round": "SELECT id, player, inputs, server_seed, rules_hash, engine, status, seq, opened_at, "
    "touched_at FROM round WHERE status = 'settled' AND id NOT IN (SELECT round FROM award) "
    "ORDER BY number",
    "step": "SELECT round, seq, spot, hand, choice, at, answer FROM step ORDER BY rowid",
    "request": "SELECT round, player, key, hash FROM request",
    "transfer": "SELECT source, seq, n, debit, credit, cents, code FROM transfer ORDER BY number",
}
"""What belongs to a round, by table; its id comes first. A meter is not won over and over."""


def _span(rounds: Sequence[Row]) -> int:
    """How many milliseconds all the rounds took, and one more."""
    begun = [int(row[0][:TIME_DIGITS], 16) for row in rounds]
    return max(begun) - min(begun) + 1


def _write(db: Any, kept: dict[str, list[Row]], later: int, ids: set[str]) -> None:
    """One more of each round of these ids, so many milliseconds later."""
    named = {id_: f"{int(id_[:TIME_DIGITS], 16) + later:012x}{id_[TIME_DIGITS:]}" for id_ in ids}

    def again(table: str) -> Iterator[Row]:
        return ((named[row[0]], *row[1:]) for row in kept[table] if row[0] in ids)

    def told(now: Row, before: Row) -> Row:
        return (*now[:6], before[6].replace(before[0], now[0]))

    def account(name: str, source: str) -> str:
        return f"escrow/{named[source]}" if name.startswith("escrow/") else name

    _insert(db, "round", _KEPT["round"], again("round"))
    _insert(db, "step", _KEPT["step"], map(told, again("step"), _of(kept["step"], ids)))
    asked = ((*row[:2], f"{later}-{row[2]}", row[3]) for row in again("request"))
    _insert(db, "request", _KEPT["request"], asked)
    moved: dict[str, int] = {}
    transfers = []
    for source, seq, n, debit, credit, cents, code in _of(kept["transfer"], ids):
        row = (named[source], seq, n, account(debit, source), account(credit, source), cents, code)
        moved[row[3]] = moved.get(row[3], 0) - cents
        moved[row[4]] = moved.get(row[4], 0) + cents
        transfers.append(row)
    _insert(db, "transfer", _KEPT["transfer"], transfers)
    db.executemany(
        "INSERT INTO balance (account, cents) "
        "SELECT ?1, ?2 + coalesce((SELECT cents FROM balance WHERE account = ?1), 0) WHERE true "
        "ON CONFLICT DO UPDATE SET cents = excluded.cents",
        moved.items(),
    )


def _of(rows: Iterable[Row], ids: set[str]) -> Iterator[Row]:
    return (row for row in rows if row[0] in ids)


def _insert(db: Any, table: str, query: str, rows: Iterable[Row]) -> None:
    columns = query.removeprefix("SELECT ").partition(" FROM")[0]
    places = ", ".join("?" * len(columns.split(",")))
    db.executemany(f"INSERT INTO {table} ({columns}) VALUES ({places})", rows)

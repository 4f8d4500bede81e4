"""What belongs to a player and to no round, as rows of PostgreSQL: sittings, limits, accounts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import astuple, replace
from typing import TYPE_CHECKING, Any

from upcard.house.limits import DAYS_OF_PERIOD_MAX, Exclusion, OwnLimit
from upcard.house.sittings import DAY, PlayDay, Sitting
from upcard.house.store import Account, Writes
from upcard.house.store.postgres_parts import Batch, Part, Rows, added, put

if TYPE_CHECKING:
    from asyncpg import Record

    from upcard.house.store.postgres_rows import Database

_SITTING_TYPES = {
    "player": "text",
    "day": "bigint",
    "began": "bigint",
    "last": "bigint",
    "dealt_ms": "bigint",
    "rounds": "bigint",
    "staked": "bigint",
    "paid": "bigint",
}
_SITTING = ", ".join(_SITTING_TYPES)
_SITTING_SEEN = tuple(f"sitting_{column}" for column in _SITTING_TYPES)
_LIMIT_TYPES = {
    "player": "text",
    "kind": "text",
    "period": "text",
    "cents": "bigint",
    "asked_at": "bigint",
    "acts_at": "bigint",
}
_LIMIT = ", ".join(_LIMIT_TYPES)
_EXCLUSION_TYPES = {"player": "text", "days": "integer", "began": "bigint", "ends": "bigint"}
_EXCLUSION = ", ".join(_EXCLUSION_TYPES)
_ACCOUNT_TYPES = {
    "key": "text",
    "name": "text",
    "player": "text",
    "password": "text",
    "created_at": "bigint",
    "changed_at": "bigint",
}
_ACCOUNT = ", ".join(_ACCOUNT_TYPES)


# What commands see


def _prefixed(table: str, columns: dict[str, str]) -> str:
    return ", ".join(f"{table}.{column} AS {table}_{column}" for column in columns)


SEEN_OF_PLAYER = f"""
       {_prefixed("sitting", _SITTING_TYPES)},
       {_prefixed("named", _ACCOUNT_TYPES)},
       EXISTS (SELECT FROM own_limit WHERE own_limit.player = asked.player) AS has_limits,
       EXISTS (SELECT FROM exclusion WHERE exclusion.player = asked.player) AS has_exclusions
""".strip()
JOINED_OF_PLAYER = f"""
LEFT JOIN LATERAL (
    SELECT {_SITTING} FROM sitting WHERE sitting.player = asked.player
    ORDER BY day DESC, began DESC LIMIT 1
) AS sitting ON true
LEFT JOIN account AS named ON named.key = asked.name
""".strip()


def last_sitting(player: str, row: Record) -> Sitting | None:
    if row["sitting_player"] is None:
        return None
    return Sitting(*[row[column] for column in _SITTING_SEEN])


def named_account(row: Record) -> Account | None:
    if row["named_key"] is None:
        return None
    return Account(*[row[f"named_{column}"] for column in _ACCOUNT_TYPES])


_DAYS = """
SELECT asked.player, days.day, days.staked, days.paid
FROM unnest($1::text[]) AS asked (player) CROSS JOIN LATERAL (
    SELECT day, sum(staked)::bigint AS staked, sum(paid)::bigint AS paid FROM sitting
    WHERE sitting.player = asked.player GROUP BY day ORDER BY day DESC LIMIT $2
) AS days ORDER BY asked.player, days.day DESC
"""
_OF_PLAYERS = "SELECT {} FROM {} WHERE player = ANY ($1::text[]) ORDER BY number"


async def read_own(db: Database, players: Sequence[str]) -> defaultdict[str, dict[str, Any]]:
    """The `days`, `limits` and `exclusions` of each of these players."""
    found: defaultdict[str, dict[str, Any]] = defaultdict(
        lambda: {"days": (), "limits": (), "exclusions": ()}
    )
    for player, *day in await db.fetch(_DAYS, players, DAYS_OF_PERIOD_MAX):
        found[player]["days"] += (PlayDay(*day),)
    for row in await db.fetch(_OF_PLAYERS.format(_LIMIT, "own_limit"), players):
        found[row["player"]]["limits"] += (OwnLimit(**row),)
    for row in await db.fetch(_OF_PLAYERS.format(_EXCLUSION, "exclusion"), players):
        found[row["player"]]["exclusions"] += (Exclusion(**row),)
    return found


async def read_accounts(db: Database, players: Sequence[str]) -> defaultdict[str, dict[str, Any]]:
    """The `accounts` of each of these players."""
    query = f"SELECT {_ACCOUNT} FROM account WHERE player = ANY ($1::text[])"
    found: defaultdict[str, dict[str, Any]] = defaultdict(lambda: {"accounts": ()})
    for row in await db.fetch(query, players):
        found[row["player"]]["accounts"] = (Account(**row),)
    return found


# Rows to records


async def read_account(db: Database, key: str) -> Account | None:
    """The one of a name."""
    row = await db.fetchrow(f"SELECT {_ACCOUNT} FROM account WHERE key = $1", key)
    return Account(**row) if row else None


async def read_account_of(db: Database, player: str) -> Account | None:
    row = await db.fetchrow(f"SELECT {_ACCOUNT} FROM account WHERE player = $1", player)
    return Account(**row) if row else None


async def read_sittings(db: Database, player: str, since: int) -> tuple[Sitting, ...]:
    query = (
        f"SELECT {_SITTING} FROM sitting WHERE player = $1 AND day >= $2 AND began >= $3 "
        "ORDER BY day, began"
    )
    return tuple(Sitting(**row) for row in await db.fetch(query, player, since // DAY, since))


# Records to rows


def _sitting_rows(writes: Writes) -> Rows:
    return [writes.sitting] if writes.sitting else []


def _exclusion_rows(writes: Writes) -> Rows:
    return [astuple(writes.exclusion)] if writes.exclusion else []


def _account_rows(writes: Writes) -> Rows:
    return [writes.account] if writes.account else []


def _ended_player_rows(writes: Writes) -> Rows:
    return [(writes.ended_sessions_of,)] if writes.ended_sessions_of else []


def _heartbeats(batch: Batch) -> Rows:
    beats = [writes.heartbeat for writes in batch.several if writes.heartbeat is not None]
    return [(1, max(beats))] if beats else []


_HEARTBEAT_TYPES = {"one": "integer", "at": "bigint"}

PLAYER_PARTS: tuple[Part, ...] = (
    put(
        "sitting",
        _SITTING_TYPES,
        "(player, day, began) DO UPDATE SET last = excluded.last, dealt_ms = excluded.dealt_ms, "
        "rounds = excluded.rounds, staked = excluded.staked, paid = excluded.paid",
        _sitting_rows,
    ),
    added(
        "own_limit",
        _LIMIT_TYPES,
        lambda writes: writes.limits,
    ),
    added("exclusion", _EXCLUSION_TYPES, _exclusion_rows),
    put(
        "account",
        _ACCOUNT_TYPES,
        "(player) DO UPDATE SET password = excluded.password, changed_at = excluded.changed_at",
        _account_rows,
    ),
    # All of the one statement sees what was there before it: no session that begins with it ends.
    replace(
        added(
            "ended_session",
            {"token_hash": "text"},
            lambda writes: [(token_hash,) for token_hash in writes.ended_sessions],
        ),
        actions=("DELETE FROM session WHERE token_hash IN (SELECT * FROM ended_session_rows)",),
    ),
    replace(
        added("ended_player", {"player": "text"}, _ended_player_rows),
        actions=("DELETE FROM session WHERE player IN (SELECT * FROM ended_player_rows)",),
    ),
    replace(
        put(
            "heartbeat",
            _HEARTBEAT_TYPES,
            "(one) DO UPDATE SET at = greatest(heartbeat.at, excluded.at)",
            lambda writes: [],
        ),
        rows=_heartbeats,
    ),
)
"""What fills the tables of players."""

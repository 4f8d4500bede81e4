"""What belongs to a player and to no round, as rows of SQLite: sittings, limits, accounts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import apsw

from upcard.house.limits import DAYS_OF_PERIOD_MAX, Exclusion, OwnLimit
from upcard.house.sittings import DAY, PlayDay, Sitting
from upcard.house.store import Account, Writes

_SITTING = "player, day, began, last, dealt_ms, rounds, staked, paid"


def read_sitting(db: apsw.Connection, player: str) -> Sitting | None:
    """The last one."""
    query = f"SELECT {_SITTING} FROM sitting WHERE player = ? ORDER BY day DESC, began DESC LIMIT 1"
    for row in db.execute(query, (player,)):
        return _sitting(row)
    return None


def read_sittings(db: apsw.Connection, player: str, since: int) -> tuple[Sitting, ...]:
    query = (
        f"SELECT {_SITTING} FROM sitting WHERE player = ? AND day >= ? AND began >= ? "
        "ORDER BY day, began"
    )
    return tuple(map(_sitting, db.execute(query, (player, since // DAY, since))))


def _sitting(row: tuple[Any, ...]) -> Sitting:
    player, day, began, last, dealt_ms, rounds, staked, paid = row
    return Sitting(
        player=player,
        day=day,
        began=began,
        last=last,
        dealt_ms=dealt_ms,
        rounds=rounds,
        staked=staked,
        paid=paid,
    )


def read_days(db: apsw.Connection, player: str) -> tuple[PlayDay, ...]:
    query = (
        "SELECT day, sum(staked), sum(paid) FROM sitting WHERE player = ? "
        "GROUP BY day ORDER BY day DESC LIMIT ?"
    )
    return tuple(PlayDay(*row) for row in db.execute(query, (player, DAYS_OF_PERIOD_MAX)))


def read_limits(db: apsw.Connection, player: str) -> tuple[OwnLimit, ...]:
    query = (
        "SELECT kind, period, cents, asked_at, acts_at FROM own_limit WHERE player = ? "
        "ORDER BY number"
    )
    return tuple(
        OwnLimit(
            player=player, kind=kind, period=period, cents=cents, asked_at=asked_at, acts_at=acts_at
        )
        for kind, period, cents, asked_at, acts_at in db.execute(query, (player,))
    )


def read_exclusions(db: apsw.Connection, player: str) -> tuple[Exclusion, ...]:
    query = "SELECT days, began, ends FROM exclusion WHERE player = ? ORDER BY number"
    return tuple(
        Exclusion(player=player, days=days, began=began, ends=ends)
        for days, began, ends in db.execute(query, (player,))
    )


_ACCOUNT = "key, name, player, password, created_at, changed_at"


def read_account(db: apsw.Connection, key: str) -> Account | None:
    """The one of a name."""
    return next(_accounts(db, "key", key), None)


def read_accounts(db: apsw.Connection, player: str) -> tuple[Account, ...]:
    """The one of a player, if he has one."""
    return tuple(_accounts(db, "player", player))


def _accounts(db: apsw.Connection, column: str, value: str) -> Iterator[Account]:
    for row in db.execute(f"SELECT {_ACCOUNT} FROM account WHERE {column} = ?", (value,)):
        key, name, player, password, created_at, changed_at = row
        yield Account(
            key=key,
            name=name,
            player=player,
            password=password,
            created_at=created_at,
            changed_at=changed_at,
        )


_PUT_SITTING = (
    f"INSERT INTO sitting ({_SITTING}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT DO UPDATE SET last = excluded.last, dealt_ms = excluded.dealt_ms, "
    "rounds = excluded.rounds, staked = excluded.staked, paid = excluded.paid"
)
_PUT_LIMIT = (
    "INSERT INTO own_limit (player, kind, period, cents, asked_at, acts_at) "
    "VALUES (?, ?, ?, ?, ?, ?)"
)
_PUT_EXCLUSION = "INSERT INTO exclusion (player, days, began, ends) VALUES (?, ?, ?, ?)"

_PUT_ACCOUNT = (
    f"INSERT INTO account ({_ACCOUNT}) VALUES (?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (player) DO UPDATE SET password = excluded.password, "
    "changed_at = excluded.changed_at"
)
_PUT_HEARTBEAT = (
    "INSERT INTO heartbeat (one, at) VALUES (1, ?) ON CONFLICT DO UPDATE SET at = excluded.at"
)
_END_SESSION = "DELETE FROM session WHERE token_hash = ?"
_END_SESSIONS_OF = "DELETE FROM session WHERE player = ?"

_Rows = Iterable[tuple[Any, ...]]


def _sitting_rows(writes: Writes) -> _Rows:
    if one := writes.sitting:
        yield (
            one.player,
            one.day,
            one.began,
            one.last,
            one.dealt_ms,
            one.rounds,
            one.staked,
            one.paid,
        )


def _limit_rows(writes: Writes) -> _Rows:
    for one in writes.limits:
        yield one.player, one.kind, one.period, one.cents, one.asked_at, one.acts_at


def _exclusion_rows(writes: Writes) -> _Rows:
    if one := writes.exclusion:
        yield one.player, one.days, one.began, one.ends


def _account_rows(writes: Writes) -> _Rows:
    if one := writes.account:
        yield one.key, one.name, one.player, one.password, one.created_at, one.changed_at


def _heartbeat_rows(writes: Writes) -> _Rows:
    if writes.heartbeat is not None:
        yield (writes.heartbeat,)


def _ended_session_rows(writes: Writes) -> _Rows:
    for token_hash in writes.ended_sessions:
        yield (token_hash,)


def _ended_player_rows(writes: Writes) -> _Rows:
    if player := writes.ended_sessions_of:
        yield (player,)


ENDED_SESSIONS: tuple[tuple[str, Callable[[Writes], _Rows]], ...] = (
    (_END_SESSION, _ended_session_rows),
    (_END_SESSIONS_OF, _ended_player_rows),
)
PLAYER_TABLES: tuple[tuple[str, Callable[[Writes], _Rows]], ...] = (
    (_PUT_SITTING, _sitting_rows),
    (_PUT_LIMIT, _limit_rows),
    (_PUT_EXCLUSION, _exclusion_rows),
    (_PUT_ACCOUNT, _account_rows),
    (_PUT_HEARTBEAT, _heartbeat_rows),
)
"""What fills each table of players."""

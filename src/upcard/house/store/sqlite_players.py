"""What belongs to a player and to no round, as rows of SQLite: sittings, limits, accounts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple
from typing import Any

import apsw

from upcard.house.limits import DAYS_OF_PERIOD_MAX, Exclusion, OwnLimit
from upcard.house.sittings import DAY, PlayDay, Sitting
from upcard.house.store import Account, Writes

Row = tuple[Any, ...]
RowsOf = Callable[[Sequence[Writes]], list[Row]]
"""The rows of a table in what several commands write, in order."""

_SITTING = "player, day, began, last, dealt_ms, rounds, staked, paid"


_LIMIT = "player, kind, period, cents, asked_at, acts_at"


def read_sitting(db: apsw.Connection, player: str) -> Sitting | None:
    """The last one."""
    query = f"SELECT {_SITTING} FROM sitting WHERE player = ? ORDER BY day DESC, began DESC LIMIT 1"
    return next(map(Sitting._make, db.execute(query, (player,))), None)


def read_sittings(db: apsw.Connection, player: str, since: int) -> tuple[Sitting, ...]:
    query = (
        f"SELECT {_SITTING} FROM sitting WHERE player = ? AND day >= ? AND began >= ? "
        "ORDER BY day, began"
    )
    return tuple(map(Sitting._make, db.execute(query, (player, since // DAY, since))))


def read_days(db: apsw.Connection, player: str) -> tuple[PlayDay, ...]:
    query = (
        "SELECT day, sum(staked), sum(paid) FROM sitting WHERE player = ? "
        "GROUP BY day ORDER BY day DESC LIMIT ?"
    )
    return tuple(PlayDay(*row) for row in db.execute(query, (player, DAYS_OF_PERIOD_MAX)))


def read_limits(db: apsw.Connection, player: str) -> tuple[OwnLimit, ...]:
    query = f"SELECT {_LIMIT} FROM own_limit WHERE player = ? ORDER BY number"
    return tuple(map(OwnLimit._make, db.execute(query, (player,))))


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
    query = f"SELECT {_ACCOUNT} FROM account WHERE {column} = ?"
    return map(Account._make, db.execute(query, (value,)))


_PUT_SITTING = (
    f"INSERT INTO sitting ({_SITTING}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT DO UPDATE SET last = excluded.last, dealt_ms = excluded.dealt_ms, "
    "rounds = excluded.rounds, staked = excluded.staked, paid = excluded.paid"
)
_PUT_LIMIT = f"INSERT INTO own_limit ({_LIMIT}) VALUES (?, ?, ?, ?, ?, ?)"
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


def _sitting_rows(several: Sequence[Writes]) -> list[Row]:
    return [one.sitting for one in several if one.sitting]


def _limit_rows(several: Sequence[Writes]) -> list[Row]:
    return [limit for one in several for limit in one.limits]


def _exclusion_rows(several: Sequence[Writes]) -> list[Row]:
    return [astuple(one.exclusion) for one in several if one.exclusion]


def _account_rows(several: Sequence[Writes]) -> list[Row]:
    return [one.account for one in several if one.account]


def _heartbeat_rows(several: Sequence[Writes]) -> list[Row]:
    return [(one.heartbeat,) for one in several if one.heartbeat is not None]


def _ended_session_rows(several: Sequence[Writes]) -> list[Row]:
    return [(token_hash,) for one in several for token_hash in one.ended_sessions]


def _ended_player_rows(several: Sequence[Writes]) -> list[Row]:
    return [(one.ended_sessions_of,) for one in several if one.ended_sessions_of]


ENDED_SESSIONS: tuple[tuple[str, RowsOf], ...] = (
    (_END_SESSION, _ended_session_rows),
    (_END_SESSIONS_OF, _ended_player_rows),
)
PLAYER_TABLES: tuple[tuple[str, RowsOf], ...] = (
    (_PUT_SITTING, _sitting_rows),
    (_PUT_LIMIT, _limit_rows),
    (_PUT_EXCLUSION, _exclusion_rows),
    (_PUT_ACCOUNT, _account_rows),
    (_PUT_HEARTBEAT, _heartbeat_rows),
)
"""What fills each table of players."""

"""What a command of SQLite sees; and its rows as they were last seen, so that few are read again.

What is kept is a shortcut and never the truth. One connection writes: what it has written is known,
and SQLite says whether any other has written (`PRAGMA data_version`). Then, and whenever something
was undone, all is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import apsw

from upcard.house.jackpot import PoolReading
from upcard.house.journal import StoredRound, StoredStep
from upcard.house.ledger import escrow_account, player_account
from upcard.house.limits import Exclusion, OwnLimit
from upcard.house.sittings import Sitting
from upcard.house.store import Later, Needs, Seat, Session, Snapshot, Writes
from upcard.house.store.sqlite_players import (
    read_account,
    read_accounts,
    read_days,
    read_exclusions,
    read_limits,
    read_sitting,
)
from upcard.house.store.sqlite_rows import (
    read_awards,
    read_balance,
    read_newest,
    read_open_rounds_of,
    read_request,
    read_round,
    read_seat,
    read_session,
    read_steps,
)

K = TypeVar("K")
V = TypeVar("V")

ROWS_MAX = 3_000
"""When more of a kind are kept, all are forgotten."""


class Rows:
    """The rows that nearly every command looks at, read when they are asked for."""

    def __init__(self, db: apsw.Connection) -> None:
        self.db = db

    def balance(self, account: str) -> int:
        return read_balance(self.db, account)

    def seat(self, player: str, game: str) -> Seat | None:
        return read_seat(self.db, player, game)

    def round(self, id_: str) -> StoredRound | None:
        return read_round(self.db, id_)

    def sitting(self, player: str) -> Sitting | None:
        return read_sitting(self.db, player)

    def newest(self, journal: str) -> StoredStep | None:
        return read_newest(self.db, journal)

    def session(self, token_hash: str) -> Session | None:
        return read_session(self.db, token_hash)

    def limits(self, player: str) -> tuple[OwnLimit, ...]:
        return read_limits(self.db, player)

    def exclusions(self, player: str) -> tuple[Exclusion, ...]:
        return read_exclusions(self.db, player)


def snapshot(rows: Rows, needs: Needs, pools: dict[str, PoolReading] | None = None) -> Snapshot:
    """What a command sees. What few commands look at is read when one does, in its course."""
    player, game, wanted, key, journal, name, session = needs
    db = rows.db
    round_ = rows.round(wanted) if wanted else None
    if round_:
        game = round_.inputs.game
    seat = rows.seat(player, game) if game else None
    if not wanted and seat and seat.open_round:
        round_ = rows.round(seat.open_round)
    id_ = round_.id if round_ else None
    # Every command makes one: in the order of its members it is made in half the time.
    return Snapshot(
        rows.balance(player_account(player)),
        rows.balance(escrow_account(id_)) if id_ else 0,
        0,
        seat,
        Later(read_open_rounds_of, db, player),
        round_,
        Later(read_steps, db, id_) if id_ else (),
        Later(read_awards, db, id_) if id_ else (),
        read_request(db, player, key) if key else None,
        pools or {},
        rows.newest(journal) if journal else None,
        rows.sitting(player),
        Later(read_days, db, player),
        rows.limits(player),
        rows.exclusions(player),
        Later(read_accounts, db, player),
        read_account(db, name) if name else None,
        rows.session(session) if session else None,
    )


class _Kept(dict[K, V]):
    """What was read once, by its key; what is not there is read."""

    def __init__(self, read: Callable[[K], V]) -> None:
        self._read = read

    def __missing__(self, key: K) -> V:
        found = self[key] = self._read(key)
        return found


class KnownRows(Rows):
    """The same as the one connection that writes would find them, within its transactions."""

    def __init__(self, db: apsw.Connection) -> None:
        super().__init__(db)
        self._version: int | None = None
        self._balances = _Kept(super().balance)
        self._seats: _Kept[tuple[str, str], Seat | None] = _Kept(lambda at: read_seat(db, *at))
        self._rounds: dict[str, StoredRound] = {}
        self._sittings = _Kept(super().sitting)
        self._newest = _Kept(super().newest)
        self._sessions = _Kept(super().session)
        self._limits = _Kept(super().limits)
        self._exclusions = _Kept(super().exclusions)
        self._kinds: tuple[dict[Any, Any], ...] = (
            self._balances,
            self._seats,
            self._rounds,
            self._sittings,
            self._newest,
            self._sessions,
            self._limits,
            self._exclusions,
        )

    def begin(self) -> None:
        """A transaction has begun. Another connection may have written before it."""
        version = int(self.db.execute("PRAGMA data_version").get)
        if version != self._version or max(map(len, self._kinds)) > ROWS_MAX:
            self.forget()
        self._version = version

    def forget(self) -> None:
        """Something was undone."""
        for kept in self._kinds:
            kept.clear()

    def note(self, several: Sequence[Writes], moved: Mapping[str, int]) -> None:
        """What has been written: by several commands, in order, and by account."""
        for account, cents in moved.items():
            if account in self._balances:
                self._balances[account] += cents
        for one in several:
            for seat in one.seats:
                self._seats[seat.player, seat.game] = seat
            if one.round:
                self._note_round(one.round)
            else:
                self._note_rare(one)
            if one.sitting:
                self._sittings[one.sitting.player] = one.sitting

    def _note_rare(self, one: Writes) -> None:
        """What no bet and no move writes."""
        for step in one.steps:
            self._newest.pop(step.round, None)
        if one.changes_sessions:
            self._sessions.clear()
        for limit in one.limits:
            self._limits.pop(limit.player, None)
        if one.exclusion:
            self._exclusions.pop(one.exclusion.player, None)

    def _note_round(self, round_: StoredRound) -> None:
        """Those that are open are looked at again."""
        if round_.status == "open":
            self._rounds[round_.id] = round_
        else:
            self._rounds.pop(round_.id, None)
            self._balances.pop(escrow_account(round_.id), None)

    def balance(self, account: str) -> int:
        return self._balances[account]

    def seat(self, player: str, game: str) -> Seat | None:
        return self._seats[player, game]

    def round(self, id_: str) -> StoredRound | None:
        known = self._rounds.get(id_)
        if known is None and (known := super().round(id_)):
            self._note_round(known)
        return known

    def sitting(self, player: str) -> Sitting | None:
        return self._sittings[player]

    def newest(self, journal: str) -> StoredStep | None:
        return self._newest[journal]

    def session(self, token_hash: str) -> Session | None:
        return self._sessions[token_hash]

    def limits(self, player: str) -> tuple[OwnLimit, ...]:
        return self._limits[player]

    def exclusions(self, player: str) -> tuple[Exclusion, ...]:
        return self._exclusions[player]

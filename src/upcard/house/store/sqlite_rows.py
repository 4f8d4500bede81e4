"""Records of the house as rows of SQLite, both ways. A read sees what its connection sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple
from typing import Any

import apsw

from upcard.house import ledger
from upcard.house.blocks import Block, Unsealed
from upcard.house.jackpot import PoolReading, terms_source
from upcard.house.journal import (
    StoredAward,
    StoredRound,
    StoredStep,
    StoredVoid,
    inputs_of,
    round_row,
)
from upcard.house.keys import PublicKey
from upcard.house.ledger import Transfer, player_account, pool_account
from upcard.house.store import (
    Books,
    Page,
    Seat,
    Session,
    StoredRequest,
    Unreadable,
    Writes,
)
from upcard.house.store.sqlite_players import (
    ENDED_SESSIONS,
    PLAYER_TABLES,
    Row,
    RowsOf,
)

LATEST = 1 << 62
"""After every number and every time."""

# Rows to records


# The members of most records are the columns of their table, so that they are rows as they are.
_ROUND = "id, player, inputs, server_seed, rules_hash, engine, status, seq, opened_at, touched_at"
_SEAT = "player, game, nonce, server_seed, open_round"
_STEP = "round, seq, spot, hand, choice, at, answer"
_AWARD = "round, n, pool, epoch, cents"
_TRANSFER = "source, seq, n, debit, credit, cents, code"
_BLOCK = "number, previous, first, last, transfers, at, key, signature"


def read_session(db: apsw.Connection, token_hash: str) -> Session | None:
    query = "SELECT token_hash, player, expires FROM session WHERE token_hash = ?"
    return next(map(Session._make, db.execute(query, (token_hash,))), None)


def read_balance(db: apsw.Connection, account: str) -> int:
    cents = db.execute("SELECT cents FROM balance WHERE account = ?", (account,)).get
    return 0 if cents is None else int(cents)


def read_seats(db: apsw.Connection, player: str) -> tuple[Seat, ...]:
    query = f"SELECT {_SEAT} FROM seat WHERE player = ?"
    return tuple(map(Seat._make, db.execute(query, (player,))))


def read_seat(db: apsw.Connection, player: str, game: str) -> Seat | None:
    query = f"SELECT {_SEAT} FROM seat WHERE player = ? AND game = ?"
    return next(map(Seat._make, db.execute(query, (player, game))), None)


def read_open_rounds_of(db: apsw.Connection, player: str) -> tuple[str, ...]:
    return tuple([seat.open_round for seat in read_seats(db, player) if seat.open_round])


def read_round(db: apsw.Connection, id_: str) -> StoredRound | None:
    for row in db.execute(f"SELECT {_ROUND} FROM round WHERE id = ?", (id_,)):
        return _stored_round(row)
    return None


def read_open_rounds(db: apsw.Connection, touched_before: int) -> tuple[StoredRound, ...]:
    query = f"SELECT {_ROUND} FROM round WHERE status = 'open' AND touched_at < ? ORDER BY number"
    return tuple(_stored_round(row) for row in db.execute(query, (touched_before,)))


def _stored_round(row: tuple[Any, ...]) -> StoredRound:
    id_, player, inputs, seed, rules_hash, engine, status, seq, opened_at, touched_at = row
    try:
        stored_inputs = inputs_of(inputs, seed)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Unreadable(f"Round {id_} has inputs that cannot be read.") from None
    return StoredRound(
        id_, player, stored_inputs, rules_hash, engine, status, seq, opened_at, touched_at
    )


def read_steps(db: apsw.Connection, round_: str) -> tuple[StoredStep, ...]:
    query = f"SELECT {_STEP} FROM step WHERE round = ? ORDER BY seq"
    return tuple(map(StoredStep._make, db.execute(query, (round_,))))


def read_newest(db: apsw.Connection, journal: str) -> StoredStep | None:
    """The last step of a journal."""
    query = f"SELECT {_STEP} FROM step WHERE round = ? ORDER BY seq DESC LIMIT 1"
    return next(map(StoredStep._make, db.execute(query, (journal,))), None)


def read_awards(db: apsw.Connection, round_: str) -> tuple[StoredAward, ...]:
    query = f"SELECT {_AWARD} FROM award WHERE round = ? ORDER BY n"
    return tuple(map(StoredAward._make, db.execute(query, (round_,))))


_REQUEST = (
    "SELECT player, key, hash, request.round, answer FROM request "
    "JOIN step ON step.round = request.round AND step.seq = 0 WHERE "
)


def read_request(db: apsw.Connection, player: str, key: str) -> StoredRequest | None:
    found = db.execute(f"{_REQUEST} player = ? AND key = ?", (player, key))
    return next(map(StoredRequest._make, found), None)


def read_request_of(db: apsw.Connection, round_: str) -> StoredRequest | None:
    found = db.execute(f"{_REQUEST} request.round = ?", (round_,))
    return next(map(StoredRequest._make, found), None)


def read_pool(db: apsw.Connection, key: str) -> PoolReading | None:
    for epoch, stripes in db.execute("SELECT epoch, stripes FROM pool WHERE key = ?", (key,)):
        cents = tuple(read_balance(db, pool_account(key, stripe)) for stripe in range(stripes))
        return PoolReading(key=key, epoch=epoch, stripes=cents)
    return None


def read_transfers(db: apsw.Connection, source: str) -> tuple[Transfer, ...]:
    query = f"SELECT {_TRANSFER} FROM transfer WHERE source = ? ORDER BY number"
    return _stored_transfers(db.execute(query, (source,)))


def read_play_money(db: apsw.Connection, player: str) -> tuple[Transfer, ...]:
    query = (
        f"SELECT {_TRANSFER} FROM transfer WHERE credit = ? AND code = 'play_money' ORDER BY number"
    )
    return _stored_transfers(db.execute(query, (player_account(player),)))


def _stored_transfers(rows: Iterable[tuple[Any, ...]]) -> tuple[Transfer, ...]:
    return tuple(map(_stored_transfer, rows))


def _stored_transfer(row: tuple[Any, ...]) -> Transfer:
    source, _, n, debit, credit, cents, _ = row
    if cents <= 0 or debit == credit:
        raise Unreadable(f"Transfer {n} of {source} moves {cents} cents from {debit} to {credit}.")
    return Transfer._make(row)


def read_keys(db: apsw.Connection) -> tuple[PublicKey, ...]:
    query = "SELECT id, algorithm, public_key, since FROM signing_key ORDER BY since, id"
    return tuple(
        PublicKey(id=id_, algorithm=algorithm, public_key=public_key, since=since)
        for id_, algorithm, public_key, since in db.execute(query)
    )


def read_void(db: apsw.Connection, round_: str) -> StoredVoid | None:
    query = "SELECT operator, reason, at FROM voided WHERE round = ?"
    for operator, reason, at in db.execute(query, (round_,)):
        return StoredVoid(round=round_, operator=operator, reason=reason, at=at)
    return None


def read_blocks(db: apsw.Connection, after: int) -> tuple[Block, ...]:
    query = f"SELECT {_BLOCK} FROM block WHERE number > ? ORDER BY number"
    return tuple(
        Block(
            number=number,
            previous=previous,
            first=first,
            last=last,
            transfers=transfers,
            at=at,
            key=key,
            signature=signature,
        )
        for number, previous, first, last, transfers, at, key, signature in db.execute(
            query, (after,)
        )
    )


def read_last_block(db: apsw.Connection) -> Block | None:
    last = db.execute("SELECT coalesce(max(number), 0) FROM block").get
    return next(iter(read_blocks(db, last - 1)), None)


def read_last_number(db: apsw.Connection) -> int:
    """Of the last transfer; 0 if there is none."""
    return int(db.execute("SELECT coalesce(max(number), 0) FROM transfer").get)


def read_unsealed(db: apsw.Connection, after: int, count_max: int) -> Unsealed | None:
    """`blocks.line` of each transfer, written by the database: it does so beside the event loop."""
    query = (
        f"SELECT min(number), max(number), group_concat(json_array(number, {_TRANSFER}) "
        "|| char(10), '' ORDER BY number) "
        "FROM (SELECT * FROM transfer WHERE number > ? ORDER BY number LIMIT ?)"
    )
    for first, last, lines in db.execute(query, (after, count_max)):
        return Unsealed(first=first, last=last, lines=lines) if lines else None
    return None


def read_page(db: apsw.Connection, player: str, before: int | None, limit: int) -> Page:
    query = (
        f"SELECT number, {_ROUND} FROM round WHERE player = ? AND number < ? "
        "ORDER BY number DESC LIMIT ?"
    )
    start = LATEST if before is None else before
    rows = list(db.execute(query, (player, start, limit + 1)))
    more = len(rows) > limit
    return Page(
        rounds=tuple(_stored_round(row[1:]) for row in rows[:limit]),
        next=rows[limit - 1][0] if more else None,
    )


def check_file(db: apsw.Connection) -> None:
    """Whether the file is whole: pages, indexes and constraints. Raises Unreadable."""
    found = db.execute("PRAGMA integrity_check(1)").get
    if found != "ok":
        what = " ".join(str(found).rpartition("***")[2].split())
        raise Unreadable(f"The database file is damaged: {what}.")


def read_books(db: apsw.Connection) -> Books:
    rounds = tuple(
        _stored_round(row) for row in db.execute(f"SELECT {_ROUND} FROM round ORDER BY number")
    )
    keys = [key for (key,) in db.execute("SELECT key FROM pool ORDER BY key")]
    numbered = list(db.execute(f"SELECT number, {_TRANSFER} FROM transfer ORDER BY number"))
    voids = [read_void(db, round_) for (round_,) in db.execute("SELECT round FROM voided")]
    return Books(
        transfers=_stored_transfers(row[1:] for row in numbered),
        numbers=tuple(row[0] for row in numbered),
        balances=dict(db.execute("SELECT account, cents FROM balance")),
        rounds=rounds,
        steps={
            **{round_.id: read_steps(db, round_.id) for round_ in rounds},
            **{terms_source(key): read_steps(db, terms_source(key)) for key in keys},
        },
        awards={round_.id: read_awards(db, round_.id) for round_ in rounds},
        pools=tuple(pool for key in keys if (pool := read_pool(db, key))),
        keys=read_keys(db),
        blocks=read_blocks(db, 0),
        voids={void.round: void for void in voids if void},
    )


# Records to rows


def write_all(db: apsw.Connection, several: Sequence[Writes]) -> Mapping[str, int]:
    """Write what several commands changed; of a row that two of them change the last one counts.

    Table by table, because a statement that runs often in a row is the cheapest one there is.
    Returns account → cents, what was moved.
    """
    moved = _write_money(db, [one for writes in several for one in writes.transfers])
    for statement, rows_of in _TABLES:
        if rows := rows_of(several):
            db.executemany(statement, rows)
    return moved


_OPEN_ROUND = f"INSERT INTO round ({_ROUND}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_MOVE_ROUND = "UPDATE round SET status = ?, seq = ?, touched_at = ? WHERE id = ?"
_PUT_SEAT = (
    f"INSERT INTO seat ({_SEAT}) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT DO UPDATE SET nonce = excluded.nonce, server_seed = excluded.server_seed, "
    "open_round = excluded.open_round"
)
_PUT_STEP = f"INSERT INTO step ({_STEP}) VALUES (?, ?, ?, ?, ?, ?, ?)"
_PUT_AWARD = f"INSERT INTO award ({_AWARD}) VALUES (?, ?, ?, ?, ?)"
_PUT_REQUEST = "INSERT INTO request (player, key, hash, round) VALUES (?, ?, ?, ?)"
_PUT_SESSION = (
    "INSERT INTO session (token_hash, player, expires) VALUES (?, ?, ?) "
    "ON CONFLICT DO UPDATE SET expires = excluded.expires"
)
_PUT_POOL = (
    "INSERT INTO pool (key, epoch, stripes) VALUES (?, ?, ?) "
    "ON CONFLICT DO UPDATE SET epoch = excluded.epoch"
)
_PUT_BLOCK = f"INSERT INTO block ({_BLOCK}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_PUT_KEY = "INSERT INTO signing_key (id, algorithm, public_key, since) VALUES (?, ?, ?, ?)"
_PUT_VOID = "INSERT INTO voided (round, operator, reason, at) VALUES (?, ?, ?, ?)"
_PUT_TRANSFER = f"INSERT INTO transfer ({_TRANSFER}) VALUES (?, ?, ?, ?, ?, ?, ?)"
# A plain upsert would hold what is added, not what comes of it, against the table's CHECK.
_ADD_TO_BALANCE = (
    "INSERT INTO balance (account, cents) "
    "SELECT ?1, ?2 + coalesce((SELECT cents FROM balance WHERE account = ?1), 0) WHERE true "
    "ON CONFLICT DO UPDATE SET cents = excluded.cents"
)


def _write_money(db: apsw.Connection, transfers: Sequence[Transfer]) -> Mapping[str, int]:
    moved = ledger.balances(transfers)
    db.executemany(_PUT_TRANSFER, transfers)
    db.executemany(_ADD_TO_BALANCE, moved.items())
    return moved


def redraw_seeds(db: apsw.Connection, new_seed: Callable[[], bytes]) -> None:
    """Give every next bet another seed."""
    seats = list(db.execute("SELECT player, game FROM seat"))
    db.executemany(
        "UPDATE seat SET server_seed = ? WHERE player = ? AND game = ?",
        ((new_seed(), player, game) for player, game in seats),
    )


def _opened_rows(several: Sequence[Writes]) -> list[Row]:
    return [round_row(one.round) for one in several if one.round and one.opens]


def _moved_rows(several: Sequence[Writes]) -> list[Row]:
    moved = [one.round for one in several if one.round and not one.opens]
    return [(round_.status, round_.seq, round_.touched_at, round_.id) for round_ in moved]


def _seat_rows(several: Sequence[Writes]) -> list[Row]:
    return [seat for one in several for seat in one.seats]


def _step_rows(several: Sequence[Writes]) -> list[Row]:
    return [step for one in several for step in one.steps]


def _award_rows(several: Sequence[Writes]) -> list[Row]:
    return [award for one in several for award in one.awards]


def _request_rows(several: Sequence[Writes]) -> list[Row]:
    return [one.request[:4] for one in several if one.request]


def _session_rows(several: Sequence[Writes]) -> list[Row]:
    return [one.session for one in several if one.session]


def _pool_rows(several: Sequence[Writes]) -> list[Row]:
    return [(pool.key, pool.epoch, len(pool.stripes)) for one in several for pool in one.pools]


def _block_rows(several: Sequence[Writes]) -> list[Row]:
    return [astuple(one.block) for one in several if one.block]


def _key_rows(several: Sequence[Writes]) -> list[Row]:
    return [astuple(one.key) for one in several if one.key]


def _void_rows(several: Sequence[Writes]) -> list[Row]:
    return [astuple(one.void) for one in several if one.void]


_TABLES: tuple[tuple[str, RowsOf], ...] = (
    (_OPEN_ROUND, _opened_rows),
    (_MOVE_ROUND, _moved_rows),
    (_PUT_SEAT, _seat_rows),
    (_PUT_STEP, _step_rows),
    (_PUT_AWARD, _award_rows),
    (_PUT_REQUEST, _request_rows),
    *ENDED_SESSIONS,
    (_PUT_SESSION, _session_rows),
    (_PUT_POOL, _pool_rows),
    (_PUT_BLOCK, _block_rows),
    (_PUT_KEY, _key_rows),
    (_PUT_VOID, _void_rows),
    *PLAYER_TABLES,
)
"""What fills each table, the ledger apart."""

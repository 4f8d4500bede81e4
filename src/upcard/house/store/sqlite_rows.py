"""Records of the house as rows of SQLite, both ways. A read sees what its connection sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
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
    inputs_text,
)
from upcard.house.keys import PublicKey
from upcard.house.ledger import Transfer, escrow_account, player_account, pool_account
from upcard.house.store import (
    Books,
    Later,
    Needs,
    Page,
    Seat,
    Session,
    Snapshot,
    StoredRequest,
    Unreadable,
    Writes,
)
from upcard.house.store.sqlite_players import (
    ENDED_SESSIONS,
    PLAYER_TABLES,
    read_account,
    read_accounts,
    read_days,
    read_exclusions,
    read_limits,
    read_sitting,
)

LATEST = 1 << 62
"""After every number and every time."""

# Rows to records


_ROUND = "id, player, inputs, server_seed, rules_hash, engine, status, seq, opened_at, touched_at"
_TRANSFER = "source, seq, n, debit, credit, cents, code"
_BLOCK = "number, previous, first, last, transfers, at, key, signature"


def read_snapshot(
    db: apsw.Connection, needs: Needs, pools: dict[str, PoolReading] | None = None
) -> Snapshot:
    """What a command sees. Steps and awards are read when they are looked at, in its course."""
    seats = read_seats(db, needs.player)
    round_ = read_round(db, needs.round) if needs.round else None
    game = round_.inputs.game if round_ else needs.game
    seat = next((seat for seat in seats if seat.game == game), None)
    if not needs.round and seat and seat.open_round:
        round_ = read_round(db, seat.open_round)
    id_ = round_.id if round_ else None
    return Snapshot(
        balance=read_balance(db, player_account(needs.player)),
        escrow=read_balance(db, escrow_account(id_)) if id_ else 0,
        stripe=0,
        seat=seat,
        open_rounds=tuple(seat.open_round for seat in seats if seat.open_round),
        round=round_,
        steps=Later(partial(read_steps, db, id_)) if id_ else (),
        awards=Later(partial(read_awards, db, id_)) if id_ else (),
        request=read_request(db, needs.player, needs.key) if needs.key else None,
        pools=dict(pools or {}),
        newest=read_newest(db, needs.journal) if needs.journal else None,
        sitting=read_sitting(db, needs.player),
        days=Later(partial(read_days, db, needs.player)),
        limits=Later(partial(read_limits, db, needs.player)),
        exclusions=Later(partial(read_exclusions, db, needs.player)),
        accounts=Later(partial(read_accounts, db, needs.player)),
        named=read_account(db, needs.name) if needs.name else None,
    )


def read_session(db: apsw.Connection, token_hash: str) -> Session | None:
    query = "SELECT player, expires FROM session WHERE token_hash = ?"
    for player, expires in db.execute(query, (token_hash,)):
        return Session(token_hash=token_hash, player=player, expires=expires)
    return None


def read_balance(db: apsw.Connection, account: str) -> int:
    cents = db.execute("SELECT cents FROM balance WHERE account = ?", (account,)).get
    return 0 if cents is None else int(cents)


def read_seats(db: apsw.Connection, player: str) -> tuple[Seat, ...]:
    query = "SELECT game, nonce, server_seed, open_round FROM seat WHERE player = ?"
    return tuple(
        Seat(player=player, game=game, nonce=nonce, server_seed=seed, open_round=open_round)
        for game, nonce, seed, open_round in db.execute(query, (player,))
    )


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
        id=id_,
        player=player,
        inputs=stored_inputs,
        rules_hash=rules_hash,
        engine=engine,
        status=status,
        seq=seq,
        opened_at=opened_at,
        touched_at=touched_at,
    )


def read_steps(db: apsw.Connection, round_: str) -> tuple[StoredStep, ...]:
    query = "SELECT seq, spot, hand, choice, at, answer FROM step WHERE round = ? ORDER BY seq"
    return tuple(_stored_step(round_, row) for row in db.execute(query, (round_,)))


def read_newest(db: apsw.Connection, journal: str) -> StoredStep | None:
    """The last step of a journal."""
    query = (
        "SELECT seq, spot, hand, choice, at, answer FROM step WHERE round = ? "
        "ORDER BY seq DESC LIMIT 1"
    )
    for row in db.execute(query, (journal,)):
        return _stored_step(journal, row)
    return None


def _stored_step(round_: str, row: tuple[Any, ...]) -> StoredStep:
    seq, spot, hand, choice, at, answer = row
    return StoredStep(
        round=round_, seq=seq, spot=spot, hand=hand, choice=choice, at=at, answer=answer
    )


def read_awards(db: apsw.Connection, round_: str) -> tuple[StoredAward, ...]:
    query = "SELECT n, pool, epoch, cents FROM award WHERE round = ? ORDER BY n"
    return tuple(
        StoredAward(round=round_, n=n, key=key, epoch=epoch, cents=cents)
        for n, key, epoch, cents in db.execute(query, (round_,))
    )


_REQUEST = (
    "SELECT player, key, hash, request.round, answer FROM request "
    "JOIN step ON step.round = request.round AND step.seq = 0 WHERE "
)


def read_request(db: apsw.Connection, player: str, key: str) -> StoredRequest | None:
    return _stored_request(db.execute(f"{_REQUEST} player = ? AND key = ?", (player, key)))


def read_request_of(db: apsw.Connection, round_: str) -> StoredRequest | None:
    return _stored_request(db.execute(f"{_REQUEST} request.round = ?", (round_,)))


def _stored_request(rows: Iterable[tuple[Any, ...]]) -> StoredRequest | None:
    for player, key, hash_, round_, answer in rows:
        return StoredRequest(player=player, key=key, hash=hash_, round=round_, answer=answer)
    return None


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
    source, seq, n, debit, credit, cents, code = row
    if cents <= 0 or debit == credit:
        raise Unreadable(f"Transfer {n} of {source} moves {cents} cents from {debit} to {credit}.")
    return Transfer(source=source, seq=seq, n=n, debit=debit, credit=credit, cents=cents, code=code)


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


def write_all(db: apsw.Connection, several: Sequence[Writes]) -> None:
    """Write what several commands changed; of a row that two of them change the last one counts.

    Table by table, because a statement that runs often in a row is the cheapest one there is.
    """
    _write_money(db, [one for writes in several for one in writes.transfers])
    for statement, rows_of in _TABLES:
        if rows := [row for writes in several for row in rows_of(writes)]:
            db.executemany(statement, rows)


_OPEN_ROUND = f"INSERT INTO round ({_ROUND}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_MOVE_ROUND = "UPDATE round SET status = ?, seq = ?, touched_at = ? WHERE id = ?"
_PUT_SEAT = (
    "INSERT INTO seat (player, game, nonce, server_seed, open_round) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT DO UPDATE SET nonce = excluded.nonce, server_seed = excluded.server_seed, "
    "open_round = excluded.open_round"
)
_PUT_STEP = (
    "INSERT INTO step (round, seq, spot, hand, choice, at, answer) VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_PUT_AWARD = "INSERT INTO award (round, n, pool, epoch, cents) VALUES (?, ?, ?, ?, ?)"
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


def _write_money(db: apsw.Connection, transfers: Sequence[Transfer]) -> None:
    db.executemany(
        _PUT_TRANSFER,
        [
            (one.source, one.seq, one.n, one.debit, one.credit, one.cents, one.code)
            for one in transfers
        ],
    )
    db.executemany(_ADD_TO_BALANCE, ledger.balances(transfers).items())


_Rows = Iterable[tuple[Any, ...]]


def redraw_seeds(db: apsw.Connection, new_seed: Callable[[], bytes]) -> None:
    """Give every next bet another seed."""
    seats = list(db.execute("SELECT player, game FROM seat"))
    db.executemany(
        "UPDATE seat SET server_seed = ? WHERE player = ? AND game = ?",
        ((new_seed(), player, game) for player, game in seats),
    )


def _is_new(writes: Writes) -> bool:
    """Whether the round of these writes begins with them."""
    return any(step.seq == 0 for step in writes.steps)


def _opened_rows(writes: Writes) -> _Rows:
    if (round_ := writes.round) and _is_new(writes):
        yield (
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
        )


def _moved_rows(writes: Writes) -> _Rows:
    if (round_ := writes.round) and not _is_new(writes):
        yield round_.status, round_.seq, round_.touched_at, round_.id


def _seat_rows(writes: Writes) -> _Rows:
    for seat in writes.seats:
        yield seat.player, seat.game, seat.nonce, seat.server_seed, seat.open_round


def _step_rows(writes: Writes) -> _Rows:
    for step in writes.steps:
        yield step.round, step.seq, step.spot, step.hand, step.choice, step.at, step.answer


def _award_rows(writes: Writes) -> _Rows:
    for award in writes.awards:
        yield award.round, award.n, award.key, award.epoch, award.cents


def _request_rows(writes: Writes) -> _Rows:
    if request := writes.request:
        yield request.player, request.key, request.hash, request.round


def _session_rows(writes: Writes) -> _Rows:
    if session := writes.session:
        yield session.token_hash, session.player, session.expires


def _pool_rows(writes: Writes) -> _Rows:
    for pool in writes.pools:
        yield pool.key, pool.epoch, len(pool.stripes)


def _block_rows(writes: Writes) -> _Rows:
    if block := writes.block:
        yield (
            block.number,
            block.previous,
            block.first,
            block.last,
            block.transfers,
            block.at,
            block.key,
            block.signature,
        )


def _key_rows(writes: Writes) -> _Rows:
    if key := writes.key:
        yield key.id, key.algorithm, key.public_key, key.since


def _void_rows(writes: Writes) -> _Rows:
    if void := writes.void:
        yield void.round, void.operator, void.reason, void.at


_TABLES: tuple[tuple[str, Callable[[Writes], _Rows]], ...] = (
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

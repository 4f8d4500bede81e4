"""Records of the house as rows of PostgreSQL, both ways: one statement sees what all commands of a
batch see, and one writes what all of them changed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeVar

from upcard.house import ledger
from upcard.house.blocks import Block, Unsealed, line
from upcard.house.jackpot import PoolReading
from upcard.house.journal import (
    StoredAward,
    StoredRound,
    StoredStep,
    StoredVoid,
    inputs_of,
    round_row,
)
from upcard.house.keys import PublicKey
from upcard.house.ledger import (
    NEVER_NEGATIVE,
    Transfer,
    escrow_account,
    player_account,
    pool_account,
)
from upcard.house.limits import Exclusion, OwnLimit
from upcard.house.sittings import PlayDay
from upcard.house.store import (
    Account,
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
from upcard.house.store.postgres_parts import (
    Batch,
    Part,
    Rows,
    added,
    insert,
    put,
    write_statement,
)
from upcard.house.store.postgres_players import (
    JOINED_OF_PLAYER,
    PLAYER_PARTS,
    SEEN_OF_PLAYER,
    last_sitting,
    named_account,
    read_accounts,
    read_own,
)

if TYPE_CHECKING:
    from asyncpg import Connection, Record
    from asyncpg.pool import PoolConnectionProxy

    Database = Connection[Record] | PoolConnectionProxy[Record]

T = TypeVar("T")

STRIPES = 16
"""Of each meter, and of each account that every round moves."""
LATEST = (1 << 63) - 1
"""After every number and every time."""

_ROUND_COLUMNS = (
    "id, player, inputs, server_seed, rules_hash, engine, status, seq, opened_at, touched_at"
)
_ROUND = ", ".join(f"round.{column}" for column in _ROUND_COLUMNS.split(", "))
_STEP = "round, seq, spot, hand, choice, at, answer"
_AWARD = "round, n, pool, epoch, cents"
_TRANSFER = "source, seq, n, debit, credit, cents, code"


# What commands see

_SEE = f"""
SELECT coalesce(purse.cents, 0) AS balance,
       coalesce(escrow.cents, 0) AS escrow,
       seats.games, seats.nonces, seats.seeds, seats.open_rounds,
       {_ROUND},
       requested.key AS key, requested.hash, requested.round AS requested, requested.answer,
       asked.journal, newest.newest_seq, newest.newest_at, newest.newest_answer,
       came.player AS came_player, came.expires AS came_expires,
       {SEEN_OF_PLAYER}
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
            $8::text[])
     WITH ORDINALITY AS asked (player, purse, game, round, key, journal, name, session, i)
LEFT JOIN balance AS purse ON purse.account = asked.purse AND purse.stripe = 0
CROSS JOIN LATERAL (
    SELECT array_agg(game) AS games, array_agg(nonce) AS nonces, array_agg(server_seed) AS seeds,
           array_agg(open_round) AS open_rounds,
           max(open_round) FILTER (WHERE seat.game = asked.game) AS open_round
    FROM seat WHERE seat.player = asked.player
) AS seats
LEFT JOIN round ON round.id = coalesce(asked.round, seats.open_round)
LEFT JOIN balance AS escrow
    ON escrow.account = '{escrow_account("")}' || round.id AND escrow.stripe = 0
LEFT JOIN LATERAL (
    SELECT request.key, request.hash, request.round, step.answer
    FROM request JOIN step ON step.round = request.round AND step.seq = 0
    WHERE request.player = asked.player AND request.key = asked.key
) AS requested ON true
LEFT JOIN LATERAL (
    SELECT seq AS newest_seq, at AS newest_at, answer AS newest_answer
    FROM step WHERE step.round = asked.journal ORDER BY seq DESC LIMIT 1
) AS newest ON true
LEFT JOIN session AS came ON came.token_hash = asked.session
{JOINED_OF_PLAYER}
ORDER BY asked.i
"""


async def see_all(db: Database, needs: Sequence[Needs]) -> list[Seen]:
    """What each of several commands must see, except meters and what few look at."""
    rows: list[Record] = await db.fetch(
        _SEE,
        [each.player for each in needs],
        [player_account(each.player) for each in needs],
        [each.game for each in needs],
        [each.round for each in needs],
        [each.key for each in needs],
        [each.journal for each in needs],
        [each.name for each in needs],
        [each.session for each in needs],
    )
    return [
        Seen(each, row, _session(row, each), _unread(row))
        for each, row in zip(needs, rows, strict=True)
    ]


Wanted = Literal["history", "own", "accounts"]


class MoreWanted(Exception):
    """A command looks at what was not read for it yet."""

    def __init__(self, what: Wanted) -> None:
        super().__init__(what)
        self.what: Wanted = what


@dataclass(frozen=True, slots=True, kw_only=True)
class More:
    """What few commands look at, and is read for those that do: each raises MoreWanted before."""

    steps: Sequence[StoredStep]
    awards: Sequence[StoredAward]
    days: Sequence[PlayDay]
    limits: Sequence[OwnLimit]
    exclusions: Sequence[Exclusion]
    accounts: Sequence[Account]


def _later(what: Wanted) -> Later[Any]:
    def read() -> NoReturn:
        raise MoreWanted(what)

    return Later(read)


_HISTORY, _OWN, _ACCOUNTS = _later("history"), _later("own"), _later("accounts")
_UNREAD = More(
    steps=_HISTORY, awards=_HISTORY, days=_OWN, limits=(), exclusions=(), accounts=_ACCOUNTS
)


def _unread(row: Record) -> More:
    # Hardly anybody has set any, and that is known.
    if not (row["has_limits"] or row["has_exclusions"]):
        return _UNREAD
    return replace(
        _UNREAD,
        limits=_OWN if row["has_limits"] else (),
        exclusions=_OWN if row["has_exclusions"] else (),
    )


@dataclass(frozen=True, slots=True)
class Seen:
    """What one command sees: its row, and more if it looked at more."""

    needs: Needs
    row: Record
    session: Session | None
    """The one that was named, unless it has ended."""
    more: More

    def snapshot(self, stripe: int, pools: dict[str, PoolReading]) -> Snapshot:
        row, needs, more = self.row, self.needs, self.more
        stored = None if row["id"] is None else _stored_round(row)
        game = stored.inputs.game if needs.round and stored else needs.game
        # Every command makes one: in the order of its members it is made in half the time.
        return Snapshot(
            row["balance"],
            row["escrow"],
            stripe,
            _seat(needs.player, game, row) if game else None,
            tuple(filter(None, row["open_rounds"] or ())),
            stored,
            more.steps,
            more.awards,
            _request(row, needs),
            pools.copy(),
            _newest(row),
            last_sitting(needs.player, row),
            more.days,
            more.limits,
            more.exclusions,
            more.accounts,
            named_account(row),
            self.session,
        )


async def read_more(db: Database, what: Wanted, several: Sequence[Seen]) -> list[Seen]:
    """The same with what they want."""
    if what == "history":
        ids = [seen.row["id"] for seen in several]
        rounds = [id_ for id_ in ids if id_]
        steps, awards = await read_steps(db, rounds), await read_awards(db, rounds)
        more = [
            replace(seen.more, steps=steps[id_], awards=awards[id_])
            for seen, id_ in zip(several, ids, strict=True)
        ]
    else:
        players = [seen.needs.player for seen in several]
        read = read_own if what == "own" else read_accounts
        of = await read(db, players)
        more = [replace(seen.more, **of[seen.needs.player]) for seen in several]
    return [replace(seen, more=each) for seen, each in zip(several, more, strict=True)]


def _seat(player: str, game: str, row: Record) -> Seat | None:
    games = row["games"] or ()
    if game not in games:
        return None
    at = games.index(game)
    return Seat(player, game, row["nonces"][at], row["seeds"][at], row["open_rounds"][at])


def _newest(row: Record) -> StoredStep | None:
    if row["newest_seq"] is None:
        return None
    return StoredStep(
        round=row["journal"],
        seq=row["newest_seq"],
        spot=0,
        hand=0,
        choice=None,
        at=row["newest_at"],
        answer=row["newest_answer"],
    )


def _session(row: Record, needs: Needs) -> Session | None:
    if needs.session is None or row["came_player"] is None:
        return None
    return Session(needs.session, row["came_player"], row["came_expires"])


def _request(row: Record, needs: Needs) -> StoredRequest | None:
    if row["key"] is None:
        return None
    return StoredRequest(
        player=needs.player,
        key=row["key"],
        hash=row["hash"],
        round=row["requested"],
        answer=row["answer"],
    )


# Rows to records


def _stored_round(row: Record) -> StoredRound:
    try:
        inputs = inputs_of(row["inputs"], row["server_seed"])
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Unreadable(f"Round {row['id']} has inputs that cannot be read.") from None
    return StoredRound(
        row["id"],
        row["player"],
        inputs,
        row["rules_hash"],
        row["engine"],
        row["status"],
        row["seq"],
        row["opened_at"],
        row["touched_at"],
    )


def _stored_step(row: Record) -> StoredStep:
    return StoredStep(**row)


def _stored_award(row: Record) -> StoredAward:
    round_, n, key, epoch, cents = row
    return StoredAward(round=round_, n=n, key=key, epoch=epoch, cents=cents)


def _stored_transfer(row: Record) -> Transfer:
    source, seq, n, debit, credit, cents, code = row
    if cents <= 0 or debit == credit:
        raise Unreadable(f"Transfer {n} of {source} moves {cents} cents from {debit} to {credit}.")
    return Transfer(source=source, seq=seq, n=n, debit=debit, credit=credit, cents=cents, code=code)


async def read_session(db: Database, token_hash: str) -> Session | None:
    query = "SELECT token_hash, player, expires FROM session WHERE token_hash = $1"
    row = await db.fetchrow(query, token_hash)
    return Session(*row) if row else None


async def read_balance(db: Database, account: str) -> int:
    query = "SELECT coalesce(sum(cents), 0)::bigint FROM balance WHERE account = $1"
    return int(await db.fetchval(query, account))


async def read_seats(db: Database, player: str) -> tuple[Seat, ...]:
    query = "SELECT player, game, nonce, server_seed, open_round FROM seat WHERE player = $1"
    return tuple(Seat(**row) for row in await db.fetch(query, player))


async def read_round(db: Database, id_: str) -> StoredRound | None:
    row = await db.fetchrow(f"SELECT {_ROUND} FROM round WHERE id = $1", id_)
    return _stored_round(row) if row else None


async def read_open_rounds(db: Database, touched_before: int) -> tuple[StoredRound, ...]:
    query = f"SELECT {_ROUND} FROM round WHERE status = 'open' AND touched_at < $1 ORDER BY number"
    return tuple(map(_stored_round, await db.fetch(query, touched_before)))


async def read_open_count(db: Database) -> int:
    return int(await db.fetchval("SELECT count(*) FROM round WHERE status = 'open'"))


async def read_steps(
    db: Database, rounds: Sequence[str]
) -> defaultdict[str, tuple[StoredStep, ...]]:
    """The steps of each of these rounds, in order."""
    query = f"SELECT {_STEP} FROM step WHERE round = ANY ($1::text[]) ORDER BY round, seq"
    return _by_round(await db.fetch(query, rounds), _stored_step)


async def read_awards(
    db: Database, rounds: Sequence[str]
) -> defaultdict[str, tuple[StoredAward, ...]]:
    """The awards of each of these rounds, in order."""
    query = f"SELECT {_AWARD} FROM award WHERE round = ANY ($1::text[]) ORDER BY round, n"
    return _by_round(await db.fetch(query, rounds), _stored_award)


async def read_request_of(db: Database, round_: str) -> StoredRequest | None:
    query = (
        "SELECT player, key, hash, request.round, answer FROM request "
        "JOIN step ON step.round = request.round AND step.seq = 0 WHERE request.round = $1"
    )
    row = await db.fetchrow(query, round_)
    return StoredRequest(**row) if row else None


async def read_keys(db: Database) -> tuple[PublicKey, ...]:
    query = "SELECT id, algorithm, public_key, since FROM signing_key ORDER BY since, id"
    return tuple(PublicKey(**row) for row in await db.fetch(query))


async def read_void(db: Database, round_: str) -> StoredVoid | None:
    query = "SELECT round, operator, reason, at FROM voided WHERE round = $1"
    row = await db.fetchrow(query, round_)
    return StoredVoid(**row) if row else None


async def read_last_block(db: Database) -> Block | None:
    row = await db.fetchrow(f"SELECT {_BLOCK} FROM block ORDER BY number DESC LIMIT 1")
    return Block(**row) if row else None


async def read_unsealed(db: Database, after: int, count_max: int) -> list[Record]:
    """The transfers that come next after a block that ends at `after`, 0 for the first one.

    Those of transactions below the oldest one under way: no other can come between them any more.
    None of them where that is not the last block: whoever sealed before has made another one.
    """
    query = (
        f"SELECT {_TRANSFER} FROM transfer WHERE (xact, number) > "
        f"({_BEGINNING if after == 0 else _SEALED_UP_TO.format('$2')}) "
        "AND xact < pg_snapshot_xmin(pg_current_snapshot()) "
        "AND $2 = (SELECT coalesce(max(last), 0) FROM block) ORDER BY xact, number LIMIT $1"
    )
    rows: list[Record] = await db.fetch(query, count_max, after)
    return rows


def unsealed_of(rows: Sequence[Record], after: int) -> Unsealed | None:
    """These transfers as the next block holds them."""
    if not rows:
        return None
    lines = [line(number, _stored_transfer(row)) for number, row in enumerate(rows, after + 1)]
    return Unsealed(first=after + 1, last=after + len(rows), lines="".join(lines))


def _by_round(
    rows: Iterable[Record], record: Callable[[Record], T]
) -> defaultdict[str, tuple[T, ...]]:
    found: defaultdict[str, list[T]] = defaultdict(list)
    for row in rows:
        found[row["round"]].append(record(row))
    return defaultdict(tuple, {id_: tuple(records) for id_, records in found.items()})


async def read_transfers(db: Database, source: str) -> tuple[Transfer, ...]:
    query = f"SELECT {_TRANSFER} FROM transfer WHERE source = $1 ORDER BY xact, number"
    return tuple(map(_stored_transfer, await db.fetch(query, source)))


async def read_play_money(db: Database, player: str) -> tuple[Transfer, ...]:
    query = (
        f"SELECT {_TRANSFER} FROM transfer WHERE credit = $1 AND code = 'play_money' "
        "ORDER BY xact, number"
    )
    return tuple(map(_stored_transfer, await db.fetch(query, player_account(player))))


async def read_page(db: Database, player: str, before: int | None, limit: int) -> Page:
    query = (
        f"SELECT number, {_ROUND} FROM round WHERE player = $1 AND number < $2 "
        "ORDER BY number DESC LIMIT $3"
    )
    start = LATEST if before is None else before
    rows = await db.fetch(query, player, start, limit + 1)
    more = len(rows) > limit
    return Page(
        rounds=tuple(map(_stored_round, rows[:limit])),
        next=rows[limit - 1]["number"] if more else None,
    )


async def read_books(db: Database) -> Books:
    """All there is; as of one instant if the transaction is."""
    rounds = await db.fetch(f"SELECT {_ROUND} FROM round ORDER BY number")
    steps = await db.fetch(f"SELECT {_STEP} FROM step ORDER BY round, seq")
    awards = await db.fetch(f"SELECT {_AWARD} FROM award ORDER BY round, n")
    transfers = await db.fetch(f"SELECT {_TRANSFER} FROM transfer ORDER BY xact, number")
    blocks = await db.fetch(f"SELECT {_BLOCK} FROM block ORDER BY number")
    voids = await db.fetch("SELECT round, operator, reason, at FROM voided")
    balances = await db.fetch("SELECT account, sum(cents)::bigint FROM balance GROUP BY account")
    keys = await db.fetch("SELECT key FROM pool ORDER BY key")
    pools = [await read_pool(db, key) for (key,) in keys]
    return Books(
        transfers=tuple(map(_stored_transfer, transfers)),
        numbers=tuple(range(1, len(transfers) + 1)),
        balances=dict(map(tuple, balances)),
        rounds=tuple(map(_stored_round, rounds)),
        steps=_by_round(steps, _stored_step),
        awards=_by_round(awards, _stored_award),
        pools=tuple(pool for pool in pools if pool),
        keys=await read_keys(db),
        blocks=tuple(Block(**row) for row in blocks),
        voids={row["round"]: StoredVoid(**row) for row in voids},
    )


async def redraw_seeds(db: Database, new_seed: Callable[[], bytes]) -> bool:
    """Give every next bet another seed if the server is on a new timeline; whether it is."""
    timeline = await db.fetchval("SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8)")
    before = await db.fetchval("SELECT timeline FROM opened_on FOR UPDATE")
    if before == timeline:
        return False
    if before is None:
        await db.execute("INSERT INTO opened_on VALUES ($1)", timeline)
        return False
    seats = await db.fetch("SELECT player, game FROM seat FOR UPDATE")
    await db.executemany(
        "UPDATE seat SET server_seed = $1 WHERE player = $2 AND game = $3",
        [(new_seed(), player, game) for player, game in seats],
    )
    await db.execute("UPDATE opened_on SET timeline = $1", timeline)
    return True


# Meters

_METER = """
SELECT pool.epoch, array_agg(coalesce(balance.cents, 0) ORDER BY stripe.number) AS stripes
FROM pool CROSS JOIN LATERAL generate_series(0, pool.stripes - 1) AS stripe (number)
LEFT JOIN balance ON balance.account = $2 || stripe.number AND balance.stripe = 0
WHERE pool.key = $1 GROUP BY pool.epoch
"""


async def read_pool(db: Database, key: str) -> PoolReading | None:
    """A meter as it stands."""
    row = await db.fetchrow(_METER, key, pool_account(key, 0)[:-1])
    return PoolReading(key=key, epoch=row["epoch"], stripes=tuple(row["stripes"])) if row else None


async def lock_pool(db: Database, key: str) -> PoolReading:
    """A meter as it stands for the next winner: until this one's commit there is no other.

    Contributions go on meanwhile, and count for whoever comes after them.
    """
    await db.fetch("SELECT FROM pool WHERE key = $1 FOR UPDATE", key)
    # Read by a statement of its own, which sees what was committed while the lock was waited for.
    return await read_pool(db, key) or PoolReading(key=key, epoch=0, stripes=(0,) * STRIPES)


# Records to rows


async def write_all(db: Database, several: Sequence[Writes], stripe: int) -> None:
    """Write what several commands of different players changed.

    One statement, because each costs the way to the database and back.
    """
    await db.fetch(_WRITE, *columns(several, stripe))


def columns(several: Sequence[Writes], stripe: int) -> list[Sequence[Any]]:
    """What `write_all` writes, column by column of table after table."""
    given: list[Sequence[Any]] = []
    for part in _PARTS:
        rows = part.rows(Batch(several, stripe))
        given += zip(*rows, strict=True) if rows else ((),) * len(part.columns)
    return given


_ROUND_TYPES = {
    "id": "text",
    "player": "text",
    "inputs": "text",
    "server_seed": "bytea",
    "rules_hash": "text",
    "engine": "text",
    "status": "text",
    "seq": "integer",
    "opened_at": "bigint",
    "touched_at": "bigint",
}


def _opened_rows(writes: Writes) -> Rows:
    return [round_row(writes.round)] if writes.round and writes.opens else []


def _moved_rows(writes: Writes) -> Rows:
    if (round_ := writes.round) and not writes.opens:
        return [(round_.id, round_.status, round_.seq, round_.touched_at)]
    return []


def _moved(batch: Batch) -> Rows:
    """What each account gets, in an order that is the same for all who write."""
    transfers = [transfer for writes in batch.several for transfer in writes.transfers]
    return sorted(
        (account, 0 if account.startswith(NEVER_NEGATIVE) else batch.stripe, cents)
        for account, cents in ledger.balances(transfers).items()
        if cents
    )


_MOVE_BALANCES = """
UPDATE balance SET cents = balance.cents + moved.cents FROM balance_rows AS moved
WHERE balance.account = moved.account AND balance.stripe = moved.stripe
RETURNING balance.account, balance.stripe
"""
# Whatever is there is moved above: a plain upsert would hold what is added, not what comes of it,
# against the table's CHECK.
_OPEN_BALANCES = """
INSERT INTO balance (account, stripe, cents) SELECT account, stripe, cents FROM balance_rows
WHERE (account, stripe) NOT IN (SELECT account, stripe FROM balance_0)
ON CONFLICT (account, stripe) DO UPDATE SET cents = balance.cents + excluded.cents
"""
_MOVE_ROUNDS = """
UPDATE round SET status = moved.status, seq = moved.seq, touched_at = moved.touched_at
FROM round_moved_rows AS moved WHERE round.id = moved.id
"""


def _session_rows(writes: Writes) -> Rows:
    return [writes.session] if writes.session else []


def _request_rows(writes: Writes) -> Rows:
    return [writes.request[:4]] if writes.request else []


def _pools(batch: Batch) -> Rows:
    """The last of several winners of a meter knows how often it was won."""
    pools = {pool.key: pool for writes in batch.several for pool in writes.pools}
    return [(pool.key, pool.epoch, len(pool.stripes)) for pool in pools.values()]


_BLOCK_TYPES = {
    "number": "bigint",
    "previous": "text",
    "first": "bigint",
    "last": "bigint",
    "transfers": "text",
    "at": "bigint",
    "key": "text",
    "signature": "text",
}
_BLOCK = ", ".join(_BLOCK_TYPES)
_SEALED_UP_TO = "SELECT last_xact, last_transfer FROM block WHERE last = {}"
_BEGINNING = "SELECT '0'::xid8, 0"
_ADD_BLOCK = f"""
INSERT INTO block ({_BLOCK}, last_xact, last_transfer)
SELECT {_BLOCK}, ended.xact, ended.transfer FROM block_rows CROSS JOIN LATERAL (
    SELECT transfer.xact, transfer.number AS transfer FROM transfer
    WHERE (transfer.xact, transfer.number) > (
        SELECT begun.xact, begun.number FROM (
            {_SEALED_UP_TO.format("block_rows.first - 1")}
            UNION ALL {_BEGINNING} WHERE block_rows.first = 1
        ) AS begun (xact, number)
    )
    ORDER BY transfer.xact, transfer.number
    OFFSET block_rows.last - block_rows.first LIMIT 1
) AS ended
WHERE NOT EXISTS (
    SELECT FROM block WHERE block.number = block_rows.number
        AND block.signature = block_rows.signature
)
"""
# The same block again is there already: its connection was lost as it came in.


def _block_rows(writes: Writes) -> Rows:
    block = writes.block
    return [tuple(getattr(block, name) for name in _BLOCK_TYPES)] if block else []


def _key_rows(writes: Writes) -> Rows:
    key = writes.key
    return [(key.id, key.algorithm, key.public_key, key.since)] if key else []


def _void_rows(writes: Writes) -> Rows:
    void = writes.void
    return [(void.round, void.operator, void.reason, void.at)] if void else []


_POOL_TYPES = {"key": "text", "epoch": "bigint", "stripes": "integer"}

_PARTS = (
    Part(
        "balance",
        {"account": "text", "stripe": "integer", "cents": "bigint"},
        (_MOVE_BALANCES, _OPEN_BALANCES),
        _moved,
    ),
    added(
        "transfer",
        {
            "source": "text",
            "seq": "integer",
            "n": "integer",
            "debit": "text",
            "credit": "text",
            "cents": "bigint",
            "code": "text",
        },
        lambda writes: writes.transfers,
    ),
    added("round", _ROUND_TYPES, _opened_rows),
    replace(
        added(
            "round_moved",
            {"id": "text", "status": "text", "seq": "integer", "touched_at": "bigint"},
            _moved_rows,
        ),
        actions=(_MOVE_ROUNDS,),
    ),
    put(
        "seat",
        {
            "player": "text",
            "game": "text",
            "nonce": "bigint",
            "server_seed": "bytea",
            "open_round": "text",
        },
        "(player, game) DO UPDATE SET nonce = excluded.nonce, "
        "server_seed = excluded.server_seed, open_round = excluded.open_round",
        lambda writes: writes.seats,
    ),
    added(
        "step",
        {
            "round": "text",
            "seq": "integer",
            "spot": "integer",
            "hand": "integer",
            "choice": "text",
            "at": "bigint",
            "answer": "text",
        },
        lambda writes: writes.steps,
    ),
    added(
        "award",
        {"round": "text", "n": "integer", "pool": "text", "epoch": "bigint", "cents": "bigint"},
        lambda writes: writes.awards,
    ),
    added(
        "request",
        {"player": "text", "key": "text", "hash": "text", "round": "text"},
        _request_rows,
    ),
    *PLAYER_PARTS,
    put(
        "session",
        {"token_hash": "text", "player": "text", "expires": "bigint"},
        "(token_hash) DO UPDATE SET expires = excluded.expires",
        _session_rows,
    ),
    replace(
        added("block", _BLOCK_TYPES, _block_rows),
        actions=(_ADD_BLOCK,),
    ),
    put(
        "signing_key",
        {"id": "text", "algorithm": "text", "public_key": "text", "since": "bigint"},
        # Of processes that begin together each finds that its key is not there yet.
        "DO NOTHING",
        _key_rows,
    ),
    added(
        "voided",
        {"round": "text", "operator": "text", "reason": "text", "at": "bigint"},
        _void_rows,
    ),
    Part(
        "pool",
        _POOL_TYPES,
        (insert("pool", _POOL_TYPES, "ON CONFLICT (key) DO UPDATE SET epoch = excluded.epoch"),),
        _pools,
    ),
)


_WRITE = write_statement(_PARTS)

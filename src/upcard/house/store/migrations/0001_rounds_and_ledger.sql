-- Rounds, steps, seats, sessions, and a ledger of transfers. Amounts are cents; times are seconds
-- since 1970, UTC. Written for SQLite.

CREATE TABLE session (
    token_hash TEXT PRIMARY KEY,
    player TEXT NOT NULL,
    expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE seat (
    player TEXT NOT NULL,
    game TEXT NOT NULL,
    nonce INTEGER NOT NULL CHECK (nonce >= 1),
    server_seed BLOB NOT NULL CHECK (length(server_seed) = 64),
    open_round TEXT,
    PRIMARY KEY (player, game)
) STRICT, WITHOUT ROWID;

CREATE TABLE round (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    player TEXT NOT NULL,
    inputs TEXT NOT NULL,
    server_seed BLOB NOT NULL,
    rules_hash TEXT NOT NULL,
    engine TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'settled', 'void')),
    seq INTEGER NOT NULL CHECK (seq >= 0),
    opened_at INTEGER NOT NULL,
    touched_at INTEGER NOT NULL
) STRICT;

CREATE INDEX round_of_player ON round (player, number);
CREATE INDEX round_open ON round (touched_at) WHERE status = 'open';

CREATE TABLE step (
    round TEXT NOT NULL,
    seq INTEGER NOT NULL,
    spot INTEGER NOT NULL,
    hand INTEGER NOT NULL,
    choice TEXT,
    at INTEGER NOT NULL,
    answer TEXT NOT NULL,
    PRIMARY KEY (round, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE award (
    round TEXT NOT NULL,
    n INTEGER NOT NULL,
    pool TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    cents INTEGER NOT NULL,
    PRIMARY KEY (round, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE request (
    player TEXT NOT NULL,
    key TEXT NOT NULL,
    hash TEXT NOT NULL,
    round TEXT NOT NULL,
    PRIMARY KEY (player, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE transfer (
    number INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    seq INTEGER NOT NULL,
    n INTEGER NOT NULL,
    debit TEXT NOT NULL,
    credit TEXT NOT NULL CHECK (credit <> debit),
    cents INTEGER NOT NULL CHECK (cents > 0),
    code TEXT NOT NULL,
    UNIQUE (source, seq, n)
) STRICT;

CREATE TABLE balance (
    account TEXT PRIMARY KEY,
    cents INTEGER NOT NULL,
    CHECK (cents >= 0 OR NOT (account LIKE 'player/%' OR account LIKE 'escrow/%' OR account LIKE 'pool/%'))
) STRICT, WITHOUT ROWID;

CREATE TABLE pool (
    key TEXT PRIMARY KEY,
    epoch INTEGER NOT NULL,
    stripes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

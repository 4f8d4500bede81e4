-- Rounds, steps, seats, sessions, and a ledger of transfers. Amounts are cents; times are seconds
-- since 1970, UTC. Written for PostgreSQL, in a schema of its own.
--
-- A row that is written again and again leaves room on its page for its next version, which then
-- needs no new entry in any index: no index holds what a move changes.

CREATE TABLE session (
    token_hash text PRIMARY KEY,
    player text NOT NULL,
    expires bigint NOT NULL
);

CREATE TABLE seat (
    player text NOT NULL,
    game text NOT NULL,
    nonce bigint NOT NULL CHECK (nonce >= 1),
    server_seed bytea NOT NULL CHECK (length(server_seed) = 64),
    open_round text,
    PRIMARY KEY (player, game)
) WITH (fillfactor = 70);

CREATE TABLE round (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    player text NOT NULL,
    inputs text NOT NULL,
    server_seed bytea NOT NULL,
    rules_hash text NOT NULL,
    engine text NOT NULL,
    status text NOT NULL CHECK (status IN ('open', 'settled', 'void')),
    seq integer NOT NULL CHECK (seq >= 0),
    opened_at bigint NOT NULL,
    touched_at bigint NOT NULL
) WITH (fillfactor = 70);

CREATE INDEX round_of_player ON round (player, number);
CREATE INDEX round_open ON round (number) WHERE status = 'open';

CREATE TABLE step (
    round text NOT NULL,
    seq integer NOT NULL,
    spot integer NOT NULL,
    hand integer NOT NULL,
    choice text,
    at bigint NOT NULL,
    answer text NOT NULL,
    PRIMARY KEY (round, seq)
);

CREATE TABLE award (
    round text NOT NULL,
    n integer NOT NULL,
    pool text NOT NULL,
    epoch bigint NOT NULL,
    cents bigint NOT NULL,
    PRIMARY KEY (round, n)
);

CREATE TABLE request (
    player text NOT NULL,
    key text NOT NULL,
    hash text NOT NULL,
    round text NOT NULL,
    PRIMARY KEY (player, key)
);

CREATE TABLE transfer (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    source text NOT NULL,
    seq integer NOT NULL,
    n integer NOT NULL,
    debit text NOT NULL,
    credit text NOT NULL CHECK (credit <> debit),
    cents bigint NOT NULL CHECK (cents > 0),
    code text NOT NULL,
    UNIQUE (source, seq, n)
);

-- Accounts that every round moves, a house's above all, are kept in stripes, so that processes do
-- not wait for each other's commits. What can be overdrawn by its owner has one stripe alone; a
-- meter's stripes are accounts, which have one each.
CREATE TABLE balance (
    account text NOT NULL,
    stripe integer NOT NULL,
    cents bigint NOT NULL,
    PRIMARY KEY (account, stripe),
    CONSTRAINT balance_not_overdrawn CHECK (
        (cents >= 0 AND stripe = 0)
        OR NOT (account LIKE 'player/%' OR account LIKE 'escrow/%' OR account LIKE 'pool/%')
    )
) WITH (fillfactor = 70);

-- The header of a meter. Contributions leave it alone; winners lock it, one after the other.
CREATE TABLE pool (
    key text PRIMARY KEY,
    epoch bigint NOT NULL,
    stripes integer NOT NULL
);

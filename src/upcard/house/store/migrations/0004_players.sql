-- What a player's play came to by sitting and day, and what he has set for himself. Limits and
-- exclusions are only ever added: what was asked for when is part of what happened.

CREATE TABLE sitting (
    player TEXT NOT NULL,
    day INTEGER NOT NULL,
    began INTEGER NOT NULL,
    last INTEGER NOT NULL CHECK (last >= began),
    dealt_ms INTEGER NOT NULL,
    rounds INTEGER NOT NULL CHECK (rounds >= 0),
    staked INTEGER NOT NULL CHECK (staked >= 0),
    paid INTEGER NOT NULL CHECK (paid >= 0),
    PRIMARY KEY (player, day, began)
) STRICT, WITHOUT ROWID;

CREATE TABLE own_limit (
    number INTEGER PRIMARY KEY,
    player TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('loss', 'stake')),
    period TEXT NOT NULL CHECK (period IN ('day', 'week', 'month')),
    cents INTEGER CHECK (cents >= 0),
    asked_at INTEGER NOT NULL,
    acts_at INTEGER NOT NULL CHECK (acts_at >= asked_at)
) STRICT;

CREATE INDEX own_limit_of_player ON own_limit (player, number);

CREATE TABLE exclusion (
    number INTEGER PRIMARY KEY,
    player TEXT NOT NULL,
    days INTEGER NOT NULL CHECK (days > 0),
    began INTEGER NOT NULL,
    ends INTEGER NOT NULL CHECK (ends > began)
) STRICT;

CREATE INDEX exclusion_of_player ON exclusion (player, ends);

-- For a player's own export; play money is rare, so that nothing else pays for it.
CREATE INDEX transfer_play_money ON transfer (credit) WHERE code = 'play_money';

CREATE TRIGGER own_limit_unedited BEFORE UPDATE ON own_limit
BEGIN SELECT RAISE(ABORT, 'a limit is never edited; add another one'); END;

CREATE TRIGGER own_limit_kept BEFORE DELETE ON own_limit
BEGIN SELECT RAISE(ABORT, 'a limit is never deleted; add another one'); END;

CREATE TRIGGER exclusion_unedited BEFORE UPDATE ON exclusion
BEGIN SELECT RAISE(ABORT, 'an exclusion is never edited'); END;

CREATE TRIGGER exclusion_kept BEFORE DELETE ON exclusion
BEGIN SELECT RAISE(ABORT, 'an exclusion is never deleted'); END;

-- A name and a password by which a player comes back from another browser. A password is kept as
-- an Argon2id hash with its own salt. The index is for ending all sessions of a player.

CREATE TABLE account (
    key TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    player TEXT NOT NULL UNIQUE,
    password TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX session_of_player ON session (player);

-- Written whenever somebody asks whether this house could write.
CREATE TABLE heartbeat (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    at INTEGER NOT NULL
) STRICT;

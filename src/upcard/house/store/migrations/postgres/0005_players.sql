-- What a player's play came to by sitting and day, and what he has set for himself. Limits and
-- exclusions are only ever added: what was asked for when is part of what happened.

CREATE TABLE sitting (
    player text NOT NULL,
    day bigint NOT NULL,
    began bigint NOT NULL,
    last bigint NOT NULL CHECK (last >= began),
    dealt_ms bigint NOT NULL,
    rounds bigint NOT NULL CHECK (rounds >= 0),
    staked bigint NOT NULL CHECK (staked >= 0),
    paid bigint NOT NULL CHECK (paid >= 0),
    PRIMARY KEY (player, day, began)
) WITH (fillfactor = 70);

CREATE TABLE own_limit (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('loss', 'stake')),
    period text NOT NULL CHECK (period IN ('day', 'week', 'month')),
    cents bigint CHECK (cents >= 0),
    asked_at bigint NOT NULL,
    acts_at bigint NOT NULL CHECK (acts_at >= asked_at)
);

CREATE INDEX own_limit_of_player ON own_limit (player, number);

CREATE TABLE exclusion (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player text NOT NULL,
    days integer NOT NULL CHECK (days > 0),
    began bigint NOT NULL,
    ends bigint NOT NULL CHECK (ends > began)
);

CREATE INDEX exclusion_of_player ON exclusion (player, number);

-- For a player's own export; play money is rare, so that nothing else pays for it.
CREATE INDEX transfer_play_money ON transfer (credit) WHERE code = 'play_money';

CREATE TRIGGER own_limit_unedited BEFORE UPDATE OR DELETE OR TRUNCATE ON own_limit
EXECUTE FUNCTION refuse_to_edit();

CREATE TRIGGER exclusion_unedited BEFORE UPDATE OR DELETE OR TRUNCATE ON exclusion
EXECUTE FUNCTION refuse_to_edit();

-- A name and a password by which a player comes back from another browser. A password is kept as
-- an Argon2id hash with its own salt. The index is for ending all sessions of a player.

CREATE TABLE account (
    key text PRIMARY KEY,
    name text NOT NULL,
    player text NOT NULL UNIQUE,
    password text NOT NULL,
    created_at bigint NOT NULL,
    changed_at bigint NOT NULL
);

CREATE INDEX session_of_player ON session (player);

-- Written whenever somebody asks whether this house could write.
CREATE TABLE heartbeat (
    one integer PRIMARY KEY CHECK (one = 1),
    at bigint NOT NULL
);

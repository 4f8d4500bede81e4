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

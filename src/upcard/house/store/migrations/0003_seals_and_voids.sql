-- Seals: blocks of transfers, each bound to the one before it and signed; the public keys they are
-- signed with; and which rounds were voided, by whom and why. Texts are hexadecimal, times seconds
-- since 1970, UTC. docs/trust.md says what is hashed and signed.

CREATE TABLE signing_key (
    id TEXT PRIMARY KEY,
    algorithm TEXT NOT NULL,
    public_key TEXT NOT NULL UNIQUE,
    since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE block (
    number INTEGER PRIMARY KEY,
    previous TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL CHECK (last >= first),
    transfers TEXT NOT NULL,
    at INTEGER NOT NULL,
    key TEXT NOT NULL,
    signature TEXT NOT NULL
) STRICT;

CREATE TABLE voided (
    round TEXT PRIMARY KEY,
    operator TEXT NOT NULL CHECK (operator <> ''),
    reason TEXT NOT NULL CHECK (reason <> ''),
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A receipt is made again from the request that its round was asked for with.
CREATE UNIQUE INDEX request_of_round ON request (round);

-- These are append-only as well.

CREATE TRIGGER signing_key_unedited BEFORE UPDATE ON signing_key
BEGIN SELECT RAISE(ABORT, 'a signing key is never edited'); END;

CREATE TRIGGER signing_key_kept BEFORE DELETE ON signing_key
BEGIN SELECT RAISE(ABORT, 'a signing key is never deleted'); END;

CREATE TRIGGER block_unedited BEFORE UPDATE ON block
BEGIN SELECT RAISE(ABORT, 'a block is never edited'); END;

CREATE TRIGGER block_kept BEFORE DELETE ON block
BEGIN SELECT RAISE(ABORT, 'a block is never deleted'); END;

CREATE TRIGGER block_follows BEFORE INSERT ON block
WHEN NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM block)
    OR NEW.first <> (SELECT coalesce(max(last), 0) + 1 FROM block)
BEGIN SELECT RAISE(ABORT, 'a block is never put anywhere but after the last one'); END;

CREATE TRIGGER voided_unedited BEFORE UPDATE ON voided
BEGIN SELECT RAISE(ABORT, 'a void is never edited'); END;

CREATE TRIGGER voided_kept BEFORE DELETE ON voided
BEGIN SELECT RAISE(ABORT, 'a void is never deleted'); END;

-- INSERT OR REPLACE deletes the older row, and no trigger is told of that unless the connection
-- asks for it. What is there already is therefore refused before it is put in again.

CREATE TRIGGER transfer_new BEFORE INSERT ON transfer
WHEN EXISTS (SELECT 1 FROM transfer WHERE number = NEW.number)
    OR EXISTS (
        SELECT 1 FROM transfer WHERE source = NEW.source AND seq = NEW.seq AND n = NEW.n
    )
BEGIN SELECT RAISE(ABORT, 'a transfer is never replaced; book another one'); END;

CREATE TRIGGER step_new BEFORE INSERT ON step
WHEN EXISTS (SELECT 1 FROM step WHERE round = NEW.round AND seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'a step is never replaced'); END;

CREATE TRIGGER award_new BEFORE INSERT ON award
WHEN EXISTS (SELECT 1 FROM award WHERE round = NEW.round AND n = NEW.n)
BEGIN SELECT RAISE(ABORT, 'an award is never replaced'); END;

CREATE TRIGGER request_new BEFORE INSERT ON request
WHEN EXISTS (SELECT 1 FROM request WHERE player = NEW.player AND key = NEW.key)
    OR EXISTS (SELECT 1 FROM request WHERE round = NEW.round)
BEGIN SELECT RAISE(ABORT, 'a request is never replaced'); END;

CREATE TRIGGER round_new BEFORE INSERT ON round
WHEN EXISTS (SELECT 1 FROM round WHERE id = NEW.id OR number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'a round is never replaced'); END;

CREATE TRIGGER signing_key_new BEFORE INSERT ON signing_key
WHEN EXISTS (SELECT 1 FROM signing_key WHERE id = NEW.id OR public_key = NEW.public_key)
BEGIN SELECT RAISE(ABORT, 'a signing key is never replaced'); END;

CREATE TRIGGER voided_new BEFORE INSERT ON voided
WHEN EXISTS (SELECT 1 FROM voided WHERE round = NEW.round)
BEGIN SELECT RAISE(ABORT, 'a void is never replaced'); END;

-- Seals: blocks of transfers, each bound to the one before it and signed; the public keys they are
-- signed with; and which rounds were voided, by whom and why. Texts are hexadecimal, times seconds
-- since 1970, UTC.
--
-- Blocks hold transfers in the order of (xact, number), counted from 1. Numbers alone would not do:
-- they have gaps, and a transaction may commit after another that got its numbers later. But once
-- all transactions below some number are over, nothing comes into that part of the order any more.

ALTER TABLE transfer ADD COLUMN xact xid8 NOT NULL DEFAULT pg_current_xact_id();
CREATE INDEX transfer_in_order ON transfer (xact, number);

CREATE TABLE signing_key (
    id text PRIMARY KEY,
    algorithm text NOT NULL,
    public_key text NOT NULL UNIQUE,
    since bigint NOT NULL
);

-- Its last transfer, where the next block begins: `last_xact` and `last_transfer`.
CREATE TABLE block (
    number bigint PRIMARY KEY,
    previous text NOT NULL,
    first bigint NOT NULL,
    last bigint NOT NULL UNIQUE CHECK (last >= first),
    transfers text NOT NULL,
    at bigint NOT NULL,
    key text NOT NULL,
    signature text NOT NULL,
    last_xact xid8 NOT NULL,
    last_transfer bigint NOT NULL
);

CREATE TABLE voided (
    round text PRIMARY KEY,
    operator text NOT NULL CHECK (operator <> ''),
    reason text NOT NULL CHECK (reason <> ''),
    at bigint NOT NULL
);

-- A receipt is made again from the request that its round was asked for with.
CREATE UNIQUE INDEX request_of_round ON request (round);

-- These are append-only as well.

CREATE TRIGGER signing_key_unedited BEFORE UPDATE OR DELETE OR TRUNCATE ON signing_key
EXECUTE FUNCTION refuse_to_edit();

CREATE TRIGGER block_unedited BEFORE UPDATE OR DELETE OR TRUNCATE ON block
EXECUTE FUNCTION refuse_to_edit();

CREATE TRIGGER voided_unedited BEFORE UPDATE OR DELETE OR TRUNCATE ON voided
EXECUTE FUNCTION refuse_to_edit();

CREATE FUNCTION refuse_to_leave_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM block)
        OR NEW.first <> (SELECT coalesce(max(last), 0) + 1 FROM block)
    THEN
        RAISE EXCEPTION 'a block is never put anywhere but after the last one'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER block_follows BEFORE INSERT ON block
FOR EACH ROW EXECUTE FUNCTION refuse_to_leave_out();

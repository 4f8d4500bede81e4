-- What has happened is not edited: transfers, steps, awards and requests are only ever added, and of
-- a round only how far it is and how it ended changes, forwards. A correction is another transfer.
-- This stops mistakes of programs and of people; who may drop a trigger is found out by the audit.

CREATE FUNCTION refuse_to_edit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'what is in % is never edited or deleted', TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER transfer_unedited BEFORE UPDATE OR DELETE OR TRUNCATE ON transfer
EXECUTE FUNCTION refuse_to_edit();

CREATE TRIGGER step_unedited BEFORE UPDATE OR DELETE OR TRUNCATE ON step
EXECUTE FUNCTION refuse_to_edit();

CREATE TRIGGER award_unedited BEFORE UPDATE OR DELETE OR TRUNCATE ON award
EXECUTE FUNCTION refuse_to_edit();

CREATE TRIGGER request_unedited BEFORE UPDATE OR DELETE OR TRUNCATE ON request
EXECUTE FUNCTION refuse_to_edit();

CREATE TRIGGER round_kept BEFORE DELETE OR TRUNCATE ON round
EXECUTE FUNCTION refuse_to_edit();

CREATE TRIGGER round_inputs_unedited
BEFORE UPDATE OF number, id, player, inputs, server_seed, rules_hash, engine, opened_at ON round
EXECUTE FUNCTION refuse_to_edit();

CREATE FUNCTION refuse_to_go_back() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a round goes forwards only' USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER round_forwards BEFORE UPDATE OF status, seq ON round
FOR EACH ROW
WHEN (
    NEW.seq < OLD.seq OR OLD.status = 'void' OR (OLD.status = 'settled' AND NEW.status <> 'void')
)
EXECUTE FUNCTION refuse_to_go_back();

-- What has happened is not edited: transfers, steps, awards and requests are only ever added, and of
-- a round only how far it is and how it ended changes, forwards. A correction is another transfer.
-- This stops mistakes of programs and of people; who may drop a trigger is found out by the audit.

CREATE TRIGGER transfer_unedited BEFORE UPDATE ON transfer
BEGIN SELECT RAISE(ABORT, 'a transfer is never edited; book another one'); END;

CREATE TRIGGER transfer_kept BEFORE DELETE ON transfer
BEGIN SELECT RAISE(ABORT, 'a transfer is never deleted; book another one'); END;

CREATE TRIGGER step_unedited BEFORE UPDATE ON step
BEGIN SELECT RAISE(ABORT, 'a step is never edited'); END;

CREATE TRIGGER step_kept BEFORE DELETE ON step
BEGIN SELECT RAISE(ABORT, 'a step is never deleted'); END;

CREATE TRIGGER award_unedited BEFORE UPDATE ON award
BEGIN SELECT RAISE(ABORT, 'an award is never edited'); END;

CREATE TRIGGER award_kept BEFORE DELETE ON award
BEGIN SELECT RAISE(ABORT, 'an award is never deleted'); END;

CREATE TRIGGER request_unedited BEFORE UPDATE ON request
BEGIN SELECT RAISE(ABORT, 'a request is never edited'); END;

CREATE TRIGGER request_kept BEFORE DELETE ON request
BEGIN SELECT RAISE(ABORT, 'a request is never deleted'); END;

CREATE TRIGGER round_kept BEFORE DELETE ON round
BEGIN SELECT RAISE(ABORT, 'a round is never deleted'); END;

CREATE TRIGGER round_inputs_unedited
BEFORE UPDATE OF number, id, player, inputs, server_seed, rules_hash, engine, opened_at ON round
BEGIN SELECT RAISE(ABORT, 'the inputs of a round are never edited'); END;

CREATE TRIGGER round_forwards BEFORE UPDATE OF status, seq ON round
WHEN NEW.seq < OLD.seq OR OLD.status = 'void' OR (OLD.status = 'settled' AND NEW.status <> 'void')
BEGIN SELECT RAISE(ABORT, 'a round goes forwards only'); END;

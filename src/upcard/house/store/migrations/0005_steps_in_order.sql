-- Steps lie in the order in which they came, three or four to a page, and an index finds them. In a
-- table without rowids each was too long for its place in the index that such a table is, and had
-- a page of its own.

CREATE TABLE step_in_order (
    round TEXT NOT NULL,
    seq INTEGER NOT NULL,
    spot INTEGER NOT NULL,
    hand INTEGER NOT NULL,
    choice TEXT,
    at INTEGER NOT NULL,
    answer TEXT NOT NULL,
    PRIMARY KEY (round, seq)
) STRICT;

INSERT INTO step_in_order SELECT * FROM step ORDER BY at, round, seq;

DROP TABLE step;

ALTER TABLE step_in_order RENAME TO step;

-- They went with the table.

CREATE TRIGGER step_unedited BEFORE UPDATE ON step
BEGIN SELECT RAISE(ABORT, 'a step is never edited'); END;

CREATE TRIGGER step_kept BEFORE DELETE ON step
BEGIN SELECT RAISE(ABORT, 'a step is never deleted'); END;

CREATE TRIGGER step_new BEFORE INSERT ON step
WHEN EXISTS (SELECT 1 FROM step WHERE round = NEW.round AND seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'a step is never replaced'); END;

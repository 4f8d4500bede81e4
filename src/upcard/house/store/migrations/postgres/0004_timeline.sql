-- The timeline of the server on which the house was last opened. A server that was restored to an
-- earlier moment, or took over from another one, is on a new timeline: what was shown since that
-- moment may not be in it.

CREATE TABLE opened_on (
    timeline text NOT NULL
);

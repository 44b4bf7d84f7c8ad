-- +goose Up
-- Who touched which repository through a server. A row is one call of a tool.
CREATE TABLE espy.touches (
    at     timestamptz NOT NULL,
    who    text NOT NULL,
    tool   text NOT NULL,
    repo   text NOT NULL,
    remote text NOT NULL
);
CREATE INDEX touches_at ON espy.touches USING brin (at);
CREATE INDEX touches_repo ON espy.touches (repo, at);

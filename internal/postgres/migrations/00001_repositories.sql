-- +goose Up
-- The catalogue: the record of each repository, as catalog.Repo is in JSON. place is
-- the SHA-256 of what catalog.Repo.Place says: a URL may be longer than an index takes.
CREATE TABLE espy.repositories (
    id      uuid PRIMARY KEY,
    family  uuid NOT NULL,
    place   bytea NOT NULL UNIQUE,
    record  jsonb NOT NULL,
    changed timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON espy.repositories (family);

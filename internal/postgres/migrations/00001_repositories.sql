-- +goose Up
-- The catalogue: the record of each repository, as catalog.Repo is in JSON.
CREATE TABLE espy.repositories (
    id       uuid PRIMARY KEY,
    name     text NOT NULL,
    place    text NOT NULL UNIQUE,
    record   jsonb NOT NULL,
    changed  timestamptz NOT NULL DEFAULT now()
);

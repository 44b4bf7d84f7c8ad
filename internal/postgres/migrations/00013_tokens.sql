-- +goose Up
-- The tokens that servers ask their clients for. hash is the SHA-256 of the secret, in
-- hexadecimal; repos are the UUIDs of the repositories that a token sees, none for all.
CREATE TABLE espy.tokens (
    id      text COLLATE "C" PRIMARY KEY,
    number  bigint GENERATED ALWAYS AS IDENTITY, -- their order
    name    text NOT NULL,
    role    text NOT NULL,
    repos   text[] NOT NULL,
    hash    text NOT NULL,
    created timestamptz NOT NULL,
    expires timestamptz NOT NULL
);

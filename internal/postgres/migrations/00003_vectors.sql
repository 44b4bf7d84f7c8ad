-- +goose Up
-- The vectors of parts as rows, where the extension vector can be had. The rows of a
-- model are in a table of their own, espy.vectors_N for the model N: package pgvector
-- makes it when the first part is kept, so that a database may gain the extension at
-- any time. What is here needs no extension.
CREATE TABLE espy.models (
    number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name   text COLLATE "C" NOT NULL UNIQUE,
    dims   integer NOT NULL
);

-- A part whose vectors are rows too: all of them, from the moment that this one is
-- seen. Its rows have the places from number * 2^24 on.
CREATE TABLE espy.embedded (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    family uuid NOT NULL,
    part   text COLLATE "C" NOT NULL,
    model  integer NOT NULL REFERENCES espy.models,
    chunks integer NOT NULL,
    UNIQUE (part, family),
    FOREIGN KEY (family, part) REFERENCES espy.parts ON DELETE CASCADE
);
CREATE INDEX ON espy.embedded (family, part);
CREATE INDEX ON espy.embedded (model);

-- The rows go with their part. A foreign key would look at each row that is added.
-- +goose StatementBegin
CREATE FUNCTION espy.forget_vectors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF to_regclass('espy.vectors_' || old.model) IS NOT NULL THEN
        EXECUTE format('DELETE FROM espy.vectors_%s WHERE place >= $1 AND place < $2', old.model) USING old.number << 24, (old.number + 1) << 24;
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER forget_vectors AFTER DELETE ON espy.embedded FOR EACH ROW EXECUTE FUNCTION espy.forget_vectors();

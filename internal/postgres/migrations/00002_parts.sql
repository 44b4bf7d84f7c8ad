-- +goose Up
-- A family of repositories, whose files go with it.
CREATE TABLE espy.families (
    id uuid PRIMARY KEY
);
ALTER TABLE espy.repositories ADD FOREIGN KEY (family) REFERENCES espy.families;

-- A part: a file that never changes. loose is when it was last not listed by a view,
-- or wanted by a writer that is about to list it.
CREATE TABLE espy.parts (
    family uuid NOT NULL REFERENCES espy.families ON DELETE CASCADE,
    name   text COLLATE "C" NOT NULL,
    size   bigint NOT NULL,
    loose  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (family, name)
);

-- The bytes of a part, in pieces of at most 4 MiB. They are packed already, so
-- PostgreSQL does not try to pack them again.
CREATE TABLE espy.pieces (
    family uuid NOT NULL,
    part   text COLLATE "C" NOT NULL,
    number integer NOT NULL,
    bytes  bytea NOT NULL CHECK (octet_length(bytes) <= 4194304),
    PRIMARY KEY (family, part, number),
    FOREIGN KEY (family, part) REFERENCES espy.parts ON DELETE CASCADE
);
ALTER TABLE espy.pieces ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Editions of views: no view has the same twice, also when it was dropped meanwhile.
CREATE SEQUENCE espy.editions;

-- The newest generation of a view: its manifest, which edition of it this is, and
-- which parts lie beside it as files of other names.
CREATE TABLE espy.views (
    family    uuid NOT NULL REFERENCES espy.families ON DELETE CASCADE,
    name      text COLLATE "C" NOT NULL,
    edition   bigint NOT NULL,
    record    bytea NOT NULL,
    beside    jsonb NOT NULL DEFAULT '{}',
    published timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (family, name)
);

-- Which parts a view is made of. A part that is listed cannot be deleted.
CREATE TABLE espy.listed (
    family uuid NOT NULL,
    view   text COLLATE "C" NOT NULL,
    part   text COLLATE "C" NOT NULL,
    PRIMARY KEY (family, part, view),
    FOREIGN KEY (family, view) REFERENCES espy.views ON DELETE CASCADE,
    FOREIGN KEY (family, part) REFERENCES espy.parts
);
CREATE INDEX ON espy.listed (family, view);

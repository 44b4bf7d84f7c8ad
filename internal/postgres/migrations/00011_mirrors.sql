-- +goose Up
-- What lists say is to be kept up to date. A list is a file; listed is whether it
-- still says so.
CREATE TABLE espy.mirrors (
    list   text NOT NULL,
    place  text NOT NULL,
    ref    text NOT NULL,
    every  interval NOT NULL,
    listed boolean NOT NULL DEFAULT true,
    due    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (list, place, ref)
);

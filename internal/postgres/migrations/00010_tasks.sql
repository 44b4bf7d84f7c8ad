-- +goose Up
-- Development tasks. body is the task as JSON; the other columns are what tasks are
-- found by, and follow from it. Text that is compared is kept as its bytes: it may
-- hold NUL, and its order is that of every store.
CREATE TABLE espy.tasks (
    id       uuid PRIMARY KEY,
    created  bigint NOT NULL, -- Unix nanoseconds
    edition  bigint NOT NULL, -- another with each write
    status   text NOT NULL,
    folded   bytea NOT NULL,
    branches bytea[] NOT NULL,
    repos    bytea[] NOT NULL, -- whose code the task names
    body     json NOT NULL
);
CREATE INDEX tasks_created ON espy.tasks (created DESC, id);
CREATE INDEX tasks_repos ON espy.tasks USING gin (repos);

-- The sum of changes tells whether a task that names code has changed. Its rows keep
-- writers from waiting for one another.
CREATE TABLE espy.task_marks (
    shard    smallint PRIMARY KEY,
    changes  bigint NOT NULL
) WITH (fillfactor = 20);
INSERT INTO espy.task_marks SELECT n, 0 FROM generate_series(0, 15) AS n;

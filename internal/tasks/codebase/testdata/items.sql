-- The table of the release in which tasks are work items too, alone.
CREATE TABLE tasks (
  id uuid PRIMARY KEY, version integer NOT NULL, title varchar(200) NOT NULL, description text, notes text, item_type varchar(20) NOT NULL, status varchar(20) NOT NULL,
  parent_id uuid, path varchar(500) NOT NULL, depth integer NOT NULL, branch_name varchar(100), commit_hash varchar(40), pr_number integer, metadata jsonb,
  deleted_at timestamptz, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL, created_by varchar(100) NOT NULL);
INSERT INTO tasks VALUES
  ('00000000-0000-4000-8000-00000000000a', 3, 'Read it again', NULL, NULL, 'research', 'blocked', NULL, '/', 0, 'topic', repeat('0', 40), 7, '{"a": 1}', NULL, '2025-10-10 10:00:00+02', '2025-10-10 10:00:00+02', 'claude'),
  ('00000000-0000-4000-8000-00000000000b', 1, 'Done', NULL, NULL, 'task', 'completed', NULL, '/', 0, NULL, NULL, NULL, NULL, NULL, '2025-10-10 10:00:00+02', '2025-10-11 10:00:00+02', 'claude'),
  ('00000000-0000-4000-8000-00000000000c', 1, 'Gone', NULL, NULL, 'task', 'active', NULL, '/', 0, NULL, NULL, NULL, NULL, '2025-10-11 10:00:00+02', '2025-10-10 10:00:00+02', '2025-10-10 10:00:00+02', 'claude'),
  ('00000000-0000-4000-8000-00000000000d', 1, 'Odd', NULL, NULL, 'task', 'parked', NULL, '/', 0, NULL, NULL, NULL, NULL, NULL, '2025-10-10 10:00:00+02', '2025-10-10 10:00:00+02', 'claude');

-- The tables of the release with six tools, as PostgreSQL tells of them.
CREATE TABLE tasks (
  id uuid PRIMARY KEY, title varchar NOT NULL, description text, notes text,
  status varchar NOT NULL CHECK (status IN ('need to be done', 'in-progress', 'complete')),
  created_at timestamp NOT NULL, updated_at timestamp NOT NULL);
CREATE TABLE task_planning_references (id uuid PRIMARY KEY, task_id uuid NOT NULL REFERENCES tasks, file_path varchar NOT NULL, reference_type varchar NOT NULL, created_at timestamp NOT NULL);
CREATE TABLE task_branch_links (id uuid PRIMARY KEY, task_id uuid NOT NULL REFERENCES tasks, branch_name varchar NOT NULL, created_at timestamp NOT NULL, UNIQUE (task_id, branch_name));
CREATE TABLE task_commit_links (id uuid PRIMARY KEY, task_id uuid NOT NULL REFERENCES tasks, commit_hash varchar(40) NOT NULL, commit_message text, created_at timestamp NOT NULL, UNIQUE (task_id, commit_hash));
CREATE TABLE task_status_history (id uuid PRIMARY KEY, task_id uuid NOT NULL REFERENCES tasks, from_status varchar, to_status varchar NOT NULL, changed_at timestamp NOT NULL);

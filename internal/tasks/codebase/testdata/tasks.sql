INSERT INTO tasks VALUES
  ('00000000-0000-4000-8000-000000000001', 'Cap the backoff', 'It grows — 日本', NULL, 'complete', '2025-10-06 10:00:00.000001', '2025-10-08 09:30:00'),
  ('00000000-0000-4000-8000-000000000002', 'Write the manual', NULL, 'waits', 'need to be done', '2025-10-07 10:00:00', '2025-10-07 10:00:00'),
  ('00000000-0000-4000-8000-000000000003', repeat('ä', 201), repeat('d', 2001), repeat('n', 5001), 'in-progress', '2025-10-07 11:00:00', '2025-10-07 12:00:00'),
  ('00000000-0000-4000-8000-000000000004', ' ', NULL, NULL, 'need to be done', '2025-10-07 11:00:00', '2025-10-07 12:00:00'),
  ('00000000-0000-4000-8000-000000000005', 'never', NULL, NULL, 'need to be done', 'infinity', '2025-10-07 12:00:00');
INSERT INTO task_planning_references VALUES
  (gen_random_uuid(), '00000000-0000-4000-8000-000000000001', 'specs/retry/plan.md', 'plan', '2025-10-06 10:00:00.000003'),
  (gen_random_uuid(), '00000000-0000-4000-8000-000000000001', 'specs/retry/spec.md', 'spec', '2025-10-06 10:00:00.000002');
INSERT INTO task_planning_references SELECT gen_random_uuid(), '00000000-0000-4000-8000-000000000003', 'doc' || n || '.md', 'other', '2025-10-07 11:00:00'::timestamp + n * interval '1 second' FROM generate_series(1, 12) n;
INSERT INTO task_branch_links VALUES
  (gen_random_uuid(), '00000000-0000-4000-8000-000000000001', 'feature/retry-2', '2025-10-07 10:00:00'),
  (gen_random_uuid(), '00000000-0000-4000-8000-000000000001', 'feature/retry', '2025-10-06 11:00:00');
INSERT INTO task_commit_links VALUES
  (gen_random_uuid(), '00000000-0000-4000-8000-000000000001', repeat('ab', 20), 'cap it', '2025-10-08 09:00:00'),
  (gen_random_uuid(), '00000000-0000-4000-8000-000000000001', repeat('AB', 20), NULL, '2025-10-08 09:01:00'),
  (gen_random_uuid(), '00000000-0000-4000-8000-000000000003', 'abc', NULL, '2025-10-08 09:00:00');
INSERT INTO task_status_history VALUES
  (gen_random_uuid(), '00000000-0000-4000-8000-000000000001', 'in-progress', 'complete', '2025-10-08 09:30:00'),
  (gen_random_uuid(), '00000000-0000-4000-8000-000000000001', NULL, 'need to be done', '2025-10-06 10:00:00.000001'),
  (gen_random_uuid(), '00000000-0000-4000-8000-000000000001', 'need to be done', 'in-progress', '2025-10-06 11:00:00'),
  (gen_random_uuid(), '00000000-0000-4000-8000-000000000002', NULL, 'need to be done', '2025-10-07 10:00:00');

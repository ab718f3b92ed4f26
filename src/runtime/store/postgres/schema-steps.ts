/**
 * Migration steps from an empty schema to the current tables: step `n` leads from version `n` to `n + 1`.
 *
 * A released step is never changed. Add the next change as a new step at the end. Times are milliseconds since the
 * epoch. Data that changes often is in separate tables with short rows (`inputs`, `open_items`), so that a change
 * rewrites little data and few index entries.
 */
export const STEPS: readonly string[] = [
  `
  CREATE TABLE meta (name text PRIMARY KEY, value text NOT NULL);

  -- How many there are, as the sum over all that have written: each process has rows of its own, so none waits for another.
  CREATE TABLE counts (writer text NOT NULL, name text NOT NULL, n bigint NOT NULL, PRIMARY KEY (writer, name))
    WITH (fillfactor = 50);

  CREATE TABLE workers (worker text PRIMARY KEY, until timestamptz NOT NULL);
  CREATE TABLE presences (process text PRIMARY KEY, note text NOT NULL, until timestamptz NOT NULL);
  CREATE TABLE leases (
    partition int PRIMARY KEY,
    epoch bigint NOT NULL DEFAULT 0,
    worker text,
    until timestamptz NOT NULL DEFAULT '-infinity'
  ) WITH (fillfactor = 50);

  CREATE SEQUENCE input_seq;
  CREATE SEQUENCE item_id;
  CREATE SEQUENCE run_ordinal;
  CREATE SEQUENCE state_version;

  CREATE TABLE journal (
    seq bigint PRIMARY KEY,
    partition int NOT NULL,
    key text NOT NULL,
    account text NOT NULL,
    lane text NOT NULL,
    kind text NOT NULL,
    at bigint NOT NULL,
    arrived_at bigint NOT NULL,
    source text NOT NULL,
    body text NOT NULL
  );
  CREATE UNIQUE INDEX journal_key ON journal (key, account);

  -- What lanes still have to take in: an entry of the journal, or an item that was settled.
  CREATE TABLE inputs (
    partition int NOT NULL,
    seq bigint NOT NULL,
    lane text NOT NULL,
    item bigint,
    attempts int NOT NULL DEFAULT 0,
    retry_at bigint,
    -- Its account is paused: it is in nobody's way.
    aside boolean NOT NULL DEFAULT false,
    PRIMARY KEY (partition, seq)
  );
  CREATE INDEX inputs_next ON inputs (partition, seq) WHERE NOT aside;
  CREATE INDEX inputs_retry ON inputs (lane) WHERE retry_at IS NOT NULL;

  CREATE TABLE decisions (
    seq bigint PRIMARY KEY,
    state text NOT NULL,
    attempts int NOT NULL,
    decided_at bigint NOT NULL,
    decision text NOT NULL
  );

  CREATE TABLE runs (
    seq bigint NOT NULL,
    owner text NOT NULL,
    ordinal bigint NOT NULL DEFAULT nextval('run_ordinal'),
    partition int NOT NULL,
    account text NOT NULL,
    lane text NOT NULL,
    revision text NOT NULL,
    status text NOT NULL,
    waits_for text,
    version int NOT NULL,
    body text NOT NULL,
    listens int NOT NULL,
    slot text,
    queues int NOT NULL,
    PRIMARY KEY (seq, owner)
  );
  CREATE INDEX runs_ready ON runs (partition, ordinal) WHERE status = 'ready';
  CREATE INDEX runs_waiting ON runs (partition, ordinal) WHERE status = 'waiting';
  CREATE INDEX runs_listening ON runs (lane, ordinal) WHERE listens = 1;
  CREATE INDEX runs_slot ON runs (slot, ordinal) WHERE slot IS NOT NULL AND status IN ('ready', 'waiting');

  CREATE TABLE timers (
    id text PRIMARY KEY,
    run text NOT NULL,
    lane text NOT NULL,
    partition int NOT NULL,
    due_at bigint NOT NULL
  );
  CREATE INDEX timers_due ON timers (partition, due_at, id);

  CREATE TABLE rule_sources (
    revision text PRIMARY KEY,
    rule_id text NOT NULL,
    path text NOT NULL,
    text text NOT NULL,
    beside text,
    saved_at bigint NOT NULL
  );

  CREATE TABLE state (key text PRIMARY KEY, value text NOT NULL, version bigint NOT NULL, expires_at bigint);
  CREATE INDEX state_expires ON state (expires_at) WHERE expires_at IS NOT NULL;

  CREATE TABLE items (
    id bigint PRIMARY KEY,
    key text NOT NULL,
    run text NOT NULL,
    seq bigint NOT NULL,
    account text NOT NULL,
    lane text NOT NULL,
    partition int NOT NULL,
    action text NOT NULL,
    priority int NOT NULL,
    counted_at bigint,
    -- As it was settled; while it is not, open_items has it.
    status text,
    attempts int NOT NULL DEFAULT 0,
    not_before bigint NOT NULL,
    expires_at bigint,
    started_at bigint,
    settled_at bigint,
    platform_id text,
    reason text
  ) WITH (fillfactor = 85);
  CREATE UNIQUE INDEX items_key ON items (key, account);
  CREATE INDEX items_seq ON items (seq);
  CREATE INDEX items_lane ON items (lane, id);

  CREATE TABLE open_items (
    id bigint PRIMARY KEY,
    partition int NOT NULL,
    lane text NOT NULL,
    status text NOT NULL,
    priority int NOT NULL,
    attempts int NOT NULL,
    not_before bigint NOT NULL,
    expires_at bigint,
    started_at bigint,
    platform_id text,
    reason text,
    -- It is pending, and nothing that is pending or under way is before it in its lane.
    ready boolean NOT NULL
  );
  CREATE INDEX open_items_ready ON open_items (partition, priority, not_before, id) WHERE ready;
  CREATE INDEX open_items_lane ON open_items (lane, id);
  CREATE INDEX open_items_partition ON open_items (partition, id);
  CREATE INDEX open_items_expiring ON open_items (partition, expires_at)
    WHERE expires_at IS NOT NULL AND status IN ('pending', 'held');

  -- Settled without having been sent: few, and asked for.
  CREATE TABLE given_up (id bigint PRIMARY KEY, status text NOT NULL);

  CREATE TABLE coverage (
    account text NOT NULL,
    begins bigint NOT NULL,
    ends bigint NOT NULL,
    state text NOT NULL,
    reason text,
    PRIMARY KEY (account, begins)
  );

  -- The empty account is all of them.
  CREATE TABLE pauses (account text PRIMARY KEY, since bigint NOT NULL);

  -- Events of people who were forgotten: what is left of their keys, so that none comes back as new.
  CREATE TABLE forgotten (hash text PRIMARY KEY, at bigint NOT NULL);

  CREATE TABLE escalations (
    id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    key text NOT NULL UNIQUE,
    run text NOT NULL,
    seq bigint NOT NULL,
    account text NOT NULL,
    lane text NOT NULL,
    username text,
    queue text NOT NULL,
    priority text NOT NULL,
    note text,
    evidence text,
    at bigint NOT NULL,
    resolved_at bigint,
    -- A lane, or an account; NULL where nothing is silent meanwhile.
    silent_in text,
    silent_until bigint,
    until_resolved int NOT NULL,
    -- Its silence may still be looked at.
    silences boolean NOT NULL
  );
  CREATE INDEX escalations_seq ON escalations (seq);
  CREATE INDEX escalations_silences ON escalations (silent_in, id) WHERE silences;
  CREATE INDEX escalations_open ON escalations (queue, id) WHERE resolved_at IS NULL;

  -- Tables that are emptied as they are filled: what is dead in them is in everybody's way.
  ALTER TABLE inputs SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
  ALTER TABLE open_items SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
  ALTER TABLE timers SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
  ALTER TABLE leases SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
  ALTER TABLE counts SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
  `,
  `
  -- Few, and asked for with each look for what may be sent.
  CREATE INDEX open_items_unknown ON open_items (lane, id) WHERE status = 'unknown';
  `,
  `
  -- Room beside each row for what it becomes: no index is written then.
  ALTER TABLE meta SET (fillfactor = 40, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
  ALTER TABLE items SET (fillfactor = 50);
  `,
  `
  -- What stands for the text that the item answers: an equal answer to another text is no loop.
  ALTER TABLE items ADD COLUMN heard text;
  `,
  `
  -- Items that the operator dropped are counted apart from those that failed.
  INSERT INTO counts (writer, name, n)
    SELECT 'dropped before', c.name, c.n
    FROM (
      SELECT count(*) AS n FROM items WHERE status = 'failed' AND reason = 'dropped by the operator'
    ) AS d, LATERAL (VALUES ('item.dropped', d.n), ('item.failed', -d.n)) AS c (name, n)
    WHERE d.n > 0;
  `,
  `
  -- The platform's answer as JSON, where it says more than the action and the id of the created object.
  ALTER TABLE items ADD COLUMN result text;
  `,
  `
  -- Each item was in this index from its queueing until it was settled, and with each change of its status again. Only held
  -- and unknown items are polled by partition, and they are few.
  CREATE INDEX open_items_set_aside ON open_items (partition, id) WHERE status IN ('held', 'unknown');
  DROP INDEX open_items_partition;
  `,
];

/**
 * Hashes of the tables' shape at each version, as `shapeOf` returns them: first without tables, then after each step.
 *
 * Add a hash with each new step. Never change an existing hash.
 */
export const SHAPES: readonly string[] = [
  "T1PNoYwrqgwDVLtfmj7L5e0Sq02OEbqHPC8RFhICuUU",
  "z3c9gUEUgEVfDYR4sL1ZZUj_F5qmAOwvy2dHh5soPxo",
  "z3c9gUEUgEVfDYR4sL1ZZUj_F5qmAOwvy2dHh5soPxo",
  "z3c9gUEUgEVfDYR4sL1ZZUj_F5qmAOwvy2dHh5soPxo",
  "PjEg3DmdJZy1cWjwSE9ORrfy88ztEtIxLxPXFxJXB4c",
  "PjEg3DmdJZy1cWjwSE9ORrfy88ztEtIxLxPXFxJXB4c",
  "fv9KzdFYsz1BSOFCieQvL-_y23iUQ6TL5J69UTI1wFY",
  "fv9KzdFYsz1BSOFCieQvL-_y23iUQ6TL5J69UTI1wFY",
];

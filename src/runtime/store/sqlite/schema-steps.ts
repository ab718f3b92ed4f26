/**
 * Migration steps from an empty file to the current tables: step `n` leads from version `n` to `n + 1`.
 *
 * A released step is never changed. Add the next change as a new step at the end.
 */
export const STEPS: readonly string[] = [
  `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE counters (name TEXT PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID;

  CREATE TABLE journal (
    seq INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    account TEXT NOT NULL,
    lane TEXT NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    arrived_at INTEGER NOT NULL,
    source TEXT NOT NULL,
    body TEXT NOT NULL
  );
  CREATE UNIQUE INDEX journal_key ON journal (key, account);
  CREATE INDEX journal_place ON journal (seq, lane, account);

  CREATE TABLE inbox (
    seq INTEGER PRIMARY KEY,
    lane TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    retry_at INTEGER
  );
  CREATE INDEX inbox_retry ON inbox (retry_at, lane) WHERE retry_at IS NOT NULL;

  CREATE TABLE decisions (
    seq INTEGER PRIMARY KEY,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    decided_at INTEGER NOT NULL,
    decision TEXT NOT NULL,
    runs TEXT NOT NULL
  );

  CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE items (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    seq INTEGER NOT NULL,
    account TEXT NOT NULL,
    lane TEXT NOT NULL,
    action TEXT NOT NULL,
    status TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    not_before INTEGER NOT NULL,
    expires_at INTEGER,
    started_at INTEGER,
    settled_at INTEGER,
    platform_id TEXT,
    reason TEXT
  );
  CREATE UNIQUE INDEX items_key ON items (key, account);
  CREATE INDEX items_seq ON items (seq);
  CREATE INDEX items_lane ON items (lane);
  CREATE INDEX items_status ON items (status);
  CREATE INDEX items_open ON items (lane, id) WHERE settled_at IS NULL;
  CREATE INDEX items_due ON items (not_before, id) WHERE status = 'pending';
  `,
  `
  -- A run is the durable unit: it has a table of its own, and so has what it waits for and goes by.
  CREATE TABLE runs (
    ordinal INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    owner TEXT NOT NULL,
    account TEXT NOT NULL,
    lane TEXT NOT NULL,
    revision TEXT NOT NULL,
    status TEXT NOT NULL,
    waits_for TEXT,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (seq, owner)
  ) WITHOUT ROWID;

  CREATE TABLE timers (
    id TEXT PRIMARY KEY,
    run TEXT NOT NULL,
    lane TEXT NOT NULL,
    due_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX timers_due ON timers (due_at);

  CREATE TABLE coverage (
    account TEXT NOT NULL,
    begins INTEGER NOT NULL,
    ends INTEGER NOT NULL,
    state TEXT NOT NULL,
    reason TEXT,
    PRIMARY KEY (account, begins)
  ) WITHOUT ROWID;

  CREATE TABLE rule_sources (
    revision TEXT PRIMARY KEY,
    rule_id TEXT NOT NULL,
    path TEXT NOT NULL,
    text TEXT NOT NULL,
    saved_at INTEGER NOT NULL
  ) WITHOUT ROWID;

  -- Which lane comes next is held in memory: what is left is to list what was given up.
  DROP INDEX items_open;
  DROP INDEX items_due;
  DROP INDEX items_status;
  CREATE INDEX items_given_up ON items (status, id) WHERE status IN ('failed', 'expired');

  -- What is not over: each input, each item that is not settled, each open run. An answer changes all
  -- of them, several times, so they are in one table: when little is open, that is one page.
  CREATE TABLE work (
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    lane TEXT,
    attempts INTEGER,
    retry_at INTEGER,
    item INTEGER,
    run TEXT,
    PRIMARY KEY (kind, id)
  ) WITHOUT ROWID;

  -- Written with every entry, for listings that few people ask for.
  DROP INDEX journal_place;

  -- A settled item is an input of its lane, not an entry of the journal.
  INSERT INTO work (kind, id, lane, attempts, retry_at)
    SELECT 'input', seq, lane, attempts, retry_at FROM inbox
    WHERE seq NOT IN (SELECT seq FROM journal WHERE source = 'internal');
  DROP TABLE inbox;
  INSERT INTO work (kind, id) SELECT 'item', id FROM items WHERE settled_at IS NULL;
  DELETE FROM decisions WHERE seq IN (SELECT seq FROM journal WHERE source = 'internal');
  DELETE FROM journal WHERE source = 'internal';
  -- What is told by few rows is counted when the file is opened.
  DELETE FROM counters WHERE name = 'inbox' OR name LIKE 'item.%';
  INSERT INTO counters (name, n) SELECT 'items', count(*) FROM items;
  UPDATE counters SET n = (SELECT count(*) FROM journal) WHERE name = 'journal';
  UPDATE decisions SET state = 'dead-lettered' WHERE state = 'parked';

  INSERT INTO runs (ordinal, seq, owner, account, lane, revision, status, version, body)
    SELECT row_number() OVER (ORDER BY d.seq, r.key), d.seq, r.value ->> 'owner', j.account, j.lane, r.value ->> 'revision', r.value ->> 'status', 1, r.value ->> 'steps'
    FROM decisions AS d JOIN journal AS j ON j.seq = d.seq, json_each(d.runs) AS r;
  INSERT INTO counters (name, n) SELECT 'run', count(*) FROM runs WHERE true
    ON CONFLICT (name) DO UPDATE SET n = excluded.n;
  INSERT INTO work (kind, id, run) SELECT 'run', ordinal, seq || '/' || owner FROM runs
    WHERE status IN ('ready', 'waiting');
  ALTER TABLE decisions DROP COLUMN runs;

  ALTER TABLE items ADD COLUMN run TEXT NOT NULL DEFAULT '';
  ALTER TABLE items ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;

  INSERT INTO counters (name, n) VALUES ('state', 1);
  ALTER TABLE state ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE state ADD COLUMN expires_at INTEGER;
  UPDATE state SET expires_at = value ->> 'expiresAt', value = value -> 'value'
    WHERE json_valid(value) AND json_type(value) = 'object' AND value ->> 'expiresAt' IS NOT NULL;
  CREATE INDEX state_expires ON state (expires_at) WHERE expires_at IS NOT NULL;
  `,
  `
  -- When what an answer answers happened; NULL where the answer counts against no limit.
  ALTER TABLE items ADD COLUMN counted_at INTEGER;

  -- The empty account is all of them.
  CREATE TABLE pauses (account TEXT PRIMARY KEY, since INTEGER NOT NULL) WITHOUT ROWID;
  -- Events of people who were forgotten: what is left of their keys, so that none comes back as new.
  CREATE TABLE forgotten (hash TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;

  -- Runs that take events of their lane: only they are in the index, so no other run costs a write for it.
  ALTER TABLE runs ADD COLUMN listens INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX runs_listening ON runs (lane, ordinal) WHERE listens = 1;
  `,
  `
  -- Lists and whatever else a rule was compiled from besides its file; NULL where that is nothing.
  ALTER TABLE rule_sources ADD COLUMN beside TEXT;
  `,
  `
  -- What only so many runs may hold at once: only those are in the index that hold something.
  ALTER TABLE runs ADD COLUMN slot TEXT;
  ALTER TABLE runs ADD COLUMN queues INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX runs_slot ON runs (slot, ordinal) WHERE slot IS NOT NULL AND status IN ('ready', 'waiting');
  `,
  `
  -- What people are asked to take over. An id is told to people, so none is used twice.
  CREATE TABLE escalations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    run TEXT NOT NULL,
    seq INTEGER NOT NULL,
    account TEXT NOT NULL,
    lane TEXT NOT NULL,
    username TEXT,
    queue TEXT NOT NULL,
    priority TEXT NOT NULL,
    note TEXT,
    evidence TEXT,
    at INTEGER NOT NULL,
    resolved_at INTEGER,
    -- A lane, or an account; NULL where nothing is silent meanwhile.
    silent_in TEXT,
    silent_until INTEGER,
    until_resolved INTEGER NOT NULL
  );
  CREATE INDEX escalations_seq ON escalations (seq);
  CREATE INDEX escalations_open ON escalations (queue, id) WHERE resolved_at IS NULL;
  `,
  `
  -- Few, and asked for at each start: without it all that wait would be looked through for them.
  CREATE INDEX runs_ready ON runs (ordinal) WHERE status = 'ready';
  `,
  `
  -- What stands for the text that the item answers: an equal answer to another text is no loop.
  ALTER TABLE items ADD COLUMN heard TEXT;
  `,
  `
  -- The platform's answer as JSON, where it says more than the action and the id of the created object.
  ALTER TABLE items ADD COLUMN result TEXT;
  `,
];

/**
 * Hashes of the tables' shape at each version, as `shapeOf` returns them: first without tables, then after each step.
 *
 * Add a hash with each new step. Never change an existing hash.
 */
export const SHAPES: readonly string[] = [
  "T1PNoYwrqgwDVLtfmj7L5e0Sq02OEbqHPC8RFhICuUU",
  "EwZUU1BwtfIRq-oqFhIKi29Xyi0WYMA_V23769hVtvk",
  "NKHhxY0Yl4r4nwFsEhqqJNaoswot0LM6sxYdhgH02CU",
  "bir8-Z1o2cx7CQv7wglt9u53eMly-EwZx_KthpZcLrc",
  "WRQil_nkaVKvbRUMx5y-23sjRS2IwKP95MrEiPYskSA",
  "vwiv0SvY8upkJsmkDV09MKpxgAqxTXw0GJqpy172KtM",
  "XhiLnzt46FX9wqbNU3PXSSl4p5Y45IYi37fln4bkAtE",
  "mfZtF6TxZwmvzGfY78ZULbHKbLevEyl841HTABkPho8",
  "jJZ53cGUtU6ix8na4GA2Gyw7MLZlXCi3x3-LTJk9IvM",
  "mHPW359fAMMWEls8Deb3IvLiVVm4x9PAIby-_CasK54",
];

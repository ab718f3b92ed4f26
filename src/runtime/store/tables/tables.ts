import type { Action } from "../../../actions/actions.ts";
import type { Json } from "../../../protocol/json.ts";
import type { CoverageState } from "../coverage.ts";
import type { EntrySource } from "../entry.ts";
import type { EscalationPriority } from "../escalation.ts";
import type { ItemStatus } from "../item.ts";
import type { RunStatus } from "../run.ts";
import {
  bigint,
  boolean,
  changing,
  flag,
  int,
  internal,
  json,
  nonzero,
  optional,
  table,
  text,
} from "./columns.ts";

// A column is described here and nowhere else. Beside it, a new column takes a schema step of each engine, and a field
// of the record that it is written from.

/** Own column of PostgreSQL: the partition of the lane. */
const placed = { partition: int };

/** Named values: the store's own, and those of the runtime. */
export const META = table("meta", { name: text(), value: text() }, { key: ["name"] });

/** Entries: everything that came in. */
export const JOURNAL = table(
  "journal",
  {
    seq: bigint,
    key: text(),
    account: text(),
    lane: text(),
    kind: text(),
    at: bigint,
    arrived_at: bigint,
    source: text<EntrySource>(),
    body: text(),
  },
  { key: ["seq"], own: placed },
);

/** Entries and settled items that lanes still have to take in. SQLite has them in its table `work`. */
export const INPUTS = table(
  "inputs",
  {
    seq: bigint,
    lane: text(),
    item: optional(bigint),
    attempts: changing(int),
    retry_at: changing(optional(bigint)),
  },
  { key: ["seq"], own: { ...placed, aside: boolean } },
);

/** Decisions on entries. */
export const DECISIONS = table(
  "decisions",
  {
    seq: bigint,
    state: changing(text<"open" | "done" | "dead-lettered">()),
    attempts: changing(int),
    decided_at: changing(bigint),
    decision: changing(text()),
  },
  { key: ["seq"] },
);

/** Runs of rules and bots. */
export const RUNS = table(
  "runs",
  {
    ordinal: bigint,
    seq: bigint,
    owner: text(),
    account: text(),
    lane: text(),
    revision: text(),
    status: changing(text<RunStatus>()),
    waits_for: changing(optional(text())),
    version: changing(int),
    body: changing(text()),
    listens: changing(flag),
    slot: optional(text()),
    queues: changing(flag),
  },
  { key: ["seq", "owner"], own: placed },
);

/** Times that runs wait for. */
export const TIMERS = table(
  "timers",
  { id: text(), run: text(), lane: text(), due_at: changing(bigint) },
  { key: ["id"], own: placed },
);

/** Texts of the rules that open runs use. */
export const RULE_SOURCES = table(
  "rule_sources",
  {
    revision: text(),
    rule_id: text(),
    path: text(),
    text: text(),
    beside: optional(text()),
    saved_at: changing(bigint),
  },
  { key: ["revision"] },
);

/** User state. */
export const STATE = table(
  "state",
  {
    key: text(),
    value: changing(text()),
    version: changing(bigint),
    expires_at: changing(optional(bigint)),
  },
  { key: ["key"] },
);

/** Actions that go out, or went. */
export const ITEMS = table(
  "items",
  {
    id: bigint,
    key: text(),
    run: text(),
    seq: bigint,
    account: text(),
    lane: text(),
    action: json<Action>(),
    priority: nonzero,
    counted_at: internal(optional(bigint)),
    heard: internal(optional(text())),
    status: changing(text<ItemStatus>()),
    attempts: changing(int),
    not_before: changing(bigint),
    expires_at: changing(optional(bigint)),
    started_at: changing(optional(bigint)),
    settled_at: changing(optional(bigint)),
    platform_id: changing(optional(text())),
    reason: changing(optional(text())),
  },
  // While the item is open, `open_items` has its status.
  { key: ["id"], own: { ...placed, status: changing(optional(text<ItemStatus>())) } },
);

const { settled_at: settledAt, ...openState } = ITEMS.changing.columns;

/** State of items that are not settled. Only PostgreSQL has this table: the rows of `items` are long. */
export const OPEN_ITEMS = table(
  "open_items",
  { id: bigint, partition: int, lane: text(), priority: int, ...openState },
  { key: ["id"], own: { ready: boolean } },
);

/** Stretches of time that are covered, by account. */
export const COVERAGE = table(
  "coverage",
  {
    account: text(),
    begins: bigint,
    ends: bigint,
    state: text<CoverageState>(),
    reason: optional(text()),
  },
  { key: ["account", "begins"] },
);

/** Paused accounts; the empty one stands for all. */
export const PAUSES = table("pauses", { account: text(), since: bigint }, { key: ["account"] });

/** Hashes of the events of forgotten people. */
export const FORGOTTEN = table("forgotten", { hash: text(), at: bigint }, { key: ["hash"] });

/** Requests that a person takes over, and the silences that they begin. */
export const ESCALATIONS = table(
  "escalations",
  {
    id: bigint,
    key: text(),
    run: text(),
    seq: bigint,
    account: text(),
    lane: text(),
    username: optional(text()),
    queue: text(),
    priority: text<EscalationPriority>(),
    note: optional(text()),
    evidence: optional(json<Json>()),
    at: bigint,
    resolved_at: changing(optional(bigint)),
    silent_in: optional(text()),
    silent_until: optional(bigint),
    until_resolved: flag,
  },
  { key: ["id"], own: { silences: boolean } },
);

/** Tables that a copy of the store has, in the order in which they are copied. */
export const COPIED_TABLES = [
  META,
  JOURNAL,
  INPUTS,
  DECISIONS,
  RUNS,
  TIMERS,
  RULE_SOURCES,
  STATE,
  ITEMS,
  COVERAGE,
  PAUSES,
  FORGOTTEN,
  ESCALATIONS,
] as const;

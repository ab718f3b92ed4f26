import type { ActionResult } from "../../../actions/action-result.ts";
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

// Columns are described only here. A new column also needs a schema step for SQLite and for PostgreSQL, and a field in
// the record from which it is written.

/** Column that only PostgreSQL has: the partition of the lane. */
const placed = { partition: int };

/** Named values of the store itself and of the runtime, such as the store's id. */
export const META = table("meta", { name: text(), value: text() }, { key: ["name"] });

/** Entries: all events that arrived. */
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

/** Unprocessed inputs: entries and settled items. SQLite has them in its table `work`. */
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

/** Timers for which runs wait. */
export const TIMERS = table(
  "timers",
  { id: text(), run: text(), lane: text(), due_at: changing(bigint) },
  { key: ["id"], own: placed },
);

/** Source texts of rules that open runs execute. */
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

/** User state: values that rules and bots remember. */
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

/** Items of the outbox: actions that are to be sent, or were sent. */
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
    result: changing(optional(json<ActionResult>())),
  },
  // Open items have no status here: their status is in `open_items`.
  { key: ["id"], own: { ...placed, status: changing(optional(text<ItemStatus>())) } },
);

const { settled_at: settledAt, result, ...openState } = ITEMS.changing.columns;

/** Status data of unsettled items. Only PostgreSQL has this table, because the rows of `items` are long. */
export const OPEN_ITEMS = table(
  "open_items",
  { id: bigint, partition: int, lane: text(), priority: int, ...openState },
  { key: ["id"], own: { ready: boolean } },
);

/** Periods of each account's time with their coverage state. */
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

/** Paused accounts. An empty name means all accounts. */
export const PAUSES = table("pauses", { account: text(), since: bigint }, { key: ["account"] });

/** Hashes of the events of forgotten people. */
export const FORGOTTEN = table("forgotten", { hash: text(), at: bigint }, { key: ["hash"] });

/** Escalations, with the silences that they cause. */
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

/** Tables that are copied with a store, in the order of copying. */
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

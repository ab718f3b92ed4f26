import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { Afterwards } from "../in-memory/afterwards.ts";
import type { Database } from "./binding.ts";
import type { Operations, StoreThreadOptions } from "./calls.ts";
import { Counters } from "./counters.ts";
import { CoverageTable } from "./coverage.ts";
import { Durability } from "./durability.ts";
import { Checkpoints } from "./file/checkpoints.ts";
import type { StoreMigration } from "../written-by.ts";
import { type OpenedFile, PAGE_BYTES } from "./file/open-file.ts";
import { Restored } from "./file/restored.ts";
import { Escalations } from "./escalations.ts";
import { Forget } from "./forget/forget.ts";
import { ForgottenKeys } from "./forget/forgotten-keys.ts";
import { Inbox } from "./inbox.ts";
import { JournalTable } from "./journal.ts";
import { Leases } from "./leases.ts";
import { AnswerCounts } from "../in-memory/answer-counts.ts";
import { ListeningRuns } from "./waiting/listening-runs.ts";
import { OpenItems } from "./waiting/open-items.ts";
import { Pauses } from "./waiting/pauses.ts";
import { machinePort } from "./machine-port.ts";
import { OutboxTable } from "./outbox.ts";
import { Runs } from "./runs.ts";
import { State } from "./state.ts";
import { Transitions } from "./transitions.ts";
import { WaitingInputs } from "./waiting/waiting-inputs.ts";

/** SQLite engine of an open file: its operations, and the data in memory that changes with its transactions. */
export interface Engine {
  readonly operations: Operations;
  readonly counters: Counters;
  readonly afterwards: Afterwards;
  readonly durability: Durability;
  readonly checkpoints: Checkpoints;
  /** Store id, which never changes. */
  readonly id: string;
  /** Migration of the tables; undefined if the file was new or already had the current version. */
  readonly migrated: StoreMigration | undefined;
  readonly partitions: number;
}

/** Creates the SQLite engine of a file that this thread has opened. */
export function openEngine(
  { db, migrated }: OpenedFile,
  { path, maxBytes }: Pick<StoreThreadOptions, "path" | "maxBytes">,
): Engine {
  const checkpoints = new Checkpoints(db, path, PAGE_BYTES);
  if (maxBytes !== undefined) limitSize(db, maxBytes);
  const tables = tablesOf(db);
  const { counters, afterwards, id } = tables;
  const operations = operationsOf(tables, path, checkpoints);
  // Frees memory of the page cache that only opening the file needed.
  db.exec("PRAGMA shrink_memory");
  const durability = new Durability(db, checkpoints);
  const held = { operations, counters, afterwards, durability, checkpoints, migrated };
  return { ...held, partitions: PARTITIONS, id };
}

/** Creates the objects that read and write the tables, each with the objects of other tables that it needs. */
function tablesOf(db: Database) {
  const counters = new Counters(db);
  const state = new State(db, counters);
  const leases = new Leases(PARTITIONS, counters, () => performance.now());
  const afterwards = new Afterwards();
  const listening = new ListeningRuns(db, afterwards);
  const runs = new Runs(db, { counters, leases, listening });
  const pauses = new Pauses(db, afterwards, () => waiting.pausesChanged());
  const waiting = new WaitingInputs(db, pauses);
  const open = new OpenItems(db);
  const escalations = new Escalations(db, afterwards);
  const id = idOf(state);
  const forgotten = new ForgottenKeys(db, afterwards, id);
  const beside = { counters, leases, runs, waiting, afterwards };
  const inbox = new Inbox(db, { ...beside, pauses, escalations, forgotten });
  const restored = new Restored(db, { counters, state, open, afterwards });
  const outbox = new OutboxTable(db, { counters, leases, open, pauses, afterwards });
  const limits = new AnswerCounts(outbox, state, afterwards);
  const decided = { inbox, outbox, runs, state, escalations };
  const machine = machinePort(db, { ...decided, limits, restored });
  const transitions = new Transitions({ leases, outbox, machine });
  const journal = new JournalTable(db, { counters, leases, runs, waiting, escalations });
  const withEntries = { ...beside, journal, forgotten };
  const forget = new Forget(db, { ...withEntries, ...decided, open, machine, limits });
  const coverage = new CoverageTable(db);
  return { ...decided, ...withEntries, pauses, restored, transitions, forget, coverage, id };
}

/** Maps each call to the table that implements it. */
function operationsOf(
  { inbox, outbox, runs, state, escalations, leases, ...tables }: ReturnType<typeof tablesOf>,
  path: string,
  checkpoints: Checkpoints,
): Operations {
  const { counters, journal, pauses, coverage, forgotten, transitions, ...others } = tables;
  return {
    ...pick(inbox, "append", "fetch", "partitionLag"),
    ...pick(leases, "lease", "release"),
    ...pick(transitions, "commit", "changeItems"),
    ...pick(runs, "openRuns", "listeners", "runsOf", "slots", "ruleSource"),
    ...pick(escalations, "silences", "escalations", "resolveEscalation"),
    ...pick(outbox, "dueItems", "overdueItems", "openItems", "items"),
    ...pick(journal, "journal", "stats"),
    ...pick(forgotten, "isForgotten"),
    ...pick(pauses, "pauses", "setPause"),
    ...pick(coverage, "coverage", "coverageGaps", "cover"),
    ...pick(state, "load", "getMeta", "metas", "setMeta", "changeMetas"),
    ...pick(others.forget, "forget"),
    ...pick(others.restored, "startRestored"),
    prune: (step) => {
      if (step.after === 0) {
        coverage.prune(step.before);
        forgotten.prune(step.before);
      }
      const slice = journal.prune(step);
      if (slice.next === undefined) escalations.prune(step.now);
      return slice;
    },
    hold: () => {
      checkpoints.hold();
      const [entries, items] = [counters.get("journal"), counters.get("items")];
      return { path, bytes: statSync(path).size, entries, items };
    },
    letGo: () => checkpoints.release(),
  };
}

function pick<From extends object, Name extends keyof From & string>(
  from: From,
  ...names: readonly Name[]
): Pick<From, Name> {
  // The type of `Object.fromEntries` lacks the names. The entries are exactly those of `names`.
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<From, Name>;
}

/** Name of the value in `meta` with the store's id. */
const ID = "store-id";

function idOf(state: State): string {
  const id = state.getMeta(ID);
  if (id !== undefined) return id;
  const newId = randomUUID();
  state.setMeta(ID, newId);
  return newId;
}

function limitSize(db: Database, maxBytes: number): void {
  const size = db.prepare<{ page_size: number }>("PRAGMA page_size").get()?.page_size ?? 4096;
  db.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxBytes / size))}`);
}

/** Number of partitions. A few are enough, because one process holds all of them. Only shared stores need more. */
const PARTITIONS = 16;

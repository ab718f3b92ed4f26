import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { StoreError } from "../errors.ts";
import { Afterwards } from "../in-mind/afterwards.ts";
import type { Database } from "./binding.ts";
import type { Operations, StoreThreadOptions } from "./calls.ts";
import { Counters } from "./counters.ts";
import { CoverageTable } from "./coverage.ts";
import { Durability, syncEachCommit } from "./durability.ts";
import { Checkpoints } from "./file/checkpoints.ts";
import { copyBeforeMigration, type Migrated } from "./file/migration-copy.ts";
import { checkSoundness } from "./file/soundness.ts";
import { Restored } from "./file/restored.ts";
import { Escalations } from "./escalations.ts";
import { Forget } from "./forget/forget.ts";
import { ForgottenKeys } from "./forget/forgotten-keys.ts";
import { Inbox } from "./inbox.ts";
import { JournalTable } from "./journal.ts";
import { answersIn } from "./answers.ts";
import { Leases } from "./leases.ts";
import { AnswerCounts } from "../in-mind/answer-counts.ts";
import { ListeningRuns } from "./waiting/listening-runs.ts";
import { OpenItems } from "./waiting/open-items.ts";
import { Slots } from "./waiting/slots.ts";
import { Pauses } from "./waiting/pauses.ts";
import { OutboxTable } from "./outbox.ts";
import { Runs } from "./runs.ts";
import { isOlder, migrate, SCHEMA_VERSION, versionOf } from "./schema.ts";
import { State } from "./state.ts";
import { Transitions } from "./transitions.ts";
import { WaitingInputs } from "./waiting/waiting-inputs.ts";

/** The open file: what it can do, and what memory holds of it, which goes with each transaction. */
export interface Engine {
  readonly operations: Operations;
  readonly counters: Counters;
  readonly afterwards: Afterwards;
  readonly durability: Durability;
  readonly checkpoints: Checkpoints;
  /** Which store it is, the same for as long as it lives. */
  readonly id: string;
  /** Absent: the file had today's tables already, or was new. */
  readonly migrated: Migrated | undefined;
  /** Rows that were ever written: the same before and after a transaction that changed nothing. */
  readonly changes: () => number;
  readonly partitions: number;
}

/**
 * Takes the file for this process and readies its tables.
 *
 * @throws {StoreError} when a newer version wrote it, or it is damaged.
 */
export function openEngine(
  db: Database,
  { path, maxBytes, readOnly = false }: StoreThreadOptions,
): Engine {
  for (const pragma of [
    `page_size = ${PAGE_BYTES}`,
    // Before the first access to the WAL: then the lock is held for good and no -shm file is made.
    "locking_mode = EXCLUSIVE",
    "journal_mode = WAL",
    "busy_timeout = 0",
    `cache_size = -${CACHE_KIB}`,
    // What is deleted is overwritten: a person's words that are to be forgotten must not stay in the file.
    "secure_delete = ON",
  ]) {
    db.exec(`PRAGMA ${pragma}`);
  }
  syncEachCommit(db);
  const checkpoints = new Checkpoints(db, path, PAGE_BYTES);
  const version = versionOf(db);
  checkSoundness(db, path);
  if (readOnly) onlyToBeRead(db, version);
  const copy = isOlder(version) ? copyBeforeMigration(db, path, version) : undefined;
  if (!readOnly) migrate(db);
  const migrated = copy === undefined ? undefined : { from: version, to: SCHEMA_VERSION, copy };
  if (maxBytes !== undefined) limitSize(db, maxBytes);

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
  const limits = new AnswerCounts(answersIn(db), state, afterwards);
  const restored = new Restored(db, { counters, state, open, afterwards });
  const withTables = { counters, leases, inbox, runs, state };
  const inMind = { open, limits, pauses, restored, afterwards };
  const outbox = new OutboxTable(db, { ...withTables, ...inMind });
  const slots = new Slots(db, leases);
  const kept = { leases, inbox, outbox, runs, state, slots, escalations };
  const transitions = new Transitions(db, kept);
  const journal = new JournalTable(db, { counters, leases, runs, waiting, escalations });
  const forget = new Forget(db, { ...beside, journal, forgotten, open, slots, escalations });
  const coverage = new CoverageTable(db);
  const operations: Operations = {
    append: inbox.append,
    fetch: inbox.fetch,
    lease: leases.lease,
    release: leases.release,
    partitionLag: inbox.partitionLag,
    commit: transitions.commit,
    openRuns: runs.openRuns,
    listeners: runs.listeners,
    slots: slots.slots,
    runsOf: runs.runsOf,
    silences: escalations.silences,
    escalations: escalations.escalations,
    resolveEscalation: escalations.resolveEscalation,
    ruleSource: runs.ruleSource,
    changeItems: outbox.changeItems,
    dueItems: outbox.dueItems,
    overdueItems: outbox.overdueItems,
    openItems: outbox.openItems,
    items: outbox.items,
    journal: journal.journal,
    pauses: pauses.pauses,
    setPause: pauses.setPause,
    coverage: coverage.coverage,
    coverageGaps: coverage.coverageGaps,
    cover: coverage.cover,
    prune: (step) => {
      if (step.after === 0) {
        coverage.prune(step.before);
        forgotten.prune(step.before);
        escalations.prune(step.now);
      }
      return journal.prune(step);
    },
    forget: forget.forget,
    takeUp: restored.takeUp,
    hold: () => {
      checkpoints.hold();
      const [entries, items] = [counters.get("journal"), counters.get("items")];
      return { path, bytes: statSync(path).size, entries, items };
    },
    letGo: () => checkpoints.release(),
    stats: journal.stats,
    load: state.load,
    getMeta: state.getMeta,
    metas: state.metas,
    setMeta: state.setMeta,
    changeMetas: state.changeMetas,
  };
  // What was read once to open the file would stay in memory for nothing.
  db.exec("PRAGMA shrink_memory");
  const durability = new Durability(db, checkpoints);
  const changed = db.prepare<{ n: number }>("SELECT total_changes() AS n");
  const changes = (): number => changed.get()?.n ?? 0;
  const held = { operations, counters, afterwards, durability, checkpoints, migrated };
  return { ...held, changes, partitions: PARTITIONS, id };
}

/**
 * From here on a write is an error.
 *
 * @throws {StoreError} `store-schema` for the tables of another version.
 */
function onlyToBeRead(db: Database, version: number): void {
  if (version !== SCHEMA_VERSION) {
    throw new StoreError(
      "store-schema",
      `the store has schema version ${version}, and is to be brought up to ${SCHEMA_VERSION} before it can be read`,
      { hint: "start the bot once: answerback run, or answerback dev" },
    );
  }
  db.exec("PRAGMA query_only = ON");
}

/** Under this name the store keeps which one it is. */
const ID = "store-id";

function idOf(state: State): string {
  const known = state.getMeta(ID);
  if (known !== undefined) return known;
  const made = randomUUID();
  state.setMeta(ID, made);
  return made;
}

function limitSize(db: Database, maxBytes: number): void {
  const size = db.prepare<{ page_size: number }>("PRAGMA page_size").get()?.page_size ?? 4096;
  db.exec(`PRAGMA max_page_count = ${Math.max(1, Math.floor(maxBytes / size))}`);
}

/** One process holds them all, so few are enough; part of the contract with a shared store. */
const PARTITIONS = 16;
const CACHE_KIB = 65_536;
/**
 * Small, since a change of a few bytes is written as a page: an answer touches some twenty. A body that
 * fills more than one goes on in pages of its own, and costs no more for it.
 */
export const PAGE_BYTES = 2_048;

import { Afterwards } from "./afterwards.ts";
import type { Database } from "./binding.ts";
import type { Operations } from "./calls.ts";
import { Counters } from "./counters.ts";
import { CoverageTable } from "./coverage.ts";
import { Durability } from "./durability.ts";
import { Inbox } from "./inbox.ts";
import { JournalTable } from "./journal.ts";
import { Leases } from "./leases.ts";
import { AnswerCounts } from "./waiting/answer-counts.ts";
import { OpenItems } from "./waiting/open-items.ts";
import { Pauses } from "./waiting/pauses.ts";
import { OutboxTable } from "./outbox.ts";
import { Runs } from "./runs.ts";
import { migrate } from "./schema.ts";
import { State } from "./state.ts";
import { Transitions } from "./transitions.ts";
import { WaitingInputs } from "./waiting/waiting-inputs.ts";

/** The open file: what it can do, and what memory holds of it, which goes with each transaction. */
export interface Engine {
  readonly operations: Operations;
  readonly counters: Counters;
  readonly afterwards: Afterwards;
  readonly durability: Durability;
  /** Rows that were ever written: the same before and after a transaction that changed nothing. */
  readonly changes: () => number;
  readonly partitions: number;
}

/** Takes the file for this process and readies its tables. */
export function openEngine(db: Database, maxBytes: number | undefined): Engine {
  for (const pragma of [
    `page_size = ${PAGE_BYTES}`,
    // Before the first access to the WAL: then the lock is held for good and no -shm file is made.
    "locking_mode = EXCLUSIVE",
    "journal_mode = WAL",
    "synchronous = FULL",
    "busy_timeout = 0",
    `cache_size = -${CACHE_KIB}`,
    `wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
    `journal_size_limit = ${WAL_BYTES}`,
  ]) {
    db.exec(`PRAGMA ${pragma}`);
  }
  migrate(db);
  if (maxBytes !== undefined) limitSize(db, maxBytes);

  const counters = new Counters(db);
  const state = new State(db, counters);
  const leases = new Leases(PARTITIONS, counters, () => performance.now());
  const runs = new Runs(db, counters, leases);
  const afterwards = new Afterwards();
  const pauses = new Pauses(db, afterwards, () => waiting.pausesChanged());
  const waiting = new WaitingInputs(db, pauses);
  const open = new OpenItems(db);
  const inbox = new Inbox(db, { counters, leases, runs, waiting, pauses, afterwards });
  const limits = new AnswerCounts(db, state, afterwards);
  const parts = { counters, leases, inbox, runs, open, limits, pauses, afterwards };
  const outbox = new OutboxTable(db, parts);
  const transitions = new Transitions(db, { leases, inbox, outbox, runs, state });
  const journal = new JournalTable(db, { counters, leases, runs, waiting });
  const coverage = new CoverageTable(db);
  const operations: Operations = {
    append: inbox.append,
    fetch: inbox.fetch,
    lease: leases.lease,
    release: leases.release,
    commit: transitions.commit,
    openRuns: runs.openRuns,
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
    cover: coverage.cover,
    prune: (step) => {
      if (step.after === 0) coverage.prune(step.before);
      return journal.prune(step);
    },
    stats: journal.stats,
    load: state.load,
    getMeta: state.getMeta,
    setMeta: state.setMeta,
  };
  const durability = new Durability(db);
  const changed = db.prepare<{ n: number }>("SELECT total_changes() AS n");
  const changes = (): number => changed.get()?.n ?? 0;
  return { operations, counters, afterwards, durability, changes, partitions: PARTITIONS };
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
const PAGE_BYTES = 2_048;
const CHECKPOINT_PAGES = 8_192;
const WAL_BYTES = 64 * 1024 * 1024;

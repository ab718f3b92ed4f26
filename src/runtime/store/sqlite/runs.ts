import {
  type NewTimer,
  type OpenRun,
  type RuleSource,
  isOpenRun,
  type RunAndEntry,
  runId,
  runIdParts,
  type RunWrite,
  type StoredRun,
} from "../run.ts";
import type { ListedRun } from "../listings.ts";
import type { Database } from "./binding.ts";
import type { Operations } from "./calls.ts";
import type { Counters } from "./counters.ts";
import type { Leases } from "./leases.ts";
import type { ListeningRuns } from "./waiting/listening-runs.ts";
import { assigned, listed, recordOf, type RowOf, rowOf } from "../tables/columns.ts";
import { type EntryRow, type RunRow, runRow, toEntry, toRun } from "../tables/rows.ts";
import { JOURNAL, RULE_SOURCES, RUNS, TIMERS } from "../tables/tables.ts";
import { rowInsert, rowUpdate } from "./row-writes.ts";

/** Dependencies of {@link Runs}. */
interface RunParts {
  readonly counters: Counters;
  readonly leases: Leases;
  readonly listening: ListeningRuns;
}

/** SQL condition that joins the run `r` to the row `w` of open work by the two parts of its id. */
export const RUN_OF_WORK =
  "r.seq = CAST(w.run AS INTEGER) AND r.owner = substr(w.run, instr(w.run, '/') + 1)";

/** Stored run with its ordinal, which is also the id of the run's row in the table `work`. */
export interface KnownRun extends StoredRun {
  readonly ordinal: number;
}

/** Stores runs, their timers and the rule sources that they execute. */
export class Runs {
  readonly #parts: RunParts;
  readonly #byId;
  readonly #inSlot;
  readonly #listeners;
  readonly #begin;
  readonly #end;
  readonly #version;
  readonly #ofEntry;
  readonly #open;
  readonly #ready;
  readonly #entry;
  readonly #insert;
  readonly #update;
  readonly #setTimer;
  readonly #timer;
  readonly #moveTimer;
  readonly #dropTimer;
  readonly #dueTimers;
  readonly #saveSource;
  readonly #source;

  constructor(db: Database, parts: RunParts) {
    this.#parts = parts;
    this.#listeners = db.prepare<RunRow>(
      `SELECT ${listed(RUNS)} FROM runs WHERE lane = ? AND listens = 1 ORDER BY ordinal DESC`,
    );
    this.#byId = db.prepare<RunRow>(`SELECT ${listed(RUNS)} FROM runs WHERE seq = ? AND owner = ?`);
    this.#inSlot = db.prepare<RunRow>(
      `SELECT ${listed(RUNS)} FROM runs
       WHERE slot = ? AND slot IS NOT NULL AND status IN ('ready', 'waiting') ORDER BY ordinal`,
    );
    this.#begin = db.prepare("INSERT INTO work (kind, id, run) VALUES ('run', ?, ?)");
    this.#end = db.prepare("DELETE FROM work WHERE kind = 'run' AND id = ?");
    this.#version = db.prepare<{ version: number }>(
      "SELECT version FROM runs WHERE seq = ? AND owner = ?",
    );
    this.#ofEntry = db.prepare<RunRow>(
      `SELECT ${listed(RUNS)} FROM runs WHERE seq = ? ORDER BY ordinal`,
    );
    this.#open = db.prepare<RunRow>(
      `SELECT r.* FROM work AS w CROSS JOIN runs AS r ON ${RUN_OF_WORK}
       WHERE w.kind = 'run' AND r.status = ? AND r.owner = coalesce(?, r.owner)
         AND substr(r.owner || '#', 1, length(?)) = ?
         AND w.id > ? ORDER BY w.id LIMIT ?`,
    );
    this.#ready = db.prepare<RunRow>(
      `SELECT ${listed(RUNS)} FROM runs INDEXED BY runs_ready
       WHERE status = 'ready' AND owner = coalesce(?, owner)
         AND substr(owner || '#', 1, length(?)) = ?
         AND ordinal > ? ORDER BY ordinal LIMIT ?`,
    );
    this.#entry = db.prepare<EntryRow>(`SELECT ${listed(JOURNAL)} FROM journal WHERE seq = ?`);
    this.#insert = rowInsert(db, RUNS);
    this.#update = rowUpdate(db, RUNS.updated);
    this.#setTimer = rowInsert(db, TIMERS, "ON CONFLICT (id) DO NOTHING");
    this.#timer = db.prepare<{ due_at: number }>("SELECT due_at FROM timers WHERE id = ?");
    this.#moveTimer = db.prepare("UPDATE timers SET due_at = ? WHERE id = ?");
    this.#dropTimer = db.prepare("DELETE FROM timers WHERE id = ?");
    this.#dueTimers = db.prepare<RowOf<typeof TIMERS>>(
      `SELECT ${listed(TIMERS)} FROM timers WHERE (due_at, id) > (?, ?) AND due_at <= ?
       ORDER BY due_at, id LIMIT ?`,
    );
    this.#saveSource = rowInsert(
      db,
      RULE_SOURCES,
      `ON CONFLICT (revision) DO UPDATE SET ${assigned(RULE_SOURCES.changing)}`,
    );
    this.#source = db.prepare<RowOf<typeof RULE_SOURCES>>(
      `SELECT ${listed(RULE_SOURCES)} FROM rule_sources WHERE revision = ?`,
    );
  }

  readonly openRuns: Operations["openRuns"] = (leases, query) => {
    const { status, owner = null, whose, after, limit } = query;
    // A `#` is added to both the prefix and the owner, so that `rule:a` does not match `rule:ab`.
    const begins = whose === undefined ? "" : `${whose}#`;
    const covered = this.#parts.leases.covers(leases);
    const runs: OpenRun[] = [];
    for (let from = after; ;) {
      const args = [owner, begins, begins, from, limit] as const;
      const page = status === "ready" ? this.#ready.all(...args) : this.#open.all(status, ...args);
      for (const row of page) {
        const pair = covered(row.lane) ? this.#withEntry(row) : undefined;
        if (pair !== undefined) runs.push({ ...pair, ordinal: row.ordinal });
        if (runs.length >= limit) return runs;
      }
      const last = page.at(-1);
      if (last === undefined || page.length < limit) return runs;
      from = last.ordinal;
    }
  };

  readonly runsOf: Operations["runsOf"] = (seq) =>
    this.#ofEntry
      .all(seq)
      .filter(isOpenRun)
      .map((row) => toRun(row, this.#parts.leases.partitionOf(row.lane)));

  readonly slots: Operations["slots"] = (names) =>
    new Map(
      names
        .map((name) => [name, this.holders(name)] as const)
        .filter(([, runs]) => runs.length > 0),
    );

  /** Returns the runs that hold a slot or queue for it, in the order in which they were started. */
  holders(slot: string): readonly StoredRun[] {
    return this.#inSlot
      .all(slot)
      .map((row) => toRun(row, this.#parts.leases.partitionOf(row.lane)));
  }

  readonly ruleSource: Operations["ruleSource"] = (revision) => {
    const row = this.#source.get(revision);
    return row && recordOf(RULE_SOURCES, row);
  };

  find(id: string): KnownRun | undefined {
    const row = this.#byId.get(...runIdParts(id));
    if (row === undefined) return undefined;
    return { ...toRun(row, this.#parts.leases.partitionOf(row.lane)), ordinal: row.ordinal };
  }

  /** Returns a run and its entry. The entry of an open run is never pruned. */
  findWithEntry(id: string): RunAndEntry | undefined {
    const row = this.#byId.get(...runIdParts(id));
    return row === undefined ? undefined : this.#withEntry(row);
  }

  ofEntry(seq: number): ListedRun[] {
    return this.#ofEntry.all(seq).map((row) => {
      const { version, partition, ...run } = toRun(row, 0);
      const due = run.waitsFor === undefined ? undefined : this.#timer.get(run.waitsFor);
      return { ...run, ...(due !== undefined && { waitsUntil: due.due_at }) };
    });
  }

  /** Returns the stored version of a run; 0 if there is no such run. */
  versionOf(id: string): number {
    return this.#version.get(...runIdParts(id))?.version ?? 0;
  }

  /** Returns the runs that listen for the lane's next event, newest first. */
  readonly listeners: Operations["listeners"] = (lane) =>
    this.#parts.listening.any()
      ? this.#listeners.all(lane).flatMap((row) => this.#withEntry(row) ?? [])
      : [];

  write(run: RunWrite, before: KnownRun | undefined): void {
    const { seq, owner, status } = run;
    const ordinal = before?.ordinal ?? this.#parts.counters.add("run", 1);
    const row = runRow(run, { ordinal, version: (before?.version ?? 0) + 1 });
    if (before === undefined) this.#insert(row);
    else {
      this.#update(row);
      this.#parts.counters.add(`run.${before.status}`, -1);
    }
    const wasOpen = before !== undefined && isOpenRun(before);
    if (wasOpen && !isOpenRun(run)) this.#end.run(ordinal);
    if (!wasOpen && isOpenRun(run)) this.#begin.run(ordinal, runId(seq, owner));
    this.#parts.counters.add(`run.${status}`, 1);
    const listened = before?.listens === true ? 1 : 0;
    if (row.listens > listened) this.#parts.listening.add();
    if (row.listens < listened) this.#parts.listening.remove();
  }

  setTimer(timer: NewTimer): void {
    this.#setTimer(rowOf(TIMERS, timer));
  }

  /** Returns the due time of a timer; undefined if there is no such timer. */
  dueAt(id: string): number | undefined {
    return this.#timer.get(id)?.due_at;
  }

  moveTimer(id: string, dueAt: number): void {
    this.#moveTimer.run(dueAt, id);
  }

  dropTimer(id: string): void {
    this.#dropTimer.run(id);
  }

  /** Returns due timers of the lanes for which `wanted` is true, earliest due time first. */
  dueTimers(now: number, limit: number, wanted: (lane: string) => boolean): NewTimer[] {
    const timers: NewTimer[] = [];
    let [time, last] = [Number.MIN_SAFE_INTEGER, ""];
    while (timers.length < limit) {
      const page = this.#dueTimers.all(time, last, now, limit);
      for (const row of page) {
        if (wanted(row.lane)) timers.push(recordOf(TIMERS, row));
        [time, last] = [row.due_at, row.id];
      }
      if (page.length < limit) break;
    }
    return timers.slice(0, limit);
  }

  saveSource(source: RuleSource): void {
    this.#saveSource(rowOf(RULE_SOURCES, source));
  }

  #withEntry(row: RunRow): RunAndEntry | undefined {
    const entry = this.#entry.get(row.seq);
    if (entry === undefined) return undefined;
    const run = toRun(row, this.#parts.leases.partitionOf(row.lane));
    return { run, entry: toEntry(entry, this.#parts.leases.partitionOf(entry.lane)) };
  }
}

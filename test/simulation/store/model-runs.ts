import type { Entry } from "../../../src/runtime/store/entry.ts";
import type { ListedRun, OpenRunQuery } from "../../../src/runtime/store/listings.ts";
import {
  type NewTimer,
  type OpenRun,
  type RuleSource,
  type RunAndEntry,
  type RunWrite,
  type StoredRun,
  ruleOrBotOf,
} from "../../../src/runtime/store/run.ts";

/** Runs, their timers, and the sources of their rules. */
export class ModelRuns {
  readonly timers = new Map<string, NewTimer>();
  readonly sources = new Map<string, RuleSource>();
  readonly #runs = new Map<string, { readonly ordinal: number; readonly run: StoredRun }>();
  /** Ids of runs that have not ended. A separate set, because most runs have ended and need no search. */
  readonly #open = new Set<string>();
  readonly #partitionOf: (lane: string) => number;
  readonly #entryOf: (seq: number) => Entry | undefined;
  #ordinal = 0;

  constructor(partitionOf: (lane: string) => number, entryOf: (seq: number) => Entry | undefined) {
    this.#partitionOf = partitionOf;
    this.#entryOf = entryOf;
  }

  get openCount(): number {
    return this.#open.size;
  }

  find(id: string): StoredRun | undefined {
    return this.#runs.get(id)?.run;
  }

  /** Returns the version of a run; 0 if the run does not exist. */
  versionOf(id: string): number {
    return this.find(id)?.version ?? 0;
  }

  withEntry(id: string): RunAndEntry | undefined {
    const run = this.find(id);
    const entry = run && this.#entryOf(run.seq);
    return run && entry && { run, entry };
  }

  /** Stores a run. @returns The slot (mutex) that the run frees, if the run has ended with this write. */
  write(write: RunWrite): string | undefined {
    const storedRun = this.#runs.get(write.id);
    const wasOpen = this.#open.has(write.id);
    const slot = storedRun?.run.slot ?? write.slot;
    const ordinal = storedRun?.ordinal ?? ++this.#ordinal;
    const version = (storedRun?.run.version ?? 0) + 1;
    const partition = this.#partitionOf(write.lane);
    const run = { ...write, version, partition, ...(slot !== undefined && { slot }) };
    this.#runs.set(write.id, { ordinal, run });
    if (run.status === "ready" || run.status === "waiting") this.#open.add(run.id);
    else this.#open.delete(run.id);
    return wasOpen && !this.#open.has(run.id) ? slot : undefined;
  }

  /** Open runs that hold the slot (mutex) or wait for it, in the order in which they were started. */
  ofSlot(slot: string): readonly StoredRun[] {
    return this.open().flatMap(({ run }) => (run.slot === slot ? [run] : []));
  }

  /** Open runs that a journal entry has started, in the order in which they were started. */
  runsOf(seq: number): readonly StoredRun[] {
    return this.open().flatMap(({ run }) => (run.seq === seq ? [run] : []));
  }

  slots(names: readonly string[]): ReadonlyMap<string, readonly StoredRun[]> {
    const runsBySlot = names.map((name) => [name, this.ofSlot(name)] as const);
    return new Map(runsBySlot.filter(([, runs]) => runs.length > 0));
  }

  /** Wakes the next run that waits for the slot and is not woken yet: its timer becomes due at `at`. */
  wakeNext(slot: string, at: number): void {
    for (const { queues, waitsFor = "" } of this.ofSlot(slot)) {
      const timer = this.timers.get(waitsFor);
      if (queues !== true || timer === undefined || timer.dueAt <= at) continue;
      this.timers.set(timer.id, { ...timer, dueAt: at });
      return;
    }
  }

  /** Returns runs that are not over, in the order of their start. */
  open(): { readonly ordinal: number; readonly run: StoredRun }[] {
    return [...this.#open]
      .flatMap((id) => this.#runs.get(id) ?? [])
      .sort((a, b) => a.ordinal - b.ordinal);
  }

  /** Returns the conversation's runs that wait for an event, latest first. */
  listeners(lane: string): { readonly ordinal: number; readonly run: StoredRun }[] {
    return [...this.#open]
      .flatMap((id) => this.#runs.get(id) ?? [])
      .filter(({ run }) => run.lane === lane && run.listens === true)
      .sort((a, b) => b.ordinal - a.ordinal);
  }

  list(
    covered: (lane: string) => boolean,
    { status, owner, whose: of, after, limit }: OpenRunQuery,
  ): OpenRun[] {
    return this.open()
      .filter(({ ordinal, run }) => ordinal > after && run.status === status && covered(run.lane))
      .filter(({ run }) => owner === undefined || run.owner === owner)
      .filter(({ run }) => of === undefined || ruleOrBotOf(run.owner) === of)
      .flatMap(({ ordinal, run }) => {
        const pair = this.withEntry(run.id);
        return pair === undefined ? [] : [{ ...pair, ordinal }];
      })
      .slice(0, limit);
  }

  ofEntry(seq: number): ListedRun[] {
    return [...this.#runs.values()].flatMap(({ run }) => {
      if (run.seq !== seq) return [];
      const { version, partition, ...record } = run;
      const due = this.timers.get(run.waitsFor ?? "");
      return [due === undefined ? record : { ...record, waitsUntil: due.dueAt }];
    });
  }

  isOpen(seq: number): boolean {
    return this.open().some(({ run }) => run.seq === seq);
  }

  drop(seq: number): void {
    for (const [id, { run }] of this.#runs) if (run.seq === seq) this.#runs.delete(id);
  }

  /** Drops sources saved before this time that no open run uses. */
  dropSources(before: number): void {
    const used = new Set(this.open().map(({ run }) => run.revision));
    for (const [revision, { savedAt }] of this.sources) {
      if (savedAt < before && !used.has(revision)) this.sources.delete(revision);
    }
  }
}

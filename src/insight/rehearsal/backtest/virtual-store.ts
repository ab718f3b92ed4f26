import { LaneHeap, changeRuns, valueOf } from "../../../runtime/interpreting.ts";
import { isOpenRun } from "../../../runtime/records.ts";
import type {
  Entry,
  Item,
  Memory,
  NewEscalation,
  NewTimer,
  RunAndEntry,
  RunChanges,
  RunWrite,
  Silence,
  StateValue,
  StateWrite,
  StoredRun,
} from "../../../runtime/vocabulary.ts";

/** An unfinished run of a rule in a backtest. */
export interface OpenVirtualRun extends RunAndEntry {
  /** Journal number of the entry that last continued the run. */
  readonly cause: number;
  /** Number that rises with each started run. */
  readonly ordinal: number;
}

/** Writes of a decision to runs, timers, user state and escalations, the only ones that a backtest needs. */
export interface VirtualWrites {
  readonly runs: readonly RunWrite[];
  readonly timers: readonly NewTimer[];
  readonly cancelled: readonly string[];
  readonly state: readonly StateWrite[];
  readonly escalations: readonly NewEscalation[];
}

/** Watches the runs of a backtest. Each function gets the journal number of the entry that started or ended the run. */
export interface RunWatch {
  onOpened(cause: number): void;
  onClosed(cause: number): void;
}

/**
 * In-memory store of runs for a backtest. Its only caller works sequentially, so reads are never stale. Finished runs
 * are not stored.
 */
export class VirtualStore {
  readonly #state = new Map<string, StateValue>();
  readonly #runs = new Map<string, OpenVirtualRun>();
  readonly #listening = new Map<string, Set<string>>();
  readonly #slots = new Map<string, Set<string>>();
  readonly #ofEntry = new Map<string, Set<string>>();
  readonly #timers = new Map<string, NewTimer>();
  /** Ids of timers, sorted by due time, then by the order in which they were set. */
  readonly #due = new LaneHeap();
  readonly #silences = new Map<string, readonly (Silence & { readonly key: string })[]>();
  readonly #watch: RunWatch;
  #counted = 0;
  #sweepAt = SWEEP;

  constructor(watch: RunWatch) {
    this.#watch = watch;
  }

  readonly load = async (keys: readonly string[]): Promise<ReadonlyMap<string, StateValue>> => {
    const values = new Map<string, StateValue>();
    for (const key of keys) {
      const value = this.#state.get(key);
      if (value !== undefined) values.set(key, value);
    }
    return values;
  };

  readonly slots = async (
    names: readonly string[],
  ): Promise<ReadonlyMap<string, readonly StoredRun[]>> => {
    const bySlot = new Map<string, readonly StoredRun[]>();
    for (const name of names) {
      const runs = this.#inOrder(this.#slots.get(name)).map(({ run }) => run);
      if (runs.length > 0) bySlot.set(name, runs);
    }
    return bySlot;
  };

  readonly runsOf = async (seq: number): Promise<readonly StoredRun[]> =>
    this.#inOrder(this.#ofEntry.get(String(seq))).map(({ run }) => run);

  /** Returns no outbox items: a backtest sends items immediately and does not store them. */
  readonly items = async (): Promise<readonly Item[]> => [];

  readonly silences = async (lane: string): Promise<readonly Silence[]> => this.silencesIn(lane);

  /** Returns access to user state as of the time `now`. It has no slots (locks that limit concurrent runs). */
  at(now: number): Pick<Memory, "read" | "write"> {
    return {
      read: (key) => valueOf(this.#state.get(key), now),
      write: ({ key, value, expiresAt }) => {
        const text = value === undefined ? null : JSON.stringify(value);
        this.#remember({
          key,
          value: text,
          version: 0,
          ...(expiresAt !== undefined && { expiresAt }),
        });
        if (this.#state.size > this.#sweepAt) this.#sweep(now);
      },
    };
  }

  silencesIn(lane: string): readonly Silence[] {
    if (this.#silences.size === 0) return NONE;
    const ofAccount = this.#silences.get(lane.slice(0, lane.indexOf("/"))) ?? NONE;
    return [...ofAccount, ...(this.#silences.get(lane) ?? NONE)].sort((a, b) => a.id - b.id);
  }

  /** Returns the runs of a lane (conversation) that wait for a person's answer, the latest first. */
  listeners(lane: string): readonly OpenVirtualRun[] {
    const ids = this.#listening.get(lane);
    return ids === undefined ? NONE : this.#inOrder(ids).toReversed();
  }

  run(id: string): OpenVirtualRun | undefined {
    return this.#runs.get(id);
  }

  /** Removes and returns the earliest timer due at or before `time`; undefined if none is due. */
  takeDue(time: number): NewTimer | undefined {
    const first = this.#due.first();
    if (first === undefined || first.first > time) return undefined;
    this.#due.delete(first.lane);
    const timer = this.#timers.get(first.lane);
    this.#timers.delete(first.lane);
    return timer && { ...timer, dueAt: first.first };
  }

  /** Applies the writes of a decision with the state machine that all stores share. */
  keep(entryOf: (run: RunWrite) => Entry, writes: VirtualWrites, cause: number, now: number): void {
    const { runs, cancelled, timers } = writes;
    const port: RunChanges = {
      run: (id) => this.#runs.get(id)?.run,
      holders: (slot) => this.#inOrder(this.#slots.get(slot)).map(({ run }) => run),
      writeRun: (run) => this.#write(run, entryOf(run), cause),
      dueAt: (timer) => this.#timers.get(timer)?.dueAt,
      setTimer: (timer) => this.#set(timer),
      moveTimer: (timer, dueAt) => this.#move(timer, dueAt),
      dropTimer: (timer) => this.#drop(timer),
    };
    changeRuns(port, { runs, cancelled, timers, at: now });
    for (const write of writes.state) this.#remember(write);
    for (const one of writes.escalations) this.#silence(one, now);
    if (this.#state.size > this.#sweepAt) this.#sweep(now);
  }

  #write(run: RunWrite, entry: Entry, cause: number): void {
    const before = this.#runs.get(run.id);
    const isOpen = isOpenRun(run);
    const listens = isOpen && run.listens === true;
    if (listens) put(this.#listening, run.lane, run.id);
    else if (before?.run.listens === true) take(this.#listening, run.lane, run.id);
    if (isOpen) {
      const stored = { ...run, partition: entry.partition, version: run.version + 1 };
      const ordinal = before?.ordinal ?? ++this.#counted;
      this.#runs.set(run.id, { run: stored, entry: before?.entry ?? entry, cause, ordinal });
      put(this.#ofEntry, String(run.seq), run.id);
      if (run.slot !== undefined) put(this.#slots, run.slot, run.id);
      if (before?.cause !== cause) this.#watch.onOpened(cause);
    } else {
      this.#runs.delete(run.id);
      take(this.#ofEntry, String(run.seq), run.id);
      if (run.slot !== undefined) take(this.#slots, run.slot, run.id);
    }
    if (before !== undefined && (!isOpen || before.cause !== cause)) {
      this.#watch.onClosed(before.cause);
    }
  }

  #set(timer: NewTimer): void {
    if (this.#timers.has(timer.id)) return;
    this.#timers.set(timer.id, timer);
    this.#due.set(timer.id, timer.dueAt, ++this.#counted);
  }

  #move(id: string, dueAt: number): void {
    const timer = this.#timers.get(id);
    if (timer === undefined) return;
    this.#timers.set(id, { ...timer, dueAt });
    this.#due.set(id, dueAt, ++this.#counted);
  }

  #drop(id: string): void {
    if (this.#timers.delete(id)) this.#due.delete(id);
  }

  #remember({ key, value, version, expiresAt }: StateWrite): void {
    if (value === null) this.#state.delete(key);
    else {
      const until = expiresAt === undefined ? {} : { expiresAt };
      this.#state.set(key, { value, version: version + 1, ...until });
    }
  }

  #silence({ key, run, silences }: NewEscalation, now: number): void {
    if (silences === undefined) return;
    const { scope, until } = silences;
    const earlier = this.#silences.get(scope) ?? [];
    if (earlier.some((one) => one.key === key)) return;
    const lasting = earlier.filter((one) => (one.until ?? Infinity) > now);
    const silence = { id: ++this.#counted, run, key, ...(until !== undefined && { until }) };
    this.#silences.set(scope, [...lasting, silence]);
  }

  /** Deletes expired values of user state, which are never read again. */
  #sweep(now: number): void {
    for (const [key, { expiresAt = Infinity }] of this.#state) {
      if (expiresAt <= now) this.#state.delete(key);
    }
    this.#sweepAt = Math.max(SWEEP, 2 * this.#state.size);
  }

  #inOrder(ids: ReadonlySet<string> | undefined): readonly OpenVirtualRun[] {
    if (ids === undefined) return NONE;
    return [...ids]
      .flatMap((id) => this.#runs.get(id) ?? [])
      .sort((one, other) => one.ordinal - other.ordinal);
  }
}

function put(sets: Map<string, Set<string>>, name: string, id: string): void {
  const ids = sets.get(name);
  if (ids === undefined) sets.set(name, new Set([id]));
  else ids.add(id);
}

function take(sets: Map<string, Set<string>>, name: string, id: string): void {
  const ids = sets.get(name);
  if (ids?.delete(id) === true && ids.size === 0) sets.delete(name);
}

const NONE: readonly never[] = [];

/** Number of stored values of user state above which expired values are deleted. */
const SWEEP = 50_000;

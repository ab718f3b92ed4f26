import type { Afterwards } from "../../in-mind/afterwards.ts";
import type { AnswerCounts, AnswersKept, StateInReach } from "../../in-mind/answer-counts.ts";
import type { StateWrite, StateValue } from "../../transition.ts";
import { runId } from "../../run.ts";
import type { Found, FoundInput, FoundItem, FoundRun } from "./found.ts";
import { Pending } from "./pending.ts";

/** A version that nobody can have read: the value was written in this very group. */
export const JUST_WRITTEN = -1;

/** What a group of changes stands on, as it was read, and as it becomes change by change. */
export class LaneWork implements StateInReach, AnswersKept {
  readonly pending = new Pending();
  readonly inputs: Map<number, FoundInput>;
  readonly items: Map<number, FoundItem>;
  readonly afterwards: Pick<Afterwards, "elseUndo">;
  readonly #timers: Map<string, number>;
  readonly #runs = new Map<string, FoundRun>();
  readonly #itemKeys: Set<string>;
  readonly #states: Map<string, StateValue>;
  readonly #silences: { readonly id: number; readonly scope: string }[];
  readonly #escalations: Set<string>;
  readonly #answers: ReadonlyMap<string, Found["answers"]>;
  readonly #arrivals: ReadonlyMap<number, number>;
  readonly #ids: number[];

  constructor(found: Found, afterwards: Pick<Afterwards, "elseUndo">) {
    this.afterwards = afterwards;
    this.inputs = new Map(found.inputs.map((one) => [one.seq, one]));
    this.items = new Map(found.items.map((one) => [one.id, one]));
    this.#timers = new Map(found.timers.map(({ id, due_at: dueAt }) => [id, dueAt]));
    for (const { waits_for: waitsFor, due_at: dueAt, ...row } of found.runs) {
      const id = runId(row.seq, row.owner);
      const flags = { listens: row.listens === 1, queues: row.queues === 1 };
      this.#runs.set(id, { ...row, ...flags, id, waitsFor });
      if (waitsFor !== null && dueAt !== null) this.#timers.set(waitsFor, dueAt);
    }
    this.#itemKeys = new Set(found.itemKeys.map(nameOf));
    this.#states = new Map(
      found.states.map(({ key, value, version, expires_at: expiresAt }) => [
        key,
        { value, version, ...(expiresAt !== null && { expiresAt }) },
      ]),
    );
    this.#silences = found.silences.map(({ id, silent_in: scope }) => ({ id, scope }));
    this.#escalations = new Set(found.escalations.map(({ key }) => key));
    const answers = new Map<string, Found["answers"][number][]>();
    for (const one of found.answers) answers.set(one.lane, [...(answers.get(one.lane) ?? []), one]);
    this.#answers = answers;
    this.#arrivals = new Map(found.arrivals.map(({ seq, at }) => [seq, at]));
    this.#ids = [...found.ids];
  }

  run(id: string): FoundRun | undefined {
    return this.#runs.get(id);
  }

  addRun(run: FoundRun): void {
    this.#runs.set(run.id, run);
  }

  /** The runs of a lane that listen, the latest first. */
  listeners(lane: string): readonly FoundRun[] {
    return [...this.#runs.values()]
      .filter((run) => run.listens && run.lane === lane)
      .toSorted((a, b) => b.ordinal - a.ordinal);
  }

  /** The open runs of a slot, in the order in which they were started. */
  holders(slot: string): readonly FoundRun[] {
    return [...this.#runs.values()]
      .filter((run) => run.slot === slot && (run.status === "ready" || run.status === "waiting"))
      .toSorted((a, b) => a.ordinal - b.ordinal);
  }

  /** When a timer falls due; `undefined`: there is none, or it was not looked for. */
  dueAt(timer: string): number | undefined {
    const pending = this.pending.timers.get(timer);
    if (pending === undefined) return this.#timers.get(timer);
    if (pending.do === "drop") return undefined;
    return pending.do === "put" ? pending.timer.dueAt : pending.dueAt;
  }

  /** The version of the value that is kept now; 0 when there is none. */
  versionOf(key: string): number {
    return this.#states.get(key)?.version ?? 0;
  }

  load(keys: readonly string[]): ReadonlyMap<string, StateValue> {
    return new Map(
      keys.flatMap((key) => {
        const value = this.#states.get(key);
        return value === undefined ? [] : [[key, value]];
      }),
    );
  }

  write({ key, value, expiresAt }: StateWrite): void {
    this.pending.states.set(key, { value, expiresAt: expiresAt ?? null });
    if (value === null) this.#states.delete(key);
    else this.#states.set(key, { value, version: JUST_WRITTEN });
  }

  /** Ids of the silences that a lane goes by, as {@link Store.silences} gives them. */
  silencesIn(lane: string, account: string): readonly number[] {
    return this.#silences
      .filter(({ scope }) => scope === lane || scope === account)
      .map(({ id }) => id)
      .toSorted((a, b) => a - b);
  }

  /** @returns `false` when there is one of this key. */
  addEscalation(key: string, scope: string | undefined): boolean {
    if (this.#escalations.has(key)) return false;
    this.#escalations.add(key);
    if (scope !== undefined) this.#silences.push({ id: JUST_WRITTEN, scope });
    return true;
  }

  latest(lane: string): Found["answers"] {
    return this.#answers.get(lane) ?? [];
  }

  discount(lane: string): void {
    this.pending.discounted.add(lane);
  }

  /** When the entry arrived, where that was looked for. */
  arrivedAt(seq: number): number | undefined {
    return this.#arrivals.get(seq);
  }

  /** @returns `false` when the account has an item of this key. */
  claimItem(item: { readonly key: string; readonly account: string }): boolean {
    const name = nameOf(item);
    if (this.#itemKeys.has(name)) return false;
    this.#itemKeys.add(name);
    return true;
  }

  nextId(): number {
    const id = this.#ids.shift();
    if (id === undefined) throw new Error("more items than numbers were asked for");
    return id;
  }
}

/** What changes are made with. */
export interface WorkParts {
  readonly work: LaneWork;
  readonly limits: AnswerCounts;
  /** Until when another store answered, and how long an unknown item holds up its lane: it was brought back. */
  readonly answered: { readonly until: number; readonly holdMs: number } | undefined;
}

function nameOf({ key, account }: { readonly key: string; readonly account: string }): string {
  return `${account} ${key}`;
}

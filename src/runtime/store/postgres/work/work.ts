import type { NewEscalation } from "../../escalation.ts";
import type {
  AnswerCounts,
  AnsweredPerson,
  AnswersKept,
  StateInReach,
} from "../../in-memory/answer-counts.ts";
import { countedAs, isSettled, type ItemStatus, type NewItem } from "../../item.ts";
import type { DecisionWrite, Doubt, MachinePort } from "../../machine/port.ts";
import { accountOf } from "../../partition.ts";
import { answeredElsewhere, doubtAbout } from "../../restored.ts";
import {
  isOpenRun,
  type NewTimer,
  type RuleSource,
  runId,
  type RunStatus,
  type RunWrite,
} from "../../run.ts";
import { recordOf } from "../../tables/columns.ts";
import { type ItemRow, type ItemState, newItemRow, STATE_VALUE } from "../../tables/rows.ts";
import type { StateValue, StateWrite } from "../../transition.ts";
import {
  type Found,
  FOUND_RUN,
  type FoundInput,
  type FoundItem,
  type FoundRun,
  type FoundRunRow,
} from "./found.ts";
import { Pending } from "./pending.ts";

/** Version of a value that was written in this group. No transition can have read it. */
export const JUST_WRITTEN = -1;

/** Dependencies of {@link LaneWork}, besides the rows that were read. */
export interface WorkParts {
  readonly limits: AnswerCounts;
  readonly partitionOf: (lane: string) => number;
}

/** Applies a group of changes in memory: starts with the rows that were read, and collects the writes in `pending`. */
export class LaneWork implements MachinePort<FoundRun>, StateInReach, AnswersKept {
  readonly pending = new Pending();
  readonly limits: AnswerCounts;
  readonly #parts: WorkParts;
  readonly #inputs: Map<number, FoundInput>;
  readonly #items: Map<number, FoundItem>;
  readonly #timers: Map<string, number>;
  readonly #runs = new Map<string, FoundRun>();
  readonly #itemKeys: Set<string>;
  readonly #states: Map<string, StateValue>;
  readonly #silences: { readonly id: number; readonly scope: string }[];
  readonly #escalations: Set<string>;
  #answers: Found["answers"];
  readonly #arrivals: ReadonlyMap<number, Found["arrivals"][number]>;
  readonly #blocked: ReadonlySet<string>;
  readonly #ids: number[];

  constructor(rows: Found, parts: WorkParts) {
    this.#parts = parts;
    this.limits = parts.limits;
    this.#inputs = new Map(rows.inputs.map((one) => [one.seq, one]));
    this.#items = new Map(rows.items.map((one) => [one.id, one]));
    this.#timers = new Map(rows.timers.map(({ id, due_at: dueAt }) => [id, dueAt]));
    for (const row of rows.runs) {
      const run = foundRun(row);
      this.#runs.set(run.id, run);
      if (row.waits_for !== null && row.due_at !== null)
        this.#timers.set(row.waits_for, row.due_at);
    }
    this.#itemKeys = new Set(rows.itemKeys.map(nameOf));
    this.#states = new Map(rows.states.map((row) => [row.key, recordOf(STATE_VALUE, row)]));
    this.#silences = rows.silences.map(({ id, silent_in: scope }) => ({ id, scope }));
    this.#escalations = new Set(rows.escalations.map(({ key }) => key));
    this.#answers = rows.answers;
    this.#arrivals = new Map(rows.arrivals.map((one) => [one.seq, one]));
    this.#blocked = new Set(rows.blocked.map(({ lane }) => lane));
    this.#ids = [...rows.ids];
  }

  attempts(input: number): number | undefined {
    return this.#inputs.get(input)?.attempts;
  }

  removeInput(input: number): void {
    const row = this.#inputs.get(input);
    if (row === undefined) return;
    this.#inputs.delete(input);
    this.pending.putOff.delete(input);
    this.pending.takenIn.set(input, row);
    this.pending.count("inbox", -1);
  }

  deferInput(input: number, attempts: number, retryAt: number): void {
    const row = this.#inputs.get(input);
    if (row === undefined) return;
    const later = { ...row, attempts };
    this.#inputs.set(input, later);
    this.pending.putOff.set(input, { input: later, retryAt });
  }

  decide(decision: DecisionWrite): void {
    this.pending.decide(decision);
  }

  keepSource(source: RuleSource): void {
    this.pending.sources.set(source.revision, source);
  }

  run(id: string): FoundRun | undefined {
    return this.#runs.get(id);
  }

  runVersion(id: string): number {
    return this.#runs.get(id)?.version ?? 0;
  }

  listeners(lane: string): readonly FoundRun[] {
    return [...this.#runs.values()]
      .filter((run) => run.listens === true && run.lane === lane)
      .toSorted((a, b) => b.ordinal - a.ordinal);
  }

  holders(slot: string): readonly FoundRun[] {
    return [...this.#runs.values()]
      .filter((run) => run.slot === slot && isOpenRun(run))
      .toSorted((a, b) => a.ordinal - b.ordinal);
  }

  writeRun(write: RunWrite, before: FoundRun | undefined): void {
    const { slot: newSlot, queues, ...run } = write;
    const { id, status } = run;
    const { pending } = this;
    const slot = before === undefined ? newSlot : before.slot;
    const ordinal = before?.ordinal ?? Number.MAX_SAFE_INTEGER - NEW_RUNS + pending.runs.size;
    const version = (before?.version ?? 0) + 1;
    const held = { ...(queues === true && { queues }), ...(slot !== undefined && { slot }) };
    this.#runs.set(id, { ...run, ...held, ordinal, version });
    const isNew = before === undefined || pending.runs.get(id)?.isNew === true;
    pending.runs.set(id, { write, isNew, version });
    this.#countRun(before?.status, -1);
    this.#countRun(status, 1);
  }

  #countRun(status: RunStatus | undefined, delta: number): void {
    if (status === "ready" || status === "waiting") this.pending.count(`run.${status}`, delta);
  }

  /** Returns the due time of a timer; `undefined` if there is no such timer, or it was not read. */
  dueAt(timer: string): number | undefined {
    const pending = this.pending.timers.get(timer);
    if (pending === undefined) return this.#timers.get(timer);
    if (pending.do === "drop") return undefined;
    return pending.do === "put" ? pending.timer.dueAt : pending.dueAt;
  }

  setTimer(timer: NewTimer): void {
    const before = this.pending.timers.get(timer.id);
    if (before !== undefined && before.do !== "drop") return;
    this.pending.timers.set(timer.id, { do: "put", timer, replace: before !== undefined });
  }

  moveTimer(timer: string, dueAt: number): void {
    const before = this.pending.timers.get(timer);
    if (before?.do === "put") {
      this.pending.timers.set(timer, { ...before, timer: { ...before.timer, dueAt } });
    } else this.pending.timers.set(timer, { do: "move", dueAt });
  }

  hasMovedTimer(): boolean {
    return [...this.pending.timers.values()].some((timer) => timer.do === "move");
  }

  dropTimer(timer: string): void {
    this.pending.timers.set(timer, { do: "drop" });
  }

  stateVersion(key: string): number {
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

  writeState(write: StateWrite): void {
    this.write(write);
  }

  write({ key, value, expiresAt }: StateWrite): void {
    this.pending.states.set(key, { value, expiresAt });
    if (value === null) this.#states.delete(key);
    else this.#states.set(key, { value, version: JUST_WRITTEN });
  }

  silencesIn(lane: string): readonly number[] {
    const account = accountOf(lane);
    return this.#silences
      .filter(({ scope }) => scope === lane || scope === account)
      .map(({ id }) => id)
      .toSorted((a, b) => a - b);
  }

  addEscalation(escalation: NewEscalation): void {
    const { key, silences } = escalation;
    if (this.#escalations.has(key)) return;
    this.#escalations.add(key);
    if (silences !== undefined) this.#silences.push({ id: JUST_WRITTEN, scope: silences.scope });
    this.pending.escalations.push(escalation);
  }

  latest({ lane, to }: AnsweredPerson): Found["answers"] {
    return this.#answers.filter((one) => one.lane === lane && one.person === to);
  }

  discount(lane: string): void {
    this.pending.discounted.add(lane);
    this.#answers = this.#answers.filter((one) => one.lane !== lane);
  }

  doubt({ seq, account }: Pick<NewItem, "seq" | "account">): Doubt | undefined {
    const event = this.#arrivals.get(seq);
    return doubtAbout(answeredElsewhere(event?.answered), account, event?.at);
  }

  item(id: number): FoundItem | undefined {
    return this.#items.get(id);
  }

  isFree(lane: string): boolean {
    const changed = [...this.pending.items.values()];
    const isOpen = changed.some(
      ({ item }) => item.lane === lane && item.status !== "held" && !isSettled(item.status),
    );
    return !isOpen && !this.#blocked.has(lane);
  }

  addItem(item: NewItem, state: ItemState): ItemRow | undefined {
    const name = nameOf(item);
    if (this.#itemKeys.has(name)) return undefined;
    this.#itemKeys.add(name);
    const id = this.#ids.shift();
    if (id === undefined) throw new Error("more items were added than ids were reserved");
    const partition = this.#parts.partitionOf(item.lane);
    const row: FoundItem = { ...newItemRow(id, item, state), partition };
    this.#items.set(id, row);
    this.pending.items.set(id, { item: row, before: undefined });
    this.pending.count(`item.${state.status}`, 1);
    return row;
  }

  changeItem({ id }: ItemRow, state: ItemState): void {
    const before = this.#items.get(id);
    if (before === undefined) throw new Error(`item ${id} was not read`);
    const item = { ...before, ...state };
    this.#items.set(id, item);
    const pending = this.pending.items.get(id);
    const was = pending === undefined ? before.status : pending.before;
    this.pending.items.set(id, { item, before: was });
    this.pending.count(`item.${countedAs(before)}`, -1);
    this.pending.count(`item.${countedAs(state)}`, 1);
  }

  unsentOf(run: string): readonly ItemRow[] {
    return this.#itemsIn(["pending", "held"]).filter((item) => item.run === run);
  }

  unsentIn(lane: string): readonly ItemRow[] {
    return this.#itemsIn(["pending", "held", "unknown"]).filter((item) => item.lane === lane);
  }

  #itemsIn(states: readonly ItemStatus[]): FoundItem[] {
    return [...this.#items.values()].filter(({ status }) => states.includes(status));
  }

  addSettled({ id }: ItemRow): void {
    const item = this.#items.get(id);
    if (item === undefined) throw new Error(`item ${id} was not read`);
    this.pending.settled.push(item);
    this.pending.count("inbox", 1);
  }
}

function foundRun(row: FoundRunRow): FoundRun {
  return { ...recordOf(FOUND_RUN, row), id: runId(row.seq, row.owner) };
}

function nameOf({ key, account }: { readonly key: string; readonly account: string }): string {
  return `${account} ${key}`;
}

/** Offset for temporary ordinals of new runs, which sort them after all stored runs, in the order of their creation. */
const NEW_RUNS = 1_000_000;

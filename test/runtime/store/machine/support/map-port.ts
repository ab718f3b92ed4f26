import { type ItemStatus, isSettled, type NewItem } from "../../../../../src/runtime/store/item.ts";
import type {
  DecisionWrite,
  Doubt,
  MachinePort,
} from "../../../../../src/runtime/store/machine/port.ts";
import type { NewEscalation } from "../../../../../src/runtime/store/escalation.ts";
import type { ItemRow, ItemState } from "../../../../../src/runtime/store/tables/rows.ts";
import {
  isOpenRun,
  type NewTimer,
  type RuleSource,
  type RunWrite,
  type StoredRun,
} from "../../../../../src/runtime/store/run.ts";
import type { StateWrite } from "../../../../../src/runtime/store/transition.ts";

/** Recorded call of a {@link MapPort}'s method: the method's name, then the arguments. */
export type PortCall = readonly [method: string, ...args: readonly unknown[]];

/** Storage of the state machine, with its rows in maps. It stores and finds rows, and decides nothing. */
export class MapPort implements MachinePort<StoredRun> {
  /** Writing calls that this port has received so far, oldest first. Keys stand for items and escalations. */
  readonly writes: PortCall[] = [];
  /** Reading calls that this port has received so far, oldest first. */
  readonly reads: PortCall[] = [];

  /** Number of failed attempts, by the id of the unprocessed input. */
  readonly inbox = new Map<number, number>();
  readonly runs = new Map<string, StoredRun>();
  /** Due time of each timer, by the timer's id. */
  readonly timers = new Map<string, number>();
  readonly items = new Map<string, ItemRow>();
  /** Versions of user state by key. */
  readonly state = new Map<string, number>();
  /** Ids of the silences (escalations that silence the bot) by lane. */
  readonly silences = new Map<string, readonly number[]>();
  /** Doubts after a restore (another store may have sent the item), by the `seq` of the items' journal entry. */
  readonly doubts = new Map<number, Doubt>();
  /** Reason for holding an item that exceeds a limit, by the item's key. */
  readonly reachedLimits = new Map<string, string>();

  readonly limits = {
    reached: (item: NewItem) => this.#read(this.reachedLimits.get(item.key), "reached", item.key),
    count: (item: NewItem, status: ItemStatus) => this.#wrote("count", item.key, status),
    beginAnew: (item: ItemRow) => this.#wrote("beginAnew", item.key),
  };

  attempts(input: number): number | undefined {
    return this.#read(this.inbox.get(input), "attempts", input);
  }

  removeInput(input: number): void {
    this.inbox.delete(input);
    this.#wrote("takeIn", input);
  }

  deferInput(input: number, attempts: number, retryAt: number): void {
    this.inbox.set(input, attempts);
    this.#wrote("putOff", input, attempts, retryAt);
  }

  decide(decision: DecisionWrite): void {
    this.#wrote("decide", decision);
  }

  keepSource(source: RuleSource): void {
    this.#wrote("keepSource", source.revision);
  }

  run(id: string): StoredRun | undefined {
    return this.#read(this.runs.get(id), "run", id);
  }

  runVersion(id: string): number {
    return this.#read(this.runs.get(id)?.version ?? 0, "runVersion", id);
  }

  listeners(lane: string): readonly StoredRun[] {
    const runs = [...this.runs.values()].filter((run) => run.lane === lane && run.listens === true);
    return this.#read(runs.toReversed(), "listeners", lane);
  }

  holders(slot: string): readonly StoredRun[] {
    const runs = [...this.runs.values()].filter((run) => run.slot === slot && isOpenRun(run));
    return this.#read(runs, "holders", slot);
  }

  writeRun(run: RunWrite, before: StoredRun | undefined): void {
    const slot = before?.slot ?? run.slot;
    const version = run.version + 1;
    this.runs.set(run.id, { ...run, ...(slot !== undefined && { slot }), version, partition: 0 });
    this.#wrote("writeRun", run.id, before?.version);
  }

  dueAt(timer: string): number | undefined {
    return this.#read(this.timers.get(timer), "dueAt", timer);
  }

  setTimer({ id, dueAt }: NewTimer): void {
    if (!this.timers.has(id)) this.timers.set(id, dueAt);
    this.#wrote("setTimer", id, dueAt);
  }

  moveTimer(timer: string, dueAt: number): void {
    this.timers.set(timer, dueAt);
    this.#wrote("moveTimer", timer, dueAt);
  }

  dropTimer(timer: string): void {
    this.timers.delete(timer);
    this.#wrote("dropTimer", timer);
  }

  stateVersion(key: string): number {
    return this.#read(this.state.get(key) ?? 0, "stateVersion", key);
  }

  writeState(write: StateWrite): void {
    this.state.set(write.key, write.value === null ? 0 : write.version + 1);
    this.#wrote("writeState", write);
  }

  silencesIn(lane: string): readonly number[] {
    return this.#read(this.silences.get(lane) ?? [], "silencesIn", lane);
  }

  addEscalation(escalation: NewEscalation): void {
    this.#wrote("addEscalation", escalation.key);
  }

  doubt({ seq }: Pick<NewItem, "seq">): Doubt | undefined {
    return this.#read(this.doubts.get(seq), "doubt", seq);
  }

  isFree(lane: string): boolean {
    const isOpen = [...this.items.values()].some(
      (item) => item.lane === lane && item.status !== "held" && !isSettled(item.status),
    );
    return this.#read(!isOpen, "isFree", lane);
  }

  addItem(item: NewItem, state: ItemState): ItemRow | undefined {
    if (this.items.has(item.key)) return undefined;
    const { key, run, seq, account, lane, priority = 0 } = item;
    const action = JSON.stringify(item.action);
    const row = { id: this.items.size + 1, key, run, seq, account, lane, action, priority };
    this.items.set(key, { ...row, ...state });
    this.#wrote("addItem", key, state);
    return this.items.get(key);
  }

  changeItem(item: ItemRow, state: ItemState): void {
    this.items.set(item.key, { ...item, ...state });
    this.#wrote("changeItem", item.key, state);
  }

  unsentOf(run: string): readonly ItemRow[] {
    const items = this.#unsent().filter((item) => item.run === run && item.status !== "unknown");
    return this.#read(items, "unsentOf", run);
  }

  unsentIn(lane: string): readonly ItemRow[] {
    const items = this.#unsent().filter((item) => item.lane === lane);
    return this.#read(items, "unsentIn", lane);
  }

  addSettled(item: ItemRow): void {
    this.#wrote("addSettled", item.key);
  }

  #unsent(): readonly ItemRow[] {
    return [...this.items.values()].filter(
      ({ status }) => status !== "sending" && !isSettled(status),
    );
  }

  #read<Value>(value: Value, ...call: PortCall): Value {
    this.reads.push(call);
    return value;
  }

  #wrote(...call: PortCall): void {
    this.writes.push(call);
  }
}

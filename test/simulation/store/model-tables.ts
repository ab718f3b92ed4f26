import {
  countedAs,
  isHeldBack,
  isSettled,
  type Item,
  type NewItem,
  type CountedStatus,
  type ItemTransition,
  type EndOfRun,
} from "../../../src/runtime/store/item.ts";
import type { AppendResult, NewEntry } from "../../../src/runtime/store/entry.ts";
import type { JournalQuery, JournalRow, StoreStats } from "../../../src/runtime/store/listings.ts";
import type { Pause, PauseChange } from "../../../src/runtime/store/pause.ts";
import {
  areSeen,
  type InputRef,
  type LaneInput,
  type StateValue,
  type Transition,
  type TransitionResult,
  type ItemResult,
} from "../../../src/runtime/store/transition.ts";
import type { RunAndEntry } from "../../../src/runtime/store/run.ts";
import { ModelCoverage } from "./model-coverage.ts";
import { ModelEscalations } from "./model-escalations.ts";
import { ModelInbox } from "./model-inbox.ts";
import { type LeaseKey, ModelLeases } from "./model-leases.ts";
import { ModelOutbox } from "./model-outbox.ts";
import { ModelRuns } from "./model-runs.ts";

/** All tables of a store, in memory. Each call is one transaction, which is committed when the call returns. */
export class ModelTables {
  readonly leases: ModelLeases;
  readonly inbox: ModelInbox;
  readonly runs: ModelRuns;
  readonly outbox: ModelOutbox;
  readonly coverage = new ModelCoverage();
  readonly escalations = new ModelEscalations();
  readonly state = new Map<string, StateValue>();
  readonly meta = new Map<string, string>();
  /** Start time of a pause, by account id; the empty id stands for all accounts. */
  readonly pauses = new Map<string, number>();
  #stateVersion = 0;

  /** @param now Monotonic milliseconds. */
  constructor(partitions: number, now: () => number) {
    this.leases = new ModelLeases(partitions, now);
    const partitionOf = (lane: string): number => this.leases.partitionOf(lane);
    this.inbox = new ModelInbox(partitionOf);
    this.runs = new ModelRuns(partitionOf, (seq) => this.inbox.journal.get(seq));
    this.outbox = new ModelOutbox(partitionOf);
  }

  /** Whether there is nothing to decide, to send or to wait for. */
  get rest(): boolean {
    const { inbox, outbox, runs } = this;
    return inbox.inbox.size === 0 && outbox.open.size === 0 && runs.openCount === 0;
  }

  append(entries: readonly NewEntry[]): readonly AppendResult[] {
    const isFree = (lane: string): boolean =>
      !this.isPaused(lane) &&
      this.listeners(lane).length === 0 &&
      this.escalations.silences(lane).length === 0;
    return this.inbox.append(entries, isFree);
  }

  fetch(
    leases: readonly LeaseKey[],
    now: number,
    limit: number,
    busy: readonly string[] = [],
  ): readonly LaneInput[] {
    const covered = this.leases.covers(leases);
    const skipped = new Set(busy);
    const wanted = (lane: string): boolean =>
      !skipped.has(lane) && covered(lane) && !this.isPaused(lane);
    const timers = [...this.runs.timers.values()]
      .filter(({ dueAt, lane }) => dueAt <= now && wanted(lane))
      .sort((a, b) => a.dueAt - b.dueAt)
      .flatMap((timer): LaneInput[] => {
        const pair = this.runs.withEntry(timer.run);
        const place = this.#place(`timer/${timer.id}`, timer.lane, 0);
        return pair === undefined ? [] : [{ ...place, kind: "timer-due", timer, ...pair }];
      });
    const inputs = this.inbox.due(now, wanted).flatMap(([seq, row]): LaneInput[] => {
      const place = this.#place(`inbox/${seq}`, row.lane, row.attempts);
      const item = row.item === undefined ? undefined : this.outbox.items.get(row.item);
      const entry = this.inbox.journal.get(seq);
      if (entry !== undefined) {
        return [{ ...place, kind: "event", entry, listeners: this.listeners(row.lane) }];
      }
      const pair = item && this.runs.withEntry(item.run);
      return item && pair ? [{ ...place, kind: "item-settled", item, ...pair }] : [];
    });
    const lanes = new Set([...this.inbox.inbox.values()].map(({ lane }) => lane));
    const ahead = timers.filter(({ lane }) => !lanes.has(lane));
    const behind = timers.filter(({ lane }) => lanes.has(lane));
    return [...ahead, ...inputs.slice(0, limit - ahead.length), ...behind].slice(0, limit);
  }

  /** Returns the conversation's runs that wait for an event, latest first. */
  listeners(lane: string): readonly RunAndEntry[] {
    return this.runs.listeners(lane).flatMap(({ run }) => this.runs.withEntry(run.id) ?? []);
  }

  /** Whether the conversation belongs to a paused account. */
  isPaused(lane: string): boolean {
    return this.pauses.has("") || this.pauses.has(lane.slice(0, lane.indexOf("/")));
  }

  listPauses(): readonly Pause[] {
    return [...this.pauses].map(([account, since]) => (account ? { account, since } : { since }));
  }

  setPause({ account = "", since }: PauseChange): boolean {
    const was = this.pauses.has(account);
    if (since === undefined) return this.pauses.delete(account);
    if (!was) this.pauses.set(account, since);
    return !was;
  }

  #place(input: string, lane: string, attempts: number) {
    const silences = this.escalations.silences(lane);
    const place = { input, lane, partition: this.leases.partitionOf(lane), attempts };
    return silences.length === 0 ? place : { ...place, silences };
  }

  commit(worker: string, one: Transition): TransitionResult {
    if (!this.leases.holds(worker, one)) return "fenced";
    const attempts = this.#attemptsAt(one.input);
    if (attempts === undefined) return "already-done";
    const { input, decision, at, outcome } = one;
    if (outcome === "retry") {
      if (input.kind === "inbox") this.#putOff(one, input.id, attempts + 1);
      return "committed";
    }
    const changed =
      one.state.some(({ key, version }) => (this.state.get(key)?.version ?? 0) !== version) ||
      one.runs.some(({ id, version }) => version > 0 && this.runs.versionOf(id) !== version);
    const offered = one.offeredTo?.map(({ id, version }) => `${id}@${version}`).join();
    const listeners = this.listeners(one.lane).map(({ run }) => `${run.id}@${run.version}`);
    if (changed || (offered !== undefined && offered !== listeners.join())) return "stale";
    if (one.slots?.some((seen) => !areSeen(seen, this.runs.ofSlot(seen.slot)))) return "stale";
    const silent = this.escalations.silences(one.lane).map(({ id }) => id);
    if (one.silencedBy !== undefined && one.silencedBy.join() !== silent.join()) return "stale";
    if (input.kind === "timer") this.runs.timers.delete(input.id);
    if (input.kind === "inbox") this.inbox.inbox.delete(input.id);
    if (decision !== undefined) {
      const tries = attempts + (outcome === "dead-lettered" ? 1 : 0);
      const decided = { state: outcome, attempts: tries, decidedAt: at, decision: decision.text };
      this.inbox.decided.set(decision.seq, decided);
    }
    for (const source of one.sources) this.runs.sources.set(source.revision, source);
    const freed = one.runs.map((run) => this.runs.write(run));
    for (const id of one.cancelled ?? []) this.runs.timers.delete(id);
    for (const timer of one.timers) this.runs.timers.set(timer.id, timer);
    for (const slot of freed) if (slot !== undefined) this.runs.wakeNext(slot, at);
    for (const run of one.withdrawn ?? []) this.outbox.withdraw(run, at);
    if (one.clearsLane !== undefined) this.#clear(one.lane, at, one.clearsLane);
    for (const write of one.state) this.#write(write);
    const queued = one.items.map((item) => this.#queue(item, one));
    for (const escalation of one.escalations ?? []) this.escalations.add(escalation);
    const sent = queued.find((item) => item?.status === "sending");
    return sent === undefined ? "committed" : { sending: sent.id };
  }

  #clear(lane: string, at: number, reason: string): void {
    for (const { id, partition, status: from, lane: its } of this.outbox.open.values()) {
      if (its !== lane || from === "sending") continue;
      this.#moved(this.outbox.move({ id, partition, epoch: 0, from, to: "expired", at, reason }));
    }
  }

  /** Queues an item. @returns The item if its transition `sends` it, and it can be sent at once. */
  #queue(item: NewItem, { at, sends }: Transition): Item | undefined {
    const isFirst = this.outbox.next(item.lane) === undefined;
    const queued = this.outbox.enqueue(item);
    this.#moved(queued);
    if (queued === undefined) return undefined;
    const { id, partition, status: from } = queued;
    const { unless } = item;
    if (unless !== undefined && this.state.has(unless.key)) {
      const { reason } = unless;
      this.#moved(this.outbox.move({ id, partition, epoch: 0, from, to: "failed", at, reason }));
      return undefined;
    }
    if (sends !== item.key || !isFirst || from !== "pending") return undefined;
    if (this.isPaused(item.lane)) return undefined;
    if (item.notBefore > at || (item.expiresAt ?? Infinity) <= at) return undefined;
    return this.outbox.move({ id, partition, epoch: 0, from, to: "sending", at });
  }

  #putOff({ decision, retryAt, at }: Transition, seq: number, attempts: number): void {
    const row = this.inbox.inbox.get(seq);
    if (row === undefined) return;
    row.attempts = attempts;
    row.retryAt = retryAt ?? at;
    if (decision === undefined) return;
    const decided = { state: "open", attempts, decidedAt: at, decision: decision.text } as const;
    this.inbox.decided.set(decision.seq, decided);
  }

  /** Number of failed attempts at the input; `undefined` once it has been processed. */
  #attemptsAt(input: InputRef): number | undefined {
    switch (input.kind) {
      case "inbox":
        return this.inbox.inbox.get(input.id)?.attempts;
      case "timer":
        return this.runs.timers.has(input.id) ? 0 : undefined;
      case "effect":
        return this.runs.versionOf(input.run) === input.version ? 0 : undefined;
    }
  }

  #write({ key, value, expiresAt }: Transition["state"][number]): void {
    if (value === null) {
      this.state.delete(key);
      return;
    }
    this.#stateVersion += 1;
    const version = this.#stateVersion;
    this.state.set(key, { value, version, ...(expiresAt !== undefined && { expiresAt }) });
  }

  load(keys: readonly string[]): ReadonlyMap<string, StateValue> {
    const values = new Map<string, StateValue>();
    for (const key of keys) {
      const value = this.state.get(key);
      if (value !== undefined) values.set(key, value);
    }
    return values;
  }

  changeItem(worker: string, change: ItemTransition): ItemResult {
    if (!this.leases.holds(worker, change)) return "fenced";
    const item = this.outbox.items.get(change.id);
    if (item !== undefined && item.partition !== change.partition) return "fenced";
    const moved = this.outbox.move(change);
    if (moved === undefined) return "already-done";
    const { ends } = change;
    if (ends !== undefined && isSettled(moved.status) && this.#mayEnd(moved, ends)) {
      this.runs.write(ends.run);
      for (const timer of ends.cancelled) this.runs.timers.delete(timer);
      return "ended";
    }
    this.#moved(moved);
    return "committed";
  }

  /** Whether the run is unchanged, still waits for the item, and may end. */
  #mayEnd({ key, run: id, lane }: Item, { run }: EndOfRun): boolean {
    const stored = this.runs.find(id);
    if (stored === undefined || run.id !== id || run.lane !== lane) return false;
    const isWaiting = stored.status === "waiting" && stored.waitsFor === key;
    const isSame = stored.version === run.version && stored.slot === undefined;
    return isWaiting && isSame && this.escalations.silences(lane).length === 0;
  }

  /** Wakes the run that waits for an item, once the item's outcome is known or the item is held back. */
  #moved(item: Item | undefined): void {
    if (item === undefined || !(isSettled(item.status) || isHeldBack(item))) return;
    const run = this.runs.find(item.run);
    const awaited = run?.status === "waiting" && run.waitsFor === item.key;
    if (awaited) this.inbox.addSettled(item.lane, item.id);
  }

  journal({ before, seq, account, lane, key, bare, limit }: JournalQuery): readonly JournalRow[] {
    return [...this.inbox.journal.values()]
      .filter(
        (entry) =>
          (before === undefined || entry.seq < before) &&
          (seq === undefined || entry.seq === seq) &&
          (account === undefined || entry.account === account) &&
          (lane === undefined || entry.lane === lane) &&
          (key === undefined || entry.key === key),
      )
      .reverse()
      .slice(0, limit)
      .map((entry) => {
        if (bare === true) return { ...entry, state: "open", attempts: 0, runs: [] };
        const decided = this.inbox.decided.get(entry.seq) ?? { state: "open", attempts: 0 };
        return { ...entry, ...decided, runs: this.runs.ofEntry(entry.seq) };
      });
  }

  partitionLag(leases: readonly LeaseKey[]): ReadonlyMap<number, number> {
    const covered = this.leases.covers(leases);
    const oldest = new Map<number, number>();
    for (const seq of this.inbox.inbox.keys()) {
      const entry = this.inbox.journal.get(seq);
      if (entry === undefined || !covered(entry.lane) || this.isPaused(entry.lane)) continue;
      if (!oldest.has(entry.partition)) oldest.set(entry.partition, entry.arrivedAt);
    }
    return oldest;
  }

  stats(): StoreStats {
    const items: Record<CountedStatus, number> = {
      pending: 0,
      sending: 0,
      sent: 0,
      failed: 0,
      dropped: 0,
      expired: 0,
      unknown: 0,
      held: 0,
    };
    for (const item of this.outbox.items.values()) items[countedAs(item)] += 1;
    const runs = { ready: 0, waiting: 0 };
    for (const { run } of this.runs.open()) {
      if (run.status === "ready" || run.status === "waiting") runs[run.status] += 1;
    }
    const inbox = this.inbox.inbox.size + runs.ready;
    const oldest = [...this.inbox.inbox.keys()].flatMap(
      (seq) => this.inbox.journal.get(seq)?.arrivedAt ?? [],
    )[0];
    const journal = this.inbox.journal.size;
    const rows = [...this.inbox.inbox.values()];
    return {
      inbox,
      paused: rows.filter(({ lane }) => this.isPaused(lane)).length,
      journal,
      items,
      runs,
      escalations: this.escalations.openByQueue(),
      ...(oldest !== undefined && { oldestArrivedAt: oldest }),
    };
  }

  prune({ before, now }: { readonly before: number; readonly now: number }): number {
    for (const [key, { expiresAt = Infinity }] of this.state) {
      if (expiresAt <= now) this.state.delete(key);
    }
    this.runs.dropSources(before);
    this.coverage.prune(before);
    let dropped = 0;
    for (const { seq, arrivedAt } of this.inbox.journal.values()) {
      const open = this.inbox.inbox.has(seq) || this.outbox.isOpen(seq) || this.runs.isOpen(seq);
      if (arrivedAt >= before || open) continue;
      this.inbox.drop(seq);
      this.outbox.drop(seq);
      this.runs.drop(seq);
      dropped += 1;
    }
    this.escalations.prune((seq) => this.inbox.journal.has(seq));
    return dropped;
  }
}

import {
  countedAs,
  HELD_QUIET,
  isSettled,
  type Item,
  type ItemTransition,
  type NewItem,
} from "../../../src/runtime/store/item.ts";
import { WITHDRAWN } from "../../../src/runtime/store/transition.ts";
import { ModelLimits } from "./model-limits.ts";
import type { ItemQuery, OpenItemQuery } from "../../../src/runtime/store/listings.ts";

/** The outbox: messages and posts to send, with their statuses. */
export class ModelOutbox {
  /** Items by id, in the order of queueing. */
  readonly items = new Map<number, Item>();
  /** Items that are not settled yet. A separate map, because most items are settled and need no search. */
  readonly open = new Map<number, Item>();
  readonly #keys = new Set<string>();
  readonly #limits = new ModelLimits();
  readonly #partitionOf: (lane: string) => number;
  #id = 0;

  constructor(partitionOf: (lane: string) => number) {
    this.#partitionOf = partitionOf;
  }

  /** Adds an item. @returns The item; undefined if there is already an item with its key. */
  enqueue(item: NewItem): Item | undefined {
    const name = `${item.account} ${item.key}`;
    if (this.#keys.has(name)) return undefined;
    this.#keys.add(name);
    this.#id += 1;
    const partition = this.#partitionOf(item.lane);
    const {
      counted: _counted,
      heardAt: _heardAt,
      holdReason,
      unless: _unless,
      ...storedItem
    } = item;
    const reason = this.#limits.take(this.#id, item) ?? holdReason;
    const queued: Item = {
      ...storedItem,
      id: this.#id,
      partition,
      status: reason === undefined ? "pending" : "held",
      attempts: 0,
      ...(reason !== undefined && { reason }),
    };
    this.items.set(queued.id, queued);
    this.open.set(queued.id, queued);
    return queued;
  }

  /** Returns the first item of the lane that is not settled or held. */
  next(lane: string): Item | undefined {
    return [...this.open.values()].find((item) => item.lane === lane && item.status !== "held");
  }

  /** Returns pending items that are due, at most one for each leased conversation, unless an earlier item blocks it. */
  due(now: number, covered: (lane: string) => boolean, limit: number): Item[] {
    const blocked = new Set<string>();
    const matches: Item[] = [];
    for (const item of this.open.values()) {
      const { lane, status, notBefore } = item;
      if (status === "held") continue;
      const isDue = status === "pending" && notBefore <= now;
      if (isDue && !blocked.has(lane) && covered(lane)) matches.push(item);
      if (status !== "unknown" || notBefore > now) blocked.add(lane);
    }
    return matches
      .sort((a, b) => priorityOf(a) - priorityOf(b) || a.notBefore - b.notBefore || a.id - b.id)
      .slice(0, limit);
  }

  /** Returns the pending and held items that have expired. */
  overdue(now: number, covered: (lane: string) => boolean, limit: number): Item[] {
    return [...this.open.values()]
      .filter(({ status }) => status === "pending" || status === "held")
      .filter(({ expiresAt = Infinity }) => expiresAt <= now)
      .filter(({ lane }) => covered(lane))
      .sort((a, b) => (a.expiresAt ?? 0) - (b.expiresAt ?? 0) || a.id - b.id)
      .slice(0, limit);
  }

  listOpen(covered: (lane: string) => boolean, { status, after, limit }: OpenItemQuery): Item[] {
    return [...this.open.values()]
      .filter((item) => item.status === status && item.id > after && covered(item.lane))
      .slice(0, limit);
  }

  list({ id, seq, lane, account, status, before, ...query }: ItemQuery): Item[] {
    const { seqFrom = 0, seqTo = Infinity, limit } = query;
    const matches: Item[] = [];
    for (const item of [...this.items.values()].reverse()) {
      if (id !== undefined && item.id !== id) continue;
      if (seq !== undefined && item.seq !== seq) continue;
      if (item.seq < seqFrom || item.seq > seqTo) continue;
      if (lane !== undefined && item.lane !== lane) continue;
      if (account !== undefined && item.account !== account) continue;
      if (status !== undefined && countedAs(item) !== status) continue;
      if (before !== undefined && item.id >= before) continue;
      matches.push(item);
      if (matches.length === limit) break;
    }
    return matches;
  }

  /** Marks the unsent items of a run as expired. */
  withdraw(run: string, at: number): void {
    for (const { id, partition, status: from, run: owner } of this.open.values()) {
      if (owner !== run || (from !== "pending" && from !== "held")) continue;
      this.move({ id, partition, epoch: 0, from, to: "expired", at, reason: WITHDRAWN });
    }
  }

  /** @returns The changed item; undefined if it was not in the state `from`. */
  move(change: ItemTransition): Item | undefined {
    const { id, from, to, at, notBefore, expiresAt, platformId, result, reason } = change;
    const item = this.items.get(id);
    if (item === undefined || item.status !== from || !mayLeave(change)) return undefined;
    if (from === "held" && to === "pending" && item.reason !== HELD_QUIET) {
      this.#limits.beginAnew(item);
    }
    const { reason: _reason, settledAt: _settledAt, ...rest } = item;
    const moved: Item = {
      ...rest,
      status: to,
      attempts: item.attempts + (to === "sending" ? 1 : 0),
      notBefore: notBefore ?? item.notBefore,
      ...(to === "sending" && { startedAt: at }),
      ...(isSettled(to) && { settledAt: at }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(platformId !== undefined && { platformId }),
      ...(result !== undefined && { result }),
      ...(reason !== undefined && { reason }),
    };
    this.items.set(id, moved);
    const wasOpen = this.open.has(id);
    if (isSettled(to)) this.open.delete(id);
    else this.open.set(id, moved);
    if (!wasOpen) this.#sortOpen();
    return moved;
  }

  /** Sorts open items by id, so that an item that is retried returns to its place in the conversation. */
  #sortOpen(): void {
    const open = [...this.open].sort(([a], [b]) => a - b);
    this.open.clear();
    for (const [id, item] of open) this.open.set(id, item);
  }

  isOpen(seq: number): boolean {
    return [...this.open.values()].some((item) => item.seq === seq);
  }

  drop(seq: number): void {
    for (const [id, item] of this.items) {
      if (item.seq !== seq) continue;
      this.items.delete(id);
      this.#keys.delete(`${item.account} ${item.key}`);
    }
  }
}

function priorityOf({ priority = 0 }: Item): number {
  return priority;
}

/** Whether a change of status is allowed: sent items stay sent; failed ones may be retried. */
function mayLeave({ from, to }: ItemTransition): boolean {
  return !isSettled(from) || (from !== "sent" && to === "pending");
}

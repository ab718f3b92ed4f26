import type { Decided, ItemStatus } from "../../../src/runtime/store/store.ts";

interface ModelEntry {
  readonly seq: number;
  readonly key: string;
  readonly lane: string;
  readonly arrivedAt: number;
  state: "open" | "done" | "parked";
  attempts: number;
  retryAt: number;
}

interface ModelItem {
  readonly id: number;
  readonly key: string;
  readonly entryKey: string;
  readonly lane: string;
  status: ItemStatus;
}

/** What a store ought to hold, kept in plain arrays: the contract, as short as it can be said. */
export class Model {
  entries: ModelEntry[] = [];
  items: ModelItem[] = [];
  readonly state = new Map<string, string>();
  #lastSeq = 0;
  #lastId = 0;

  append(key: string, lane: string, arrivedAt: number): "new" | "duplicate" {
    if (this.entries.some((entry) => entry.key === key)) return "duplicate";
    const seq = ++this.#lastSeq;
    this.entries.push({ seq, key, lane, arrivedAt, state: "open", attempts: 0, retryAt: 0 });
    return "new";
  }

  /** Open entries in order, without the lanes that wait for a retry. */
  inbox(now: number): ModelEntry[] {
    const open = this.entries.filter((entry) => entry.state === "open");
    const waiting = new Set(open.filter((entry) => entry.retryAt > now).map(({ lane }) => lane));
    return open.filter(({ lane }) => !waiting.has(lane));
  }

  commit(
    entry: ModelEntry,
    outcome: Decided["outcome"],
    retryAt: number,
    items: readonly string[],
  ): boolean {
    if (entry.state !== "open" || !this.entries.includes(entry)) return false;
    if (outcome !== "done") entry.attempts += 1;
    if (outcome === "retry") entry.retryAt = retryAt;
    else entry.state = outcome;
    this.state.set(entry.lane, entry.key);
    const { lane } = entry;
    for (const key of items) {
      if (this.items.some((item) => item.key === key)) continue;
      this.items.push({ id: ++this.#lastId, key, entryKey: entry.key, lane, status: "pending" });
    }
    return true;
  }

  /** Lanes' first open items, where they are pending. */
  outbox(): ModelItem[] {
    const open = this.items.filter(isOpen);
    const heads = open.filter((item) => open.find(({ lane }) => lane === item.lane) === item);
    return heads.filter((item) => item.status === "pending");
  }

  mark(item: ModelItem, from: ItemStatus, to: ItemStatus, at: number): boolean {
    if (!this.items.includes(item) || item.status !== from || !isOpen(item)) return false;
    item.status = to;
    if (!isOpen(item)) this.append(`item.settled:${item.id}`, item.lane, at);
    return true;
  }

  prune(before: number): number {
    const gone = this.entries.filter(
      (entry) =>
        entry.arrivedAt < before &&
        entry.state !== "open" &&
        !this.items.some((item) => item.entryKey === entry.key && isOpen(item)),
    );
    const keys = new Set(gone.map(({ key }) => key));
    this.entries = this.entries.filter(({ key }) => !keys.has(key));
    this.items = this.items.filter(({ entryKey }) => !keys.has(entryKey));
    return gone.length;
  }
}

const isOpen = ({ status }: ModelItem): boolean =>
  status === "pending" || status === "sending" || status === "unknown";

import type { ItemStatus } from "../../../src/runtime/store/item.ts";
import type { CommitResult, Transition } from "../../../src/runtime/store/transition.ts";

interface ModelEntry {
  readonly seq: number;
  readonly key: string;
  readonly lane: string;
  readonly arrivedAt: number;
  state: "open" | "done" | "dead-lettered";
  attempts: number;
  retryAt: number;
}

/** Unprocessed input of a lane (a conversation): an item whose outcome a run waits for has been settled. */
interface ModelSettled {
  readonly seq: number;
  readonly lane: string;
  /** Key of the item whose outcome is known. */
  readonly item: string;
}

interface ModelRun {
  readonly entryKey: string;
  readonly waitsFor: string;
  open: boolean;
}

interface ModelItem {
  readonly key: string;
  readonly entryKey: string;
  readonly lane: string;
  status: ItemStatus;
}

/** Expected content of a store, in plain arrays. It implements the store's contract as briefly as possible. */
export class Model {
  entries: ModelEntry[] = [];
  items: ModelItem[] = [];
  /** Runs that wait for an outbox item. Each journal entry has at most one such run, which waits for its first item. */
  runs: ModelRun[] = [];
  settled: ModelSettled[] = [];
  readonly state = new Map<string, string>();
  #lastSeq = 0;

  append(key: string, lane: string, arrivedAt: number): "new" | "duplicate" {
    if (this.entries.some((entry) => entry.key === key)) return "duplicate";
    const seq = ++this.#lastSeq;
    this.entries.push({ seq, key, lane, arrivedAt, state: "open", attempts: 0, retryAt: 0 });
    return "new";
  }

  /** Returns the unprocessed inputs in order, with their failed attempts. Skips lanes that wait for a retry. */
  inbox(now: number): (readonly [name: string, attempts: number])[] {
    const open = this.entries.filter((entry) => entry.state === "open");
    const waiting = new Set(open.filter((entry) => entry.retryAt > now).map(({ lane }) => lane));
    return [
      ...open.map(({ seq, lane, key, attempts }) => ({ seq, lane, key, attempts })),
      ...this.settled.map(({ seq, lane, item }) => ({
        seq,
        lane,
        key: `item ${item}`,
        attempts: 0,
      })),
    ]
      .filter(({ lane }) => !waiting.has(lane))
      .sort((a, b) => a.seq - b.seq)
      .map(({ key, attempts }) => [key, attempts]);
  }

  /** @param read Value of user state that the decision has read, which may be outdated. */
  commit(
    entry: ModelEntry,
    outcome: Transition["outcome"],
    retryAt: number,
    items: readonly string[],
    read: string | undefined,
  ): CommitResult {
    if (entry.state !== "open" || !this.entries.includes(entry)) return "already-done";
    if (outcome === "retry") {
      entry.attempts += 1;
      entry.retryAt = retryAt;
      return "committed";
    }
    if (this.state.get(entry.lane) !== read) return "stale";
    if (outcome !== "done") entry.attempts += 1;
    entry.state = outcome;
    this.state.set(entry.lane, entry.key);
    const { lane } = entry;
    for (const key of items) {
      if (this.items.some((item) => item.key === key)) continue;
      this.items.push({ key, entryKey: entry.key, lane, status: "pending" });
    }
    const [first] = items;
    if (first !== undefined) this.runs.push({ entryKey: entry.key, waitsFor: first, open: true });
    return "committed";
  }

  /** Processes the oldest input about an item's outcome, which ends the run that waited for the item. */
  takeSettled(): ModelSettled | undefined {
    const settled = this.settled.shift();
    const run = this.runs.find(({ waitsFor }) => waitsFor === settled?.item);
    if (run !== undefined) run.open = false;
    return settled;
  }

  /** Returns the oldest unsent item of each conversation, if its status is `pending`. */
  outbox(): ModelItem[] {
    const open = this.items.filter(isOpen);
    const heads = open.filter((item) => open.find(({ lane }) => lane === item.lane) === item);
    return heads.filter((item) => item.status === "pending");
  }

  move(item: ModelItem, from: ItemStatus, to: ItemStatus): CommitResult {
    if (!this.items.includes(item) || item.status !== from) return "already-done";
    const reopened = (from === "failed" || from === "expired") && to === "pending";
    if (!isOpen(item) && !reopened) return "already-done";
    item.status = to;
    const awaited = this.runs.some(({ open, waitsFor }) => open && waitsFor === item.key);
    if (!isOpen(item) && awaited) {
      this.settled.push({ seq: ++this.#lastSeq, lane: item.lane, item: item.key });
    }
    return "committed";
  }

  prune(before: number): number {
    const gone = this.entries.filter(
      (entry) =>
        entry.arrivedAt < before &&
        entry.state !== "open" &&
        !this.runs.some((run) => run.entryKey === entry.key && run.open) &&
        !this.items.some((item) => item.entryKey === entry.key && isOpen(item)),
    );
    const keys = new Set(gone.map(({ key }) => key));
    this.entries = this.entries.filter(({ key }) => !keys.has(key));
    this.items = this.items.filter(({ entryKey }) => !keys.has(entryKey));
    this.runs = this.runs.filter(({ entryKey }) => !keys.has(entryKey));
    return gone.length;
  }
}

const isOpen = ({ status }: ModelItem): boolean =>
  status === "pending" || status === "sending" || status === "unknown";

import type { AppendResult, Entry, NewEntry } from "../../../src/runtime/store/entry.ts";
import { StoreError } from "../../../src/runtime/store/errors.ts";
import type { JournalRow } from "../../../src/runtime/store/listings.ts";

/** Unprocessed input of a conversation: an entry of the journal, or an item whose outcome is known. */
export interface InboxRow {
  readonly lane: string;
  readonly item: number | undefined;
  attempts: number;
  retryAt: number;
}

/** Decision of the rules on an event, as the journal stores it. */
interface Decided {
  readonly state: JournalRow["state"];
  readonly attempts: number;
  readonly decidedAt?: number;
  readonly decision?: string;
}

/** All events are in `journal`. Undecided ones are also in `inbox`, with the outcomes of items. */
export class ModelInbox {
  readonly journal = new Map<number, Entry>();
  readonly decided = new Map<number, Decided>();
  /** Unprocessed inputs by number (`seq`), in ascending order. */
  readonly inbox = new Map<number, InboxRow>();
  readonly #seqs = new Map<string, number>();
  readonly #partitionOf: (lane: string) => number;
  #seq = 0;

  constructor(partitionOf: (lane: string) => number) {
    this.#partitionOf = partitionOf;
  }

  /** @param isFree Whether no waiting run, silence or pause of the lane can affect the decision on an entry. */
  append(entries: readonly NewEntry[], isFree: (lane: string) => boolean): readonly AppendResult[] {
    for (const entry of entries) {
      const missing = FIELDS.find((field) => entry[field] === undefined);
      if (missing !== undefined) throw new StoreError("store-data", `${missing} is missing`);
    }
    return entries.map((entry) => {
      const name = nameOf(entry);
      const storedSeq = this.#seqs.get(name);
      if (storedSeq !== undefined) return { outcome: "duplicate", seq: storedSeq };
      const isNext = !this.#hasInputs(entry.lane) && isFree(entry.lane);
      const seq = this.#enqueue(entry.lane, undefined);
      this.#seqs.set(name, seq);
      const partition = this.#partitionOf(entry.lane);
      this.journal.set(seq, { ...entry, seq, partition });
      return isNext ? { outcome: "new", seq, nextIn: partition } : { outcome: "new", seq };
    });
  }

  #hasInputs(lane: string): boolean {
    return [...this.inbox.values()].some((row) => row.lane === lane);
  }

  /** Appends the outcome of an item to its conversation's inputs. */
  addSettled(lane: string, item: number): void {
    this.#enqueue(lane, item);
  }

  #enqueue(lane: string, item: number | undefined): number {
    this.#seq += 1;
    this.inbox.set(this.#seq, { lane, item, attempts: 0, retryAt: -Infinity });
    return this.#seq;
  }

  /** Returns due inputs in order, with a limit for each conversation. */
  due(now: number, wanted: (lane: string) => boolean): [seq: number, row: InboxRow][] {
    const waiting = new Set<string>();
    for (const { lane, retryAt } of this.inbox.values()) if (retryAt > now) waiting.add(lane);
    const perLane = new Map<string, number>();
    return [...this.inbox].filter(([, { lane }]) => {
      const count = perLane.get(lane) ?? 0;
      if (count >= LANE_SHARE || waiting.has(lane) || !wanted(lane)) return false;
      perLane.set(lane, count + 1);
      return true;
    });
  }

  /** Deletes an entry from the journal. @returns Whether the entry existed. */
  drop(seq: number): boolean {
    const entry = this.journal.get(seq);
    if (entry !== undefined) this.#seqs.delete(nameOf(entry));
    this.decided.delete(seq);
    return this.journal.delete(seq);
  }
}

const FIELDS = [
  "key",
  "account",
  "lane",
  "kind",
  "at",
  "arrivedAt",
  "source",
  "body",
] as const satisfies readonly (keyof NewEntry)[];

/** Maximum number of inputs of one conversation in a fetch, so that a long one leaves room for others. */
const LANE_SHARE = 32;

function nameOf({ account, key }: NewEntry): string {
  return `${account} ${key}`;
}

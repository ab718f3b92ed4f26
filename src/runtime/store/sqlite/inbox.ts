import type { AppendResult, NewEntry } from "../entry.ts";
import type { LaneInput } from "../transition.ts";
import type { Afterwards } from "../in-memory/afterwards.ts";
import type { Database } from "./binding.ts";
import type { Operations } from "./calls.ts";
import type { Counters } from "./counters.ts";
import type { Escalations } from "./escalations.ts";
import type { ForgottenKeys } from "./forget/forgotten-keys.ts";
import type { Leases } from "./leases.ts";
import { listed } from "../tables/columns.ts";
import { type EntryRow, type ItemRow, toEntry, toItem } from "../tables/rows.ts";
import { ITEMS, JOURNAL } from "../tables/tables.ts";
import { rowInsert } from "./row-writes.ts";
import type { Runs } from "./runs.ts";
import type { Pauses } from "./waiting/pauses.ts";
import type { InputPlace, WaitingInputs } from "./waiting/waiting-inputs.ts";

/** Input of the inbox, with its journal entry. The input of a settled item has no entry. */
type InputRow = { readonly attempts: number; readonly item: number | null } & (
  | EntryRow
  | { readonly key: null }
);

/** Dependencies of {@link Inbox}. */
interface InboxParts {
  readonly counters: Counters;
  readonly leases: Leases;
  readonly runs: Runs;
  readonly waiting: WaitingInputs;
  readonly pauses: Pauses;
  readonly escalations: Pick<Escalations, "silences">;
  readonly forgotten: ForgottenKeys;
  readonly afterwards: Afterwards;
}

/** Stores arrivals: entries in the journal, and unprocessed inputs of lanes in the inbox. */
export class Inbox {
  readonly #parts: InboxParts;
  readonly #record;
  readonly #known;
  readonly #queue;
  readonly #open;
  readonly #take;
  readonly #delay;
  readonly #input;
  readonly #item;
  readonly #arrivedAt;
  /** Lanes to which the current transaction adds inputs. */
  readonly #queued = new Set<string>();
  /** Row that {@link attemptsAt} has read last. */
  #lastRead:
    | { readonly seq: number; readonly lane: string; readonly item: number | null }
    | undefined;

  constructor(db: Database, parts: InboxParts) {
    this.#parts = parts;
    // Without INSERT OR IGNORE, which would report an entry with a missing field as a duplicate.
    this.#record = rowInsert(db, JOURNAL, "ON CONFLICT (key, account) DO NOTHING");
    this.#known = db.prepare<{ seq: number }>(
      "SELECT seq FROM journal WHERE key = ? AND account = ?",
    );
    this.#queue = db.prepare(
      "INSERT INTO work (kind, id, lane, attempts, item) VALUES ('input', ?, ?, 0, ?)",
    );
    this.#open = db.prepare<{ attempts: number; lane: string; item: number | null }>(
      "SELECT attempts, lane, item FROM work WHERE kind = 'input' AND id = ?",
    );
    this.#take = db.prepare("DELETE FROM work WHERE kind = 'input' AND id = ?");
    this.#delay = db.prepare(
      "UPDATE work SET attempts = ?, retry_at = ? WHERE kind = 'input' AND id = ?",
    );
    this.#input = db.prepare<InputRow>(
      `SELECT i.attempts, i.item, ${listed(JOURNAL, "j")} FROM work AS i LEFT JOIN journal AS j ON j.seq = i.id WHERE i.kind = 'input' AND i.id = ?`,
    );
    this.#item = db.prepare<ItemRow>(`SELECT ${listed(ITEMS.shown)} FROM items WHERE id = ?`);
    this.#arrivedAt = db.prepare<{ arrived_at: number }>(
      "SELECT arrived_at FROM journal WHERE seq = ?",
    );
  }

  readonly append: Operations["append"] = (entries) => entries.map((entry) => this.#add(entry));

  #add(entry: NewEntry): AppendResult {
    const seq = this.#parts.counters.get("seq") + 1;
    const { key, account, lane, kind, at, arrivedAt: arrived_at, source, body } = entry;
    if (this.#parts.forgotten.isForgotten(entry)) return { outcome: "duplicate", seq: 0 };
    if (this.#record({ seq, key, account, lane, kind, at, arrived_at, source, body }) === 0) {
      return { outcome: "duplicate", seq: this.#known.get(key, account)?.seq ?? 0 };
    }
    const isNext = this.#isFree(lane);
    this.#enqueue(lane, null);
    this.#parts.counters.add("journal", 1);
    this.#parts.counters.set("entry", seq);
    if (!isNext) return { outcome: "new", seq };
    return { outcome: "new", seq, nextIn: this.#parts.leases.partitionOf(lane) };
  }

  /** Whether a new input of the lane can be processed at once: no input, pause, silence or listening run affects it. */
  #isFree(lane: string): boolean {
    const { waiting, pauses, runs, escalations } = this.#parts;
    return (
      !waiting.has(lane) &&
      !this.#queued.has(lane) &&
      !pauses.holds(lane) &&
      escalations.silences(lane).length === 0 &&
      runs.listeners(lane).length === 0
    );
  }

  readonly partitionLag: Operations["partitionLag"] = (leases) => {
    const { waiting, leases: held } = this.#parts;
    const covered = held.covers(leases);
    const oldest = waiting.oldest(
      (lane) => (covered(lane) ? held.partitionOf(lane) : undefined),
      (seq) => this.#arrivedAt.get(seq)?.arrived_at,
    );
    return new Map([...oldest].map(([partition, { arrivedAt }]) => [partition, arrivedAt]));
  };

  /** Queues a settled item as an input of its lane, behind all earlier inputs. */
  addSettled(lane: string, item: number): void {
    this.#enqueue(lane, item);
  }

  #enqueue(lane: string, item: number | null): void {
    const seq = this.#parts.counters.add("seq", 1);
    this.#queue.run(seq, lane, item);
    const { counters, afterwards, waiting } = this.#parts;
    counters.add("inbox", 1);
    this.#queued.add(lane);
    afterwards.elseUndo(() => this.#queued.delete(lane));
    afterwards.add(() => {
      this.#queued.delete(lane);
      waiting.add({ lane, seq });
    });
  }

  /** Returns the number of failed attempts; `undefined` if the input was already processed. */
  attemptsAt(seq: number): number | undefined {
    const row = this.#open.get(seq);
    this.#lastRead = row && { seq, ...row };
    return row?.attempts;
  }

  remove(seq: number): void {
    // A transition reads its input immediately before it removes the input.
    const open = this.#lastRead?.seq === seq ? this.#lastRead : this.#open.get(seq);
    this.#lastRead = undefined;
    if (open === undefined) return;
    const { lane, item } = open;
    this.#take.run(seq);
    const { counters } = this.#parts;
    counters.add("inbox", -1);
    // After the deletion no row shows that this `seq` was assigned, so the counters must be written.
    if (item !== null && seq > counters.get("entry") && seq > counters.written("seq")) {
      counters.save();
    }
    this.#parts.afterwards.add(() => this.#parts.waiting.remove({ lane, seq }));
  }

  defer(seq: number, attempts: number, retryAt: number): void {
    const lane = this.#open.get(seq)?.lane;
    if (lane === undefined) return;
    this.#delay.run(attempts, retryAt, seq);
    this.#parts.afterwards.add(() => this.#parts.waiting.putOff({ lane, seq }, retryAt));
  }

  readonly fetch: Operations["fetch"] = (leases, now, limit, busy) => {
    const covered = this.#parts.leases.covers(leases);
    const skipped = new Set(busy);
    const wanted = (lane: string): boolean => !skipped.has(lane) && covered(lane);
    const { pauses } = this.#parts;
    const timers = this.#dueTimers(now, limit, (lane) => wanted(lane) && !pauses.holds(lane));
    // Timers come after other inputs of their lane: an event that arrived before a deadline is processed first.
    const behind = timers.filter(({ lane }) => this.#parts.waiting.has(lane));
    const inputs = timers.filter((timer) => !behind.includes(timer));
    const room = { limit: limit - inputs.length, share: LANE_SHARE };
    for (const place of this.#parts.waiting.next(now, room, wanted)) {
      const input = this.#read(place);
      if (input !== undefined) inputs.push(input);
    }
    return [...inputs, ...behind].slice(0, limit);
  };

  #read({ seq, lane }: InputPlace): LaneInput | undefined {
    const row = this.#input.get(seq);
    if (row === undefined) return undefined;
    const partition = this.#parts.leases.partitionOf(lane);
    const { attempts } = row;
    const place = { input: `inbox/${seq}`, lane, partition, attempts, ...this.#silencesIn(lane) };
    if (row.key !== null) {
      const listeners = this.#parts.runs.listeners(lane);
      return { ...place, kind: "event", entry: toEntry(row, partition), listeners };
    }
    const item = row.item === null ? undefined : this.#item.get(row.item);
    const pair = item && this.#parts.runs.findWithEntry(item.run);
    return (
      item && pair && { ...place, kind: "item-settled", item: toItem(item, partition), ...pair }
    );
  }

  #silencesIn(lane: string): Pick<LaneInput, "silences"> {
    const silences = this.#parts.escalations.silences(lane);
    return silences.length === 0 ? {} : { silences };
  }

  #dueTimers(now: number, limit: number, wanted: (lane: string) => boolean): LaneInput[] {
    return this.#parts.runs.dueTimers(now, limit, wanted).flatMap((timer): LaneInput[] => {
      const pair = this.#parts.runs.findWithEntry(timer.run);
      if (pair === undefined) return [];
      const { id, lane } = timer;
      const partition = this.#parts.leases.partitionOf(lane);
      const silences = this.#silencesIn(lane);
      const place = { input: `timer/${id}`, lane, partition, attempts: 0, ...silences };
      return [{ ...place, kind: "timer-due", timer, ...pair }];
    });
  }
}

/** Maximum number of inputs of one lane in a fetch, so that inputs of other lanes fit in, too. */
const LANE_SHARE = 32;

import {
  HELD_QUIET,
  isHeldBack,
  type Item,
  type ItemStatus,
  type ItemTransition,
  isSettled,
  type NewItem,
  countedAs,
  type CountedStatus,
  DROPPED_BY_OPERATOR,
} from "../item.ts";
import { runIdParts } from "../run.ts";
import { type CommitResult, WITHDRAWN } from "../transition.ts";
import type { Afterwards } from "../in-mind/afterwards.ts";
import type { Database, Value } from "./binding.ts";
import type { Operations } from "./calls.ts";
import type { Counters } from "./counters.ts";
import { DOUBT } from "../restored.ts";
import type { Restored } from "./file/restored.ts";
import type { Inbox } from "./inbox.ts";
import type { Leases } from "./leases.ts";
import type { AnswerCounts } from "../in-mind/answer-counts.ts";
import type { OpenItems } from "./waiting/open-items.ts";
import type { Pauses } from "./waiting/pauses.ts";
import { ITEM_COLUMNS, type ItemRow, toItem } from "../rows/rows.ts";
import type { Runs } from "./runs.ts";
import { Select } from "./select.ts";
import type { State } from "./state.ts";

/** What the outbox stands on. */
interface OutboxParts {
  readonly counters: Counters;
  readonly leases: Leases;
  readonly inbox: Inbox;
  readonly runs: Runs;
  readonly open: OpenItems;
  readonly limits: AnswerCounts;
  readonly pauses: Pauses;
  readonly restored: Restored;
  readonly state: State;
  readonly afterwards: Afterwards;
}

/** What goes out: the head of each lane, and the states that items move through. */
export class OutboxTable {
  readonly #parts: OutboxParts;
  readonly #queue;
  readonly #begin;
  readonly #end;
  readonly #read;
  readonly #move;
  readonly #list;
  readonly #unsent;
  readonly #unsentIn;

  constructor(db: Database, parts: OutboxParts) {
    this.#parts = parts;
    this.#queue = db.prepare(
      `INSERT INTO items (id, key, run, seq, account, lane, action, status, not_before, expires_at, priority, started_at, reason, counted_at, heard)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key, account) DO NOTHING`,
    );
    this.#begin = db.prepare("INSERT INTO work (kind, id) VALUES ('item', ?)");
    this.#end = db.prepare("DELETE FROM work WHERE kind = 'item' AND id = ?");
    this.#read = db.prepare<ItemRow>(`SELECT ${ITEM_COLUMNS} FROM items WHERE id = ?`);
    this.#move = db.prepare(
      `UPDATE items SET status = ?, attempts = ?, not_before = ?, started_at = ?, settled_at = ?,
         platform_id = ?, reason = ?, expires_at = ? WHERE id = ?`,
    );
    this.#list = new Select<ItemRow>(db);
    this.#unsent = db.prepare<ItemRow>(
      `SELECT ${ITEM_COLUMNS} FROM items WHERE seq = ? AND run = ? AND status IN ('pending', 'held')`,
    );
    this.#unsentIn = db.prepare<ItemRow>(
      `SELECT ${ITEM_COLUMNS} FROM items WHERE lane = ? AND status IN ('pending', 'held', 'unknown')`,
    );
  }

  /**
   * Queues an item, unless the account has one with its key already.
   *
   * @param at Now, by the platform's clock.
   */
  enqueue(item: NewItem, at: number): void {
    const { key, run, seq, account, lane, expiresAt = null, priority = 0 } = item;
    const { counters, open, limits, restored, afterwards } = this.#parts;
    const id = counters.get("item") + 1;
    const doubt = restored.doubt(seq);
    const held = doubt === undefined ? (limits.reached(item) ?? item.holdReason) : undefined;
    const status: ItemStatus =
      doubt === undefined ? (held === undefined ? "pending" : "held") : "unknown";
    const notBefore = item.notBefore + (doubt?.holdMs ?? 0);
    const place = [id, key, run, seq, account, lane, JSON.stringify(item.action), status] as const;
    const reason = doubt === undefined ? (held ?? null) : DOUBT;
    const { at: countedAt = null, heard = null } = item.counted ?? {};
    const why = [doubt?.startedAt ?? null, reason, countedAt, heard] as const;
    if (this.#queue.run(...place, notBefore, expiresAt, priority, ...why) === 0) return;
    limits.count(item, status);
    this.#begin.run(id);
    counters.add("item", 1);
    counters.add("items", 1);
    counters.add(`item.${status}`, 1);
    afterwards.add(() => open.set({ id, lane, status, notBefore, expiresAt, priority }));
    if (isHeldBack({ status, reason }) && this.#isAwaited(item)) {
      this.#parts.inbox.addSettled(lane, id);
    }
    this.#refuse(item, { id, from: status, at });
  }

  /** What user state forbids has failed as soon as it is queued, so that its run hears of it. */
  #refuse(
    { unless, lane }: NewItem,
    queued: { readonly id: number; readonly from: ItemStatus; readonly at: number },
  ): void {
    if (unless === undefined || this.#parts.state.versionOf(unless.key) === 0) return;
    const partition = this.#parts.leases.partitionOf(lane);
    const { reason } = unless;
    this.#change({ ...queued, partition, epoch: 0, to: "failed", reason });
  }

  readonly dueItems: Operations["dueItems"] = (leases, now, limit) => {
    const { open, pauses } = this.#parts;
    const covered = this.#parts.leases.covers(leases);
    return this.#itemsOf(open.due(now, limit, (lane) => covered(lane) && !pauses.holds(lane)));
  };

  readonly overdueItems: Operations["overdueItems"] = (leases, now, limit) =>
    this.#itemsOf(this.#parts.open.overdue(now, limit)).filter(({ lane }) =>
      this.#parts.leases.covers(leases)(lane),
    );

  #itemsOf(ids: readonly number[]): Item[] {
    return ids.flatMap((id) => {
      const row = this.#read.get(id);
      return row === undefined ? [] : [this.#item(row)];
    });
  }

  readonly openItems: Operations["openItems"] = (leases, { status, after, limit }) => {
    const covered = this.#parts.leases.covers(leases);
    const found: Item[] = [];
    for (let from = after; ;) {
      const ids = this.#parts.open.inState(status, from, limit);
      found.push(...this.#itemsOf(ids).filter(({ lane }) => covered(lane)));
      const last = ids.at(-1);
      if (found.length >= limit) return found.slice(0, limit);
      if (last === undefined || ids.length < limit) return found;
      from = last;
    }
  };

  readonly changeItems: Operations["changeItems"] = (worker, transitions) =>
    transitions.map((one) =>
      this.#parts.leases.holds(worker, one) ? this.#change(one) : "fenced",
    );

  #change(one: ItemTransition): CommitResult {
    const row = this.#read.get(one.id);
    if (row === undefined || row.status !== one.from || !mayLeave(one)) return "already-done";
    if (this.#parts.leases.partitionOf(row.lane) !== one.partition) return "fenced";
    const { to, at } = one;
    const starts = to === "sending";
    const notBefore = one.notBefore ?? row.not_before;
    const expiresAt = one.expiresAt ?? row.expires_at;
    const values: readonly Value[] = [
      to,
      row.attempts + (starts ? 1 : 0),
      notBefore,
      starts ? at : row.started_at,
      isSettled(to) ? at : null,
      one.platformId ?? row.platform_id,
      one.reason ?? null,
      expiresAt,
    ];
    this.#move.run(...values, row.id);
    if (one.from === "held" && to === "pending" && row.reason !== HELD_QUIET) {
      this.#parts.limits.beginAnew(row);
    }
    if (isSettled(to)) this.#end.run(row.id);
    else if (isSettled(one.from)) this.#begin.run(row.id);
    const { id, lane, priority } = row;
    const { open, afterwards } = this.#parts;
    if (isSettled(to)) afterwards.add(() => open.remove({ id, lane }));
    else afterwards.add(() => open.set({ id, lane, status: to, notBefore, expiresAt, priority }));
    this.#parts.counters.add(`item.${countedAs(row)}`, -1);
    this.#parts.counters.add(`item.${countedAs({ status: to, reason: one.reason })}`, 1);
    const goesOn = isSettled(to) || isHeldBack({ status: to, reason: one.reason });
    if (goesOn && this.#isAwaited(row)) this.#parts.inbox.addSettled(row.lane, row.id);
    return "committed";
  }

  /** Gives up the items of a run that have not left. */
  withdraw(run: string, at: number): void {
    for (const { id, lane, status } of this.#unsent.all(runIdParts(run)[0], run)) {
      const partition = this.#parts.leases.partitionOf(lane);
      this.#change({ id, partition, epoch: 0, from: status, to: "expired", at, reason: WITHDRAWN });
    }
  }

  /** Gives up all items of a lane that have not left. One whose outcome nobody knows is not sent again. */
  clear(lane: string, at: number, reason: string): void {
    const partition = this.#parts.leases.partitionOf(lane);
    for (const { id, status } of this.#unsentIn.all(lane)) {
      this.#change({ id, partition, epoch: 0, from: status, to: "expired", at, reason });
    }
  }

  /** A run waits for the item, and goes on when it is settled or held back. */
  #isAwaited({ run, key }: Pick<ItemRow, "run" | "key">): boolean {
    const found = this.#parts.runs.find(run);
    return found?.status === "waiting" && found.waitsFor === key;
  }

  readonly items: Operations["items"] = ({ id, seq, lane, account, status, before, ...query }) => {
    const { seqFrom, seqTo, limit } = query;
    const isNarrow = [id, seq, seqFrom, seqTo, lane].some((one) => one !== undefined);
    return this.#list
      .newest(`SELECT ${ITEM_COLUMNS} FROM items`, "id", limit, [
        ["id = ?", id],
        ["seq = ?", seq],
        ["seq >= ?", seqFrom],
        ["seq <= ?", seqTo],
        ["lane = ?", lane],
        ["account = ?", account],
        [isNarrow ? "+status = ?" : inState(status), status === "dropped" ? "failed" : status],
        ["reason = ?", status === "dropped" ? DROPPED_BY_OPERATOR : undefined],
        ["reason IS NOT ?", status === "failed" ? DROPPED_BY_OPERATOR : undefined],
        ["id < ?", before],
      ])
      .map((row) => this.#item(row));
  };

  #item(row: ItemRow): Item {
    return toItem(row, this.#parts.leases.partitionOf(row.lane));
  }
}

/** Most were sent, so those are met soon from the newest on; the others are listed apart. */
function inState(status: CountedStatus | undefined): string {
  if (status === "sent") return "+status = ?";
  if (status === "failed" || status === "dropped" || status === "expired") {
    return "status IN ('failed', 'expired') AND status = ?";
  }
  return "id IN (SELECT id FROM work WHERE kind = 'item') AND status = ?";
}

/** What was sent stays sent; what was given up may be tried again. */
function mayLeave({ from, to }: ItemTransition): boolean {
  return !isSettled(from) || (from !== "sent" && to === "pending");
}

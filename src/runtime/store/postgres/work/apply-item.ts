import {
  countedAs,
  HELD_QUIET,
  isHeldBack,
  type ItemStatus,
  type ItemTransition,
  isSettled,
  type NewItem,
} from "../../item.ts";
import { type CommitResult, WITHDRAWN } from "../../transition.ts";
import { DOUBT } from "../../restored.ts";
import type { FoundItem } from "./found.ts";
import type { WorkParts } from "./work.ts";

/** Queues an item, unless the account has one with its key already. */
export function queueItem(parts: WorkParts, item: NewItem, place: QueuePlace): void {
  const { work, limits } = parts;
  if (!work.claimItem(item)) return;
  const doubt = doubtOf(parts, item.seq);
  const held = doubt === undefined ? (limits.reached(item) ?? item.holdReason) : undefined;
  const status: ItemStatus =
    doubt === undefined ? (held === undefined ? "pending" : "held") : "unknown";
  const made: FoundItem = {
    id: work.nextId(),
    key: item.key,
    run: item.run,
    seq: item.seq,
    account: item.account,
    lane: item.lane,
    partition: place.partitionOf(item.lane),
    action: JSON.stringify(item.action),
    priority: item.priority ?? 0,
    counted_at: item.counted?.at ?? null,
    heard: item.counted?.heard ?? null,
    status,
    attempts: 0,
    not_before: item.notBefore + (doubt?.holdMs ?? 0),
    expires_at: item.expiresAt ?? null,
    started_at: doubt?.startedAt ?? null,
    settled_at: null,
    platform_id: null,
    reason: doubt === undefined ? (held ?? null) : DOUBT,
  };
  limits.count(item, status);
  work.items.set(made.id, made);
  work.pending.items.set(made.id, { item: made, before: undefined });
  work.pending.count(`item.${status}`, 1);
  if (isHeldBack(made)) wakeRunOf(parts, made);
  const { unless } = item;
  // What user state forbids has failed as soon as it is queued, so that its run hears of it.
  if (unless !== undefined && work.versionOf(unless.key) !== 0) {
    moveItem(parts, made, { from: status, to: "failed", at: place.at, reason: unless.reason });
  }
}

/** Where and when items are queued. */
export interface QueuePlace {
  readonly partitionOf: (lane: string) => number;
  /** Now, by the platform's clock. */
  readonly at: number;
}

/** Moves an item from the state in which it is expected to be. */
export function moveItem(
  { work, limits }: WorkParts,
  item: FoundItem,
  change: Omit<ItemTransition, "id" | "partition" | "epoch">,
): CommitResult {
  const { from, to, at } = change;
  if (item.status !== from || !mayLeave(change)) return "already-done";
  const { pending } = work;
  if (!pending.items.has(item.id)) pending.items.set(item.id, { item, before: item.status });
  if (from === "held" && to === "pending" && item.reason !== HELD_QUIET) limits.beginAnew(item);
  pending.count(`item.${countedAs(item)}`, -1);
  item.status = to;
  item.not_before = change.notBefore ?? item.not_before;
  item.expires_at = change.expiresAt ?? item.expires_at;
  if (to === "sending") {
    item.attempts += 1;
    item.started_at = at;
  }
  item.settled_at = isSettled(to) ? at : null;
  item.platform_id = change.platformId ?? item.platform_id;
  item.reason = change.reason ?? null;
  pending.count(`item.${countedAs(item)}`, 1);
  if (isSettled(to) || isHeldBack(item)) wakeRunOf({ work }, item);
  return "committed";
}

/** Has the run go on that waits for an item: the item is settled or held back. */
function wakeRunOf({ work }: Pick<WorkParts, "work">, item: FoundItem): void {
  const run = work.run(item.run);
  if (run?.status !== "waiting" || run.waitsFor !== item.key) return;
  work.pending.settled.push(item);
  work.pending.count("inbox", 1);
}

/** Gives up the items of a run that have not left. */
export function withdraw(parts: WorkParts, run: string, at: number): void {
  for (const item of parts.work.items.values()) {
    const { status: from } = item;
    if (item.run !== run || (from !== "pending" && from !== "held")) continue;
    moveItem(parts, item, { from, to: "expired", at, reason: WITHDRAWN });
  }
}

/** Gives up all items of a lane that have not left. One whose outcome nobody knows is not sent again. */
export function clearLane(parts: WorkParts, lane: string, at: number, reason: string): void {
  for (const item of parts.work.items.values()) {
    const { status: from } = item;
    if (item.lane !== lane || !(from === "pending" || from === "held" || from === "unknown"))
      continue;
    moveItem(parts, item, { from, to: "expired", at, reason });
  }
}

/** What is doubtful of an item that the entry `seq` brought about; undefined where nothing is. */
function doubtOf({ work, answered }: WorkParts, seq: number) {
  const startedAt = answered === undefined ? undefined : work.arrivedAt(seq);
  if (answered === undefined || startedAt === undefined || startedAt >= answered.until)
    return undefined;
  return { startedAt, holdMs: answered.holdMs };
}

/** What was sent stays sent; what was given up may be tried again. */
function mayLeave({ from, to }: Pick<ItemTransition, "from" | "to">): boolean {
  return !isSettled(from) || (from !== "sent" && to === "pending");
}

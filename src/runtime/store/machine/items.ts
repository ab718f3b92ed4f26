import {
  isHeldBack,
  isSettled,
  type ItemStatus,
  type ItemTransition,
  type NewItem,
  type EndOfRun,
} from "../item.ts";
import { DOUBT } from "../restored.ts";
import type { ItemRow, ItemState } from "../tables/rows.ts";
import { WITHDRAWN, type ItemResult } from "../transition.ts";
import type { Doubt, ItemPort, MachineRun } from "./port.ts";

/** Change of an item, without the lease that fences it. */
export type ItemChange = Omit<ItemTransition, "id" | "partition" | "epoch">;

/**
 * Queues an item, unless the account already has one with the same key.
 *
 * | Item | Status |
 * | --- | --- |
 * | may have been sent by another store | `unknown` |
 * | reaches a limit, or has a `holdReason` | `held` |
 * | is sent now, is due, and its lane is free | `sending` |
 * | else | `pending` |
 *
 * If user state has a value under the key of `unless`, the item fails at once, so that its run continues.
 *
 * @param at Current time, by the platform's clock.
 * @param isSentNow Whether the caller wants to send the item now.
 * @returns The item with its number; `undefined` if the account already has an item with the same key.
 */
export function queueItem<Run extends MachineRun>(
  port: ItemPort<Run>,
  item: NewItem,
  at: number,
  isSentNow = false,
): ItemRow | undefined {
  const doubt = port.doubt(item);
  const held = doubt === undefined ? (port.limits.reached(item) ?? item.holdReason) : undefined;
  const { unless } = item;
  const fails = unless !== undefined && port.stateVersion(unless.key) !== 0;
  const isQueued = doubt === undefined && held === undefined;
  const isSending = isQueued && isSentNow && !fails && isDue(item, at) && port.isFree(item.lane);
  const status = isSending ? "sending" : isQueued ? "pending" : doubt ? "unknown" : "held";
  const queued = port.addItem(item, {
    status,
    attempts: isSending ? 1 : 0,
    not_before: item.notBefore + (doubt?.holdMs ?? 0),
    expires_at: item.expiresAt ?? null,
    started_at: isSending ? at : (doubt?.startedAt ?? null),
    settled_at: null,
    platform_id: null,
    reason: doubt === undefined ? (held ?? null) : DOUBT,
    result: null,
  });
  if (queued === undefined) return undefined;
  port.limits.count(item, status);
  if (fails) {
    moveItem(port, queued, { from: status, to: "failed", at, reason: unless.reason });
  } else if (isHeldBack(queued)) goOn(port, queued);
  return queued;
}

function isDue({ notBefore, expiresAt = Infinity }: NewItem, at: number): boolean {
  return notBefore <= at && at < expiresAt;
}

/**
 * Changes an item's status. `already-done`: the item's status is not `change.from`, or this change is not allowed. An
 * item that was held or settled, and may have been sent by another store, becomes `unknown` instead of `pending`.
 *
 * If a run waits for the settled item, the run ends with `change.ends` if it {@link mayEnd}. Otherwise the item is
 * queued as an input for the run.
 */
export function moveItem<Run extends MachineRun>(
  port: ItemPort<Run>,
  item: ItemRow,
  change: ItemChange,
): ItemResult {
  if (item.status !== change.from || !mayLeave(change.from, change.to)) return "already-done";
  const doubt = isTakenUpAgain(change) ? port.doubt(item) : undefined;
  const moved = { ...movedItem(item, change), ...(doubt && doubted(item, change.at, doubt)) };
  if (change.to === "pending" && isHeldBack(item)) port.limits.beginAnew(item);
  port.changeItem(item, moved);
  if (!isSettled(moved.status) && !isHeldBack(moved)) return "committed";
  const { ends } = change;
  if (ends !== undefined && isSettled(moved.status)) {
    const run = port.run(ends.run.id);
    if (run !== undefined && mayEnd(port, run, { item, ends })) {
      port.writeRun(ends.run, run);
      for (const timer of ends.cancelled) port.dropTimer(timer);
      return "ended";
    }
  }
  goOn(port, item);
  return "committed";
}

/** Whether the run may end with the item: nothing has changed on which the end depends (see {@link EndOfRun}). */
function mayEnd(
  port: Pick<ItemPort, "silencesIn">,
  { id, status, version, waitsFor, slot }: MachineRun,
  { item, ends }: { readonly item: ItemRow; readonly ends: EndOfRun },
): boolean {
  return (
    id === item.run &&
    ends.run.lane === item.lane &&
    status === "waiting" &&
    waitsFor === item.key &&
    version === ends.run.version &&
    slot === undefined &&
    port.silencesIn(item.lane).length === 0
  );
}

/** Expires the unsent items of a run. */
export function withdraw<Run extends MachineRun>(
  port: ItemPort<Run>,
  run: string,
  at: number,
): void {
  for (const item of port.unsentOf(run)) giveUp(port, item, at, WITHDRAWN);
}

/** Expires all unsent items of a lane, including items with an unknown outcome, which are then not sent again. */
export function clearLane<Run extends MachineRun>(
  port: ItemPort<Run>,
  lane: string,
  at: number,
  reason: string,
): void {
  for (const item of port.unsentIn(lane)) giveUp(port, item, at, reason);
}

function giveUp<Run extends MachineRun>(
  port: ItemPort<Run>,
  item: ItemRow,
  at: number,
  reason: string,
): void {
  moveItem(port, item, { from: item.status, to: "expired", at, reason });
}

function movedItem(item: ItemRow, { to, at, ...change }: ItemChange): ItemState {
  const starts = to === "sending";
  return {
    status: to,
    attempts: item.attempts + (starts ? 1 : 0),
    not_before: change.notBefore ?? item.not_before,
    expires_at: change.expiresAt ?? item.expires_at,
    started_at: starts ? at : item.started_at,
    settled_at: isSettled(to) ? at : null,
    platform_id: change.platformId ?? item.platform_id,
    reason: change.reason ?? null,
    result: change.result === undefined ? item.result : JSON.stringify(change.result),
  };
}

/** Whether an item is to be sent that was held or settled. */
export function isTakenUpAgain({ from, to }: Pick<ItemChange, "from" | "to">): boolean {
  return to === "pending" && (from === "held" || isSettled(from));
}

/** State of an item that another store may have sent at the order of its operator, or after quiet hours. */
function doubted(
  { started_at: startedAt }: ItemRow,
  at: number,
  doubt: Doubt,
): Pick<ItemState, "status" | "not_before" | "started_at" | "reason"> {
  return {
    status: "unknown",
    not_before: at + doubt.holdMs,
    started_at: startedAt ?? doubt.startedAt,
    reason: DOUBT,
  };
}

/** Wakes the run that waits for an item, once the item is settled or waits for the operator. */
function goOn(port: Pick<ItemPort, "run" | "addSettled">, item: ItemRow): void {
  const run = port.run(item.run);
  if (run?.status === "waiting" && run.waitsFor === item.key) port.addSettled(item);
}

/** Whether a change of status is allowed: a sent item stays sent, a failed or expired one may become `pending`. */
function mayLeave(from: ItemStatus, to: ItemStatus): boolean {
  return !isSettled(from) || (from !== "sent" && to === "pending");
}

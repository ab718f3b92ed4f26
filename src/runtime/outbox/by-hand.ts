import { describeAction } from "../../actions/actions.ts";
import type { Clock } from "../clock/clock.ts";
import type { LeaseHolders } from "../loop/lease-holders.ts";
import {
  BY_OPERATOR,
  countedAs,
  DROPPED_BY_OPERATOR,
  type Item,
  type ItemStatus,
  statedReason,
} from "../store/item.ts";
import type { ReadPort } from "../store/store.ts";
import type { ChangeItem } from "./change-item.ts";
import type { NextState } from "./plan.ts";
import { shell } from "../../text/shell.ts";

export interface ByHandNeeds {
  readonly store: Pick<ReadPort, "items">;
  readonly change: ChangeItem;
  readonly clock: Clock;
  readonly holders: LeaseHolders;
  /** Triggers a poll of the outbox, which sends items that are due now. */
  readonly wake: () => void;
}

/** Result of a change that the operator requested. */
export type ByHandAnswer =
  | {
      readonly done: true;
      readonly from: ItemStatus;
      readonly to: ItemStatus;
      /** Whether the operator had dropped the item before: its status was `failed`. */
      readonly wasDropped?: true;
    }
  /** The item was not changed. */
  | { readonly done: false; readonly reason: string; readonly hint: string };

/** Outcome that the operator states for an item of unknown outcome. */
export interface Settlement {
  readonly as: "sent" | "failed";
  /** Platform id of the message or post that the item created, if known. Refused for `failed`. */
  readonly platformId?: string;
}

/** Changes of outbox items that an operator requests. */
export interface ByHand {
  /**
   * Sends a failed, dropped, expired, held or waiting item now.
   *
   * @param anyway Whether an item of unknown outcome is sent, too. If its first request had arrived, the platform
   *   performs the action twice.
   */
  retry(id: number, anyway: boolean): Promise<ByHandAnswer>;
  /** Records the outcome of an item whose outcome was unknown. */
  settle(id: number, settlement: Settlement): Promise<ByHandAnswer>;
  /** Gives up an item that waits or is held. Only {@link ByHand.retry} sends it then. */
  drop(id: number): Promise<ByHandAnswer>;
}

/** Lifetime of an expired item that the operator retries, in milliseconds from the retry. */
const LIFE_MS = 24 * 60 * 60_000;

/**
 * Creates the operator's changes of items. Each change is made under the lease of the item's partition, even if another
 * process holds this lease.
 */
export function byHand(needs: ByHandNeeds): ByHand {
  const { clock } = needs;
  return {
    retry: (id, anyway) =>
      changed(needs, id, (item) => {
        const { status, expiresAt = Infinity } = item;
        const now = clock.now();
        if (status === "sent") return refusal(item, "answerback send says something new");
        if (status === "sending")
          return refusal(item, `see: ${shell`answerback outbox show ${id}`}`);
        if (status === "unknown" && !anyway) return risk(item);
        const life = expiresAt <= now ? { expiresAt: now + LIFE_MS } : {};
        return { to: "pending", notBefore: now, reason: BY_OPERATOR.retried, ...life };
      }),
    settle: (id, { as, platformId }) =>
      changed(needs, id, (item) => {
        if (item.status !== "unknown") return refusal(item, "settle is for unknown items");
        if (as === "failed" && platformId !== undefined) {
          const command = shell`answerback outbox settle ${id} --as sent --platform-id ${platformId}`;
          const reason = "an action that failed has no id on the platform";
          return { done: false, reason, hint: `if it has arrived: ${command}` };
        }
        const ids = platformId === undefined ? {} : { platformId };
        return { to: as, reason: statedReason(as), ...ids };
      }),
    drop: (id) =>
      changed(needs, id, (item) => {
        if (item.status === "unknown") {
          return refusal(
            item,
            `say what became of it: ${shell`answerback outbox settle ${id} --as failed`}`,
          );
        }
        if (item.status !== "pending" && item.status !== "held") {
          return refusal(item, "drop is for pending and held items");
        }
        return { to: "failed", reason: DROPPED_BY_OPERATOR };
      }),
  };
}

type Refusal = Extract<ByHandAnswer, { done: false }>;
type Change = NextState & { readonly expiresAt?: number };

async function changed(
  { store, change, holders, wake }: ByHandNeeds,
  id: number,
  decide: (item: Item) => Change | Refusal,
): Promise<ByHandAnswer> {
  const [item] = await store.items({ id, limit: 1 });
  if (item === undefined) {
    const hint = "list the items with: answerback outbox list";
    return { done: false, reason: `there is no item ${id}`, hint };
  }
  const next = decide(item);
  if ("done" in next) return next;
  const holder = holders().find(({ lease }) => lease.partition === item.partition);
  if (holder === undefined) {
    const hint = "start a worker, or wait until one has taken over, and ask again";
    return {
      done: false,
      reason: `no running process is responsible for item ${id} at the moment`,
      hint,
    };
  }
  const from = item.status;
  if (!(await change(item, holder.lease, from, next, holder.worker))) {
    const reason = `item ${id} is being changed by somebody else`;
    return { done: false, reason, hint: `look again: ${shell`answerback outbox show ${id}`}` };
  }
  wake();
  const wasDropped = countedAs(item) === "dropped";
  return { done: true, from, to: next.to, ...(wasDropped && { wasDropped }) };
}

function refusal({ id, status, action }: Item, hint: string): Refusal {
  return { done: false, reason: `item ${id} (${describeAction(action)}) is ${status}`, hint };
}

function risk({ id, action }: Item): Refusal {
  const reason = `item ${id} (${describeAction(action)}) may have arrived already; sent again, it may be there twice`;
  return {
    done: false,
    reason,
    hint: `send it anyway: ${shell`answerback outbox retry ${id} --anyway`}`,
  };
}

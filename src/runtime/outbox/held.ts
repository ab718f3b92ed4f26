import { describeAction } from "../../actions/actions.ts";
import type { Clock } from "../clock/clock.ts";
import type { HeldLeases } from "../loop/leases.ts";
import type { Log } from "../log.ts";
import { pollLoop } from "../loop/poll-loop.ts";
import { LOG_EVERY_MS, throttle } from "../loop/throttle.ts";
import { HELD_QUIET, type Item } from "../store/item.ts";
import type { OutboxPort } from "../store/store.ts";
import type { ChangeItem } from "./change-item.ts";
import { openItems } from "./open-items.ts";

/** What is held back in one lane. */
export interface HeldLane {
  /** User id of the account that would answer. */
  readonly account: string;
  readonly lane: string;
  readonly items: number;
  /** When the first of them was queued, by the platform's clock. */
  readonly since: number;
  /** Why the last of them is held. */
  readonly reason: string;
  /** The event that the last of them answers. */
  readonly seq: number;
}

/** What becomes of held items. */
export type Release = "sent" | "dropped";

/** Answers that are held back, and what the operator has to say of them. */
export interface HeldAnswers {
  /** By lane, those that began first come first. @param most How many items are looked at. */
  list(most?: number): Promise<readonly HeldLane[]>;
  /** Lets the items of a lane go, in their order, or gives them up. @returns how many. */
  release(lane: string, as: Release): Promise<number>;
  stop(): Promise<void>;
}

export interface HeldAnswersNeeds {
  readonly store: Pick<OutboxPort, "openItems">;
  readonly change: ChangeItem;
  readonly clock: Clock;
  readonly log: Log;
  readonly leases: Pick<HeldLeases, "held" | "onTaken">;
  /** Called once when answers of a lane begin to be held back. */
  readonly onHeld: (held: HeldLane) => Promise<void>;
  /** Items may be due. */
  readonly wake: () => void;
}

/** Real milliseconds between two looks for what has been held since. */
const LOOK_EVERY_MS = 1_000;
/** A lane of which nothing was held for so long is told anew. */
const TOLD_FOR_MS = 60 * 60_000;

/** Watches what the store holds back, tells it once for each lane, and lets go what quiet hours held. */
export function heldAnswers(needs: HeldAnswersNeeds): HeldAnswers {
  const { store, change, clock, log, leases } = needs;
  /** When something of a lane was held last, by lane. */
  const told = new Map<string, number>();
  /** What waits for the end of quiet hours, by id: it is held, and nobody's to decide on. */
  const quiet = new Map<number, Item>();
  let seen = 0;
  const tellMore = throttle(LOG_EVERY_MS, (last: Item, times) =>
    log.info({ item: last.id, times }, `held back: ${describeAction(last.action)}`),
  );

  const look = async (): Promise<void> => {
    const fresh: Item[] = [];
    for await (const item of openItems(store, leases.held(), "held", seen)) {
      seen = Math.max(seen, item.id);
      if (item.reason === HELD_QUIET) quiet.set(item.id, item);
      else fresh.push(item);
    }
    const now = clock.now();
    await letGo([...quiet.values()].filter(({ notBefore }) => notBefore <= now));
    for (const [lane, at] of told) if (now - at > TOLD_FOR_MS) told.delete(lane);
    for (const held of byLane(fresh)) {
      const isNews = !told.has(held.lane);
      told.set(held.lane, now);
      if (isNews) await needs.onHeld(held);
    }
    for (const item of fresh) tellMore(item);
  };
  const letGo = async (items: readonly Item[]): Promise<void> => {
    for (const item of items) {
      const lease = leases.held().find(({ partition }) => partition === item.partition);
      if (lease !== undefined) await change(item, lease, "held", { to: "pending" });
      quiet.delete(item.id);
    }
    if (items.length > 0) needs.wake();
  };
  const loop = pollLoop({
    poll: look,
    everyMs: LOOK_EVERY_MS,
    onError: throttle(LOG_EVERY_MS, (error) =>
      log.error({ err: error }, "what is held back could not be read"),
    ),
  });
  const stopListening = leases.onTaken(() => {
    // Those of an earlier holder have smaller ids.
    seen = 0;
    quiet.clear();
    loop.wake();
  });

  return {
    async list(most = Infinity) {
      const items: Item[] = [];
      for await (const item of openItems(store, leases.held(), "held")) {
        if (item.reason !== HELD_QUIET) items.push(item);
        if (items.length >= most) break;
      }
      return byLane(items);
    },
    async release(lane, as) {
      let released = 0;
      for await (const item of openItems(store, leases.held(), "held")) {
        const lease = leases.held().find(({ partition }) => partition === item.partition);
        if (item.lane !== lane || item.reason === HELD_QUIET || lease === undefined) continue;
        const next =
          as === "sent"
            ? ({ to: "pending", notBefore: clock.now(), reason: "let go by the operator" } as const)
            : ({ to: "failed", reason: "dropped by the operator" } as const);
        if (await change(item, lease, "held", next)) released += 1;
      }
      told.delete(lane);
      if (released > 0) needs.wake();
      return released;
    },
    async stop() {
      stopListening();
      await loop.stop();
    },
  };
}

function byLane(items: readonly Item[]): readonly HeldLane[] {
  const lanes = new Map<string, HeldLane>();
  for (const { account, lane, seq, notBefore, reason = "" } of items) {
    const before = lanes.get(lane);
    const since = Math.min(before?.since ?? Infinity, notBefore);
    lanes.set(lane, { account, lane, items: (before?.items ?? 0) + 1, since, reason, seq });
  }
  return [...lanes.values()].toSorted((a, b) => a.since - b.since);
}

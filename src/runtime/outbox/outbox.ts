import { type Action, describeAction, isRepeatable } from "../../actions/actions.ts";
import type { Clock } from "../clock/clock.ts";
import type { HeldLeases } from "../loop/leases.ts";
import type { Log } from "../log.ts";
import { pollLoop, type PollLoop } from "../loop/poll-loop.ts";
import { throttle, LOG_EVERY_MS } from "../loop/throttle.ts";
import type { Item } from "../store/item.ts";
import type { Lease } from "../store/lease.ts";
import type { OutboxPort } from "../store/store.ts";
import { settlesWithin } from "../loop/settles-within.ts";
import type { ChangeItem } from "./change-item.ts";
import { HOLD_MS, nextState, type Sending } from "./plan.ts";

/** Performs one action on the platform. Never rejects. */
export type Perform = (
  account: string,
  action: Action,
  /** To be called in the same tick as the socket write. When it throws, nothing may leave. */
  beforeWrite: () => void,
) => Promise<Sending>;

export interface OutboxNeeds {
  readonly store: Pick<OutboxPort, "dueItems" | "openItems">;
  readonly change: ChangeItem;
  readonly clock: Clock;
  readonly log: Log;
  readonly leases: Pick<HeldLeases, "held" | "onTaken">;
  readonly perform: Perform;
  /** Uniform draw in [0, 1). */
  readonly random: () => number;
  /** Longest time that a request takes, in milliseconds: a lease must hold for that long at the write. */
  readonly requestTimeoutMs: number;
}

export interface Outbox {
  /** Items may be due. */
  wake(): void;
  status(): { /** Requests under way. */ readonly sending: number };
  /**
   * Sends nothing new, and resolves when the requests under way are recorded. What a failing disk does
   * not take until a request's time is over stays `sending`, which the next start finds.
   */
  stop(): Promise<void>;
}

/** Requests under way at once. */
const WIDTH = 64;
const STOP_GRACE_MS = 1_000;

/**
 * Sends what is queued, one item of a lane at a time.
 *
 * Of partitions that it takes it looks first at what an earlier holder left in `sending`: its outcome
 * is unknown.
 */
export function startOutbox(needs: OutboxNeeds): Outbox {
  return new Sender(needs);
}

/** Items looked at in one page of a recovery. */
const RECOVERY_PAGE = 500;

class Sender implements Outbox {
  readonly #needs: OutboxNeeds;
  readonly #loop: PollLoop;
  readonly #stopListening: readonly (() => void)[];
  readonly #underWay = new Map<number, Promise<void>>();

  constructor(needs: OutboxNeeds) {
    this.#needs = needs;
    this.#loop = pollLoop({
      poll: () => this.#poll(),
      everyMs: 1_000,
      onError: throttle(LOG_EVERY_MS, (error) =>
        needs.log.error({ err: error }, "the outbox could not be read"),
      ),
    });
    this.#stopListening = [
      needs.clock.onJump(() => this.wake()),
      needs.leases.onTaken((taken) => this.#recover(taken)),
    ];
    this.wake();
  }

  wake(): void {
    this.#loop.wake();
  }

  status() {
    return { sending: this.#underWay.size };
  }

  async stop(): Promise<void> {
    for (const stop of this.#stopListening) stop();
    await this.#loop.stop();
    const { requestTimeoutMs, log } = this.#needs;
    if (await settlesWithin(requestTimeoutMs + STOP_GRACE_MS, Promise.all(this.#underWay.values())))
      return;
    log.warn({ items: [...this.#underWay.keys()] }, "stopped before these items were recorded");
  }

  /** A request was under way when its sender ended: repeat what may be repeated, mark the rest `unknown`. */
  async #recover(taken: readonly Lease[]): Promise<void> {
    const { store, clock, log, change } = this.#needs;
    for (let after = 0, more = true; more;) {
      const query = { status: "sending", after, limit: RECOVERY_PAGE } as const;
      const left = await store.openItems(taken, query);
      for (const item of left) {
        if (this.#underWay.has(item.id)) continue;
        const lease = taken.find((each) => each.partition === item.partition);
        if (lease === undefined) continue;
        const reason = "the process ended while the request was under way";
        const notBefore = clock.now() + (isRepeatable(item.action) ? 0 : HOLD_MS);
        const to = isRepeatable(item.action) ? "pending" : "unknown";
        log.warn({ item: item.id, action: describeAction(item.action), to }, reason);
        await change(item, lease, "sending", { to, notBefore, reason });
      }
      after = left.at(-1)?.id ?? after;
      more = left.length === RECOVERY_PAGE;
      if (left.length > 0) this.wake();
    }
  }

  async #poll(): Promise<void> {
    if (this.#underWay.size >= WIDTH) return;
    const { store, clock, log } = this.#needs;
    const leases = this.#needs.leases.held();
    for (const item of await store.dueItems(leases, clock.now(), WIDTH)) {
      if (this.#underWay.size >= WIDTH) return;
      const lease = leases.find((held) => held.partition === item.partition);
      if (lease === undefined || this.#underWay.has(item.id)) continue;
      const sending = this.#send(item, lease).then(
        () => this.#done(item),
        (error: unknown) => {
          // No waking after a fault: one that lasts would keep this loop spinning.
          this.#underWay.delete(item.id);
          log.error({ err: error, item: item.id }, "item not recorded");
        },
      );
      this.#underWay.set(item.id, sending);
    }
  }

  #done(item: Item): void {
    this.#underWay.delete(item.id);
    this.wake();
  }

  async #send(item: Item, lease: Lease): Promise<void> {
    const { clock, perform, requestTimeoutMs } = this.#needs;
    if (item.expiresAt !== undefined && clock.now() >= item.expiresAt) {
      await this.#needs.change(item, lease, "pending", {
        to: "expired",
        reason: "its time had passed",
      });
      return;
    }
    if (!(await this.#needs.change(item, lease, "pending", { to: "sending" }))) return;
    const started: Item = { ...item, status: "sending", attempts: item.attempts + 1 };
    const sending = await perform(item.account, item.action, () => {
      if (performance.now() >= lease.until - requestTimeoutMs) {
        throw new Error("the lease would not outlive the request");
      }
    });
    const next = nextState(started, sending, clock.now(), this.#needs.random());
    await this.#needs.change(started, lease, "sending", next);
  }
}

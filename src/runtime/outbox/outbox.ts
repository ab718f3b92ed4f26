import type { Action } from "../../actions/action.ts";
import { describeAction } from "../../actions/action.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { pump, type Pump } from "../pump.ts";
import { seldom, TELL_EVERY_MS } from "../seldom.ts";
import type { Item, Lease, Mark, Store } from "../store/store.ts";
import { within } from "../within.ts";
import { isRepeatable, nextState, type Sending } from "./plan.ts";

/** Performs one action on the platform. Never rejects. */
export type Perform = (
  account: string,
  action: Action,
  /** To be called in the same tick as the socket write. When it throws, nothing may leave. */
  beforeWrite: () => void,
) => Promise<Sending>;

export interface OutboxNeeds {
  readonly name: string;
  readonly store: Pick<Store, "outbox" | "mark" | "items">;
  readonly clock: Clock;
  readonly log: Log;
  readonly leases: () => readonly Lease[];
  readonly perform: Perform;
  /** Uniform draw in [0, 1). */
  readonly random: () => number;
  /** Longest time that a request takes, in milliseconds: a lease must hold for that long at the write. */
  readonly requestTimeoutMs: number;
  /** Called when an item is settled or unknown. */
  readonly onSettled: (item: Item) => void;
}

export interface Outbox {
  /** Items may be due. */
  wake(): void;
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
 * First of all it looks at what an earlier process left in `sending`: its outcome is unknown.
 */
export async function startOutbox(needs: OutboxNeeds): Promise<Outbox> {
  await recover(needs);
  return new Sender(needs);
}

/** A request was under way when the process ended: repeat what may be repeated, own up to the rest. */
async function recover({ name, store, clock, log, leases }: OutboxNeeds): Promise<void> {
  for (;;) {
    const held = leases();
    const left = await store.items({ status: "sending", limit: 500 });
    const marks = left.flatMap((item): Mark[] => {
      const lease = held.find((each) => each.partition === item.partition);
      if (lease === undefined) return [];
      const reason = "the process ended while the request was under way";
      const to = isRepeatable(item) ? "pending" : "unknown";
      log.warn({ item: item.id, action: describeAction(item.action), to }, reason);
      return [
        {
          id: item.id,
          partition: item.partition,
          epoch: lease.epoch,
          from: "sending",
          to,
          at: clock.now(),
          reason,
        },
      ];
    });
    const changed = (await store.mark(name, marks)).filter(Boolean).length;
    if (left.length < 500 || changed === 0) return;
  }
}

class Sender implements Outbox {
  readonly #needs: OutboxNeeds;
  readonly #pump: Pump;
  readonly #stopListening: () => void;
  readonly #underWay = new Map<number, Promise<void>>();

  constructor(needs: OutboxNeeds) {
    this.#needs = needs;
    this.#pump = pump({
      look: () => this.#look(),
      everyMs: 1_000,
      onError: seldom(TELL_EVERY_MS, (error) =>
        needs.log.error({ err: error }, "the outbox could not be read"),
      ),
    });
    this.#stopListening = needs.clock.onJump(() => this.wake());
    this.wake();
  }

  wake(): void {
    this.#pump.wake();
  }

  async stop(): Promise<void> {
    this.#stopListening();
    await this.#pump.stop();
    const { requestTimeoutMs, log } = this.#needs;
    if (await within(requestTimeoutMs + STOP_GRACE_MS, Promise.all(this.#underWay.values())))
      return;
    log.warn({ items: [...this.#underWay.keys()] }, "stopped before these items were recorded");
  }

  async #look(): Promise<void> {
    if (this.#underWay.size >= WIDTH) return;
    const { store, clock, log } = this.#needs;
    const leases = this.#needs.leases();
    for (const item of await store.outbox(leases, clock.now(), WIDTH)) {
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
      await this.#mark(item, lease, "pending", { to: "expired", reason: "its time had passed" });
      return;
    }
    if (!(await this.#mark(item, lease, "pending", { to: "sending" }))) return;
    const started: Item = { ...item, status: "sending", attempts: item.attempts + 1 };
    const sending = await perform(item.account, item.action, () => {
      if (performance.now() >= lease.until - requestTimeoutMs) {
        throw new Error("the lease would not outlive the request");
      }
    });
    const next = nextState(started, sending, clock.now(), this.#needs.random());
    await this.#mark(started, lease, "sending", next);
  }

  async #mark(
    item: Item,
    lease: Lease,
    from: Mark["from"],
    next: Omit<Mark, "id" | "partition" | "epoch" | "from" | "at">,
  ): Promise<boolean> {
    const { name, store, clock, log, onSettled } = this.#needs;
    const at = clock.now();
    const mark = { id: item.id, partition: item.partition, epoch: lease.epoch, from, at, ...next };
    const [changed] = await store.mark(name, [mark]);
    const line = { item: item.id, account: item.account, to: next.to, reason: next.reason };
    if (changed !== true) {
      log.warn(line, "item not changed: another process holds it");
      return false;
    }
    if (next.to === "sent")
      log.info({ ...line, platformId: next.platformId }, describeAction(item.action));
    else if (next.to !== "sending") log.warn(line, describeAction(item.action));
    if (next.to !== "sending" && next.to !== "pending") onSettled({ ...item, status: next.to });
    return true;
  }
}

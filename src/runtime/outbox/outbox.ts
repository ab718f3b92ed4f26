import { type Action, describeAction, isRepeatable } from "../../actions/actions.ts";
import type { Clock } from "../clock/clock.ts";
import type { HeldLeases } from "../loop/leases.ts";
import type { Log } from "../log.ts";
import { pollLoop, type PollLoop } from "../loop/poll-loop.ts";
import { throttle, LOG_EVERY_MS } from "../loop/throttle.ts";
import type { Item } from "../store/item.ts";
import type { Lease } from "../store/lease.ts";
import type { OutboxPort, ReadPort } from "../store/store.ts";
import { settlesWithin } from "../loop/settles-within.ts";
import type { ChangeItem } from "./change-item.ts";
import { effectOf } from "./effects/effects.ts";
import type { Gate, Use } from "./gate/gate.ts";
import { openItems } from "./open-items.ts";
import { endingOf, HOLD_MS, nextState, type Sending } from "./plan.ts";
import type { Postpone, Postponed } from "./postpone.ts";
import { placeInThread } from "./thread.ts";
import { Turns } from "./turns.ts";
import { expiry, type Upkeep, upkeep } from "./upkeep.ts";

/** Performs one action on the platform. Never rejects. */
export type Perform = (
  account: string,
  action: Action,
  /** To be called in the same tick as the socket write. When it throws, nothing may leave. */
  beforeWrite: () => void,
) => Promise<Sending>;

export interface OutboxNeeds {
  readonly store: Pick<OutboxPort, "dueItems" | "openItems" | "overdueItems"> &
    Pick<ReadPort, "items">;
  readonly change: ChangeItem;
  readonly postpone: Postpone;
  /** Limits, endpoints that don't answer and accounts that are refused: shared by all requests. */
  readonly gate: Pick<Gate, "ask" | "begin" | "setBack">;
  readonly clock: Clock;
  readonly log: Log;
  readonly leases: Pick<HeldLeases, "held" | "onTaken">;
  readonly perform: Perform;
  /** Whether nothing is sent for the account for now; never unless given. */
  readonly isPaused?: (account: string) => boolean;
  /** Uniform draw in [0, 1). */
  readonly random: () => number;
  /**
   * Stands around each request, to measure it. `send` calls what it is given in the tick in which the
   * request leaves.
   */
  readonly watch?: WatchRequest | undefined;
  /** Real milliseconds from one look into the store to the next at least; none unless said. */
  readonly restMs?: number | undefined;
  /** Requests under way at once. */
  readonly width?: number | undefined;
  /** Longest time that a request takes, in milliseconds: a lease must hold for that long at the write. */
  readonly requestTimeoutMs: number;
}

/** Has a request sent and gives back how it ended. */
export type WatchRequest = (
  item: Item,
  send: (onWrite: () => void) => Promise<Sending>,
) => Promise<Sending>;

const UNWATCHED: WatchRequest = (_, send) => send(() => {});

/** Requests under way at once, unless said. */
const WIDTH = 64;
/** Items looked at while none of the first can go, so that those behind them get their turn. */
const CROWD = 512;
/** Items that are postponed for a limit come back in the order of their lanes' turns, so many at most apart. */
const TURNS = 10_000;
const STOP_GRACE_MS = 1_000;

/**
 * Sends what is queued, one item of a lane at a time.
 *
 * Of partitions that it takes it looks first at what an earlier holder left in `sending`: its outcome
 * is unknown.
 */
export class Outbox {
  readonly #needs: OutboxNeeds;
  readonly #loop: PollLoop;
  readonly #stopListening: readonly (() => void)[];
  readonly #underWay = new Map<number, Promise<void>>();
  /** Partitions of items whose outcome could not be recorded: their lease had passed. */
  readonly #unrecorded = new Set<number>();
  readonly #turns = new Turns();
  /** Items that only wait for others' requests, as the last poll found them. */
  readonly #keptBack = new Map<number, Item>();
  readonly #keepUp: Upkeep;
  /** Whether the last poll found nothing but items that have to wait for others. */
  #crowded = false;
  /** Of those under way, so many are not on disk as on their way. */
  #unmarked = 0;
  readonly #width: number;

  constructor(needs: OutboxNeeds) {
    this.#needs = needs;
    this.#width = needs.width ?? WIDTH;
    this.#keepUp = upkeep({ ...needs, isUnderWay: ({ id }) => this.#underWay.has(id) });
    this.#loop = pollLoop({
      poll: () => this.#poll(),
      everyMs: 1_000,
      restMs: needs.restMs,
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

  /** Items may be due. */
  wake(): void {
    this.#loop.wake();
  }

  /** There is a share of what all workers spend, for as long as the clock does not move on: it is used at once. */
  given(): void {
    this.#startAll([...this.#keptBack.values()], this.#needs.leases.held());
    this.wake();
  }

  status() {
    return { sending: this.#underWay.size };
  }

  /**
   * Sends nothing new, and resolves when the requests under way are recorded. What a failing disk does
   * not take until a request's time is over stays `sending`, which the next start finds.
   */
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
    for await (const item of openItems(store, taken, "sending")) {
      if (this.#underWay.has(item.id)) continue;
      const lease = taken.find((each) => each.partition === item.partition);
      if (lease === undefined) continue;
      const reason = "the process ended while the request was under way";
      const notBefore = clock.now() + (isRepeatable(item.action) ? 0 : HOLD_MS);
      const to = isRepeatable(item.action) ? "pending" : "unknown";
      log.warn({ item: item.id, action: describeAction(item.action), to }, reason);
      await change(item, lease, "sending", { to, notBefore, reason });
      this.wake();
    }
  }

  async #poll(): Promise<void> {
    await this.#lookAgain();
    const { store, clock } = this.#needs;
    const leases = this.#needs.leases.held();
    await this.#keepUp(leases);
    if (this.#underWay.size >= this.#width) return;
    // Those that are not marked yet are given once more.
    const most = this.#width - this.#underWay.size + this.#unmarked;
    const limit = this.#crowded ? CROWD : most;
    const due = await store.dueItems(leases, clock.now(), limit);
    this.#keptBack.clear();
    const { started, postponed } = this.#startAll(due, leases);
    this.#crowded = started === 0 && due.length >= most && this.#underWay.size < this.#width;
    if (due.length === 0) this.#turns.reset();
    await this.#needs.postpone(postponed);
    if (postponed.length > 0) this.wake();
  }

  /** Starts those that may go, and tells what has to wait for a known time. */
  #startAll(
    items: readonly Item[],
    leases: readonly Lease[],
  ): { readonly started: number; readonly postponed: readonly Postponed[] } {
    const postponed: Postponed[] = [];
    let started = 0;
    for (const item of this.#turns.ordered(items)) {
      const lease = leases.find((held) => held.partition === item.partition);
      if (lease === undefined || this.#underWay.has(item.id)) continue;
      if (this.#needs.isPaused?.(item.account) === true) continue;
      const permission = this.#needs.gate.ask(useOf(item));
      if (permission.kind === "wait") {
        const { until, reason } = permission;
        const notBefore = until + Math.min(TURNS, this.#turns.of(item.lane));
        postponed.push({ item, lease, notBefore, reason });
      } else if (permission.kind === "busy") {
        this.#keptBack.set(item.id, item);
      } else if (this.#underWay.size < this.#width) {
        this.#start(item, lease);
        started += 1;
      }
    }
    return { started, postponed };
  }

  #start(item: Item, lease: Lease): void {
    const { log } = this.#needs;
    this.#keptBack.delete(item.id);
    this.#turns.sent(item.lane);
    const sending = this.#send(item, lease).then(
      (recorded) => this.#done(item, recorded),
      (error: unknown) => {
        // No waking after a fault: one that lasts would keep this loop spinning.
        this.#underWay.delete(item.id);
        log.error({ err: error, item: item.id }, "item not recorded");
      },
    );
    this.#underWay.set(item.id, sending);
  }

  #done(item: Item, recorded: boolean): void {
    this.#underWay.delete(item.id);
    if (!recorded) this.#unrecorded.add(item.partition);
    this.wake();
  }

  /**
   * Looks at what was left when a lease had passed by the time that its request ended. Where it has come
   * back to this process since, its recovery left the item out, as it was under way.
   */
  async #lookAgain(): Promise<void> {
    for (const partition of this.#unrecorded) {
      const held = this.#needs.leases.held().filter((lease) => lease.partition === partition);
      if (held.length === 0) continue;
      await this.#recover(held);
      this.#unrecorded.delete(partition);
    }
  }

  /** @returns `false` when nobody has recorded what became of it. */
  async #send(item: Item, lease: Lease): Promise<boolean> {
    const { clock, perform, gate, requestTimeoutMs, watch = UNWATCHED } = this.#needs;
    if (item.expiresAt !== undefined && clock.now() >= item.expiresAt) {
      await this.#needs.change(item, lease, "pending", { to: "expired", reason: expiry(item) });
      return true;
    }
    // Taken before anything is awaited, so that the next item sees it.
    const ended = gate.begin(useOf(item));
    const place = await this.#placeOf(item, lease, ended);
    if (place === undefined) return true;
    if (!(await this.#marked(item, lease, ended))) return false;
    const started: Item = { ...item, status: "sending", attempts: item.attempts + 1 };
    const sending = await watch(started, (onWrite) =>
      perform(item.account, place.action, () => {
        // What went before it may have taken longer than a lease lasts: an upload.
        const { until } = this.#now(lease) ?? lease;
        if (performance.now() >= until - requestTimeoutMs) {
          throw new Error("the lease would not outlive the request");
        }
        onWrite();
      }),
    );
    ended(endingOf(sending));
    const next = nextState(started, sending, clock.now(), this.#needs.random());
    return this.#needs.change(started, lease, "sending", next);
  }

  /** The item as it is sent; undefined where the post before it in its thread keeps it from being sent. */
  async #placeOf(item: Item, lease: Lease, ended: Ended): Promise<Item | undefined> {
    const { store, change } = this.#needs;
    try {
      const place = await placeInThread(store, item);
      if (place.kind === "ready") return place.item;
      const { kind, reason } = place;
      ended({ kind: "untried", reason });
      await change(item, lease, "pending", { to: kind === "held" ? "held" : "expired", reason });
      return undefined;
    } catch (error) {
      ended({ kind: "untried", reason: "its thread could not be read" });
      throw error;
    }
  }

  /** The lease as it was renewed since. */
  #now({ partition, epoch }: Lease): Lease | undefined {
    const { leases } = this.#needs;
    return leases.held().find((held) => held.partition === partition && held.epoch === epoch);
  }

  /** Puts the item on disk as on its way, before it is. */
  async #marked(item: Item, lease: Lease, ended: Ended): Promise<boolean> {
    let marked = false;
    this.#unmarked += 1;
    try {
      marked = await this.#needs.change(item, lease, "pending", { to: "sending" });
    } finally {
      this.#unmarked -= 1;
      if (!marked) ended({ kind: "untried", reason: "it was not marked as sending" });
    }
    return marked;
  }
}

type Ended = ReturnType<Gate["begin"]>;

function useOf({ account, action }: Item): Use {
  const { endpoint, budget } = effectOf(action.type);
  return { account, endpoint, limits: budget };
}

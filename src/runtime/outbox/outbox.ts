import { type Action, describeAction, isRepeatable } from "../../actions/actions.ts";
import { type Clock, isTimeKnown } from "../clock/clock.ts";
import type { HeldLeases } from "../loop/leases.ts";
import type { Log } from "../log.ts";
import { pollLoop, type PollLoop } from "../loop/poll-loop.ts";
import { throttle, LOG_EVERY_MS } from "../../system/time/throttle.ts";
import type { Item, ItemTransition, NewItem } from "../store/item.ts";
import type { Lease } from "../store/lease.ts";
import type { OutboxPort, ReadPort } from "../store/store.ts";
import { isFurtherPart } from "../store/thread.ts";
import { isCommitted, type Transition, type TransitionResult } from "../store/transition.ts";
import { settlesWithin } from "../../system/time/settles-within.ts";
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
  /** Must be called in the tick in which the request is written to the socket. If it throws, nothing may be sent. */
  beforeWrite: () => void,
  /** Milliseconds until the item expires; `Infinity` if it does not expire. */
  remainingMs: number,
) => Promise<Sending>;

/** Limits of the outbox in number and time. */
interface OutboxBounds {
  /**
   * Whether {@link Outbox.wake} is called whenever the outcome of a request, or an item that is not sent with its
   * transition, is being written, so that one trip to the store writes it and reads due items. The end of a request then
   * triggers no poll of its own, unless the last poll found `width` requests under way. False by default.
   */
  readonly isWokenByOutcomes?: boolean;
  /** Minimum real milliseconds from one poll to the next; none by default. */
  readonly restMs?: number | undefined;
  /** Maximum number of requests under way at once; 64 by default. */
  readonly width?: number | undefined;
  /** Time limit of a request, in milliseconds: at the write, the lease must still hold for that long. */
  readonly requestTimeoutMs: number;
}

export interface OutboxNeeds extends OutboxBounds {
  readonly store: Pick<OutboxPort, "dueItems" | "openItems" | "overdueItems"> &
    Pick<ReadPort, "items">;
  readonly change: ChangeItem;
  readonly postpone: Postpone;
  /** Gate shared by all requests: limits, endpoints that don't answer, and accounts that are refused. */
  readonly gate: Pick<Gate, "ask" | "begin" | "setBack">;
  readonly clock: Clock;
  readonly log: Log;
  readonly leases: Pick<HeldLeases, "held" | "onTaken">;
  readonly perform: Perform;
  /** Whether sending is paused for the account; never by default. */
  readonly isPaused?: (account: string) => boolean;
  /**
   * Returns the change of a waiting item that must not be sent now, such as to a person who has opted out since;
   * undefined if it may be sent. By default each item may.
   */
  readonly restrain?: (
    item: Item,
  ) => Promise<Pick<ItemTransition, "to" | "reason" | "notBefore" | "expiresAt"> | undefined>;
  /** Uniform draw in [0, 1). */
  readonly random: () => number;
  /**
   * Wraps each request, for measurements. `send` sends the request and calls `onWrite` in the tick in which it is
   * written.
   */
  readonly watch?: WatchRequest | undefined;
}

/** Stores a transition. */
export type StoreTransition = (transition: Transition) => Promise<TransitionResult>;

/** Sends the request for `item` by calling `send`, and returns the outcome of the request. */
export type WatchRequest = (
  item: Item,
  send: (onWrite: () => void) => Promise<Sending>,
) => Promise<Sending>;

const UNWATCHED: WatchRequest = (_, send) => send(() => {});

/** Default of the maximum number of requests under way at once. */
const WIDTH = 64;
/** Maximum number of items per poll after a poll that could send none of its items, to reach later items. */
const CROWD = 512;
/**
 * Maximum milliseconds that a postponed item waits after the end of its rate limit. The item waits one millisecond for
 * each item that its lane has sent, so that lanes that have sent less go first.
 */
const TURNS = 10_000;
const STOP_GRACE_MS = 1_000;

/**
 * Sends queued items, one item of a lane at a time.
 *
 * When this process takes over partitions, the outbox first handles the items that an earlier lease holder left in
 * `sending`: their outcome is unknown.
 */
export class Outbox {
  readonly #needs: OutboxNeeds;
  readonly #loop: PollLoop;
  readonly #stopListening: readonly (() => void)[];
  readonly #underWay = new Map<number, Promise<void>>();
  /** Items that are being stored as `sending` together with their transition, by {@link nameOf}. */
  readonly #reserved = new Set<string>();
  /** Lanes of the items under way and of the reserved items. */
  readonly #lanes = new Set<string>();
  /** Partitions with an item in `sending` that has no request: its outcome could not be recorded, for example. */
  readonly #unrecorded = new Set<number>();
  readonly #turns = new Turns();
  /** Items of the last poll for which the gate answered `busy`: they wait for other requests, or a quota share. */
  readonly #keptBack = new Map<number, Item>();
  readonly #keepUp: Upkeep;
  /** Whether the last poll read as many items as it could send, but the gate or a pause held back all of them. */
  #crowded = false;
  /** Whether the last poll found the maximum number of requests under way. */
  #isFull = false;
  /** Number of items under way that are not yet marked as `sending` on disk. */
  #unmarked = 0;
  #isStopped = false;
  /** Whether more items may be due than the last poll could start. */
  #isBehind = false;
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
      needs.leases.onTaken((leases) => this.#recover(leases)),
    ];
    this.wake();
  }

  /** Reads due items soon. To be called when items may have become due. */
  wake(): void {
    this.#loop.wake();
  }

  /**
   * Stores a transition. If its first item may be sent now, the item is stored as `sending` in the same transaction, and
   * its request leaves once the transaction is stored. Otherwise the item is stored as `pending`, and a poll sends it.
   *
   * The gate is asked, and counts the request, before the transaction. The store has the last word: it stores the item
   * as `sending` only if the item is the first one of its lane, due, not held, and its account is not paused. If the
   * item is not `sending` afterwards, the gate gets its permission back.
   */
  async commit(transition: Transition, store: StoreTransition): Promise<TransitionResult> {
    const reserved = this.#reserve(transition);
    let result: TransitionResult | undefined;
    try {
      result = await store(
        reserved === undefined ? transition : { ...transition, sends: reserved.item.key },
      );
    } finally {
      if (reserved !== undefined) this.#settle(reserved, transition, result);
    }
    const isSending = typeof result === "object";
    const isPolledFor = isSending ? transition.items.length > 1 : transition.items.length > 0;
    const isWoken = this.#needs.isWokenByOutcomes === true && (reserved === undefined || isSending);
    if (isCommitted(result) && isPolledFor && !isWoken) this.wake();
    return result;
  }

  /**
   * Asks the gate for the first item of the transition, and counts its request. Returns undefined if a poll has to send
   * the item, if any.
   */
  #reserve({ items, lane, partition, epoch, at, outcome }: Transition): Reservation | undefined {
    const item = outcome === "done" ? items.find((one) => one.lane === lane) : undefined;
    if (item === undefined || this.#isStopped || this.#isBehind || this.#room <= 0)
      return undefined;
    const { action, account, notBefore, expiresAt = Infinity, holdReason } = item;
    // A later part of a text needs the outcome of the part before, which a query returns.
    const isLater = isFurtherPart(action) || holdReason !== undefined;
    if (isLater || notBefore > at || expiresAt <= at || this.#lanes.has(lane)) return undefined;
    if (this.#needs.isPaused?.(account) === true) return undefined;
    const { gate, leases, requestTimeoutMs } = this.#needs;
    const use = useOf(item);
    // Items that wait already go first.
    if (this.#turns.isWaitedFor(use.endpoint)) return undefined;
    const lease = leases
      .held()
      .find((held) => held.partition === partition && held.epoch === epoch);
    if (lease === undefined || performance.now() >= lease.until - requestTimeoutMs)
      return undefined;
    if (gate.ask(use).kind !== "go") return undefined;
    this.#lanes.add(lane);
    this.#reserved.add(nameOf(item));
    return { item, action, lease, ended: gate.begin(use) };
  }

  /** Sends the reserved item if it is `sending` now. Otherwise gives the permission back to the gate. */
  #settle(
    { item, ...begun }: Reservation,
    { partition, at }: Transition,
    result: TransitionResult | undefined,
  ): void {
    this.#reserved.delete(nameOf(item));
    if (typeof result !== "object") {
      this.#lanes.delete(item.lane);
      begun.ended({ kind: "untried", reason: "the item could not be stored as sending" });
      // A failed write may be stored nevertheless. Then the item is `sending`, and has to be recovered.
      if (result === undefined || result === "fenced") this.#unrecorded.add(partition);
      return;
    }
    const { heardAt: _heardAt, holdReason: _holdReason, unless: _unless, ...stored } = item;
    const own = { id: result.sending, partition, attempts: 1, startedAt: at } as const;
    const started: Item = { ...stored, ...own, status: "sending" };
    // The request begins in a later tick: the caller first publishes the decision, and notes the run that waits.
    const tick = new Promise<void>((resolve) => process.nextTick(resolve));
    this.#track(
      started,
      tick.then(() => this.#request(started, begun)),
    );
  }

  /** Sends items that wait for a quota share. The store has just granted a share, which expires with this tick. */
  onShareGranted(): void {
    this.#startAll([...this.#keptBack.values()], this.#needs.leases.held());
    this.wake();
  }

  status() {
    return { sending: this.#underWay.size };
  }

  /**
   * Starts no new request, and resolves when the outcomes of the requests under way are stored. If a failing disk
   * delays this beyond the time limit of a request, the items stay `sending`, and the next start handles them.
   */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const stop of this.#stopListening) stop();
    await this.#loop.stop();
    const { requestTimeoutMs, log } = this.#needs;
    if (await settlesWithin(requestTimeoutMs + STOP_GRACE_MS, Promise.all(this.#underWay.values())))
      return;
    log.warn(
      { items: [...this.#underWay.keys()] },
      "stopped before the outcome of these items was recorded; the next start looks them up",
    );
  }

  /**
   * Handles items whose process ended during their request: queues repeatable actions again, and marks all other items
   * `unknown`.
   */
  async #recover(leases: readonly Lease[]): Promise<void> {
    const { store, clock, log, change } = this.#needs;
    for await (const item of openItems(store, leases, "sending")) {
      if (this.#underWay.has(item.id) || this.#reserved.has(nameOf(item))) continue;
      const lease = leases.find((each) => each.partition === item.partition);
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
    this.#isFull = this.#room <= 0;
    this.#isBehind ||= this.#isFull;
    if (this.#isFull) return;
    // Plus the items that are being marked as `sending`: the store still returns them, but they can't be started.
    const most = this.#room + this.#unmarked;
    const limit = this.#crowded ? CROWD : most;
    const startedAt = performance.now();
    const due = await store.dueItems(leases, clock.now(), limit);
    this.#keptBack.clear();
    const { started, postponed } = this.#startAll(due, leases);
    this.#crowded = started === 0 && due.length >= most && this.#room > 0;
    this.#isBehind = due.length >= limit;
    if (!this.#isBehind) this.#turns.caughtUp(startedAt);
    if (due.length === 0) this.#turns.reset();
    await this.#needs.postpone(postponed);
    if (postponed.length > 0) this.wake();
  }

  /** Number of further requests that may be started. */
  get #room(): number {
    return this.#width - this.#underWay.size - this.#reserved.size;
  }

  /** Starts the items that may be sent now. Returns the items that have to wait until a known time. */
  #startAll(
    items: readonly Item[],
    leases: readonly Lease[],
  ): { readonly started: number; readonly postponed: readonly Postponed[] } {
    const { clock } = this.#needs;
    const postponed: Postponed[] = [];
    let started = 0;
    for (const item of this.#turns.ordered(items)) {
      const lease = leases.find((held) => held.partition === item.partition);
      if (lease === undefined || this.#underWay.has(item.id)) continue;
      if (this.#needs.isPaused?.(item.account) === true) continue;
      if (!isTimeKnown(clock) && clock.now() >= (item.expiresAt ?? Infinity)) continue;
      const use = useOf(item);
      const permission = this.#needs.gate.ask(use);
      if (permission.kind === "wait") {
        const { until, reason } = permission;
        const notBefore = until + Math.min(TURNS, this.#turns.of(item.lane));
        postponed.push({ item, lease, notBefore, reason });
        this.#turns.delayed(use.endpoint, notBefore - this.#needs.clock.now());
      } else if (permission.kind === "busy") {
        this.#keptBack.set(item.id, item);
        this.#turns.delayed(use.endpoint, 0);
      } else if (this.#room > 0) {
        this.#start(item, lease);
        started += 1;
      }
    }
    return { started, postponed };
  }

  #start(item: Item, lease: Lease): void {
    this.#keptBack.delete(item.id);
    this.#track(item, this.#send(item, lease));
  }

  /** Counts an item as under way until `recording` resolves. */
  #track(item: Item, recording: Promise<boolean>): void {
    const { log } = this.#needs;
    this.#turns.sent(item.lane);
    this.#lanes.add(item.lane);
    const sending = recording.then(
      (recorded) => this.#done(item, recorded),
      (error: unknown) => {
        // No wake after an error: a lasting error would keep this loop spinning.
        this.#underWay.delete(item.id);
        this.#lanes.delete(item.lane);
        this.#unrecorded.add(item.partition);
        log.error(
          { err: error, item: item.id },
          "the outcome of a sent item could not be recorded",
        );
      },
    );
    this.#underWay.set(item.id, sending);
  }

  #done(item: Item, recorded: boolean): void {
    this.#underWay.delete(item.id);
    this.#lanes.delete(item.lane);
    if (!recorded) this.#unrecorded.add(item.partition);
    const isPolled = recorded && !this.#isFull && this.#needs.isWokenByOutcomes === true;
    if (!isPolled) this.wake();
  }

  /**
   * Recovers items whose lease had expired when their request ended. If this process has taken the partition again
   * since, `#recover` skipped such an item at that time, because its request was still under way.
   */
  async #lookAgain(): Promise<void> {
    for (const partition of this.#unrecorded) {
      const held = this.#needs.leases.held().filter((lease) => lease.partition === partition);
      if (held.length === 0) continue;
      // Before the recovery: an item that it skips as under way may end meanwhile, and notes its partition again.
      this.#unrecorded.delete(partition);
      try {
        await this.#recover(held);
      } catch (error) {
        this.#unrecorded.add(partition);
        throw error;
      }
    }
  }

  /** @returns `false` when the outcome was not recorded. */
  async #send(item: Item, lease: Lease): Promise<boolean> {
    const { clock, gate } = this.#needs;
    if (item.expiresAt !== undefined && clock.now() >= item.expiresAt) {
      await this.#needs.change(item, lease, "pending", { to: "expired", reason: expiry(item) });
      return true;
    }
    // before the first `await`, so that the gate counts this request when the next item asks
    const ended = gate.begin(useOf(item));
    const place = await this.#placeOf(item, lease, ended);
    if (place === undefined) return true;
    if (!(await this.#marked(item, lease, ended))) return false;
    const started: Item = { ...item, status: "sending", attempts: item.attempts + 1 };
    return this.#request(started, { action: place.action, lease, ended });
  }

  /** Sends the request of an item that is `sending` on disk. @returns `false` when the outcome was not recorded. */
  async #request(started: Item, { action, lease, ended }: Begun): Promise<boolean> {
    const { clock, perform, requestTimeoutMs, watch = UNWATCHED } = this.#needs;
    const bar = this.#barOf(started);
    if (bar !== undefined) {
      ended({ kind: "untried", reason: bar });
      const next = { to: "pending", notBefore: clock.now(), reason: bar } as const;
      return this.#needs.change(started, lease, "sending", next);
    }
    const { expiresAt, ...lasting } = started;
    const remainingMs = (): number =>
      isTimeKnown(clock) ? (expiresAt ?? Infinity) - clock.now() : Infinity;
    const sending = await watch(started, (onWrite) => {
      // Uploading a file before the request may have taken longer than the item or the lease lasts.
      const beforeWrite = (): void => {
        if (remainingMs() <= 0) throw new Error(expiry(started));
        const until = this.#now(lease)?.until;
        if (until === undefined || performance.now() >= until - requestTimeoutMs) {
          throw new Error("this process may lose the item to another one before the request ends");
        }
        onWrite();
      };
      return perform(started.account, action, beforeWrite, remainingMs());
    });
    ended(endingOf(sending));
    const judged = isTimeKnown(clock) ? started : lasting;
    const next = nextState(judged, sending, clock.now(), this.#needs.random());
    return this.#needs.change(started, lease, "sending", next);
  }

  /** Returns the reason why a request must not leave although its item is `sending`; undefined if it may leave. */
  #barOf({ account }: Item): string | undefined {
    if (this.#isStopped) return "the process stopped before the request left";
    return this.#needs.isPaused?.(account) === true ? "the account was paused" : undefined;
  }

  /**
   * Returns the item with its text and target as sent; undefined if a restraint, or an earlier part of its text,
   * prevents it.
   */
  async #placeOf(item: Item, lease: Lease, ended: Ended): Promise<Item | undefined> {
    const { store, change, restrain } = this.#needs;
    try {
      const restrained = await restrain?.(item);
      if (restrained !== undefined) {
        ended({ kind: "untried", reason: restrained.reason ?? restrained.to });
        await change(item, lease, "pending", restrained);
        return undefined;
      }
      const place = await placeInThread(store, item);
      if (place.kind === "ready") return place.item;
      const { kind, reason } = place;
      ended({ kind: "untried", reason });
      await change(item, lease, "pending", { to: kind === "held" ? "held" : "expired", reason });
      return undefined;
    } catch (error) {
      ended({
        kind: "untried",
        reason: "opt-outs, or the other parts of this text, could not be read from the store",
      });
      throw error;
    }
  }

  /** Returns the lease with its current end; undefined when this process has lost the lease. */
  #now({ partition, epoch }: Lease): Lease | undefined {
    const { leases } = this.#needs;
    return leases.held().find((held) => held.partition === partition && held.epoch === epoch);
  }

  /** Marks the item as `sending` on disk, before the request. */
  async #marked(item: Item, lease: Lease, ended: Ended): Promise<boolean> {
    let marked = false;
    this.#unmarked += 1;
    try {
      marked = await this.#needs.change(item, lease, "pending", { to: "sending" });
    } finally {
      this.#unmarked -= 1;
      if (!marked) ended({ kind: "untried", reason: "the item could not be marked as sending" });
    }
    return marked;
  }
}

type Ended = ReturnType<Gate["begin"]>;

/** Request that the gate has permitted. */
interface Begun {
  readonly action: Action;
  readonly lease: Lease;
  readonly ended: Ended;
}

/** Item that is being stored as `sending`, with the permission for its request. */
interface Reservation extends Begun {
  readonly item: NewItem;
}

/** Returns a name that no other item has. An item that is not stored yet has no id. */
function nameOf({ account, key }: NewItem): string {
  return `${account} ${key}`;
}

function useOf({ account, action }: Pick<Item, "account" | "action">): Use {
  const { endpoint, budget } = effectOf(action.type);
  return { account, endpoint, limits: budget };
}

import type { ActionResult } from "../../actions/action-result.ts";
import { usualResult } from "../../actions/actions.ts";
import type { LoadedBot } from "../../bots/messages.ts";
import type { AccountEvent } from "../../events/event.ts";
import type { Ruleset } from "../../rules/ruleset.ts";
import {
  DueTimes,
  EffectCourse,
  EffectsInHand,
  LAST_ATTEMPT,
  givenUp,
  handlerSupport,
  interpreter,
  openMemoryStore,
  openRuleArchive,
  perform,
  slotValue,
  takeIn,
  placeInThread,
} from "../../runtime/interpreting.ts";
import type { Log } from "../../runtime/log.ts";
import { isHeldBack } from "../../runtime/records.ts";
import type {
  Clock,
  EffectPerformer,
  InputRef,
  Interpret,
  Interpretation,
  Item,
  ItemStatus,
  ItemTransition,
  LaneEvent,
  LaneInput,
  Lanes,
  Lease,
  NewEntry,
  NewTimer,
  OptOut,
  ReadEntry,
  ReplyLimits,
  RunAndEntry,
  RunEffect,
  StateValue,
  Store,
  TakeIn,
} from "../../runtime/vocabulary.ts";
import type { OpeningHours } from "../../hours/opening-hours.ts";
import { messageOf } from "../../system/error-message.ts";
import type { RuleSetting } from "./rule-setting.ts";

/** Rules, bots and settings of a rehearsal, a trial run in virtual time. */
export interface RehearsalNeeds extends RuleSetting {
  readonly ruleset: Ruleset;
  readonly bots?: readonly LoadedBot[];
  /** Performs the external effects of runs: calls of bots and modules, and requests. */
  readonly performer: EffectPerformer;
  readonly limitsOf?: (account: string) => ReplyLimits;
  /** Words by which people opt out. Absent: none. */
  readonly optOut?: OptOut | undefined;
  /** Returns the quiet hours of an account, in which it does not speak first. Absent: none. */
  readonly quietHoursOf?: ((account: string) => OpeningHours | undefined) | undefined;
  /** Reads the event of an entry. */
  readonly eventOf: ReadEntry;
  /** Start of the virtual time, in milliseconds since the epoch. */
  readonly startAt: number;
  readonly watch: RehearsalWatch;
  /** Store for the rehearsal, which closes it at its end. Default: a store in memory. */
  readonly store?: Store;
  /** Returns the platform's response to an outbox item. Default: every item is accepted. */
  readonly answerTo?: (item: Item) => RehearsedAnswer;
}

/** Reason why the platform refused an outbox item, or fields of its response that differ from the default ones. */
export type RehearsedAnswer =
  | { readonly reason: string; readonly result?: undefined }
  | { readonly reason?: undefined; readonly result: ActionResult }
  | undefined;

/** Callbacks through which a rehearsal reports its inputs, outbox items and errors. */
export interface RehearsalWatch {
  /** Called with each processed input, its results, and the state that the decision read. */
  onTakenIn(happened: LaneEvent, followed: Interpretation, seen: Seen): void;
  /** Called with each outbox item that was sent or refused. */
  onSent(item: Item, at: number, answer: RehearsedAnswer): void;
  /** Called with each outbox item that is held back. The item's `reason` has the cause. */
  onHeld?(item: Item, at: number): void;
  /** Called with each error that a running bot would log. */
  onFault(message: string): void;
}

/** Time and user state that a decision was based on. */
export interface Seen {
  readonly at: number;
  /** User state that was read for the decision. */
  readonly state: ReadonlyMap<string, StateValue>;
}

const WORKER = "rehearsal";
/** Number of inputs or items that are read from the store at a time. */
const FETCH = 256;
/** Time to live of the store's leases in milliseconds, longer than any rehearsal. */
const LEASE_MS = 1e9;

/**
 * Runs rules and bots in virtual time, with the interpreter and the store of the runtime, and sends nothing.
 *
 * Everything runs sequentially, so the same events give the same results.
 */
export class Rehearsal {
  readonly #needs: RehearsalNeeds;
  readonly #store: Store;
  readonly #leases: readonly Lease[];
  readonly #takeIn: TakeIn;
  /** Handles calls of a running bot handler: stores its progress, reads state, and waits for outcomes of items. */
  readonly #support;
  readonly #followed = new WeakMap<LaneEvent, Interpretation>();
  readonly #due = new DueTimes();
  readonly #timers = new Map<string, NewTimer>();
  #effects: RunEffect[] = [];
  #state: ReadonlyMap<string, StateValue> = new Map();
  #now: number;
  #lastMade = 0;
  /** Id of the last item that was reported as held back. */
  #lastHeld = 0;

  /** Starts a rehearsal. It has no earlier runs or state, unless `store` contains some. */
  static async open(needs: RehearsalNeeds): Promise<Rehearsal> {
    const { store = openMemoryStore() } = needs;
    return new Rehearsal(needs, store, await store.lease(WORKER, LEASE_MS));
  }

  private constructor(needs: RehearsalNeeds, store: Store, leases: readonly Lease[]) {
    this.#needs = needs;
    this.#store = store;
    this.#leases = leases;
    this.#now = needs.startAt;
    const clock: Clock = { now: () => this.#now, onJump: () => () => {} };
    this.#takeIn = takeIn({
      interpret: this.#interpreter(),
      store,
      clock,
      log: faultLog((message) => needs.watch.onFault(message)),
      isAbandoned: () => false,
      onCommitted: (happened, followed) => this.#committed(happened, followed),
      commit: async (transition) => {
        const { timers, items, retryAt } = transition;
        for (const timer of timers) {
          this.#timers.set(timer.id, timer);
          this.#due.add(timer.dueAt);
        }
        for (const { notBefore } of items) if (notBefore > this.#now) this.#due.add(notBefore);
        if (retryAt !== undefined) this.#due.add(retryAt);
        const [result] = await store.commit(WORKER, [transition]);
        return result ?? "fenced";
      },
    });
    const support = handlerSupport({
      store,
      clock,
      lanes: AT_ONCE,
      takeIn: async (happened) => {
        const { id: run, version } = happened.run;
        const hand = this.#handOf(happened.run, { kind: "effect", run, version }, LAST_ATTEMPT);
        await this.#takeIn(happened, hand);
        return this.#followed.get(happened);
      },
    });
    this.#support = {
      ...support,
      performer: needs.performer,
      // The handler waits for its outbox item, so the item is sent here. A part of a long text is due after the one before.
      outcome: async (...args: Parameters<typeof support.outcome>) => {
        for (let hasSent = true; hasSent;) hasSent = await this.#send();
        return support.outcome(...args);
      },
    };
  }

  /** Virtual time, in milliseconds since the epoch. */
  get now(): number {
    return this.#now;
  }

  /** Delivers an event at the current virtual time. Resolves when all its immediate results have been processed. */
  async deliver(entry: NewEntry): Promise<void> {
    await this.#store.append([entry]);
    await this.#settle();
  }

  /** Advances the virtual time to `time`, and processes everything that falls due until then. */
  async advanceTo(time: number): Promise<void> {
    for (let next = this.#due.peek(); next !== undefined && next <= time; next = this.#due.peek()) {
      this.#due.drop();
      this.#now = Math.max(this.#now, next);
      await this.#settle();
    }
    this.#now = Math.max(this.#now, time);
  }

  /** Returns the unfinished runs, each with the timer that it waits for. */
  async openRuns(): Promise<readonly (RunAndEntry & { readonly timer?: NewTimer })[]> {
    const open: (RunAndEntry & { readonly timer?: NewTimer })[] = [];
    for (const status of ["ready", "waiting"] as const) {
      for (const one of await this.#store.openRuns(this.#leases, {
        status,
        after: 0,
        limit: MANY,
      })) {
        const timer = this.#timers.get(one.run.waitsFor ?? "");
        open.push(timer === undefined ? one : { ...one, timer });
      }
    }
    return open;
  }

  /** Returns the outbox items that wait to be sent. */
  waitingItems(): Promise<readonly Item[]> {
    return this.#store.openItems(this.#leases, { status: "pending", after: 0, limit: MANY });
  }

  /** Returns the outbox items with a due time: pending items, and items held back for quiet hours. */
  async timedItems(): Promise<readonly Item[]> {
    return [...(await this.waitingItems()), ...(await this.#quietItems())];
  }

  async #quietItems(): Promise<readonly Item[]> {
    if (this.#needs.quietHoursOf === undefined) return [];
    const query = { status: "held", after: 0, limit: MANY } as const;
    const held = await this.#store.openItems(this.#leases, query);
    return held.filter((item) => !isHeldBack(item));
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  #interpreter(): Interpret {
    const { ruleset, account, bots = [], ...needs } = this.#needs;
    return interpreter({
      ...needs,
      ruleset: () => ruleset,
      bots: () => bots,
      isLinked: (id) => id === account.id,
      usernameOf: () => account.username,
      archive: openRuleArchive({ ruleset: () => ruleset, store: this.#store }),
      now: () => this.#now,
      store: {
        silences: (lane) => this.#store.silences(lane),
        runsOf: (seq) => this.#store.runsOf(seq),
        items: (query) => this.#store.items(query),
        load: async (keys) => {
          const values = await this.#store.load(keys);
          this.#state = new Map([...this.#state, ...values]);
          return values;
        },
        slots: async (names) => {
          const slots = await this.#store.slots(names);
          const held = [...slots].map(([name, runs]) => [name, slotValue(runs)] as const);
          this.#state = new Map([...this.#state, ...held]);
          return slots;
        },
      },
    });
  }

  /** Processes inputs, effects and items until nothing more is due. */
  async #settle(): Promise<void> {
    for (let goesOn = true; goesOn;) {
      const took = await this.#takeInputs();
      const performed = await this.#performEffects();
      goesOn = (await this.#send()) || took || performed;
    }
  }

  async #takeInputs(): Promise<boolean> {
    const inputs = await this.#store.fetch(this.#leases, this.#now, FETCH);
    const stuck = new Set<string>();
    for (const input of inputs) {
      if (stuck.has(input.lane)) continue;
      this.#state = new Map();
      if (!(await this.#takeIn(input, this.#handOf(input, refOf(input), input.attempts)))) {
        stuck.add(input.lane);
      }
    }
    return inputs.some(({ lane }) => !stuck.has(lane));
  }

  async #performEffects(): Promise<boolean> {
    const effects = this.#effects;
    this.#effects = [];
    for (const effect of effects) {
      const course = new EffectCourse(effect, this.#support, new EffectsInHand());
      const outcome = await perform(effect, this.#needs.performer, course).catch((error: unknown) =>
        givenUp(effect, messageOf(error)),
      );
      if (course.isLeft) continue;
      const { run, entry } = course.effect;
      const ref = { kind: "effect", run: run.id, version: run.version } as const;
      const hand = this.#handOf(run, ref, LAST_ATTEMPT);
      await this.#takeIn({ kind: "effect-settled", run, entry, outcome }, hand);
    }
    return effects.length > 0;
  }

  /** Sends the outbox items that are due. @returns Whether there were any. */
  async #send(): Promise<boolean> {
    const late = await this.#store.overdueItems(this.#leases, this.#now, FETCH);
    for (const item of late)
      await this.#change(item, item.status, "expired", { reason: "its time is over" });
    await this.#tellHeld();
    for (const item of await this.#quietItems()) {
      if (item.notBefore <= this.#now) await this.#change(item, "held", "pending");
    }
    const due = await this.#store.dueItems(this.#leases, this.#now, FETCH);
    for (const item of due) {
      const place = await placeInThread(this.#store, item);
      if (place.kind !== "ready") {
        const { kind, reason } = place;
        await this.#change(item, "pending", kind === "held" ? "held" : "expired", { reason });
        continue;
      }
      const answer = this.#needs.answerTo?.(item);
      await this.#change(item, "pending", "sending");
      if (answer?.reason === undefined) await this.#accept(item, answer?.result);
      else await this.#change(item, "sending", "failed", { reason: answer.reason });
      this.#needs.watch.onSent(item, this.#now, answer);
    }
    return late.length + due.length > 0;
  }

  /** Reports each outbox item that is held back, once. */
  async #tellHeld(): Promise<void> {
    const { watch } = this.#needs;
    if (watch.onHeld === undefined) return;
    const query = { status: "held", after: this.#lastHeld, limit: FETCH } as const;
    for (const item of await this.#store.openItems(this.#leases, query)) {
      this.#lastHeld = item.id;
      watch.onHeld(item, this.#now);
    }
  }

  /** @param stated Fields of the platform's response that replace the default ones. */
  async #accept(item: Item, stated: ActionResult = {}): Promise<void> {
    const { action, account } = item;
    this.#lastMade += 1;
    const platformId = String(9_000_000 + this.#lastMade);
    const result = { ...usualResult(action, { account, platformId }), ...stated };
    await this.#change(item, "sending", "sent", { platformId, result });
  }

  async #change(
    { id, partition }: Item,
    from: ItemStatus,
    to: ItemStatus,
    further: Pick<ItemTransition, "platformId" | "result" | "reason"> = {},
  ): Promise<void> {
    const { epoch } = this.#leaseOf(partition);
    const change = { id, partition, epoch, from, to, at: this.#now, ...further };
    await this.#store.changeItems(WORKER, [change]);
  }

  #committed(happened: LaneEvent, followed: Interpretation): void {
    if (happened.kind === "timer-due") this.#timers.delete(happened.timer.id);
    if (happened.kind === "handler-progress" || happened.kind === "request-begins") {
      this.#followed.set(happened, followed);
    }
    this.#effects.push(...followed.effects);
    this.#needs.watch.onTakenIn(happened, followed, { at: this.#now, state: this.#state });
  }

  #handOf(
    { lane, partition }: Pick<LaneInput, "lane" | "partition">,
    ref: InputRef,
    attempts: number,
  ) {
    return { ref, lane, partition, attempts, epoch: this.#leaseOf(partition).epoch };
  }

  #leaseOf(partition: number): Lease {
    const lease = this.#leases.find((held) => held.partition === partition);
    if (lease === undefined) throw new Error(`no lease of partition ${partition}`);
    return lease;
  }
}

/** Runs work at once instead of queueing it by lane, because everything in a rehearsal is sequential. */
const AT_ONCE: Pick<Lanes, "run"> = { run: (_lane, work) => void work() };

/** Limit for queries of open runs and items. No rehearsal has more. */
const MANY = 100_000;

function refOf(input: LaneInput): InputRef {
  if (input.kind === "timer-due") return { kind: "timer", id: input.timer.id };
  return { kind: "inbox", id: Number(input.input.slice(input.input.indexOf("/") + 1)) };
}

/** Returns a log that reports errors and drops all other lines. */
function faultLog(onFault: (message: string) => void): Log {
  const nothing = (): void => {};
  const error = (fields: object | string, message = ""): void => {
    const cause = typeof fields === "object" && "err" in fields ? `: ${messageOf(fields.err)}` : "";
    onFault(typeof fields === "string" ? fields : `${message}${cause}`);
  };
  const log: Log = { debug: nothing, info: nothing, warn: nothing, error, child: () => log };
  return log;
}

/** Returns the journal entry of an event. */
export function entryOf(event: AccountEvent, arrivedAt: number, body: string): NewEntry {
  const { key, accountId: account, lane, kind, at } = event;
  return { key, account, lane, kind, at, arrivedAt, source: "webhook", body };
}

import { type Clock, isTimeKnown } from "../clock/clock.ts";
import type { HeldLeases } from "../loop/leases.ts";
import { pollLoop, type PollLoop } from "../loop/poll-loop.ts";
import { settlesWithin } from "../../system/time/settles-within.ts";
import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";
import type { Log } from "../log.ts";
import type { AppendResult, Entry, NewEntry } from "../store/entry.ts";
import type { Item } from "../store/item.ts";
import type { Lease } from "../store/lease.ts";
import type { RunAndEntry, RunWrite } from "../store/run.ts";
import type { DecidePort, ReadPort } from "../store/store.ts";
import type { InputRef, LaneInput } from "../store/transition.ts";
import type { Commit } from "./commit-batcher.ts";
import type { EffectPerformer } from "./effect.ts";
import { type EndingRuns, endingRuns } from "./interpret/ending-runs.ts";
import { effectPool, type EffectPool, type EffectPoolNeeds } from "./effect-pool.ts";
import { NO_TRIAL, type CrashTrial } from "./crash-trial.ts";
import type { Interpret } from "./interpreter.ts";
import { handlerSupport } from "./handlers/handler-support.ts";
import type { Interpretation, LaneEvent } from "./lane-event.ts";
import { lookAtRunsOf } from "./changed-rules.ts";
import { lanes, type Lanes } from "./lanes.ts";
import { type ReadyRuns, readyRuns } from "./ready-runs.ts";
import { LAST_ATTEMPT, takeIn, type TakeIn, type TakeInNeeds } from "./take-in.ts";
import { repeatedWhileStoreFails } from "../loop/while-store-fails.ts";

/** Limits of a worker in number and time. */
interface WorkerBounds {
  /** Real milliseconds between two polls for inputs without a notification; 1,000 by default. */
  readonly pollEveryMs?: number;
  /** Minimum real milliseconds from one poll to the next; none by default. */
  readonly restMs?: number;
  /** Limits per rule or bot. `atWork`: effects that run simultaneously; `inHand`: these and the waiting effects. */
  readonly effectBounds?: EffectPoolNeeds["bounds"];
  /** Maximum number of lanes whose inputs are processed at the same time; 64 by default. */
  readonly width?: number;
  /** Real milliseconds that {@link RunWorker.stop} waits for work under way. */
  readonly stopGraceMs?: number;
}

export interface WorkerNeeds extends WorkerBounds {
  readonly store: Pick<
    DecidePort,
    "fetch" | "openRuns" | "listeners" | "silences" | "load" | "slots" | "runsOf"
  > &
    Pick<ReadPort, "items">;
  /** Resolves when the item changes, or `signal` aborts. Absent: awaiting handlers get an item's current outcome. */
  readonly itemChanged?: (key: string, signal: AbortSignal) => Promise<void>;
  readonly commit: Commit;
  readonly clock: Clock;
  readonly log: Log;
  readonly leases: Pick<HeldLeases, "held" | "onTaken" | "onLost" | "whenValid">;
  readonly interpret: Interpret;
  readonly performer: EffectPerformer;
  /** Whether decisions and effects of the account are paused; never by default. */
  readonly isPaused?: (account: string) => boolean;
  /**
   * Whether runs that wait for an event may time out. Not while missed events are being read at the start: one of them
   * may be the answer, and may have been written in time. Absent: always.
   */
  readonly mayTimeOut?: (() => boolean) | undefined;
  /** Called after a commit, with the input, its interpretation (the committed changes) and its outcome. */
  readonly onCommitted?: OnCommitted;
  /** Runs entries left by a crashed process one at a time, to find the entry that crashes the process. */
  readonly trial?: CrashTrial | undefined;
}

type OnCommitted = TakeInNeeds["onCommitted"];

/** Numbers of inputs and effects that a worker is processing, or that wait in its memory. */
export interface WorkerStatus {
  /** Inputs under way, or waiting in their lane. */
  readonly inputs: number;
  /** Running effects of runs, and effects that wait for earlier effects of the same rule or bot. */
  readonly effects: number;
}

/** Maximum number of inputs that one fetch returns. */
const FETCH_AHEAD = 512;
/** Maximum number of inputs that are being processed or wait in memory. A larger backlog stays on disk. */
const MAX_IN_HAND = 4_096;
const STOP_GRACE_MS = 3_000;

/** Processes the inputs of each lane in order and commits the resulting changes. */
export class RunWorker {
  readonly #needs: WorkerNeeds;
  readonly #lanes: Lanes;
  readonly #effects: EffectPool;
  readonly #trial: CrashTrial;
  readonly #ready: ReadyRuns;
  readonly #takeIn: TakeIn;
  readonly #endings: EndingRuns;
  readonly #loop: PollLoop;
  readonly #stopListening: readonly (() => void)[];
  /** Inputs in hand: under way, or waiting in their lane. */
  readonly #inHand = new Set<string>();
  /** Inputs that ended while a fetch was under way: the fetch may still return them. */
  readonly #ended = new Set<string>();
  /** Lanes that may have further inputs, because the last fetch skipped them as busy or an input has arrived since. */
  #skipped = new Set<string>();
  /** Entries accepted in this turn of the event loop, each the only input of its lane: they need no fetch. */
  #arrived: Entry[] = [];
  /**
   * Counters by lane. An input that fails, or whose account is paused, raises its lane's counter. Inputs queued with an
   * older value are dropped and fetched again.
   */
  readonly #turns = new Map<string, number>();
  /** Committed interpretations of `handler-progress` and `request-begins`, for the effects that wait for them. */
  readonly #followed = new WeakMap<LaneEvent, Interpretation>();
  /**
   * Latest lease of each partition. While such a lease has expired, for example after a suspension of the process, the
   * store still accepts its epoch until another process takes the partition.
   */
  readonly #taken = new Map<number, Lease>();
  /** Number of calls of {@link resumed} under way. */
  #continuing = 0;
  /** User ids of the people who are being erased. */
  readonly #erasing = new Set<string>();
  /** Names of leases whose inputs may be fetched: their unfinished runs are queued already, ahead of newer inputs. */
  #resumed: ReadonlySet<string> = new Set();
  #more = false;
  readonly #stopped = new AbortController();
  /** Whether stopping took too long: interpretations that end from now on are not committed. */
  #abandoned = false;

  constructor(needs: WorkerNeeds) {
    this.#needs = needs;
    this.#lanes = lanes(needs.width ?? 64);
    this.#trial = needs.trial ?? NO_TRIAL;
    this.#effects = effectPool({
      performer: needs.performer,
      log: needs.log,
      clock: needs.clock,
      settle: (effect, outcome) => this.#effectSettled(effect, outcome),
      ...handlerSupport({
        ...needs,
        lanes: this.#lanes,
        takeIn: async (happened) => {
          await this.#takeInRun(happened);
          return this.#followed.get(happened);
        },
      }),
      onRoom: (owner) => this.#ready.onRoom(owner),
      isPaused: (pair) => this.#isPaused(pair) || this.#isErasing(pair),
      trial: needs.trial,
      bounds: needs.effectBounds,
    });
    const interpret = unlessCondemned(needs.interpret, this.#trial);
    this.#takeIn = takeIn({
      ...needs,
      interpret,
      isAbandoned: () => this.#abandoned,
      onCommitted: (...committed) => this.#committed(...committed),
    });
    this.#endings = endingRuns({
      interpret,
      mayDecide: (pair) => !this.#stopped.signal.aborted && !this.#isPaused(pair),
      onEnded: (...ended) => this.#committed(...ended, "done"),
    });
    this.#ready = readyRuns({
      ...needs,
      interpret,
      lanes: this.#lanes,
      effects: this.#effects,
      leases: async () => this.#resumedOf(await needs.leases.whenValid()),
      takeIn: async (ready) => void (await this.#takeInRun(ready)),
      isPaused: (pair) => this.#isPaused(pair),
      stopping: this.#stopped.signal,
    });
    this.#loop = pollLoop({
      poll: () => this.#poll(),
      everyMs: needs.pollEveryMs ?? 1_000,
      restMs: needs.restMs,
      onError: throttle(LOG_EVERY_MS, (error) =>
        needs.log.error({ err: error }, "the inbox could not be read"),
      ),
    });
    this.#stopListening = [
      needs.clock.onJump(() => this.wake()),
      needs.leases.onTaken((leases) => this.#resume(leases)),
      needs.leases.onLost((leases) => this.#leaveThose(leases)),
    ];
    this.wake();
  }

  /**
   * Processes entries that the store has just accepted. Entries of free lanes need no poll.
   *
   * The work begins in a later turn of the event loop, so that the entries are acknowledged first.
   *
   * @param results Result of the append of each entry.
   */
  arrived(entries: readonly NewEntry[], results: readonly AppendResult[]): void {
    const isBegun = this.#arrived.length > 0;
    for (const [place, entry] of entries.entries()) {
      const { seq, nextIn } = results[place] ?? {};
      if (seq === undefined || nextIn === undefined) {
        this.#skipped.add(entry.lane);
        this.wake();
      } else this.#arrived.push({ ...entry, seq, partition: nextIn });
    }
    if (!isBegun && this.#arrived.length > 0) setImmediate(() => this.#takeArrived());
  }

  /** Schedules a poll, since new inputs may have arrived. */
  wake(): void {
    this.#loop.wake();
  }

  /**
   * Continues the runs and inputs of accounts whose pause is over. Until their runs are in their lanes, no input is
   * fetched, because it might overtake these runs.
   */
  async resumed(): Promise<void> {
    this.#continuing += 1;
    const resume = async (): Promise<void> => this.#resume(await this.#needs.leases.whenValid());
    try {
      await repeatedWhileStoreFails(resume, this.#stopped.signal);
    } finally {
      this.#continuing -= 1;
      this.wake();
    }
  }

  /**
   * Ends the open runs of changed or removed rules that must not continue after the change. Resolves when they have
   * ended.
   *
   * @throws when the store can't be read or written.
   */
  async rulesChanged(ids: readonly string[]): Promise<void> {
    await lookAtRunsOf(ids, {
      ...this.#needs,
      lanes: this.#lanes,
      leases: () => this.#needs.leases.whenValid(),
      takeIn: (changed) => this.#takeInRun(changed),
      stopping: this.#stopped.signal,
    });
    this.wake();
  }

  /**
   * Erases a person from the store by `erase`. Meanwhile no effect of the person's events begins. Afterwards the effects
   * of erased runs are left.
   */
  async erasing<T>(person: string, erase: () => Promise<T>): Promise<T> {
    this.#erasing.add(person);
    const isTheirs = (effect: RunAndEntry): boolean => this.#isErasing(effect);
    const begun = this.#effects.leaveWaiting(isTheirs);
    try {
      const result = await erase();
      for (const run of begun) {
        this.#effects.leave(run);
        this.#needs.log.info({ run }, "a run has ended: its event was erased");
      }
      return result;
    } finally {
      this.#erasing.delete(person);
      this.#continueStored();
    }
  }

  /** Leaves the waiting effects, and continues the runs that another process has not erased. */
  erasedElsewhere(): void {
    this.#effects.leaveWaiting(() => true);
    this.#continueStored();
  }

  /** Returns the end of the run that waits for the settled item. The store writes both changes together. */
  endOf(item: Item): ReturnType<EndingRuns["endOf"]> {
    return this.#endings.endOf(item);
  }

  status(): WorkerStatus {
    return { inputs: this.#inHand.size, effects: this.#effects.inHand.size };
  }

  /**
   * Takes no new input. Resolves when the work under way is committed, or after the grace period. Work that takes
   * longer is not committed, and the next start does it again.
   */
  async stop(): Promise<void> {
    this.#stopped.abort();
    for (const stop of this.#stopListening) stop();
    this.#effects.stop();
    await this.#loop.stop();
    const idle = this.#effects.idle().then(() => this.#lanes.idle());
    if (await settlesWithin(this.#needs.stopGraceMs ?? STOP_GRACE_MS, idle)) return;
    this.#abandoned = true;
    this.#needs.log.warn(
      { inputs: [...this.#inHand], runs: this.#effects.inHand.runs() },
      "stopped before this work was finished; the next start does it again",
    );
  }

  async #poll(): Promise<void> {
    if (this.#inHand.size >= MAX_IN_HAND) {
      this.#more = true;
      return;
    }
    const leases = this.#readLeases();
    const endedBefore = [...this.#ended];
    const now = this.#needs.clock.now();
    const busy = this.#lanes.busy();
    const mayTimeOut = this.#needs.mayTimeOut?.() !== false && isTimeKnown(this.#needs.clock);
    const fetched = await this.#needs.store.fetch(leases, now, FETCH_AHEAD, busy);
    const inputs = mayTimeOut ? fetched : fetched.filter((input) => !isTimeOut(input));
    const ends = lastOfSeveral(inputs);
    for (const input of inputs) this.#begin(input, leases, ends.has(input.input));
    for (const input of endedBefore) this.#ended.delete(input);
    this.#more = inputs.length >= FETCH_AHEAD;
    this.#skipped = new Set(this.#more ? [] : busy);
  }

  /**
   * Begins to process the entries in `#arrived`. If the store has a backlog, they wait behind it and are fetched later.
   */
  #takeArrived(): void {
    const arrived = this.#arrived;
    this.#arrived = [];
    if (this.#stopped.signal.aborted) return;
    const leases = this.#readLeases();
    const room = this.#more ? 0 : Math.max(0, FETCH_AHEAD - this.#inHand.size);
    for (const entry of arrived.slice(0, room)) {
      const { lane, partition } = entry;
      const place = { input: `inbox/${entry.seq}`, lane, partition, attempts: 0 };
      this.#begin({ ...place, kind: "event", entry, listeners: [] }, leases, false);
    }
    if (arrived.length > room) this.wake();
  }

  /** Queues an input in its lane. Skips an input that is queued already, that has ended, or whose lease is not held. */
  #begin(input: LaneInput, leases: readonly Lease[], endsPart: boolean): void {
    if (this.#inHand.has(input.input) || this.#ended.has(input.input)) return;
    const lease = leases.find((held) => held.partition === input.partition);
    if (lease === undefined) return;
    this.#inHand.add(input.input);
    const turn = this.#turns.get(input.lane);
    this.#lanes.run(input.lane, () => this.#handle(input, { lease, turn, endsPart }));
  }

  async #handle(input: LaneInput, { lease, turn, endsPart }: Turn): Promise<void> {
    // A long lane is fetched in parts: the next part is requested when this one is done.
    let pollAgain = endsPart || this.#skipped.has(input.lane);
    try {
      if (this.#stopped.signal.aborted || this.#turns.get(input.lane) !== turn) return;
      const { lane, partition, attempts } = input;
      if (this.#isPaused(input) || this.#continuing > 0) {
        this.#turns.set(lane, (turn ?? 0) + 1);
        return;
      }
      const ref = refOf(input);
      // The input of a due timer is tried only once: the store can't postpone it, so a retry would come at once.
      const { seq } = input.entry;
      const isLast = ref.kind === "timer" || this.#trial.condemned(seq) !== undefined;
      const tries = isLast ? LAST_ATTEMPT : attempts;
      const hand = { ref, lane, partition, attempts: tries, epoch: lease.epoch };
      if (await this.#trial.run(seq, () => this.#takeIn(input, hand))) {
        this.#turns.delete(lane);
        this.#ended.add(input.input);
      } else this.#turns.set(lane, (turn ?? 0) + 1);
    } catch (error) {
      pollAgain = false;
      this.#turns.set(input.lane, (turn ?? 0) + 1);
      const { input: id } = input;
      this.#needs.log.error({ err: error, input: id }, "an input could not be committed; retrying");
    } finally {
      this.#inHand.delete(input.input);
      // Polls in a later turn, when the lane is free: a fetch skips lanes whose inputs are still being processed.
      if (pollAgain || (this.#more && this.#inHand.size < FETCH_AHEAD / 4)) {
        setImmediate(() => this.wake());
      }
    }
  }

  #committed(...[happened, interpretation, outcome]: Parameters<OnCommitted>): void {
    const { log, onCommitted } = this.#needs;
    if (IS_FOLLOWED.has(happened.kind)) this.#followed.set(happened, interpretation);
    for (const { level, fields, message } of interpretation.logs) log[level](fields, message);
    // Cancels the running effects of a run that has continued for another reason than the outcome of its effect.
    const own = FROM_EFFECT.has(happened.kind) && "run" in happened ? happened.run.id : undefined;
    for (const { id } of interpretation.runs) if (id !== own) this.#effects.leave(id);
    for (const effect of interpretation.effects) this.#effects.start(effect);
    this.#endings.note(happened, interpretation);
    // A run has released its concurrency slot: the store has made the next queued run due, in any lane.
    if (interpretation.runs.some(freesSlot)) setImmediate(() => this.wake());
    onCommitted?.(happened, interpretation, outcome);
  }

  /** Queues an effect's outcome in its run's lane. Resolves when the resulting changes are committed or have failed. */
  #effectSettled(
    { run, entry }: RunAndEntry,
    outcome: Extract<LaneEvent, { kind: "effect-settled" }>["outcome"],
  ): Promise<void> {
    return new Promise((resolve) => {
      this.#lanes.run(run.lane, async () => {
        try {
          await this.#takeInRun({ kind: "effect-settled", run, entry, outcome });
        } catch (error) {
          this.#needs.log.error(
            { err: error, run: run.id },
            "a run could not be continued; the next start continues it",
          );
        } finally {
          resolve();
          if (this.#more || this.#skipped.has(run.lane)) setImmediate(() => this.wake());
        }
      });
    });
  }

  /** Continues the runs that the partitions' previous worker left unfinished, before any newer input. */
  async #resume(leases: readonly Lease[]): Promise<void> {
    for (const lease of leases) this.#taken.set(lease.partition, lease);
    await this.#ready.resume(leases);
    const latest = new Set([...this.#taken.values()].map(nameOf));
    const resumed = [...this.#resumed, ...leases.map(nameOf)];
    this.#resumed = new Set(resumed.filter((name) => latest.has(name)));
    this.wake();
  }

  /** Leaves the effects of lost partitions, which another process performs now. Their outcomes would be refused. */
  #leaveThose(lost: readonly Lease[]): void {
    const partitions = new Set(lost.map(({ partition }) => partition));
    const begun = this.#effects.leaveWaiting(({ run }) => partitions.has(run.partition));
    for (const run of begun) this.#effects.leave(run);
  }

  /**
   * Processes a lane event that originates in this process, such as an effect's outcome, and commits the resulting
   * changes.
   */
  async #takeInRun(happened: Extract<LaneEvent, { kind: OfRun }>): Promise<boolean> {
    const { lane, partition, id, version } = happened.run;
    // The effect was left while its lane event was queued. The run may be continued under a newer lease.
    if (FROM_EFFECT.has(happened.kind) && !this.#effects.inHand.has(happened.run)) return true;
    const lease = this.#taken.get(partition);
    if (this.#abandoned || lease === undefined) return true;
    const ref = { kind: "effect", run: id, version } as const;
    const hand = { ref, lane, partition, attempts: LAST_ATTEMPT, epoch: lease.epoch };
    return repeatedWhileStoreFails(() => this.#takeIn(happened, hand), this.#stopped.signal);
  }

  #isPaused({ entry }: Pick<RunAndEntry, "entry">): boolean {
    return this.#needs.isPaused?.(entry.account) === true;
  }

  #continueStored(): void {
    this.resumed().catch((error: unknown) =>
      this.#needs.log.error({ err: error }, "runs could not be continued after an erasure"),
    );
  }

  #isErasing({ entry: { account, lane } }: Pick<RunAndEntry, "entry">): boolean {
    return this.#erasing.size > 0 && this.#erasing.has(lane.slice(account.length + 1));
  }

  /** Returns the leases of partitions whose inputs may be fetched, because their unfinished runs are queued already. */
  #readLeases(): readonly Lease[] {
    return this.#continuing > 0 ? [] : this.#resumedOf(this.#needs.leases.held());
  }

  #resumedOf(leases: readonly Lease[]): readonly Lease[] {
    return leases.filter((lease) => this.#resumed.has(nameOf(lease)));
  }
}

/** Kinds of lane events that originate in this process. */
type OfRun =
  | "effect-settled"
  | "run-ready"
  | "rule-changed"
  | "handler-progress"
  | "request-begins";

/** Kinds of lane events that are caused by an effect of this process. */
const FROM_EFFECT: ReadonlySet<LaneEvent["kind"]> = new Set([
  "effect-settled",
  "handler-progress",
  "request-begins",
]);

/** Kinds of lane events after which the effect that caused them waits for the commit. */
const IS_FOLLOWED: ReadonlySet<LaneEvent["kind"]> = new Set(["handler-progress", "request-begins"]);

/** Lease and counter under which an input was queued in its lane. */
interface Turn {
  readonly lease: Lease;
  readonly turn: number | undefined;
  /** Whether the input is the last of several that the fetch returned for its lane: the store may have more. */
  readonly endsPart: boolean;
}

/** Makes the interpreter fail for entries excluded by the crash trial, except for lane events that end their runs. */
function unlessCondemned(interpret: Interpret, trial: CrashTrial): Interpret {
  return async (happened) => {
    const reason = trial.condemned(happened.entry.seq);
    if (reason !== undefined && !ENDS_IT.has(happened.kind)) throw new Error(reason);
    return interpret(happened);
  };
}

/** Kinds of lane events that are interpreted even for excluded entries, because they end the entry's run. */
const ENDS_IT: ReadonlySet<LaneEvent["kind"]> = new Set([
  "effect-settled",
  "run-ready",
  "request-begins",
]);

function isTimeOut(input: LaneInput): boolean {
  return input.kind === "timer-due" && input.run.listens === true;
}

function freesSlot({ slot, status }: RunWrite): boolean {
  return slot !== undefined && status !== "ready" && status !== "waiting";
}

/** Returns the name of a lease, such as `3/7` for partition 3, epoch 7. Each new holder gets a new epoch. */
function nameOf({ partition, epoch }: Lease): string {
  return `${partition}/${epoch}`;
}

/** Returns the id of the last input of each lane that has several inputs. */
function lastOfSeveral(inputs: readonly LaneInput[]): ReadonlySet<string> {
  const first = new Map(inputs.toReversed().map(({ lane, input }) => [lane, input]));
  const last = new Map(inputs.map(({ lane, input }) => [lane, input]));
  return new Set([...last].flatMap(([lane, input]) => (first.get(lane) === input ? [] : [input])));
}

function refOf(input: LaneInput): InputRef {
  if (input.kind === "timer-due") return { kind: "timer", id: input.timer.id };
  return { kind: "inbox", id: Number(input.input.slice(input.input.indexOf("/") + 1)) };
}

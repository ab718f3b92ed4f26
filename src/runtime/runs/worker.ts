import type { Clock } from "../clock/clock.ts";
import type { HeldLeases } from "../loop/leases.ts";
import { pollLoop, type PollLoop } from "../loop/poll-loop.ts";
import { settlesWithin } from "../loop/settles-within.ts";
import { LOG_EVERY_MS, throttle } from "../loop/throttle.ts";
import type { Log } from "../log.ts";
import type { Lease } from "../store/lease.ts";
import type { RunAndEntry, RunWrite } from "../store/run.ts";
import type { DecidePort, ReadPort } from "../store/store.ts";
import type { InputRef, LaneInput } from "../store/transition.ts";
import type { Commit } from "./commit-batcher.ts";
import type { EffectPerformer } from "./effect.ts";
import { effectPool, type EffectPool, type EffectPoolNeeds } from "./effect-pool.ts";
import { NO_TRIAL, type CrashTrial } from "./crash-trial.ts";
import type { Interpret } from "./interpreter.ts";
import { handlerSupport } from "./handlers/handler-support.ts";
import type { Interpretation, LaneEvent } from "./lane-event.ts";
import { lookAtRunsOf } from "./changed-rules.ts";
import { lanes, type Lanes } from "./lanes.ts";
import { type ReadyRuns, readyRuns } from "./ready-runs.ts";
import { LAST_ATTEMPT, takeIn, type TakeIn, type TakeInNeeds } from "./take-in.ts";

export interface WorkerNeeds {
  readonly store: Pick<
    DecidePort,
    "fetch" | "openRuns" | "listeners" | "silences" | "load" | "slots" | "runsOf"
  > &
    Pick<ReadPort, "items">;
  /** Real milliseconds between two looks for inputs of which nobody tells; a second unless said. */
  readonly pollEveryMs?: number;
  /** Real milliseconds from one look for inputs to the next at least; none unless said. */
  readonly restMs?: number;
  /** Resolves when an item has changed, or `signal` is aborted; nobody waits for one unless given. */
  readonly itemChanged?: (key: string, signal: AbortSignal) => Promise<void>;
  readonly commit: Commit;
  readonly clock: Clock;
  readonly log: Log;
  readonly leases: Pick<HeldLeases, "held" | "onTaken">;
  readonly interpret: Interpret;
  readonly performer: EffectPerformer;
  /** Whether nothing is decided for the account for now; never unless given. */
  readonly isPaused?: (account: string) => boolean;
  /** Called after a commit: what happened, and what followed from it. */
  readonly onCommitted?: OnCommitted;
  /** Entries that an ended process left, and of which one may have been its end. */
  readonly trial?: CrashTrial | undefined;
  /** Effects of one owner at work at once, and in hand altogether. */
  readonly effectBounds?: EffectPoolNeeds["bounds"];
  /** Lanes at work at once. */
  readonly width?: number;
  /** Real milliseconds that {@link RunWorker.stop} waits for what is under way. */
  readonly stopGraceMs?: number;
}

type OnCommitted = TakeInNeeds["onCommitted"];

/** What a worker has in hand. */
export interface WorkerStatus {
  /** Inputs under way, or waiting in their lane. */
  readonly inputs: number;
  /** Effects of runs under way, or waiting for earlier ones of their owner. */
  readonly effects: number;
}

/** Inputs asked for at a time. */
const FETCH_AHEAD = 512;
/** Inputs in hand at most: a backlog stays on disk. */
const MOST_IN_HAND = 4_096;
const STOP_GRACE_MS = 3_000;

/** Takes what happens in lanes, lane by lane, and commits what follows from it. */
export class RunWorker {
  readonly #needs: WorkerNeeds;
  readonly #lanes: Lanes;
  readonly #effects: EffectPool;
  readonly #trial: CrashTrial;
  readonly #ready: ReadyRuns;
  readonly #takeIn: TakeIn;
  readonly #loop: PollLoop;
  readonly #stopListening: readonly (() => void)[];
  /** Inputs in hand: under way, or waiting in their lane. */
  readonly #inHand = new Set<string>();
  /** Inputs that ended while a fetch was under way: it may still give them. */
  readonly #ended = new Set<string>();
  /** Rises when a lane's first input did not get through: what was taken behind it is given back. */
  readonly #turns = new Map<string, number>();
  /** What followed from what handlers have come to, once it is kept. */
  readonly #followed = new WeakMap<LaneEvent, Interpretation>();
  /** Leases whose runs left to be performed are in their lanes: what has come since goes behind them. */
  #resumed: ReadonlySet<string> = new Set();
  #more = false;
  readonly #stopped = new AbortController();
  /** Stopping took too long: what is decided from now on is not kept. */
  #abandoned = false;

  constructor(needs: WorkerNeeds) {
    this.#needs = needs;
    this.#lanes = lanes(needs.width ?? 64);
    this.#trial = needs.trial ?? NO_TRIAL;
    this.#effects = effectPool({
      performer: needs.performer,
      log: needs.log,
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
    this.#ready = readyRuns({
      ...needs,
      interpret,
      lanes: this.#lanes,
      effects: this.#effects,
      leases: () => this.#readLeases(),
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
      needs.leases.onTaken((taken) => this.#resume(taken)),
    ];
    this.wake();
  }

  /** New inputs may be there. */
  wake(): void {
    this.#loop.wake();
  }

  /** Accounts are paused no longer: what they left undone goes on. */
  async resumed(): Promise<void> {
    await this.#resume(this.#needs.leases.held());
  }

  /**
   * Rules were changed or removed: resolves when those of their runs have ended that are not to go on.
   *
   * @throws when the store can't be read or written.
   */
  async rulesChanged(ids: readonly string[]): Promise<void> {
    await lookAtRunsOf(ids, {
      ...this.#needs,
      lanes: this.#lanes,
      leases: () => this.#needs.leases.held(),
      takeIn: (changed) => this.#takeInRun(changed),
      stopping: this.#stopped.signal,
    });
    this.wake();
  }

  status(): WorkerStatus {
    return { inputs: this.#inHand.size, effects: this.#effects.size };
  }

  /**
   * Takes no new input, and resolves when those under way are committed. What takes too long is
   * left: nothing of it is kept, and the next start takes it up again.
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
      { inputs: [...this.#inHand], runs: this.#effects.underWay() },
      "stopped before these were done; the next start takes them up again",
    );
  }

  async #poll(): Promise<void> {
    if (this.#inHand.size >= MOST_IN_HAND) {
      this.#more = true;
      return;
    }
    const leases = this.#readLeases();
    const endedBefore = [...this.#ended];
    const now = this.#needs.clock.now();
    const inputs = await this.#needs.store.fetch(leases, now, FETCH_AHEAD, this.#lanes.busy());
    const ends = lastOfSeveral(inputs);
    for (const input of inputs) {
      if (this.#inHand.has(input.input) || this.#ended.has(input.input)) continue;
      const lease = leases.find((held) => held.partition === input.partition);
      if (lease === undefined) continue;
      this.#inHand.add(input.input);
      const turn = this.#turns.get(input.lane);
      const endsPart = ends.has(input.input);
      this.#lanes.run(input.lane, () => this.#handle(input, { lease, turn, endsPart }));
    }
    for (const input of endedBefore) this.#ended.delete(input);
    this.#more = inputs.length >= FETCH_AHEAD;
  }

  async #handle(input: LaneInput, { lease, turn, endsPart }: Turn): Promise<void> {
    // A long lane comes in parts: the next one is asked for when this one is through.
    let pollAgain = endsPart;
    try {
      if (this.#stopped.signal.aborted || this.#turns.get(input.lane) !== turn) return;
      const { lane, partition, attempts } = input;
      if (this.#isPaused(input)) {
        this.#turns.set(lane, (turn ?? 0) + 1);
        return;
      }
      const ref = refOf(input);
      // A due timer stays due: putting it off is not known to the store.
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
      this.#needs.log.error({ err: error, input: id }, "input not committed; it comes again");
    } finally {
      this.#inHand.delete(input.input);
      // A turn later, when the lane is free: a fetch leaves out those with work in hand.
      if (pollAgain || (this.#more && this.#inHand.size < FETCH_AHEAD / 4)) {
        setImmediate(() => this.wake());
      }
    }
  }

  #committed(...[happened, interpretation, outcome]: Parameters<OnCommitted>): void {
    const { log, onCommitted } = this.#needs;
    if (IS_FOLLOWED.has(happened.kind)) this.#followed.set(happened, interpretation);
    for (const { level, fields, message } of interpretation.logs) log[level](fields, message);
    // its own outcome and its own progress aside, who has gone on waits for no effect any more
    const own = FROM_EFFECT.has(happened.kind) && "run" in happened ? happened.run.id : undefined;
    for (const { id } of interpretation.runs) if (id !== own) this.#effects.leave(id);
    for (const effect of interpretation.effects) this.#effects.start(effect);
    // The store has woken the next that queues for a slot, in whatever lane it is.
    if (interpretation.runs.some(freesSlot)) setImmediate(() => this.wake());
    onCommitted?.(happened, interpretation, outcome);
  }

  /** Hands an effect's outcome to its lane. Resolves when what follows from it is kept. */
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
            "run not taken on; the next start takes it up",
          );
        } finally {
          resolve();
          if (this.#more) setImmediate(() => this.wake());
        }
      });
    });
  }

  /** Performs what an earlier holder of these partitions left to be performed, before anything newer. */
  async #resume(taken: readonly Lease[]): Promise<void> {
    await this.#ready.resume(taken);
    const held = [...this.#needs.leases.held(), ...taken].map(nameOf);
    const resumed = [...this.#resumed, ...taken.map(nameOf)];
    this.#resumed = new Set(resumed.filter((name) => held.includes(name)));
    this.wake();
  }

  /** Takes in what happened to a run in this process; the store knows nothing of it yet. */
  async #takeInRun(happened: Extract<LaneEvent, { kind: OfRun }>): Promise<boolean> {
    const { lane, partition, id, version } = happened.run;
    const lease = this.#leaseOf(partition);
    if (this.#abandoned || lease === undefined) return true;
    const ref = { kind: "effect", run: id, version } as const;
    const hand = { ref, lane, partition, attempts: LAST_ATTEMPT, epoch: lease.epoch };
    return this.#takeIn(happened, hand);
  }

  #isPaused({ entry }: Pick<RunAndEntry, "entry">): boolean {
    return this.#needs.isPaused?.(entry.account) === true;
  }

  /** Leases of partitions whose inputs may be taken. */
  #readLeases(): readonly Lease[] {
    return this.#needs.leases.held().filter((lease) => this.#resumed.has(nameOf(lease)));
  }

  #leaseOf(partition: number): Lease | undefined {
    return this.#needs.leases.held().find((held) => held.partition === partition);
  }
}

/** What happens to a run in this process. */
type OfRun =
  | "effect-settled"
  | "run-ready"
  | "rule-changed"
  | "handler-progress"
  | "request-begins";

/** What an effect in hand comes to. */
const FROM_EFFECT: ReadonlySet<LaneEvent["kind"]> = new Set([
  "effect-settled",
  "handler-progress",
  "request-begins",
]);

/** What an effect under way asks to be kept, before it goes on. */
const IS_FOLLOWED: ReadonlySet<LaneEvent["kind"]> = new Set(["handler-progress", "request-begins"]);

/** What goes with an input into its lane. */
interface Turn {
  readonly lease: Lease;
  readonly turn: number | undefined;
  /** The last of several that the fetch gave of its lane: there may be more of them. */
  readonly endsPart: boolean;
}

/** What follows from an entry that is not handled any more is an error. */
function unlessCondemned(interpret: Interpret, trial: CrashTrial): Interpret {
  return async (happened) => {
    const reason = trial.condemned(happened.entry.seq);
    if (reason !== undefined && !ENDS_IT.has(happened.kind)) throw new Error(reason);
    return interpret(happened);
  };
}

/** What a run that is to end needs for that. */
const ENDS_IT: ReadonlySet<LaneEvent["kind"]> = new Set([
  "effect-settled",
  "run-ready",
  "request-begins",
]);

function freesSlot({ slot, status }: RunWrite): boolean {
  return slot !== undefined && status !== "ready" && status !== "waiting";
}

/** A partition that comes back has another epoch: it was in other hands. */
function nameOf({ partition, epoch }: Lease): string {
  return `${partition}/${epoch}`;
}

/** Where a lane has several inputs, the last of them. */
function lastOfSeveral(inputs: readonly LaneInput[]): ReadonlySet<string> {
  const first = new Map(inputs.toReversed().map(({ lane, input }) => [lane, input]));
  const last = new Map(inputs.map(({ lane, input }) => [lane, input]));
  return new Set([...last].flatMap(([lane, input]) => (first.get(lane) === input ? [] : [input])));
}

function refOf(input: LaneInput): InputRef {
  if (input.kind === "timer-due") return { kind: "timer", id: input.timer.id };
  return { kind: "inbox", id: Number(input.input.slice(input.input.indexOf("/") + 1)) };
}

import { answerByHandBody } from "../../src/events/kinds/answer-by-hand.ts";
import { translate } from "../../src/events/translate.ts";
import type { Store } from "../../src/runtime/store/store.ts";
import * as wire from "../support/wire.ts";
import { Bot } from "./bot.ts";
import { type FaultPlan, faultPlan } from "./faults.ts";
import { Deliveries } from "./platform/deliveries.ts";
import { type Made, ModelPlatform } from "./platform/model-platform.ts";
import { ModelWire } from "./platform/model-wire.ts";
import { PlatformClock } from "./platform/platform-clock.ts";
import { simulatedRules } from "./rules.ts";
import { type Act, type Script, scriptOf, wantedFor } from "./script.ts";
import { diskOf } from "./store/disk.ts";
import { modelStore, type StoreDoor } from "./store/model-store.ts";
import { ModelTables } from "./store/model-tables.ts";
import { type Draws, drawsOf } from "./time/draws.ts";
import { Scheduler } from "./time/scheduler.ts";
import type { Task } from "./time/task-heap.ts";
import { installVirtualGlobals } from "./time/virtual-globals.ts";
import { type Step, type Trace, traceOf } from "./trace.ts";
import { type DoneAct, type Problem, problemsOf } from "./verdict.ts";

/** Fault planted in the simulated program from outside, by replacing its store. */
export type Plant = (store: Store) => Store;

export interface SimulationOptions {
  readonly seed: number;
  readonly plant?: Plant;
  readonly keepTrace?: boolean;
}

/** Result of one seed. */
export interface SeedResult {
  readonly seed: number;
  /** Number of delivered events. */
  readonly events: number;
  readonly crashes: number;
  readonly problems: readonly Problem[];
  /** Number of executed tasks. */
  readonly steps: number;
  /** Duration in milliseconds of the simulation. */
  readonly tookMs: number;
  readonly trace: readonly Step[];
}

/** Start time of the machine's clock: that of test/support/wire.ts. */
const START_AT = 1_760_000_000_000;
const ACCOUNT = "100";
const PARTITIONS = 8;
/** Time after the last fault within which all work must be done, in milliseconds. */
const REST_MS = 30 * 60_000;
/** Time, in milliseconds, for which a simulation without open work is still watched for late actions. */
const WATCH_MS = 3_000;

/** Runs one seed from its beginning to its end. The same seed gives exactly the same result. */
export async function simulate(options: SimulationOptions): Promise<SeedResult> {
  simulatedRules();
  const scheduler = new Scheduler();
  const draws = drawsOf(options.seed);
  const restore = installVirtualGlobals({ scheduler, draws: draws.fork(), startAt: START_AT });
  const { stackTraceLimit } = Error;
  // Stacks of simulated errors are never read, and take long to create.
  Error.stackTraceLimit = 0;
  try {
    return await new Simulation(options, scheduler, draws).run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    restore();
  }
}

class Simulation {
  readonly #options: SimulationOptions;
  readonly #scheduler: Scheduler;
  readonly #draws: Draws;
  readonly #trace: Trace;
  readonly #faults: FaultPlan;
  readonly #script: Script;
  readonly #clock: PlatformClock;
  readonly #tables: ModelTables;
  readonly #platform: ModelPlatform;
  readonly #deliveries: Deliveries;
  readonly #done: DoneAct[] = [];
  readonly #bots: Bot[] = [];
  #incarnations = 0;
  #crashes = 0;
  #onWire = 0;
  #restingSince: number | undefined;
  #booting = 0;

  constructor(options: SimulationOptions, scheduler: Scheduler, draws: Draws) {
    this.#options = options;
    this.#scheduler = scheduler;
    this.#draws = draws;
    this.#trace = traceOf(options.keepTrace ?? false, () => scheduler.now);
    this.#faults = faultPlan(draws.fork());
    this.#script = scriptOf(draws.fork(), this.#faults.until);
    this.#clock = new PlatformClock(scheduler, START_AT);
    this.#tables = new ModelTables(PARTITIONS, () => scheduler.now);
    this.#platform = new ModelPlatform({
      account: ACCOUNT,
      draws: draws.fork(),
      now: () => this.#clock.now(),
      monotonic: () => scheduler.now,
      refusing: this.#script.refusing,
      onMade: (content) => this.#made(content),
    });
    this.#deliveries = new Deliveries({
      scheduler,
      draws: draws.fork(),
      faults: this.#faults,
      trace: this.#trace,
      receivers: () => this.#bots.filter(({ listens }) => listens),
    });
  }

  async run(): Promise<SeedResult> {
    const { at, jumps, restarts, shared } = { at: 0, ...this.#faults };
    for (let slot = 1; slot <= (shared ? 2 : 1); slot++) this.#boot(slot, at);
    for (const act of this.#script.acts) this.#later(act.at, () => this.#act(act));
    for (const jump of jumps) this.#later(jump.at, () => this.#jump(jump.ms));
    for (const time of restarts) this.#later(time, () => this.#restart());
    await this.#scheduler.run(
      () => this.#isOver(),
      (task) => this.#mayFail(task),
    );
    const problems = problemsOf({
      deliveries: this.#deliveries,
      platform: this.#platform,
      tables: this.#tables,
      faults: this.#faults,
      refusing: this.#script.refusing,
      done: this.#done,
    });
    return {
      seed: this.#options.seed,
      events: this.#deliveries.all.length,
      crashes: this.#crashes,
      problems,
      steps: this.#scheduler.steps,
      tookMs: this.#scheduler.now,
      trace: this.#trace.steps,
    };
  }

  #later(ms: number, run: () => void): void {
    this.#scheduler.after(ms, undefined, run);
  }

  /** Lets a person do something, and the platform deliver it to the bot. */
  #act(act: Act): void {
    const { person, kind, n } = act;
    const id = this.#platform.newId();
    const at = this.#clock.now();
    const text = kind === "mention" ? `hi ${n}` : `${kind} ${n}`;
    this.#trace.add("person", () => `${person} does: ${text}`, person);
    const body = bodyOf(act, { id, text, at });
    const key = this.#send(body, person);
    this.#done.push({ act, key, wanted: wantedFor(act, id) });
  }

  /** Delivers the account's own messages and posts as events. */
  #made({ id, kind, to, text, at, inReplyTo = "" }: Made): void {
    const person = kind === "message" ? to : undefined;
    this.#trace.add("platform", () => `has ${kind} ${id}: “${text}”`, person);
    const body =
      kind === "message"
        ? wire.message({ id, from: ACCOUNT, to, text, at, sourceAppId: "77" })
        : wire.post({
            id,
            author: ACCOUNT,
            text,
            inReplyTo: { postId: inReplyTo, userId: "1" },
            at,
          });
    this.#send(body, to);
  }

  #send(body: object, person: string): string {
    const key = translate(body, this.#clock.now())[0]?.event.key ?? "";
    this.#deliveries.send(key, body, person);
    return key;
  }

  /**
   * Moves the clock; back only while nothing is being sent. Otherwise a message could have a time before its item was
   * marked as `sending`, and reading back could not find the message if the answer is lost.
   */
  #jump(ms: number): void {
    const sending = [...this.#tables.outbox.open.values()].some((one) => one.status === "sending");
    const marking = this.#bots.some(({ writing }) => writing > 0);
    if (ms < 0 && (sending || marking || this.#onWire > 0)) {
      this.#later(100, () => this.#jump(ms));
      return;
    }
    this.#trace.add("world", () => `the platform's clock is moved by ${ms} ms`);
    this.#clock.jump(ms);
  }

  /** Starts a bot after `ms` milliseconds, and again until it runs. `slot` numbers the bots that run side by side. */
  #boot(slot: number, ms: number): void {
    this.#booting += 1;
    this.#later(ms, () => {
      this.#booting -= 1;
      this.#incarnations += 1;
      const bot = new Bot({
        name: `bot ${slot}.${this.#incarnations}`,
        account: {
          id: ACCOUNT,
          username: "hello_bot",
          accessToken: "token",
          accessTokenSecret: "token-secret",
          linkedAt: START_AT,
        },
        trace: this.#trace,
        storeFor: (owner) => this.#storeFor(owner),
        wireFor: (owner) => this.#wireFor(owner),
        clockFor: (owner) => this.#clock.seenBy(owner),
      });
      this.#bots.push(bot);
      // A store of one process: a process that opens it takes over the leases of the crashed one.
      if (!this.#faults.shared) this.#tables.leases.releaseAll();
      this.#trace.add(bot.name, () => "starts");
      this.#scheduler.after(1, bot, () => {
        bot.start().catch((error: unknown) => {
          this.#trace.add(bot.name, () => `could not start: ${String(error)}`);
          this.#end(bot);
        });
      });
    });
  }

  #storeFor(owner: Bot): Store {
    const { plant = (store: Store) => store } = this.#options;
    const disk = diskOf({
      owner,
      scheduler: this.#scheduler,
      faults: this.#faults,
      trace: this.#trace,
      draws: this.#draws.fork(),
    });
    const counted: StoreDoor = async (call) => {
      if (!call.writes) return disk(call);
      owner.writing += 1;
      try {
        return await disk(call);
      } finally {
        owner.writing -= 1;
      }
    };
    return plant(modelStore(this.#tables, counted, this.#faults.shared));
  }

  #wireFor(owner: Bot): ModelWire {
    return new ModelWire({
      owner,
      scheduler: this.#scheduler,
      clock: this.#clock,
      platform: this.#platform,
      faults: this.#faults,
      draws: this.#draws.fork(),
      trace: this.#trace,
      onWire: (change) => {
        this.#onWire += change;
      },
    });
  }

  /** Crashes a bot, and later starts a new process in its place. */
  #end(bot: Bot): void {
    bot.alive = false;
    this.#bots.splice(this.#bots.indexOf(bot), 1);
    this.#boot(Number(bot.name.slice(4).split(".")[0]), this.#draws.between(200, 12_000));
  }

  /** Called before each task of a bot, where it may crash or be suspended. */
  #mayFail({ owner, weight }: Task): void {
    const { until, crash, stop, longestStopMs } = this.#faults;
    if (this.#scheduler.now >= until || !(owner instanceof Bot)) return;
    if (this.#draws.chance(crash * weight)) {
      this.#trace.add(owner.name, () => "CRASHES");
      this.#crashes += 1;
      this.#end(owner);
    } else if (this.#draws.chance(stop * weight)) {
      const ms = this.#draws.between(100, longestStopMs);
      this.#trace.add(owner.name, () => `stands still for ${Math.round(ms)} ms`);
      owner.stoppedUntil = this.#scheduler.now + ms;
    }
  }

  #restart(): void {
    const bot = this.#bots.find(({ listens }) => listens);
    if (bot === undefined) return;
    this.#trace.add(bot.name, () => "is asked to stop");
    this.#scheduler.after(0, bot, () => {
      void this.#stop(bot);
    });
  }

  async #stop(bot: Bot): Promise<void> {
    await bot.stop();
    this.#trace.add(bot.name, () => "has stopped");
    this.#end(bot);
  }

  #isOver(): boolean {
    const { now } = this.#scheduler;
    if (now >= this.#faults.until + REST_MS) return true;
    const rests =
      now >= this.#faults.until &&
      this.#booting === 0 &&
      this.#done.length === this.#script.acts.length &&
      this.#deliveries.open === 0 &&
      this.#onWire === 0 &&
      this.#clock.waiting === 0 &&
      this.#tables.rest &&
      this.#bots.every(({ stoppedUntil, listens }) => stoppedUntil <= now && listens);
    if (!rests) this.#restingSince = undefined;
    else this.#restingSince ??= now;
    return this.#restingSince !== undefined && now >= this.#restingSince + WATCH_MS;
  }
}

/** Creates the bot's input for a person's action: a delivery of the platform, or a request of an operator. */
function bodyOf(
  { person, kind, n }: Act,
  { id, text, at }: { readonly id: string; readonly text: string; readonly at: number },
): object {
  if (kind === "mention") {
    return wire.post({ id, author: person, text, mentions: [ACCOUNT], at });
  }
  if (kind === "welcome") return wire.relation("follow_events", "follow", { from: person, at });
  if (kind !== "hand") return wire.message({ id, from: person, text, at });
  return answerByHandBody(ACCOUNT, {
    key: `hand-${n}`,
    at,
    to: person,
    text: `By hand ${n}`,
    by: "Kim",
    answers: n,
  });
}

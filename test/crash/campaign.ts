import { faultText } from "./fault-text.ts";
import { seeded } from "../support/seeded.ts";
import type { BotProcess } from "./bot-process.ts";
import { DATABASE_POINTS, type DatabasePoint } from "./database/points.ts";
import { addFaults, removeFaults } from "./faults.ts";
import type { AnyPoint, CampaignOptions, Outcome, PlacedFault } from "./outcome.ts";
import { isPoint, LEFT_BEHIND_AT, type PointName } from "./points.ts";
import { openRig, type Rig } from "./rig.ts";
import { settle } from "./settle.ts";
import { laneStory } from "./lane-story.ts";
import { type Traffic, traffic, whileTalking } from "./traffic.ts";
import type { Strike } from "./trigger.ts";
import { type Fault, verify } from "./verify.ts";

/** Real milliseconds within which the bot must reach the point at which it is to be killed. */
const REACHED_WITHIN_MS = 60_000;
const POINTS_PER_ROUND = 6;

/** Kills one bot repeatedly, and after every few kills checks the answers that people got. */
export async function campaign(options: CampaignOptions): Promise<Outcome> {
  const rig = await openRig({ ...options, seed: String(options.seed) });
  try {
    return await new Campaign(rig, options).run();
  } finally {
    await rig.close();
  }
}

class Campaign {
  readonly #rig: Rig;
  readonly #options: CampaignOptions;
  readonly #draw: (below: number) => number;
  readonly #traffic: Traffic;
  readonly #points = new Map<AnyPoint, number>();
  readonly #missed: AnyPoint[] = [];
  readonly #faults: PlacedFault[] = [];
  #kills = 0;
  #endedByItself = 0;
  #rounds = 0;
  #acknowledged = 0;
  #answered = 0;
  /** Descriptions of the kills since the last check of the answers. */
  #recent: string[] = [];
  #bot: BotProcess | undefined;

  constructor(rig: Rig, options: CampaignOptions) {
    this.#rig = rig;
    this.#options = options;
    this.#draw = seeded(options.seed);
    this.#traffic = traffic(rig, this.#draw);
  }

  async run(): Promise<Outcome> {
    const { points, kills, untilFault = false } = this.#options;
    const over = (): boolean => untilFault && this.#faults.length > 0;
    for (let at = 0; at < points.length && !over(); at += POINTS_PER_ROUND) {
      await this.#round(() => this.#killAtPoints(points.slice(at, at + POINTS_PER_ROUND)));
    }
    for (let remaining = kills; remaining > 0 && !over();) {
      const some = Math.min(remaining, 1 + this.#draw(MAX_KILLS_PER_ROUND));
      await this.#round(() => this.#killAtMoments(some));
      remaining -= some;
    }
    await this.#end();
    return {
      kills: this.#kills,
      points: Object.fromEntries(this.#points),
      missed: this.#missed,
      acknowledged: this.#acknowledged,
      answered: this.#answered,
      faults: this.#faults,
    };
  }

  /** Kills the bot under load and faults, then waits until no work is open and each person has an answer. */
  async #round(kill: () => Promise<void>): Promise<void> {
    const started = performance.now();
    this.#rounds += 1;
    this.#recent = [];
    await addFaults(this.#rig, this.#options.seed + this.#rounds);
    const draw = this.#draw;
    await whileTalking(
      this.#rig,
      this.#traffic,
      { draw, longestPauseMs: longestPauseMs(this.#rig) },
      kill,
    );
    await removeFaults(this.#rig);
    await this.#ready();
    const last = await this.#traffic.everybody();
    await this.#allArrived(last.map(({ id }) => id));
    const { said } = this.#traffic;
    const killed = performance.now();
    await settle(this.#rig, said);
    const { acknowledged, answered, faults } = await verify(this.#rig, said, last);
    this.#acknowledged = acknowledged;
    this.#answered = answered;
    for (const fault of faults) await this.#note(fault);
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    const rest = ((performance.now() - killed) / 1_000).toFixed(1);
    this.#options.say(
      `${this.#kills} kills: ${acknowledged} acknowledged, ${answered} answered, ${this.#faults.length} faults (${seconds} s, ${rest} to rest)`,
    );
  }

  async #killAtPoints(points: readonly AnyPoint[]): Promise<void> {
    await this.#kill("at rest");
    for (const point of points) {
      if (!isPoint(point)) {
        await this.#killAtDatabase(point);
        continue;
      }
      const leftBehind = LEFT_BEHIND_AT[point];
      if (leftBehind !== undefined) await this.#killAt({ point: leftBehind, pass: 1 });
      const pass = OFTEN.has(point) ? 1 + this.#draw(MAX_PASSES) : 1;
      await this.#killAt({ point, pass });
    }
  }

  /** Lets the bot kill itself at a point. Tries again if the bot does not get there in time (busy machine). */
  async #killAt({ point, pass }: Strike): Promise<void> {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const bot = this.#start({ point, pass });
      const giveUp = setTimeout(() => bot.kill(), REACHED_WITHIN_MS);
      const reached = await this.#ended(bot);
      clearTimeout(giveUp);
      this.#killed(`${point}, pass ${pass}${reached === undefined ? ": not reached" : ""}`);
      if (reached === undefined) continue;
      this.#count(reached);
      return;
    }
    this.#missed.push(point);
  }

  /** Kills the bot, or the database server, at this point. Restarts a killed server before it returns. */
  async #killAtDatabase(point: DatabasePoint): Promise<void> {
    const strike = DATABASE_POINTS.get(point);
    const { database } = this.#rig;
    if (strike === undefined || database === undefined) throw new Error(`${point} is nowhere`);
    const { wire, server } = database;
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      await this.#ready();
      const pass = 1 + this.#draw(MAX_STATEMENTS);
      const giveUp = setTimeout(() => wire.giveUp(), REACHED_WITHIN_MS);
      const isReached = await wire.reached(strike, pass);
      clearTimeout(giveUp);
      if (!isReached) continue;
      if (strike.victim === "bot") await this.#kill(`${point}, pass ${pass}`);
      else {
        await server.kill();
        this.#kills += 1;
        this.#recent.push(`${point}, pass ${pass}`);
        await server.restart();
      }
      this.#count(point);
      return;
    }
    this.#missed.push(point);
  }

  #count(point: AnyPoint): void {
    this.#points.set(point, (this.#points.get(point) ?? 0) + 1);
  }

  /** @returns The point at which the process killed itself; undefined if it ended otherwise. */
  async #ended(bot: BotProcess): Promise<PointName | undefined> {
    const { point, fault } = await bot.ended;
    if (fault === undefined) return point;
    this.#options.say(`the bot ended by itself:\n${fault}`);
    this.#endedByItself += 1;
    if (this.#endedByItself > MAX_OWN_ENDS) throw new Error("the bot keeps ending by itself");
    return undefined;
  }

  /** Starts the bot, again if it ends at once, and waits until the platform delivers to it. */
  async #ready(): Promise<BotProcess> {
    for (;;) {
      const bot = this.#bot ?? this.#start();
      if (await bot.ready) {
        await this.#connected();
        return bot;
      }
      await this.#ended(bot);
      this.#bot = undefined;
    }
  }

  /** Waits until the bot is the leader and has checked its webhook. Without a shared store, returns at once. */
  async #connected(): Promise<void> {
    const { database } = this.#rig;
    if (database === undefined) return;
    const deadline = performance.now() + REACHED_WITHIN_MS;
    const leads = async (): Promise<boolean> => {
      const status = await this.#rig.ask("status", {});
      const isLinked =
        status?.missing.length === 0 && status.accounts.every(({ subscribed }) => subscribed);
      return isLinked && (await this.#rig.isWorking());
    };
    while (!(await leads())) {
      if (performance.now() > deadline) {
        throw new Error(
          `the bot did not take the leases over:\n${this.#rig.log().slice(-LOG_SHOWN)}`,
        );
      }
      await pause(LOOK_EVERY_MS);
    }
  }

  async #killAtMoments(kills: number): Promise<void> {
    for (let n = 0; n < kills; n += 1) {
      this.#bot ??= this.#start();
      if (this.#draw(100) < PERCENT_WHILE_STARTING) {
        const ms = this.#draw(LONGEST_START_MS);
        await pause(ms);
        await this.#kill(`${ms} ms after its start`);
      } else {
        await this.#ready();
        const ms = this.#draw(LONGEST_WAIT_MS);
        await pause(ms);
        await this.#kill(`${ms} ms after it was ready`);
      }
    }
  }

  async #kill(place: string): Promise<void> {
    const bot = this.#bot;
    if (bot === undefined) return;
    bot.kill();
    await bot.ended;
    this.#killed(place);
  }

  #killed(place: string): void {
    this.#bot = undefined;
    this.#rig.door.lead(undefined);
    this.#kills += 1;
    this.#recent.push(place);
  }

  #start(strike?: Strike): BotProcess {
    this.#bot = this.#rig.start(strike);
    return this.#bot;
  }

  async #allArrived(ids: readonly string[]): Promise<void> {
    const { door, sandbox } = this.#rig;
    const deadline = performance.now() + ARRIVED_WITHIN_MS;
    while (!ids.every((id) => door.acknowledged.has(id)) && performance.now() < deadline) {
      if (await this.#rig.isWorking()) await sandbox.control.advance(1_000);
      await pause(LOOK_EVERY_MS);
    }
  }

  async #note(fault: Fault): Promise<void> {
    const { kind, lane, about } = fault;
    if (this.#faults.some((one) => one.kind === kind && one.about === about)) return;
    const story = await laneStory(this.#rig, lane, about);
    const placed = { ...fault, after: this.#recent, story };
    this.#faults.push(placed);
    this.#options.say(faultText(placed, this.#options.seed));
  }

  async #end(): Promise<void> {
    this.#bot?.kill();
    await this.#bot?.ended;
  }
}

/** Points that a process passes often: it is killed at one of the first three passes, elsewhere at the first. */
const OFTEN: ReadonlySet<PointName> = new Set([
  "delivery:arrived",
  "append:before",
  "append:after",
  "acknowledged:after",
  "fetch:after",
  "decide:before",
  "decide:after",
  "due-items:after",
  "sending:before",
  "sending:after",
  "write:before",
  "write:after",
  "answer:head",
  "answer:after",
  "sent:before",
  "sent:after",
]);
const MAX_PASSES = 3;
/** The database connection is stopped at one of the next 12 matching statements, drawn at random. */
const MAX_STATEMENTS = 12;
const MAX_TRIES = 3;
/** Maximum number of unexpected ends of the bot: on a busy machine a bot may not start in time. */
const MAX_OWN_ENDS = 3;
const MAX_KILLS_PER_ROUND = 8;
const PERCENT_WHILE_STARTING = 15;
const LONGEST_START_MS = 900;
const LONGEST_WAIT_MS = 500;
const ARRIVED_WITHIN_MS = 300_000;
const LOOK_EVERY_MS = 40;
const LOG_SHOWN = 4_000;

/**
 * Longest pause between two messages in real milliseconds. With a database server, three processes share the machine,
 * and an answer takes several times as long.
 */
function longestPauseMs({ database }: Pick<Rig, "database">): number {
  return database === undefined ? 50 : 600;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

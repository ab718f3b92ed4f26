import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DueTimes } from "../runtime/interpreting.ts";
import type { Log, LogMethod } from "../runtime/log.ts";
import { openStore } from "../runtime/stores.ts";
import { openRuntimeOver, type RuntimeOptions } from "../host/open-runtime.ts";
import type { Runtime } from "../host/open.ts";
import { type RunningSandbox, startSandbox } from "../sandbox/index.ts";
import { durationMs } from "../system/duration.ts";
import { type BotDeed, type DeedToPerson, newDeeds } from "./deeds.ts";
import { type MortalStore, mortalStore } from "./mortal-store.ts";
import { labPerson, type LabPerson } from "./person.ts";

/** Options of a lab, all optional. */
export interface LabOptions extends Pick<
  RuntimeOptions,
  "settings" | "rules" | "secrets" | "environment" | "cwd" | "log"
> {
  /** Initial time of the lab's clock: ISO 8601, or milliseconds since the epoch. Default a Monday, nine o'clock UTC. */
  readonly startAt?: string | number;
  /** Seed for ids, random numbers and drawn texts, which are then the same in each run of a test; default `lab`. */
  readonly seed?: string;
}

/** A bot with its own sandbox and its own clock. */
export interface Lab {
  readonly sandbox: RunningSandbox;
  /** The current runtime; `restart` replaces it. */
  readonly runtime: Runtime;
  /** The bot's first account. */
  readonly bot: { readonly id: string; readonly username: string };
  /** Returns the person with a handle, with or without `@`; creates the person if necessary. */
  person(username: string): Promise<LabPerson>;
  /** Waits until the bot is idle, and returns its visible actions since the last call. */
  replies(): Promise<readonly BotDeed[]>;
  /** Time of the lab's clock. Only `advance` changes it. */
  now(): Date;
  /**
   * Advances the time by `90s`, `10m`, `2d` or a number of milliseconds, and runs everything that falls due. Returns
   * the bot's visible actions since the last call.
   */
  advance(time: string | number): Promise<readonly BotDeed[]>;
  /** Restarts the bot's process; with `kill`, without a graceful stop. */
  restart(options?: { readonly kill?: boolean }): Promise<void>;
  /** Stops everything, and removes the stored data. */
  stop(): Promise<void>;
}

const MONDAY = "2026-03-02T09:00:00Z";

/**
 * Starts a sandbox, a runtime with the rules and bots of a project, and a frozen clock.
 *
 * Nothing is mocked: the bot registers its webhook, and receives and answers events over HTTP on this machine. A
 * temporary folder stores its data.
 *
 * @param options `settings` is the path of a settings file, or settings. No settings file is read by default.
 * @throws {ConfigError} if the settings are invalid.
 * @throws {UsageError} if a rule has an error, a bot is not loaded, or a glob matches no file. A test that expects no
 * answer would pass otherwise.
 *
 * @example
 * const lab = await startLab({ settings: "config/answerback.yaml" });
 * const ana = await lab.person("ana");
 * expect(await ana.says("hours?")).toEqual(["We open at nine."]);
 * await lab.stop();
 */
export async function startLab(options: LabOptions = {}): Promise<Lab> {
  const { startAt = MONDAY, seed = "lab", ...labOptions } = options;
  const now = typeof startAt === "number" ? startAt : Date.parse(startAt);
  if (!Number.isFinite(now)) {
    throw new RangeError(
      `startAt is ISO 8601, as "${MONDAY}", or milliseconds, got ${String(startAt)}`,
    );
  }
  const folder = await mkdtemp(path.join(tmpdir(), "answerback-lab-"));
  const sandbox = await startSandbox({
    seed,
    clock: { now, frozen: true },
    settings: { limits: { enabled: false } },
  });
  const lab = new RunningLab({ labOptions, folder, sandbox, startAt: now });
  try {
    await lab.begin();
  } catch (error) {
    await lab.stop();
    throw error;
  }
  return lab;
}

interface LabParts {
  readonly labOptions: Omit<LabOptions, "startAt" | "seed">;
  readonly folder: string;
  readonly sandbox: RunningSandbox;
  readonly startAt: number;
}

class RunningLab implements Lab {
  readonly sandbox: RunningSandbox;
  readonly #parts: LabParts;
  readonly #due = new DueTimes();
  readonly #seen = new Set<string>();
  #now: number;
  #runtime: Runtime | undefined;
  #store: MortalStore | undefined;
  #bots: readonly { readonly id: string; readonly username: string }[] = [];

  constructor(parts: LabParts) {
    this.#parts = parts;
    this.sandbox = parts.sandbox;
    this.#now = parts.startAt;
  }

  get runtime(): Runtime {
    if (this.#runtime === undefined) throw new Error("the lab was stopped");
    return this.#runtime;
  }

  get bot(): Lab["bot"] {
    const [bot] = this.#bots;
    if (bot === undefined) throw new Error("the lab has no account for the bot");
    return bot;
  }

  now(): Date {
    return new Date(this.#now);
  }

  async begin(): Promise<void> {
    const { labOptions, folder, sandbox } = this.#parts;
    const { environment = process.env } = labOptions;
    const own = { ANSWERBACK_TARGET: "sandbox", ANSWERBACK_WEBHOOK_LISTEN: "127.0.0.1:0" };
    let store: MortalStore | undefined;
    this.#runtime = await openRuntimeOver(
      { ...labOptions, sandbox, data: folder, environment: { ...environment, ...own } },
      {
        isComplete: true,
        openStore: async (url, options) => {
          store = mortalStore(await openStore(url, options), this.#due);
          return store.store;
        },
        logThrough: (log) => mortalLog(log, () => store?.isDead() === true),
      },
    );
    this.#store = store;
    this.#bots = (await this.#runtime.status()).accounts;
  }

  async person(username: string): Promise<LabPerson> {
    const handle = username.replace(/^@/, "");
    const { control } = this.sandbox;
    const [user] = await control.users(handle);
    const isPerson = user !== undefined && this.#bots.every((bot) => bot.id !== user.id);
    const id = isPerson ? user.id : await control.user(handle);
    const needs = { control, bot: this.bot.id, deeds: () => this.#deeds() };
    return labPerson(id, user?.username ?? handle, needs);
  }

  async replies(): Promise<readonly BotDeed[]> {
    return (await this.#deeds()).map(({ deed }) => deed);
  }

  async #deeds(): Promise<readonly DeedToPerson[]> {
    await this.#settled();
    const bots = new Set(this.#bots.map(({ id }) => id));
    return newDeeds(this.sandbox.control, bots, this.#seen);
  }

  async advance(time: string | number): Promise<readonly BotDeed[]> {
    const end = this.#now + (typeof time === "number" ? time : durationMs(time));
    await this.#settled();
    for (let next = this.#due.peek(); next !== undefined && next <= end; next = this.#due.peek()) {
      this.#due.drop();
      if (next > this.#now) await this.#moveTo(next);
    }
    await this.#moveTo(end);
    return this.replies();
  }

  async restart({ kill = false }: { readonly kill?: boolean } = {}): Promise<void> {
    if (kill) await this.#store?.die();
    await this.#runtime?.stop();
    await this.begin();
    await this.#settled();
  }

  async stop(): Promise<void> {
    await this.#runtime?.stop();
    this.#runtime = undefined;
    await this.sandbox.close();
    await rm(this.#parts.folder, { recursive: true, force: true });
  }

  async #moveTo(time: number): Promise<void> {
    await this.sandbox.control.advance(time - this.#now);
    this.#now = time;
    await this.#settled();
  }

  /** Waits until the sandbox and the bot are idle in two checks in a row, because each can give the other new work. */
  async #settled(): Promise<void> {
    let before: number | undefined;
    for (let calm = 0, journal = -1; calm < 2;) {
      // Resolves when all due deliveries have been answered.
      await this.sandbox.control.advance(0);
      const { store, work, now } = await this.runtime.status();
      const due = (await this.#store?.hasDueItem(this.#now)) === true ? 1 : 0;
      const busy = store.inbox - store.paused + due + store.items.sending;
      const atWork = work.inputs + work.effects + work.sending;
      const isInTime = Date.parse(now) >= this.#now;
      const lookups = this.#store?.lookups() ?? 0;
      if (isInTime) before ??= lookups;
      // The second look-up begins when the first one has ended.
      const isLookedUp =
        store.items.unknown === 0 || (before !== undefined && lookups > before + 1);
      const isCalm = busy + atWork === 0 && store.journal === journal && isInTime && isLookedUp;
      calm = isCalm ? calm + 1 : 0;
      journal = store.journal;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** Creates a log that drops all lines after the simulated kill of the process that writes to it. */
function mortalLog(log: Log, isDead: () => boolean): Log {
  const alive =
    (write: LogMethod): LogMethod =>
    (...args: readonly unknown[]) => {
      if (!isDead()) Reflect.apply(write, log, args);
    };
  return {
    debug: alive(log.debug),
    info: alive(log.info),
    warn: alive(log.warn),
    error: alive(log.error),
    child: (fields) => mortalLog(log.child(fields), isDead),
  };
}

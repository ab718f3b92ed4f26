import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DueTimes } from "../runtime/loop/due-times.ts";
import { openRuntimeOver, type RuntimeOptions } from "../host/open-runtime.ts";
import type { Log, LogMethod } from "../runtime/log.ts";
import type { Runtime } from "../host/open.ts";
import { openStore } from "../runtime/store/open.ts";
import { type RunningSandbox, startSandbox } from "../sandbox/index.ts";
import { durationMs } from "../system/duration.ts";
import { type BotDeed, newDeeds } from "./deeds.ts";
import { type MortalStore, mortalStore } from "./mortal-store.ts";
import { labPerson, type LabPerson } from "./person.ts";

/** What a lab is made of; every part may be left out. */
export interface LabOptions extends Pick<
  RuntimeOptions,
  "settings" | "rules" | "secrets" | "environment" | "cwd" | "log"
> {
  /** What the lab's clock shows at first: ISO 8601, or milliseconds since the epoch. A Monday, nine o'clock UTC. */
  readonly startAt?: string | number;
  /** Makes ids, draws and texts that are drawn the same in each run of a test; `lab` unless said. */
  readonly seed?: string;
}

/** A bot on a platform of its own, in time of its own. */
export interface Lab {
  readonly sandbox: RunningSandbox;
  /** The runtime as it is now; after `restart` another one. */
  readonly runtime: Runtime;
  /** The bot's first account. */
  readonly bot: { readonly id: string; readonly username: string };
  /** Somebody of that handle, with or without `@`; made where nobody has it. */
  person(username: string): Promise<LabPerson>;
  /** What the bot has done since it was asked last, once nothing is left for it to do at present. */
  replies(): Promise<readonly BotDeed[]>;
  /** The lab's time, which stands still but for `advance`. */
  now(): Date;
  /** Goes on in time, through all that falls due on the way: `90s`, `10m`, `2d`, or milliseconds. */
  advance(time: string | number): Promise<readonly BotDeed[]>;
  /** The process of the bot ends and another begins; with `kill` nothing is finished before. */
  restart(options?: { readonly kill?: boolean }): Promise<void>;
  /** Ends all of it, and removes what it has kept. */
  stop(): Promise<void>;
}

const MONDAY = "2026-03-02T09:00:00Z";

/**
 * Starts a sandbox, a runtime with the rules and bots of a project, and a clock that stands still.
 *
 * Nothing is pretended: the bot registers its webhook, is delivered to and answers over HTTP, on this machine. What
 * it keeps is in a folder that is gone afterwards.
 *
 * @param options `settings` names a settings file, or gives settings; `config/answerback.yaml` is not read on its own.
 * @throws {ConfigError} when the settings can't be used.
 *
 * @example
 * const lab = await startLab({ settings: "config/answerback.yaml" });
 * const ana = await lab.person("ana");
 * expect(await ana.says("hours?")).toEqual(["We open at nine."]);
 * await lab.stop();
 */
export async function startLab(options: LabOptions = {}): Promise<Lab> {
  const { startAt = MONDAY, seed = "lab", ...given } = options;
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
  const lab = new RunningLab({ given, folder, sandbox, startAt: now });
  try {
    await lab.begin();
  } catch (error) {
    await lab.stop();
    throw error;
  }
  return lab;
}

interface LabParts {
  readonly given: Omit<LabOptions, "startAt" | "seed">;
  readonly folder: string;
  readonly sandbox: RunningSandbox;
  readonly startAt: number;
}

class RunningLab implements Lab {
  readonly sandbox: RunningSandbox;
  readonly #parts: LabParts;
  readonly #due = new DueTimes();
  readonly #seen = new Set<string>();
  readonly #people = new Map<string, LabPerson>();
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
    const { given, folder, sandbox } = this.#parts;
    const { environment = process.env } = given;
    const own = { ANSWERBACK_TARGET: "sandbox", ANSWERBACK_WEBHOOK_LISTEN: "127.0.0.1:0" };
    let store: MortalStore | undefined;
    this.#runtime = await openRuntimeOver(
      { ...given, sandbox, data: folder, environment: { ...environment, ...own } },
      {
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
    const known = this.#people.get(handle.toLowerCase());
    if (known !== undefined) return known;
    const id = await this.sandbox.control.user(handle);
    const needs = { control: this.sandbox.control, bot: this.bot.id, deeds: () => this.replies() };
    const person = labPerson(id, handle, needs);
    this.#people.set(handle.toLowerCase(), person);
    return person;
  }

  async replies(): Promise<readonly BotDeed[]> {
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

  /** Nothing is under way any more, between the platform and the bot, or in the bot: twice, since one may start the other. */
  async #settled(): Promise<void> {
    for (let calm = 0, journal = -1; calm < 2;) {
      // Resolves once all deliveries that are due have been answered.
      await this.sandbox.control.advance(0);
      const { store, work, now } = await this.runtime.status();
      const pending = await this.runtime.outbox({ status: "pending", limit: 1_000 });
      const due = pending.filter(({ notBefore }) => notBefore <= this.#now).length;
      const busy = store.inbox - store.paused + due + store.items.sending;
      const atWork = work.inputs + work.effects + work.sending;
      const isCalm =
        busy + atWork === 0 && store.journal === journal && Date.parse(now) >= this.#now;
      calm = isCalm ? calm + 1 : 0;
      journal = store.journal;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** The log of a process that may die; it drops lines that come after the death. */
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

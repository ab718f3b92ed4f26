import { addFaults, removeFaults } from "../crash/faults.ts";
import { bundled } from "../support/bundle.ts";
import { seeded } from "../support/seeded.ts";
import { type DayPlan, dayPlan, type Disturbance, STEP_MS, type StepWindow } from "./plan.ts";
import { openSoakRig, PROGRAMS, type SoakRig } from "./rig.ts";
import { type Ratios, ratiosOf, type Sample, type WindowMeasure } from "./samples.ts";
import { talk, type Talk } from "./talk.ts";
import { findings, type SoakFault } from "./verify.ts";
import { type Written, writtenOn } from "./written.ts";

export interface SoakOptions {
  readonly hours: number;
  readonly seed: number;
  /** Names of what disturbs the day; everything unless given. */
  readonly only?: readonly string[];
  readonly say: (line: string) => void;
}

/** What came of a day. */
export interface SoakOutcome extends Ratios {
  readonly messages: number;
  readonly answered: number;
  readonly disturbances: number;
  readonly faults: readonly SoakFault[];
  /** The last of the bot's log. */
  readonly log: string;
}

/** Lets a bot live through so many hours of the platform's time, and compares how it ended with how it began. */
export async function soak({ hours, seed, only, say }: SoakOptions): Promise<SoakOutcome> {
  const bundle = await bundled(PROGRAMS);
  try {
    const rig = await openSoakRig(bundle, seed);
    try {
      await rig.startBot();
      return await new Day(rig, await writtenOn(rig), {
        plan: dayPlan(hours, seed, only),
        seed,
        say,
      }).run();
    } finally {
      await rig.close();
    }
  } finally {
    await bundle.remove();
  }
}

interface DayOptions {
  readonly plan: DayPlan;
  readonly seed: number;
  readonly say: (line: string) => void;
}

/** Something that is to be undone at a step. */
interface Ending {
  readonly step: number;
  readonly end: () => Promise<void>;
}

class Day {
  readonly #rig: SoakRig;
  readonly #written: Written;
  readonly #options: DayOptions;
  readonly #talk: Talk;
  readonly #draw: (below: number) => number;
  #endings: Ending[] = [];
  /** Accounts that the bot may not act for now. */
  readonly #left = new Set<string>();
  #rules = 1;

  constructor(rig: SoakRig, written: Written, options: DayOptions) {
    this.#rig = rig;
    this.#written = written;
    this.#options = options;
    this.#draw = seeded(options.seed);
    this.#talk = talk(rig, this.#draw, written);
  }

  async run(): Promise<SoakOutcome> {
    const { plan, say } = this.#options;
    const windows: WindowMeasure[] = [];
    for (let step = 0; step < plan.steps;) {
      const window = [plan.first, plan.last].find(({ from }) => from === step);
      if (window === undefined) {
        await this.#step(step);
        step += 1;
      } else {
        windows.push(await this.#measured(window));
        step = window.to;
      }
    }
    await this.#rest();
    const { answered, faults } = await findings(this.#talk, this.#written, this.#rig);
    const [first, last] = windows;
    if (first === undefined || last === undefined) throw new Error("the day is too short");
    for (const one of windows) say(JSON.stringify(one));
    return {
      messages: this.#talk.count(),
      answered,
      disturbances: plan.disturbances.length,
      faults,
      log: this.#rig.log(),
      ...ratiosOf(first, last),
    };
  }

  async #measured({ from, to }: StepWindow): Promise<WindowMeasure> {
    const before = { bytes: await this.#rig.fileBytes(), messages: this.#talk.count() };
    const samples: Sample[] = [];
    for (let step = from; step < to; step += 1) {
      await this.#step(step);
      await this.#quiet(CALM_MS);
      const latencies: number[] = [];
      for (let n = 0; n < PROBES; n += 1) latencies.push(await this.#talk.probe());
      await this.#quiet(CALM_MS);
      samples.push({ ...(await this.#rig.held()), latencies });
    }
    return {
      samples,
      grownBytes: (await this.#rig.fileBytes()) - before.bytes,
      messages: this.#talk.count() - before.messages,
    };
  }

  async #step(step: number): Promise<void> {
    const over = this.#endings.filter((ending) => ending.step <= step);
    this.#endings = this.#endings.filter((ending) => ending.step > step);
    for (const { end } of over) await end();
    for (const one of this.#options.plan.disturbances) {
      if (one.step === step) await this.#disturb(one);
    }
    await this.#talk.step(this.#left);
    if (step % STEPS_TOLD === 0) this.#options.say(`step ${step}: ${this.#talk.count()} messages`);
    // Half of what is done is done before the clock goes on, the rest while it does.
    await this.#quiet(this.#draw(LONGEST_PAUSE_MS));
    const { control } = this.#rig;
    for (let part = 0; part < PARTS; part += 1) await control.advance(STEP_MS / PARTS);
  }

  async #disturb({ name, step, steps }: Disturbance): Promise<void> {
    const { say } = this.#options;
    say(`step ${step}: ${name}${steps > 0 ? ` for ${steps} steps` : ""}`);
    const rig = this.#rig;
    const until = (end: () => Promise<void>): void =>
      void this.#endings.push({ step: step + steps, end });
    switch (name) {
      case "bot-stopped":
      case "bot-killed":
        await rig.endBot(name === "bot-stopped" ? "SIGTERM" : "SIGKILL");
        return until(() => this.#up());
      case "rules-changed":
        await rig.writeRules(++this.#rules);
        await rig.endBot("SIGTERM");
        return this.#up();
      case "sandbox-stopped":
      case "sandbox-killed":
        return rig.restartSandbox(name === "sandbox-stopped" ? "SIGTERM" : "SIGKILL");
      case "revoked": {
        await this.#up();
        const account = await this.#revoke();
        return until(() => this.#relink(account));
      }
      case "clock-back":
        return this.#setClock(-steps * STEP_MS);
      case "clock-forth":
        return this.#setClock(steps * STEP_MS);
      case "link-lost":
        await rig.lead("nobody");
        return until(() => rig.lead("bot"));
      case "platform-faults":
        await addFaults({ sandbox: rig }, this.#options.seed + step);
        return until(() => removeFaults({ sandbox: rig }));
    }
  }

  async #up(): Promise<void> {
    if (!this.#rig.isBotUp()) await this.#rig.startBot();
  }

  async #revoke(): Promise<string> {
    const { control, accounts, app } = this.#rig;
    const { id } = accounts[this.#draw(accounts.length)] ?? { id: "" };
    // What was said before is still to be answered, once its owner agrees again.
    this.#left.add(id);
    await control.call("DELETE", `/users/${id}/apps/${app.id}`);
    return id;
  }

  async #relink(id: string): Promise<void> {
    const { control, accounts, app } = this.#rig;
    await this.#up();
    const tokens = await control.tokens(id, app.id);
    await this.#rig.ask("linkAccount", {
      id,
      username: accounts.find((account) => account.id === id)?.username ?? "",
      accessToken: tokens.access_token,
      accessTokenSecret: tokens.access_token_secret,
    });
    this.#left.delete(id);
  }

  async #setClock(by: number): Promise<void> {
    const { now } = await this.#rig.control.get<{ now: string }>("/clock");
    await this.#rig.control.post("/clock", { set: new Date(Date.parse(now) + by).toISOString() });
  }

  /** Resolves when nothing is under way, and in any case after so many real milliseconds. */
  async #quiet(withinMs: number): Promise<boolean> {
    const deadline = performance.now() + withinMs;
    while (performance.now() < deadline) {
      if (await this.#isQuiet()) return true;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    return false;
  }

  async #isQuiet(): Promise<boolean> {
    const status = await this.#rig.ask("status", {});
    if (status === undefined) return !this.#rig.isBotUp();
    const { inbox, items } = status.store;
    return inbox + items.pending + items.sending + items.unknown === 0;
  }

  /** The day is over: everything is up, and the clock goes on until what was missed is caught up. */
  async #rest(): Promise<void> {
    for (const { end } of this.#endings) await end();
    await this.#up();
    for (let step = 0, calm = 0; step < LONGEST_REST && calm < CALM_STEPS; step += 1) {
      await this.#rig.control.advance(STEP_MS);
      const quiet = await this.#quiet(CALM_MS);
      const status = await this.#rig.ask("status", {});
      const done = quiet && status?.catchup.gaps === 0 && status.store.runs.waiting === 0;
      calm = done ? calm + 1 : 0;
    }
  }
}

const PARTS = 2;
const PROBES = 3;
const STEPS_TOLD = 24;
const LONGEST_PAUSE_MS = 100;
const LOOK_EVERY_MS = 10;
/** Longest time in which an undisturbed bot comes to rest, on a busy machine. */
const CALM_MS = 5_000;
/** Steps in a row in which nothing is left to do, so that nothing will come any more. */
const CALM_STEPS = 3;
/** A replay reaches what is 31 minutes old, and one goes after the other. */
const LONGEST_REST = 100;

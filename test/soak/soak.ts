import { bundled } from "../support/bundle.ts";
import { seeded } from "../support/seeded.ts";
import { Disturber } from "./disturber.ts";
import { type DayPlan, dayPlan, STEP_MS, type StepWindow } from "./plan.ts";
import { openSoakRig, PROGRAMS, type SoakRig } from "./rig.ts";
import { type Ratios, ratiosOf, type Sample, type WindowMeasure } from "./samples.ts";
import { talk, type Talk } from "./talk.ts";
import { findings, type SoakFault } from "./verify.ts";
import { type Written, writtenOn } from "./written.ts";

export interface SoakOptions {
  readonly hours: number;
  readonly seed: number;
  /** Names of the disturbances; by default all. */
  readonly only?: readonly string[];
  readonly say: (line: string) => void;
}

/** Result of a day. */
export interface SoakOutcome extends Ratios {
  readonly messages: number;
  readonly answered: number;
  readonly disturbances: number;
  readonly faults: readonly SoakFault[];
  /** The last lines of the bot's log. */
  readonly log: string;
}

/** Runs a bot for `hours` hours of the platform's time, and compares the end with the beginning. */
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

class Day {
  readonly #rig: SoakRig;
  readonly #written: Written;
  readonly #options: DayOptions;
  readonly #talk: Talk;
  readonly #draw: (below: number) => number;
  readonly #disturber: Disturber;

  constructor(rig: SoakRig, written: Written, options: DayOptions) {
    this.#rig = rig;
    this.#written = written;
    this.#options = options;
    this.#draw = seeded(options.seed);
    this.#talk = talk(rig, this.#draw, written);
    const { plan, seed, say } = options;
    this.#disturber = new Disturber(rig, { disturbances: plan.disturbances, seed, say });
  }

  async run(): Promise<SoakOutcome> {
    const { plan, say } = this.#options;
    const windows: WindowMeasure[] = [];
    let before = { bytes: 0, messages: 0 };
    for (let step = 0; step < plan.steps;) {
      const window = [plan.first, plan.last].find(({ from }) => from === step);
      if (window === undefined) {
        await this.#step(step);
        step += 1;
      } else {
        const samples = await this.#measured(window);
        step = window.to;
        const now = { bytes: await this.#writtenBytes(), messages: this.#talk.count() };
        const bytesPerMessage = (now.bytes - before.bytes) / (now.messages - before.messages);
        windows.push({ samples, bytesPerMessage });
        before = now;
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

  async #measured({ from, to }: StepWindow): Promise<readonly Sample[]> {
    const samples: Sample[] = [];
    for (let step = from; step < to; step += 1) {
      await this.#step(step);
      await this.#quiet(CALM_MS);
      const latencies: number[] = [];
      for (let n = 0; n < PROBES; n += 1) latencies.push(await this.#talk.probe());
      await this.#quiet(CALM_MS);
      samples.push({ ...(await this.#rig.held()), latencies });
    }
    return samples;
  }

  /** Returns the size of the bot's files after a restart, since a restart empties the write-ahead log. */
  async #writtenBytes(): Promise<number> {
    await this.#rig.endBot("SIGTERM");
    const bytes = await this.#rig.fileBytes();
    await this.#rig.startBot();
    return bytes;
  }

  async #step(step: number): Promise<void> {
    await this.#disturber.at(step);
    await this.#talk.step(this.#disturber.left);
    if (step % STEPS_TOLD === 0) this.#options.say(`step ${step}: ${this.#talk.count()} messages`);
    // The pause lets about half of the actions finish before the clock moves.
    await this.#quiet(this.#draw(LONGEST_PAUSE_MS));
    const { control } = this.#rig;
    for (let part = 0; part < PARTS; part += 1) await control.advance(STEP_MS / PARTS);
  }

  /** Resolves when the bot is idle, or after `withinMs` real milliseconds. */
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

  /** Ends the day: everything runs, and the clock advances until missed time is caught up. */
  async #rest(): Promise<void> {
    await this.#disturber.end();
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
/** Milliseconds within which an undisturbed bot becomes idle, even on a busy machine. */
const CALM_MS = 5_000;
/** Number of consecutive steps without open work, after which no more will come. */
const CALM_STEPS = 3;
/** Extra steps for replays, which reach events of at least 31 minutes ago and run one after the other. */
const LONGEST_REST = 100;

import { bundled } from "../support/bundle.ts";
import { seeded } from "../support/seeded.ts";
import { quantile } from "../bench/numbers.ts";
import { openSoakRig, PROGRAMS, type SoakRig } from "./rig.ts";
import { talk, type Talk } from "./talk.ts";
import { writtenOn } from "./written.ts";

export interface RealSoakOptions {
  /** Duration in real milliseconds. */
  readonly ms: number;
  /** Number of messages a second. */
  readonly rate: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

/** Measurements of a bot, taken once a minute. */
export interface RealSample {
  /** Real hours since the start. */
  readonly hours: number;
  /** Resident memory in megabytes after a garbage collection; `heap_mb` is the heap. */
  readonly rss_mb: number;
  readonly heap_mb: number;
  readonly handles: number;
  readonly file_mb: number;
  /** Median time in milliseconds from a message to its answer, of five messages. */
  readonly latency_ms: number;
}

/** Result of a soak in real time. */
export interface RealSoakOutcome {
  readonly messages: number;
  readonly answered: number;
  readonly samples: readonly RealSample[];
  /**
   * Growth of each measure per hour, by linear regression over all samples except the first quarter. NaN, in JSON
   * `null`, with fewer than two samples.
   */
  readonly per_hour: Readonly<Record<Exclude<keyof RealSample, "hours">, number>>;
}

const SAMPLE_EVERY_MS = 60_000;
const PROBES = 5;
/** Maximum number of messages that people are sending at the same time: a slow sandbox gets no more. */
const MAX_UNDER_WAY = 64;

/** Lets a bot answer messages at a fixed rate for hours, by the machine's own clock, and measures growth. */
export async function realSoak(options: RealSoakOptions): Promise<RealSoakOutcome> {
  const bundle = await bundled(PROGRAMS);
  try {
    const rig = await openSoakRig(bundle, options.seed, { isRemembered: false, isLimited: false });
    try {
      await rig.startBot();
      return await answered(rig, options);
    } finally {
      await rig.close();
    }
  } finally {
    await bundle.remove();
  }
}

async function answered(
  rig: SoakRig,
  { ms, rate, seed, say }: RealSoakOptions,
): Promise<RealSoakOutcome> {
  const people = talk(rig, seeded(seed), await writtenOn(rig));
  const started = performance.now();
  const samples: RealSample[] = [];
  const underWay = new Set<Promise<unknown>>();
  let said = 0;
  let probes = 0;
  for (let passed = 0; passed < ms; passed = performance.now() - started) {
    const due = Math.min(Math.floor((passed / 1_000) * rate) - said, MAX_UNDER_WAY - underWay.size);
    for (let n = 0; n < due; n += 1) {
      const one: Promise<unknown> = speak(rig, said).finally(() => underWay.delete(one));
      underWay.add(one);
      said += 1;
    }
    if (passed >= (samples.length + 1) * SAMPLE_EVERY_MS) {
      const sample = await sampled(rig, people, passed);
      probes += PROBES;
      samples.push(sample);
      say(JSON.stringify(sample));
    }
    await new Promise((resolve) => setTimeout(resolve, PACE_MS));
  }
  await Promise.all(underWay);
  const sent = await settled(rig);
  return { messages: said + probes, answered: sent, samples, per_hour: trendOf(samples) };
}

const PACE_MS = 20;
/** Time for the work that is open after the last message. An overloaded bot may have minutes of work. */
const SETTLED_WITHIN_MS = 600_000;

/** Returns the next person and the next account. */
async function speak({ control, people, accounts }: SoakRig, n: number): Promise<void> {
  const person = people[n % people.length] ?? "";
  const account = accounts[n % accounts.length]?.id ?? "";
  await control.act(person, { type: "dm", to: account, text: `one r${n}` });
}

async function sampled(rig: SoakRig, people: Talk, passed: number): Promise<RealSample> {
  const latencies: number[] = [];
  for (let n = 0; n < PROBES; n += 1) latencies.push(await people.probe());
  const { rss, heapUsed, handles } = await rig.held();
  return {
    hours: rounded(passed / 3_600_000),
    rss_mb: rounded(rss / 1e6),
    heap_mb: rounded(heapUsed / 1e6),
    handles,
    file_mb: rounded((await rig.fileBytes()) / 1e6),
    latency_ms: rounded(quantile(latencies, 0.5)),
  };
}

/**
 * Returns the number of sent answers once no work is in progress.
 *
 * @throws {Error} if the bot still has work, or does not answer, after `SETTLED_WITHIN_MS`.
 */
async function settled(rig: SoakRig): Promise<number> {
  const deadline = performance.now() + SETTLED_WITHIN_MS;
  while (performance.now() < deadline) {
    const status = await rig.ask("status", {});
    if (status !== undefined) {
      const { inbox, items } = status.store;
      if (inbox + items.pending + items.sending + items.unknown === 0) return items.sent;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the bot still has work after the last message:\n${rig.log().slice(-4_000)}`);
}

function trendOf(samples: readonly RealSample[]): RealSoakOutcome["per_hour"] {
  const warm = samples.slice(Math.floor(samples.length / 4));
  const slope = (pick: (one: RealSample) => number): number => {
    const mean = (of: (one: RealSample) => number): number =>
      warm.reduce((sum, one) => sum + of(one), 0) / warm.length;
    const [x, y] = [mean(({ hours }) => hours), mean(pick)];
    const spread = mean((one) => (one.hours - x) ** 2);
    return rounded(mean((one) => (one.hours - x) * (pick(one) - y)) / spread);
  };
  return {
    rss_mb: slope((one) => one.rss_mb),
    heap_mb: slope((one) => one.heap_mb),
    handles: slope((one) => one.handles),
    file_mb: slope((one) => one.file_mb),
    latency_ms: slope((one) => one.latency_ms),
  };
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

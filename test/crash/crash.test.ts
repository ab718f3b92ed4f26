import { afterAll, beforeAll, expect, it } from "vitest";
import { crash } from "./crash.ts";
import type { PointName } from "./points.ts";
import { builtProgram, type Program } from "./program.ts";
import { faultsText, figuresOf } from "./report.ts";
import { seedFrom } from "../support/fixed-seeds.ts";
import { LONG_HANG_MS } from "../support/hang-limit.ts";

/** Seed of the test; for another seed: CRASH_SEED=7 npx vitest run test/crash */
const SEED = seedFrom("CRASH_SEED");

/**
 * Kill points that the test covers: those on the way of an answer, and those of the work that a restarted bot finds.
 * The command `npm run -s crash -- --kills 0` covers all points.
 */
const ON_THE_WAY: readonly PointName[] = [
  "append:before",
  "append:after",
  "acknowledged:after",
  "decide:before",
  "decide:after",
  "effect:under-way",
  "item-settled:before",
  "timer-due:before",
  "sending:before",
  "sending:after",
  "write:after",
  "answer:head",
  "answer:after",
  "sent:after",
  "left-sending:after",
  "recovered:before",
  "left-unknown:after",
  "found:before",
];

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});
afterAll(() => program.remove());

it(
  `a bot killed at each point on an answer's way answers each acknowledged message once, in order: seed ${SEED}`,
  async () => {
    const started = performance.now();
    const outcome = await crash({
      program,
      engine: "sqlite",
      points: ON_THE_WAY,
      kills: 0,
      bots: 2,
      seed: SEED,
      say: () => {},
    });
    const seconds = (performance.now() - started) / 1_000;
    const { points, ...figures } = figuresOf(outcome, SEED, seconds);
    process.stdout.write(`crash: ${JSON.stringify(figures)}\n`);

    expect(outcome.faults, faultsText(outcome, SEED)).toEqual([]);
    expect(Object.keys(points)).toEqual(expect.arrayContaining([...ON_THE_WAY]));
    expect(outcome.missed).toEqual([]);
    expect(outcome.kills).toBeGreaterThanOrEqual(ON_THE_WAY.length);
  },
  LONG_HANG_MS,
);

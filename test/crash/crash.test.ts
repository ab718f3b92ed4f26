import { afterAll, beforeAll, expect, it } from "vitest";
import { crash } from "./crash.ts";
import { isPoint, POINTS } from "./points.ts";
import { builtProgram, type Program } from "./program.ts";
import { faultsText, figuresOf } from "./report.ts";
import { seedFrom } from "../support/fixed-seeds.ts";
import { LONG_HANG_MS } from "../support/hang-limit.ts";

/** Another run of the same: CRASH_SEED=7 npx vitest run test/crash */
const SEED = seedFrom("CRASH_SEED");
const ALL_POINTS = Object.keys(POINTS).filter(isPoint);

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});
afterAll(() => program.remove());

it(
  `a bot killed at every point answers each acknowledged message once, in order: seed ${SEED}`,
  async () => {
    const started = performance.now();
    const outcome = await crash({
      program,
      engine: "sqlite",
      kills: 0,
      bots: 2,
      seed: SEED,
      say: () => {},
    });
    const seconds = (performance.now() - started) / 1_000;
    const { points, ...figures } = figuresOf(outcome, SEED, seconds);
    process.stdout.write(`crash: ${JSON.stringify(figures)}\n`);

    expect(outcome.faults, faultsText(outcome, SEED)).toEqual([]);
    expect(Object.keys(points).toSorted()).toEqual(ALL_POINTS.toSorted());
    expect(outcome.missed).toEqual([]);
    expect(outcome.kills).toBeGreaterThanOrEqual(ALL_POINTS.length);
  },
  LONG_HANG_MS,
);

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crash } from "./crash.ts";
import { BUGS, type BugName, isBug } from "./planted.ts";
import { isPoint, POINTS, type PointName } from "./points.ts";
import { builtProgram, type Program } from "./program.ts";
import { faultsText, figuresOf } from "./report.ts";

/** Another run of the same: CRASH_SEED=7 npx vitest run test/crash */
const SEED = Number(process.env["CRASH_SEED"] ?? Date.now() % 1_000_000);
const AT_LEAST = 100;
const ALL_POINTS = Object.keys(POINTS).filter(isPoint);
const LONG_MS = 900_000;
const quiet = (): void => {};

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});
afterAll(() => program.remove());

describe.concurrent("a bot that is killed at every point, and at random moments under load", () => {
  it(
    `answers each acknowledged message once, in order, and mutes nobody: seed ${SEED}`,
    async () => {
      const kills = Math.max(0, AT_LEAST - ALL_POINTS.length);
      const started = performance.now();
      const outcome = await crash({
        program,
        engine: "sqlite",
        kills,
        bots: 2,
        seed: SEED,
        say: quiet,
      });
      const seconds = (performance.now() - started) / 1_000;
      const { points, ...figures } = figuresOf(outcome, SEED, seconds);
      process.stdout.write(`crash: ${JSON.stringify(figures)}\n`);

      expect(outcome.faults, faultsText(outcome, SEED)).toEqual([]);
      expect(Object.keys(points).toSorted()).toEqual(ALL_POINTS.toSorted());
      expect(outcome.missed).toEqual([]);
      expect(outcome.kills).toBeGreaterThanOrEqual(AT_LEAST);
    },
    LONG_MS,
  );
});

interface Control {
  readonly bug: BugName;
  readonly points: readonly PointName[];
  readonly found: readonly string[];
  /** How often it is killed at each at most: a bot that mutes its people reaches them no more. */
  readonly times: number;
}

const CONTROLS: readonly Control[] = [
  {
    bug: "marks-after-sending",
    points: ["answer:after", "sent:before"],
    found: ["doubled"],
    times: 5,
  },
  { bug: "repeats-unread", points: ["sent:before", "answer:head"], found: ["doubled"], times: 5 },
  {
    bug: "never-reconciles",
    points: ["write:before", "answer:after"],
    found: ["lost", "muted"],
    times: 1,
  },
  { bug: "acknowledges-first", points: ["acknowledged:after"], found: ["lost"], times: 5 },
  { bug: "forgets-timers", points: ["decide:after"], found: ["lost"], times: 5 },
];

describe.concurrent("a runtime with a planted bug", () => {
  it("has a run of its own for each of them", () => {
    expect(CONTROLS.map(({ bug }) => bug).toSorted()).toEqual(
      Object.keys(BUGS).filter(isBug).toSorted(),
    );
  });

  it.each(CONTROLS)(
    `is found out: $bug, as $found, seed ${SEED}`,
    async ({ bug, points, found, times }) => {
      const again = Array.from({ length: times }, () => points).flat();
      const options = {
        program,
        bug,
        points: again,
        kills: 0,
        bots: 1,
        seed: SEED,
      };
      const { faults } = await crash({
        ...options,
        engine: "sqlite",
        untilFault: true,
        say: quiet,
      });

      const kinds = faults.map(({ kind }) => kind);
      expect(found.filter((kind) => kinds.some((one) => one === kind))).not.toEqual([]);
    },
    LONG_MS,
  );
});

import { crash } from "./crash.ts";
import { BUGS, type BugName, isBug } from "./planted.ts";
import type { PointName } from "./points.ts";
import type { Program } from "./program.ts";
import type { Fault } from "./verify.ts";

interface Control {
  readonly points: readonly PointName[];
  /** Kinds of fault that reveal the bug. */
  readonly faults: readonly Fault["kind"][];
  /** Maximum number of kills at each point: 1 if the bug ends all answers, since no later pass reaches the point. */
  readonly times: number;
}

const CONTROLS: Readonly<Record<BugName, Control>> = {
  "marks-after-sending": { points: ["answer:after", "sent:before"], faults: ["doubled"], times: 5 },
  "repeats-unread": { points: ["sent:before", "answer:head"], faults: ["doubled"], times: 5 },
  "never-reconciles": {
    points: ["write:before", "answer:after"],
    faults: ["lost", "muted"],
    times: 1,
  },
  "acknowledges-first": { points: ["acknowledged:after"], faults: ["lost"], times: 5 },
  "forgets-timers": { points: ["decide:after"], faults: ["lost"], times: 5 },
};

/**
 * Kills a bot with each planted bug until a found fault reveals the bug.
 *
 * @returns Bugs that no fault revealed. If there are any, the kills are too weak to prove anything.
 */
export async function undetectedBugs(
  program: Program,
  seed: number,
  say: (line: string) => void,
): Promise<readonly BugName[]> {
  const undetected: BugName[] = [];
  for (const bug of Object.keys(BUGS).filter(isBug)) {
    const { points, faults: expected, times } = CONTROLS[bug];
    const { faults } = await crash({
      program,
      bug,
      points: Array.from({ length: times }, () => points).flat(),
      kills: 0,
      bots: 1,
      seed,
      engine: "sqlite",
      untilFault: true,
      say: () => {},
    });
    const detected = faults.find(({ kind }) => expected.includes(kind));
    say(`${bug.padEnd(22)}${detected === undefined ? "not found" : detected.kind}`);
    if (detected === undefined) undetected.push(bug);
  }
  return undetected;
}

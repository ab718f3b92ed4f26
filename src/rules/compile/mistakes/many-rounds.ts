import type { Path } from "../../../config/yaml-document.ts";
import { MAX_ROUNDS } from "../../run/rounds.ts";
import type { Step } from "../../run/step.ts";
import type { CompileContext } from "../compile-context.ts";

/** Reports steps whose repeats together have more rounds than a run may begin. */
export function reportManyRounds(
  context: CompileContext,
  path: Path,
  steps: readonly Step[],
): void {
  const rounds = roundsOf(steps);
  if (rounds <= MAX_ROUNDS) return;
  context.report(path, {
    code: "repeat-rounds",
    severity: "warning",
    message: `these repeats come to ${rounds} rounds, and a run fails after ${MAX_ROUNDS}`,
    help: "lower a count: an inner repeat begins its rounds again in each outer round",
  });
}

/** Returns the number of rounds that always run: of `repeat` steps with a fixed count and without a condition. */
function roundsOf(steps: readonly Step[]): number {
  return steps.reduce((sum, { condition, repeats, blocks = {} }) => {
    if (condition !== undefined || repeats?.count === undefined) return sum;
    return sum + repeats.count * (1 + roundsOf(blocks[repeats.block] ?? []));
  }, 0);
}

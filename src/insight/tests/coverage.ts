import { allSteps, type Step } from "../../rules/run.ts";
import type { CompiledRule } from "../../rules/ruleset.ts";
import type { StepsRun } from "./course.ts";

/** Test coverage of one rule: its blocks of steps (such as the `then` of an `if`) and those that no test entered. */
export interface RuleCoverage {
  readonly rule: string;
  readonly file: string;
  readonly line: number;
  readonly ran: boolean;
  /** Number of blocks of steps in the rule, such as `actions[0].then`. */
  readonly branches: number;
  /** Labels of the blocks that no test entered. */
  readonly missed: readonly string[];
}

/** Returns the coverage of `rules` by the steps that ran in tests, in the order of the rules. Pure. */
export function coverageOf(
  rules: readonly CompiledRule[],
  courses: readonly StepsRun[],
): readonly RuleCoverage[] {
  return rules.map((rule) => {
    const ran = courses.flatMap((course) => course.get(rule.id) ?? []);
    const labels = new Set(ran.flatMap((course) => [...course]));
    const branches = branchesOf(rule);
    const missed = branches.filter(({ steps }) =>
      allSteps(steps).every(({ label }) => !labels.has(label)),
    );
    return {
      rule: rule.id,
      file: rule.file,
      line: rule.line,
      ran: ran.length > 0,
      branches: branches.length,
      missed: missed.map(({ name }) => name),
    };
  });
}

/** Combines the coverage of the same rules by several test files, in the order in which the rules first occur. Pure. */
export function mergedCoverage(parts: readonly RuleCoverage[]): readonly RuleCoverage[] {
  const merged = new Map<string, RuleCoverage>();
  for (const part of parts) {
    const place = `${part.file} ${part.rule}`;
    const { ran = false, missed = part.missed } = merged.get(place) ?? {};
    merged.set(place, {
      ...part,
      ran: ran || part.ran,
      missed: missed.filter((name) => part.missed.includes(name)),
    });
  }
  return [...merged.values()];
}

interface Branch {
  readonly name: string;
  readonly steps: readonly Step[];
}

function branchesOf(rule: CompiledRule): readonly Branch[] {
  const own = allSteps([...rule.actions, ...rule.onError]).flatMap((step): readonly Branch[] => [
    ...Object.entries(step.blocks ?? {}).map(([name, steps]) => ({
      name: `${step.label}.${name}`,
      steps,
    })),
    { name: `${step.label}.on_error`, steps: step.onError },
  ]);
  return [...own, { name: "on_error", steps: rule.onError }].filter(
    ({ steps }) => steps.length > 0,
  );
}

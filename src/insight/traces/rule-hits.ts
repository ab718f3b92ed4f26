import type { Verdict } from "../../rules/decide.ts";
import type { StepResult } from "../../rules/run.ts";
import type { CompiledRule } from "../../rules/ruleset.ts";
import { RulePlaces } from "./rule-places.ts";

/** Numbers of runs, step results and condition results at one line of a rule file. */
export interface LineHits {
  /** On the rule's first line, the number of started runs. On a step's line, the number of times the step succeeded. */
  readonly ran: number;
  /** Number of times the step failed. */
  readonly failed: number;
  /** Number of events for which the condition was true. */
  readonly held: number;
  /** Number of events for which the condition was false, so that the conditions after it were not evaluated. */
  readonly missed: number;
}

/** Counts runs, steps and conditions of a rule by their lines in the rule file. */
export class RuleHits {
  /** First and last line of the rule. */
  readonly lines: readonly [first: number, last: number];
  readonly byLine = new Map<number, LineHits>();
  readonly #rule: CompiledRule;
  readonly #places: RulePlaces;
  readonly #lineOf = new Map<string, number>();

  constructor(rule: CompiledRule) {
    this.#rule = rule;
    this.#places = new RulePlaces(rule);
    this.lines = this.#places.lines;
  }

  /** Counts a run and the results of its steps. The run of a branch is not counted, only its steps. */
  ran(results: readonly (readonly [string, StepResult])[], isWhole: boolean): void {
    if (isWhole) this.#add(this.#rule.line, "ran");
    for (const [label, { ok }] of results) this.#add(this.#line(label), ok ? "ran" : "failed");
  }

  /** Counts the conditions of a verdict. Does nothing if the rule was blocked before its conditions were evaluated. */
  judged({ outcome, clause }: Verdict): void {
    const { conditions } = this.#rule;
    const path = clause?.path ?? "";
    const failing = conditions.findIndex((one) => one.path === path || isIn(path, one.path));
    if (outcome === "no" && failing < 0) return;
    if (outcome === "skipped" && !AFTER_CONDITIONS.has(path)) return;
    const held = failing < 0 ? conditions : conditions.slice(0, failing);
    for (const one of held) this.#add(this.#line(one.path), "held");
    if (failing >= 0) this.#add(this.#line(path), "missed");
  }

  #add(line: number, what: keyof LineHits): void {
    const hits = this.byLine.get(line) ?? { ran: 0, failed: 0, held: 0, missed: 0 };
    this.byLine.set(line, { ...hits, [what]: hits[what] + 1 });
  }

  #line(label: string): number {
    let line = this.#lineOf.get(label);
    if (line === undefined) {
      line = this.#places.spotOf(label).line;
      this.#lineOf.set(label, line);
    }
    return line;
  }
}

/** Parts of a rule that are evaluated after all conditions. */
const AFTER_CONDITIONS: ReadonlySet<string> = new Set(["cooldown", "limit", "mode"]);

/** Returns whether a clause's path, such as `conditions[0].any[1].text`, belongs to the condition `conditions[0]`. */
function isIn(path: string, condition: string): boolean {
  const [first] = /^conditions\[\d+\]/.exec(path) ?? [];
  return first !== undefined && condition.startsWith(first);
}

import { compile } from "../../../src/rules/compile/compile.ts";
import { compileExpression } from "../../../src/rules/expression/expression.ts";
import { compilePattern } from "../../../src/rules/expression/patterns/pattern.ts";
import { scopeOf } from "../../../src/rules/expression/scope.ts";
import { compileTemplate } from "../../../src/rules/expression/template.ts";
import { decide, matching } from "../../../src/rules/decide/decide.ts";
import { Evaluation } from "../../../src/rules/evaluation/evaluation.ts";
import { literalsOf } from "../../../src/rules/index/pattern-literals.ts";
import { LONGEST_SEARCHED } from "../../../src/rules/index/pattern-sets.ts";
import { makeRuleset } from "../../../src/rules/ruleset.ts";
import type { InPieces } from "../../../src/system/in-pieces.ts";
import {
  draws,
  type Draws,
  HOSTILE_MESSAGE,
  hostileExpression,
  hostilePattern,
  hostileRule,
} from "../../rules/support/hostile-input.ts";
import { messageReceived } from "../../support/events.ts";
import type { Benchmark, Result } from "../main.ts";
import { round2, wholeNumber } from "../numbers.ts";

/**
 * Draws one pattern, text or rule at random, and returns the work of evaluating it on the message, in one or several
 * pieces. Between pieces, other work may run. `undefined` if the pattern, text or rule is rejected.
 */
type Kind = (draw: Draws) => (() => InPieces<unknown, unknown>) | undefined;

const scope = scopeOf(["dm.received"]);
const event = messageReceived({ text: HOSTILE_MESSAGE });

const KINDS: Readonly<Record<string, Kind>> = {
  pattern(draw) {
    const compiled = compilePattern(hostilePattern(draw, 1 + draw.next(4)), false);
    return "mistake" in compiled ? undefined : atOnce(() => compiled.test(HOSTILE_MESSAGE));
  },
  template(draw) {
    const source = `a\${{ ${hostileExpression(draw, 1 + draw.next(4))} }}b`;
    const template = compileTemplate(source, (one) =>
      compileExpression(one, scope.environment, scope),
    );
    if ("faults" in template) return undefined;
    return atOnce(() => template.render(new Evaluation(event, 0).view({ name: "dm.received" })));
  },
  rule(draw) {
    const { ruleset } = compile([{ path: "a.yaml", text: hostileRule(draw) }]);
    return ruleset.rules.length === 0
      ? undefined
      : atOnce(() => decide(event, ruleset, { now: 0 }));
  },
  set(draw) {
    const { patterns, characters } = draw.one(SETS);
    const text = `version: 1\nrules:\n${wordlessRules(draw, patterns)}`;
    const { ruleset } = compile([{ path: "a.yaml", text }]);
    const message = messageReceived({ text: letters(draw, characters) });
    return function* () {
      // A new ruleset without its index, so that each try also measures the building of the index.
      const { rules, revision } = ruleset;
      const fresh = makeRuleset(rules, revision);
      yield* fresh.prepare();
      return yield* matching(message, fresh, { now: 0 });
    };
  },
};

function atOnce(work: () => unknown): () => InPieces<unknown> {
  // oxlint-disable-next-line require-yield -- one piece
  return function* () {
    return work();
  };
}

/**
 * Number of patterns, and characters of the message: 10,000 is the platform's maximum, and `LONGEST_SEARCHED` the
 * maximum for the automaton that searches for all patterns at once.
 */
const SETS = [
  { patterns: 500, characters: 10_000 },
  { patterns: 500, characters: LONGEST_SEARCHED },
  { patterns: 50, characters: LONGEST_SEARCHED },
];

/** Rules whose patterns contain no required word, so that the index cannot rule out an event. */
function wordlessRules(draw: Draws, count: number): string {
  const rules: string[] = [];
  while (rules.length < count) {
    const source = draw.next(2) === 0 ? manyStates(draw) : hostilePattern(draw, 1 + draw.next(4));
    if ("mistake" in compilePattern(source, false) || literalsOf(source) !== undefined) continue;
    const id = `r${rules.length}`;
    const condition = `{message.text: {matches: ${JSON.stringify(source)}}}`;
    rules.push(
      `  - {id: ${id}, group: none, triggers: [dm.received], conditions: [${condition}], actions: [stop]}\n`,
    );
  }
  return rules.join("");
}

/** A pattern that must remember the positions of earlier characters: each new character leads to a new state. */
function manyStates(draw: Draws): string {
  return `[${draw.one(["a", "b", "ab", "bc"])}][a-d]{${1 + draw.next(40)}}${draw.one(["[xy]", "\\d", "[^a-d]"])}`;
}

/** Letters without a repeating sequence. */
function letters(draw: Draws, count: number): string {
  return Array.from({ length: count }, () => draw.one(["a", "b", "c", "d"])).join("");
}

/** Divisor of the number of cases, by kind: a case of the kind `set` evaluates hundreds of patterns. */
const FEWER: Readonly<Record<string, number>> = { set: 250 };

/** Number of repeated measurements, because a garbage collection may disturb one. */
const TRIES = 3;

/** Measures the longest time for which a hostile pattern, text or rule blocks the process for one message. */
export const hostile: Benchmark = {
  name: "hostile",
  about:
    "the longest that a hostile pattern, text or rule takes for a message of 10,000 characters",
  async run(say): Promise<Result> {
    const count = wholeNumber("COUNT", 5_000);
    const figures: Record<string, number> = {};
    const table = [["", "tried", "ran", "worst, ms", "over 50 ms"]];
    for (const [kind, make] of Object.entries(KINDS)) {
      const tried = Math.ceil(count / (FEWER[kind] ?? 1));
      say(`${tried} of kind ${kind}`);
      const draw = draws(7);
      const times: number[] = [];
      for (let n = 0; n < tried; n++) {
        const work = make(draw);
        if (work) times.push(least(work));
      }
      const worst = Math.max(...times);
      const over = times.filter((ms) => ms > 50).length;
      figures[`${kind}s`] = times.length;
      figures[`${kind}_worst_ms`] = round2(worst);
      figures[`${kind}s_over_50_ms`] = over;
      table.push([kind, String(tried), String(times.length), worst.toFixed(1), String(over)]);
    }
    return { figures, table };
  },
};

/**
 * Returns the milliseconds of processor time of the longest piece of work. Of each piece, the shortest time of all
 * tries counts.
 */
function least(work: () => InPieces<unknown, unknown>): number {
  const tries = Array.from({ length: TRIES }, () => pieces(work()));
  const [first = []] = tries;
  return Math.max(...first.map((_, index) => Math.min(...tries.map((one) => one[index] ?? 0))));
}

/** Runs the work and returns the processor time of each piece, in milliseconds. */
function pieces(work: InPieces<unknown, unknown>): readonly number[] {
  const times: number[] = [];
  for (;;) {
    const start = process.cpuUsage();
    const { done } = work.next();
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1_000);
    if (done === true) return times;
  }
}

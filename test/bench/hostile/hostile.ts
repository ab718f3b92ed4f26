import { compile } from "../../../src/rules/compile/compile.ts";
import { compileExpression } from "../../../src/rules/compile/expression.ts";
import { compilePattern } from "../../../src/rules/compile/pattern.ts";
import { scopeOf } from "../../../src/rules/compile/scope.ts";
import { compileTemplate } from "../../../src/rules/compile/template.ts";
import { decide } from "../../../src/rules/decide/decide.ts";
import { Evaluation } from "../../../src/rules/decide/evaluation.ts";
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

/** Makes one piece of a rule, and gives what works it out on the message; `undefined` when it is refused. */
type Kind = (draw: Draws) => (() => unknown) | undefined;

const scope = scopeOf(["dm.received"]);
const event = messageReceived({ text: HOSTILE_MESSAGE });

const KINDS: Readonly<Record<string, Kind>> = {
  pattern(draw) {
    const compiled = compilePattern(hostilePattern(draw, 1 + draw.next(4)), false);
    return "mistake" in compiled ? undefined : () => compiled.test(HOSTILE_MESSAGE);
  },
  template(draw) {
    const source = `a\${{ ${hostileExpression(draw, 1 + draw.next(4))} }}b`;
    const template = compileTemplate(source, (one) =>
      compileExpression(one, scope.environment, scope),
    );
    if ("faults" in template) return undefined;
    return () => template.render(new Evaluation(event, 0).view({ name: "dm.received" }));
  },
  rule(draw) {
    const { ruleset } = compile([{ path: "a.yaml", text: hostileRule(draw) }]);
    return ruleset.rules.length === 0 ? undefined : () => decide(event, ruleset, { now: 0 });
  },
};

/** A measurement that a collection of garbage falls into is taken again. */
const TRIES = 3;

/** How long the worst of many hostile patterns, texts and rules holds the process for one message. */
export const hostile: Benchmark = {
  name: "hostile",
  about:
    "the longest that a hostile pattern, text or rule takes for a message of 10,000 characters",
  async run(say): Promise<Result> {
    const count = wholeNumber("COUNT", 5_000);
    const figures: Record<string, number> = {};
    const table = [["", "tried", "ran", "worst, ms", "over 50 ms"]];
    for (const [kind, make] of Object.entries(KINDS)) {
      say(`${count} of kind ${kind}`);
      const draw = draws(7);
      const times: number[] = [];
      for (let n = 0; n < count; n++) {
        const work = make(draw);
        if (work) times.push(least(work));
      }
      const worst = Math.max(...times);
      const over = times.filter((ms) => ms > 50).length;
      figures[`${kind}s`] = times.length;
      figures[`${kind}_worst_ms`] = round2(worst);
      figures[`${kind}s_over_50_ms`] = over;
      table.push([kind, String(count), String(times.length), worst.toFixed(1), String(over)]);
    }
    return { figures, table };
  },
};

/** Milliseconds of this process's own time. */
function least(work: () => unknown): number {
  const times = Array.from({ length: TRIES }, () => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}

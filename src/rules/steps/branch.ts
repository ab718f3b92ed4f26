import * as z from "zod";
import type { Path } from "../../config/yaml-document.ts";
import type { StepContext } from "./step-context.ts";
import { stepList, text } from "../schema/pieces.ts";
import { defineStep, EACH } from "./step-kind.ts";
import { example } from "../example.ts";

/** Keys as constants: an object literal with a property `then` would look like a promise. */
const [THEN, ELSE_IF, ELSE] = ["then", "else_if", "else"] as const;

const otherWay = z.strictObject({
  name: text.optional().describe("A name for people to read."),
  if: text.describe("An expression. The first branch whose expression is true runs."),
  [THEN]: stepList.optional(),
});

/** Error of an `if` without `then`. */
export const NO_THEN = {
  code: "no-verb",
  message: '"if" has no "then"',
  help: "add  then:  and below it the steps",
} as const;

/** The step without a verb, `if`, `then`, `else_if`, `else`: runs the first branch whose condition is true. */
export const branch = defineStep({
  example: example`
    actions:
      - if: sender.is_new
        then: [{ reply_dm: Welcome! }]
        else_if:
          - if: message.text.has_word("hours")
            then: [{ reply_dm: From nine to five. }]
        else: [{ reply_dm: Welcome back! }]
  `,
  shape: {
    if: text,
    [THEN]: stepList.optional(),
    [ELSE_IF]: z.array(otherWay).min(1, "there is no other way here").optional(),
    [ELSE]: stepList.optional(),
  },
  blocks: [[THEN], [ELSE_IF, EACH, THEN], [ELSE]],
  compile({ context, path, keys, block }) {
    const ways = [
      { test: context.condition([...path, "if"]), name: THEN, steps: block(THEN) },
      ...(keys[ELSE_IF] ?? []).map((way, index) => ({
        test: testOf(context, [...path, ELSE_IF, index], way),
        name: `${ELSE_IF}[${index}].${THEN}`,
        steps: block(ELSE_IF, index, THEN),
      })),
    ];
    const otherwise = block(ELSE);
    const compiledWays = ways.flatMap(({ test, name }) =>
      test === undefined ? [] : [{ test, name }],
    );
    if (compiledWays.length < ways.length) return undefined;
    return {
      blocks: {
        ...Object.fromEntries(ways.map(({ name, steps }) => [name, steps])),
        [ELSE]: otherwise,
      },
      ways: compiledWays.map(({ test }) => test),
      perform({ view }) {
        for (const [way, { test, name }] of compiledWays.entries()) {
          const holds = test.evaluate(view);
          if (!holds.ok) return { kind: "not-ready", message: holds.error };
          if (holds.value === true) return { kind: "enter", block: name, way };
        }
        return { kind: "enter", block: ELSE, way: compiledWays.length };
      },
    };
  },
});

function testOf(context: StepContext, at: Path, way: z.infer<typeof otherWay>) {
  if (way[THEN] !== undefined) return context.condition([...at, "if"]);
  return context.report([...at, "if"], NO_THEN, "key");
}

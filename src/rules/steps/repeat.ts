import * as z from "zod";
import type { StepContext } from "./step-context.ts";
import type { Path } from "../../config/yaml-document.ts";
import { compileArgument } from "./written/step-argument.ts";
import { MAX_ROUNDS } from "../run/rounds.ts";
import type { Repeats } from "../run/step.ts";
import { stepList, text } from "../schema/pieces.ts";
import { typeOfConstant } from "../expression/value-types/constant-type.ts";
import { missing } from "./platform/action-step.ts";
import { defineStep } from "./step-kind.ts";
import { example } from "../example.ts";

const SEQUENCE = "sequence";

const repeated = z.strictObject({
  count: z
    .int()
    .min(1, "repeat it once or more")
    .max(MAX_ROUNDS, `at most ${MAX_ROUNDS}`)
    .optional(),
  while: text.optional().describe("An expression, evaluated before each round."),
  until: text.optional().describe("An expression, evaluated after each round."),
  for_each: z.unknown().optional().describe("A list: each round has one item, as repeat.item."),
  max: z
    .int()
    .min(1, "a repeat without a round")
    .max(MAX_ROUNDS, `at most ${MAX_ROUNDS}`)
    .default(100)
    .describe("With more rounds than this, the step fails."),
  [SEQUENCE]: stepList.describe("Steps of each round; repeat.index is the round's number, from 1."),
});

const HOW = ["count", "while", "until", "for_each"] as const;

/** `repeat: {count | while | until | for_each, sequence}` runs steps several times. */
export const repeat = defineStep({
  example: example`
    actions:
      - repeat:
          count: 3
          sequence:
            - reply_dm: Tip \${{ repeat.index }} of 3
            - delay: 1d
  `,
  shape: { repeat: repeated.describe("Run steps several times.") },
  blocks: [["repeat", SEQUENCE]],
  compile({ context, path, keys, blockKnowing }) {
    const at = [...path, "repeat"];
    const list = keys.repeat.for_each;
    const items = list === undefined ? undefined : compileList(context, [...at, "for_each"], list);
    if (Array.isArray(list) && list.length > keys.repeat.max) {
      const message = `this list has ${list.length} items, but the step fails with more than ${keys.repeat.max} rounds`;
      const isPossible = list.length <= MAX_ROUNDS;
      const help = isPossible
        ? `add  max: ${list.length}`
        : "divide the list between several rules";
      return context.report([...at, "for_each"], { code: "invalid-value", message, help });
    }
    const item = items?.itemType ?? "dyn";
    const blocks = { [SEQUENCE]: blockKnowing({ item }, "repeat", SEQUENCE) };
    const [how, second] = HOW.filter((key) => keys.repeat[key] !== undefined);
    if (how === undefined) {
      const message = '"repeat" has no number of rounds, condition or list';
      const help = "add one of  count: 3  while: EXPRESSION  until: EXPRESSION  for_each: LIST";
      return context.report(at, { code: "repeat-how", message, help }, "key");
    }
    if (second !== undefined) {
      const message = `"${how}" and "${second}" both set the rounds`;
      return context.report(
        [...at, second],
        { code: "repeat-how", message, help: "keep one" },
        "key",
      );
    }
    const rounds = compileRounds(context, at, { ...keys.repeat, items }, how);
    return (
      rounds && {
        blocks,
        repeats: { block: SEQUENCE, max: Math.max(keys.repeat.max, rounds.count ?? 0), ...rounds },
        perform: () => ({ kind: "not-ready", message: "there is nothing to do but to repeat" }),
      }
    );
  },
});

type RepeatedItems = Required<Pick<Repeats, "items" | "itemType">>;

function compileRounds(
  context: StepContext,
  at: Path,
  { count, items }: z.infer<typeof repeated> & { readonly items: RepeatedItems | undefined },
  how: (typeof HOW)[number],
): Pick<Repeats, "count" | "before" | "after" | "items" | "itemType"> | undefined {
  switch (how) {
    case "count":
      return count === undefined ? undefined : { count };
    case "while": {
      const before = context.condition([...at, how]);
      return before && { before };
    }
    case "until": {
      const after = context.condition([...at, how]);
      return after && { after };
    }
    case "for_each":
      return items;
  }
}

/** Compiles the list of `for_each`, and finds the CEL type of its items. */
function compileList(context: StepContext, at: Path, written: unknown): RepeatedItems | undefined {
  let type = typeOfItems(written);
  const value = compileArgument(context, at, written, (here, place, text) => {
    const template = here.value(place, text);
    if (place.length === at.length) type = /^list<(.*)>$/.exec(template?.type ?? "")?.[1] ?? "dyn";
    return template;
  });
  if (value === undefined) return undefined;
  return {
    itemType: type,
    items(view) {
      const evaluatedItems = value(view);
      if (!evaluatedItems.ok) return evaluatedItems;
      return Array.isArray(evaluatedItems.value)
        ? { ok: true, value: evaluatedItems.value }
        : missing("for_each is not a list");
    },
  };
}

function typeOfItems(list: unknown): string {
  const types = Array.isArray(list) ? list.map((one: unknown) => constantItem(one)) : [];
  const [first = "dyn"] = types;
  return types.every((type) => type === first) ? first : "dyn";
}

function constantItem(one: unknown): string {
  // an item that is a single expression keeps the type of its value, which may be any type
  return typeof one === "string" && one.includes("${{") ? "dyn" : typeOfConstant(one);
}

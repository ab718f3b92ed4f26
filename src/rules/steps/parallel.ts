import * as z from "zod";
import type { StepContext } from "./step-context.ts";
import type { Path } from "../../config/yaml-document.ts";
import { branchBlock, allSteps, listensTo, type Step } from "../run/step.ts";
import { idOf } from "../../text/id-of.ts";
import { id, stepList } from "../schema/pieces.ts";
import { defineStep, EACH } from "./step-kind.ts";
import { example } from "../example.ts";

const FEWEST = 2;
const MAX_BRANCHES = 10;

/** Rejects branches without names: a name stays the same when another branch is inserted before it. */
const withoutNames = z
  .array(z.unknown())
  .refine(() => false, {
    message: "branches have names",
    params: { code: "wrong-type", help: "write  parallel: {one: [ … ], other: [ … ]}" },
  })
  .meta({ refused: true });

/** `parallel: {NAME: STEPS, NAME: STEPS}` runs the steps of several branches side by side. */
export const parallel = defineStep({
  example: example`
    actions:
      - parallel:
          reminder:
            - delay: 10m
            - reply_dm: Still there?
          lookup:
            - { id: stock, http: { url: "https://shop.example.test/stock" } }
            - reply_dm: We have \${{ steps.stock.json.left }} left.
  `,
  shape: {
    parallel: z
      .union([z.record(z.string(), stepList), withoutNames])
      .describe("Named branches that run in parallel; the next step waits for all."),
  },
  blocks: [["parallel", EACH]],
  takesTime: true,
  compile({ context, path, keys, block }) {
    const at = [...path, "parallel"];
    const names = Object.keys(keys.parallel);
    const wrong = names.find((name) => !id.safeParse(name).success);
    if (wrong !== undefined) return context.report([...at, wrong], noName(wrong), "key");
    const branches = names.map((name) => ({ name, steps: block("parallel", name) }));
    if (names.length < FEWEST || names.length > MAX_BRANCHES) {
      return context.report(at, wrongNumber(names.length), "key");
    }
    if (!areApart(context, at, branches)) return undefined;
    return {
      branches: names,
      blocks: Object.fromEntries(branches.map(({ name, steps }) => [branchBlock(name), steps])),
      perform: () => ({ kind: "not-ready", message: "there is nothing to do but its branches" }),
    };
  },
});

function noName(name: string) {
  return {
    code: "invalid-value",
    message: `"${name}" is not a valid name: a branch has letters from a to z, digits, - and _, and starts with a letter`,
    help: `write ${`b_${idOf(name).replaceAll("-", "_") || "1"}`.replace(/^b_(?=[A-Za-z])/, "")}`,
  };
}

function wrongNumber(count: number) {
  return {
    code: "parallel-branches",
    message: `a "parallel" has ${FEWEST} to ${MAX_BRANCHES} branches, and this has ${count}`,
    help:
      count < FEWEST
        ? "add a branch, or write its steps without  parallel:"
        : "put some of them one after the other in one branch",
  };
}

interface WrittenBranch {
  readonly name: string;
  readonly steps: readonly Step[];
}

/**
 * Returns whether the branches can run side by side: at most one waits for an answer of the person, and none contains
 * another `parallel`. Otherwise reports the mistake.
 */
function areApart(context: StepContext, at: Path, branches: readonly WrittenBranch[]): boolean {
  const inside = branches.map(({ name, steps }) => ({ name, steps: allSteps(steps) }));
  const nesting = inside.find(({ steps }) => steps.some((step) => step.branches !== undefined));
  if (nesting !== undefined) {
    context.report([...at, nesting.name], NESTED, "key");
    return false;
  }
  const [first, second] = inside.filter(({ steps }) => steps.some((step) => listensTo(step)));
  if (first === undefined || second === undefined) return true;
  const code = "two-branches-listen";
  const message = `the branches "${first.name}" and "${second.name}" both wait for the person: one answer can't be for two`;
  const help = "put these questions one after the other in one branch";
  context.report([...at, second.name], { code, message, help }, "key");
  return false;
}

const NESTED = {
  code: "parallel-in-parallel",
  message: 'a branch of a "parallel" contains another "parallel"',
  help: "make the inner branches branches of the outer one",
} as const;

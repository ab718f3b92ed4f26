import { isPlainMap, type WrittenMap } from "../plain-map.ts";
import { expressionOf } from "./step-frame.ts";
import type { ReadSteps, StepSurroundings } from "./step-surroundings.ts";

const CHOOSING = /^(?:choose|switch|case)$/i;

/** Translates `choose: [{conditions, sequence}], default: […]`, and a switch. */
export function choice(
  map: WrittenMap,
  around: StepSurroundings,
  readSteps: ReadSteps,
): WrittenMap | undefined {
  const key = Object.keys(map).find((one) => CHOOSING.test(one));
  const cases: unknown = key === undefined ? undefined : casesOf(map, map[key]);
  if (key === undefined || !Array.isArray(cases)) return undefined;
  const read = cases.map((one: unknown) =>
    isPlainMap(one) ? oneCase(one, around, readSteps) : undefined,
  );
  const branches = read.flatMap((one) =>
    one?.test === undefined ? [] : [branchOf({ if: one.test }, one.steps)],
  );
  const last = read.find((one) => one !== undefined && one.test === undefined)?.steps;
  const otherwise = last ?? readSteps(map["default"] ?? map["else"]);
  const [first, ...others] = branches;
  if (first === undefined || read.includes(undefined)) return undefined;
  const hasDefault =
    map["default"] !== undefined || map["else"] !== undefined || last !== undefined;
  if (hasDefault && otherwise === undefined) return undefined;
  return {
    ...first,
    ...(others.length > 0 && { else_if: others }),
    ...(otherwise !== undefined && hasDefault && { else: otherwise }),
  };
}

/** Returns the cases of a switch, also of `switch: NAME` with `cases: {VALUE: steps}` beside it. */
function casesOf(map: WrittenMap, chosen: unknown): unknown {
  const cases = map["cases"];
  if (typeof chosen !== "string" || !isPlainMap(cases)) return chosen;
  const name = chosen.replaceAll(/^\$?\{\{|\}\}$/g, "").trim();
  return Object.entries(cases).map(([value, steps]) =>
    value === "default"
      ? { default: steps }
      : branchOf(
          { if: `${name}.same(${JSON.stringify(value)})` },
          Array.isArray(steps) ? steps : [steps],
        ),
  );
}

interface OneCase {
  readonly test: string | undefined;
  readonly steps: readonly unknown[];
}

/** Returns the keys of a step (`if`, `id` and so on) together with the list `then: steps`. */
function branchOf(frame: WrittenMap, steps: readonly unknown[]): WrittenMap {
  return Object.fromEntries(new Map(Object.entries(frame)).set("then", steps));
}

function oneCase(
  map: WrittenMap,
  around: StepSurroundings,
  readSteps: ReadSteps,
): OneCase | undefined {
  const caseCondition = map["if"] ?? map["conditions"] ?? map["condition"] ?? map["when"];
  const steps = readSteps(
    map["then"] ?? map["sequence"] ?? map["do"] ?? map["steps"] ?? map["else"] ?? map["default"],
  );
  if (steps === undefined) return undefined;
  const test = caseCondition === undefined ? undefined : expressionOf(caseCondition, around);
  return caseCondition !== undefined && test === undefined ? undefined : { test, steps };
}

/** Translates a step with `if` and a list of steps under `then`, `do`, `sequence` or `steps`. */
export function branch(
  frame: WrittenMap,
  verbs: WrittenMap,
  readSteps: ReadSteps,
): WrittenMap | undefined {
  if (frame["if"] === undefined) return undefined;
  const then = verbs["then"] ?? verbs["do"] ?? verbs["sequence"] ?? verbs["steps"];
  const others = ["else", "else_if", "then", "do", "sequence", "steps"];
  if (then === undefined || !Object.keys(verbs).every((key) => others.includes(key)))
    return undefined;
  const [yes, no] = [readSteps(then), verbs["else"] === undefined ? [] : readSteps(verbs["else"])];
  if (yes === undefined || no === undefined) return undefined;
  const { else_if: between } = verbs;
  return {
    ...branchOf(frame, yes),
    ...(between !== undefined && { else_if: between }),
    ...(no.length > 0 && { else: no }),
  };
}

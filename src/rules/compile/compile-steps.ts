import type { Trigger } from "../../events/triggers.ts";
import { checkValue, valueAt } from "../../config/check-value.ts";
import type { Path } from "../../config/yaml-document.ts";
import { isAnswering } from "../../actions/answering.ts";
import { ON_HELD, type Step, type StepBody } from "../run/step.ts";
import { meantWord } from "../schema/other-words.ts";
import { NOT_YET, reservedWord } from "../schema/reserved-words.ts";
import { stepMap, type StepMap } from "../file-schema/rule-file.ts";
import { branch, NO_THEN } from "../steps/branch.ts";
import type { EventConditions, StepKind, WrittenCall } from "../steps/step-kind.ts";
import { STEPS, VERBS } from "../steps/steps.ts";
import { compileCalled } from "./calling/called-rule.ts";
import type { CompileContext } from "./compile-context.ts";
import type { KnownTypes } from "../expression/value-types/known-types.ts";
import { compileConditions, compileField } from "./condition.ts";
import { scopeOf } from "../expression/scope.ts";
import { hasField } from "../steps/written/needed-field.ts";
import { present } from "../../system/present.ts";
import { compileTries } from "./tries.ts";
import { reportOtherStep } from "./mistakes/step-habits.ts";
import { helpInVerb, wayWithoutStep } from "./mistakes/steps-elsewhere.ts";
import {
  helpForBareWord,
  helpForPublicKey,
  helpForText,
  misplacedKey,
} from "./mistakes/misplaced-keys.ts";

/** Compiles the list of steps at `path`. Problems go to the context. */
export function compileSteps(context: CompileContext, path: Path): readonly Step[] {
  const list = valueAt(context.document.value, path);
  if (list === undefined) return NO_STEPS;
  if (!Array.isArray(list)) {
    context.report(path, {
      code: "wrong-type",
      message: "steps are a list",
      help: 'start each with "- "',
    });
    return [];
  }
  return present(list.map((item: unknown, index) => compileStep(context, [...path, index], item)));
}

const NO_STEPS: readonly Step[] = [];

function compileStep(context: CompileContext, path: Path, item: unknown): Step | undefined {
  if (reportOtherStep(context, path, item)) return undefined;
  if (typeof item === "string") return compileBareStep(context, path, item);
  if (misplacedKey(context, path, item)) return undefined;
  const { value, problems } = checkValue<StepMap>(stepMap, context.document, {
    at: path,
    within: " in a step",
    reserved: (key) => reservedWord("step", key),
    meant: (key, at) => (at.length === 0 ? meantWord("step", key) : undefined),
    form: (key, at, of) =>
      helpForText(item, key, at) ??
      helpForPublicKey(key, at) ??
      (at.length === 0 ? wayWithoutStep(key) : helpInVerb(key, at, of)),
  });
  for (const problem of problems) context.add(problem);
  if (!value || value.enabled === false) return undefined;
  const verbs = VERBS.filter((verb) => value[verb] !== undefined);
  const [verb, second] = verbs;
  if (second !== undefined) return misIndented(context, path, item, verbs);
  const kind = verb === undefined ? branchKind(context, path, value) : STEPS[verb];
  const body = kind && compileBody(context, path, { kind, verb, value });
  const condition =
    verb === undefined || value.if === undefined ? undefined : context.condition([...path, "if"]);
  const onError = compileSteps(context, [...path, "on_error"]);
  const onHeld = compileSteps(context, [...path, ON_HELD]);
  if (!body || !kind) return undefined;
  if (value.on_held !== undefined && (body.action === undefined || !isAnswering(body.action))) {
    const message = `"on_held" has no meaning beside "${verb ?? "if"}": only answers and posts are held back`;
    const help = 'remove "on_held"';
    return context.report([...path, ON_HELD], { code: "unknown-key", message, help }, "key");
  }
  const tries = compileTries(context, path, { verb: verb ?? "if", kind, value, body });
  return {
    ...body,
    ...tries,
    verb: verb ?? "if",
    label: context.label(path),
    continueOnError: value.continue_on_error ?? false,
    onError,
    ...(onHeld.length > 0 && { blocks: { ...body.blocks, [ON_HELD]: onHeld } }),
    ...(value.id === undefined ? {} : { id: value.id }),
    ...(condition === undefined ? {} : { condition }),
  };
}

function compileBody(
  context: CompileContext,
  path: Path,
  step: { readonly kind: StepKind; readonly verb: string | undefined; readonly value: StepMap },
): StepBody | undefined {
  const { kind, verb, value } = step;
  if (verb !== undefined) {
    const stray = KEYS_OF_VERBS.find((key) => value[key] !== undefined && !(key in kind.shape));
    if (stray !== undefined) {
      const message = `"${stray}" has no meaning beside "${verb}"`;
      const isBlock = stray in branch.shape;
      const help = isBlock ? `put "${verb}" among the steps under  then:` : `remove "${stray}"`;
      return context.report([...path, stray], { code: "unknown-key", message, help }, "key");
    }
    if (!hasWhatItNeeds(context, path, verb, kind)) return undefined;
  }
  const block = (...keys: Path) => compileSteps(context, [...path, ...keys]);
  const blockKnowing = (knownTypes: Partial<KnownTypes>, ...keys: Path) =>
    compileSteps(context.knowing(knownTypes), [...path, ...keys]);
  const onEvent = (trigger: Trigger): EventConditions => {
    // the awaited event has other fields than the event that started the rule
    const own = context.within(scopeOf([trigger]));
    return {
      conditions: (at) => compileConditions(own, at),
      field: (name, at) => compileField(own, name, at),
    };
  };
  const called = (call: WrittenCall) => compileCalled(context, path, call, compileSteps);
  return kind.compile({ context, path, keys: value, block, blockKnowing, called, onEvent });
}

/** Keys that belong to certain verbs. Beside any other verb they are reported as mistakes. */
const KEYS_OF_VERBS: readonly string[] = [branch, ...Object.values(STEPS)]
  .flatMap(({ shape }) => Object.keys(shape))
  .filter((key) => key !== "if" && !VERBS.includes(key));

function compileBareStep(context: CompileContext, path: Path, word: string): Step | undefined {
  const kind = VERBS.includes(word) ? STEPS[word] : undefined;
  if (kind?.bare) {
    const body = hasWhatItNeeds(context, path, word, kind) ? kind.bare(context, path) : undefined;
    const frame = { verb: word, label: context.label(path), continueOnError: false, onError: [] };
    return body && { ...body, ...frame };
  }
  const reserved = reservedWord("step", word);
  if (reserved !== undefined) {
    const help = NOT_YET;
    return context.report(path, { code: "not-in-this-version", message: reserved, help });
  }
  const message = `"${word}" alone is not a step`;
  const help = helpForBareWord(word);
  return context.report(path, { code: "unknown-word", message, help });
}

function misIndented(
  context: CompileContext,
  path: Path,
  item: unknown,
  verbs: readonly string[],
): undefined {
  const order = Object.keys(typeof item === "object" && item !== null ? item : {});
  const [first = "", second = ""] = [...verbs].sort((a, b) => order.indexOf(a) - order.indexOf(b));
  return context.report(
    [...path, second],
    {
      code: "mis-indented-step",
      message: `"${second}" is in the same step as "${first}": a step has one verb`,
      help: `start it with "- ", in line with the step of "${first}"`,
    },
    "key",
  );
}

/** Keys of the step without a verb (`then`, `else_if`, `else`). */
const BRANCH_KEYS: readonly string[] = Object.keys(branch.shape).filter((key) => key !== "if");

function branchKind(context: CompileContext, path: Path, value: StepMap): StepKind | undefined {
  const block = BRANCH_KEYS.find((key) => value[key] !== undefined);
  if (value.if !== undefined && block !== undefined) return branch;
  if (value.if !== undefined) {
    return context.report([...path, "if"], NO_THEN, "key");
  }
  const message = block === undefined ? "this step does nothing" : `"${block}" has no "if"`;
  const words = `a step has one of: ${VERBS.join(", ")}; or if, ${BRANCH_KEYS.join(", ")}`;
  const isBehindIf =
    block === "else" &&
    valueAt(context.document.value, [...path.slice(0, -1), Number(path.at(-1)) - 1, "if"]) !==
      undefined;
  const inPlace = isBehindIf
    ? 'it belongs to the "if" above: write  "  else:"  in place of  "- else:"'
    : "add  if: EXPRESSION";
  const help = block === undefined ? words : inPlace;
  const at = block === undefined ? path : [...path, block];
  return context.report(
    at,
    { code: "no-verb", message, help },
    block === undefined ? "value" : "key",
  );
}

/** Returns whether every trigger of the rule provides the field that the verb requires. */
function hasWhatItNeeds(
  context: CompileContext,
  path: Path,
  verb: string,
  { needs, takesId }: StepKind,
): boolean {
  const key = typeof valueAt(context.document.value, path) === "string" ? path : [...path, verb];
  if (takesId && key !== path && typeof valueAt(context.document.value, key) === "string") {
    return true;
  }
  return needs === undefined || hasField(context, key, `"${verb}"`, needs);
}

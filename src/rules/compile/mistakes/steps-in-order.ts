import { valueAt } from "../../../config/check-value.ts";
import type { Path } from "../../../config/yaml-document.ts";
import { stepId } from "../habits/steps/asked-steps.ts";
import type { CompileContext } from "../compile-context.ts";
import {
  type Absence,
  absenceOf,
  AFTER_FAILURE,
  checkAbsence,
  continuesOnError,
  hasStop,
  IN_ON_ERROR,
  inFailure,
  OUTSIDE_BLOCK,
} from "./absent-results.ts";

/**
 * Reports mistakes in the order of a rule's steps: results read before their step or where they may be absent, steps
 * after a stop.
 */
export function reportOrder(
  context: CompileContext,
  rulePath: Path,
  ids: ReadonlyMap<string, string>,
): void {
  const walk: Walk = { context, ids, done: new Map() };
  stepsIn(walk, [...rulePath, "actions"]);
  const done = new Map([...walk.done.keys()].map((id) => [id, IN_ON_ERROR]));
  stepsIn({ ...walk, done }, [...rulePath, "on_error"]);
}

interface Walk {
  readonly context: CompileContext;
  /** Ids of all steps of the rule. */
  readonly ids: ReadonlyMap<string, string>;
  /** Ids of the steps before the current step, and when their results are absent. */
  readonly done: Map<string, Absence | undefined>;
  /** Ids of steps in other parallel branches. Their results are available once all branches have ended. */
  readonly beside?: ReadonlySet<string>;
  /** Kind of the `repeat` around the step, if any: `items` has a list and provides `repeat.item`. */
  readonly round?: "counted" | "items";
}

function stepsIn(walk: Walk, path: Path): void {
  const list = valueAt(walk.context.document.value, path);
  if (!Array.isArray(list)) return;
  for (const [index, step] of list.entries()) {
    const at = [...path, index];
    const before: unknown = list[index - 1];
    if (isStop(before)) {
      walk.context.report(at, AFTER_STOP);
      return;
    }
    const branches = branchesIn(step);
    const repeat = valueAt(step, ["repeat"]);
    const isGuarded = valueAt(step, ["if"]) !== undefined;
    const inner = isGuarded ? guarded(walk) : { ...walk, done: new Map(walk.done) };
    const beside = { ...inner, done: new Map(inner.done) };
    if (repeat !== undefined) blocksIn({ ...inner, round: roundOf(step) }, at, { repeat });
    textsIn(walk, at, { if: valueAt(step, ["if"]) });
    textsIn(inner, at, without(step, "if"));
    const id = stepId(step);
    if (id !== undefined) inner.done.set(id, inFailure(step));
    if (branches !== undefined) sideBySide(inner, at, branches);
    addResults(beside, inner.done, AFTER_FAILURE);
    if (id !== undefined) beside.done.set(id, inFailure(step));
    const other = without(step, "repeat");
    blocksIn(beside, at, branches === undefined ? other : without(other, "parallel"));
    addResults(inner, beside.done);
    const otherwise = continuesOnError(step) ? AFTER_FAILURE : undefined;
    addResults(walk, inner.done, isGuarded ? OUTSIDE_BLOCK : otherwise);
    // a step that may stop the run stands for a test of the results before it
    if (hasStop(step)) for (const one of walk.done.keys()) walk.done.set(one, undefined);
    if (id !== undefined) walk.done.set(id, absenceOf(step));
  }
}

/** Returns the walk under a condition, which probably tests the results that may be absent. */
function guarded(walk: Walk): Walk {
  return { ...walk, done: new Map([...walk.done.keys()].map((id) => [id, undefined])) };
}

/** Adds the results of the steps in `inner`; `otherwise`: when they are absent though their own step has succeeded. */
function addResults({ done }: Walk, inner: Walk["done"], otherwise?: Absence): void {
  for (const [id, absence] of inner) if (!done.has(id)) done.set(id, absence ?? otherwise);
}

/** Checks parallel branches. Steps of one branch can't read results of another branch. */
function sideBySide(walk: Walk, path: Path, names: readonly string[]): void {
  const before = [...walk.done];
  for (const name of names) {
    const done = new Map(before);
    const others = names.filter((one) => one !== name).map((one) => [...path, "parallel", one]);
    const beside = new Set(others.flatMap((at) => idsIn(valueAt(walk.context.document.value, at))));
    stepsIn({ ...walk, done, beside }, [...path, "parallel", name]);
    for (const [id, absence] of done) walk.done.set(id, absence);
  }
}

function idsIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const id = valueAt(value, ["id"]);
  return [
    ...(typeof id === "string" ? [id] : []),
    ...Object.values(value).flatMap((inner) => idsIn(inner)),
  ];
}

function branchesIn(step: unknown): readonly string[] | undefined {
  const branches = valueAt(step, ["parallel"]);
  const isMap = typeof branches === "object" && branches !== null && !Array.isArray(branches);
  return isMap ? Object.keys(branches) : undefined;
}

function without(step: unknown, key: string): unknown {
  return Object.fromEntries(Object.entries(Object(step)).filter(([name]) => name !== key));
}

function roundOf(step: unknown): NonNullable<Walk["round"]> {
  return valueAt(step, ["repeat", "for_each"]) === undefined ? "counted" : "items";
}

const AFTER_STOP = {
  code: "step-after-stop",
  severity: "warning",
  message: 'this step is never reached: the "stop" above it ends the rule',
  help: "remove it, or give the stop a condition:  if: EXPRESSION",
} as const;

function isStop(step: unknown): boolean {
  if (step === "stop") return true;
  return valueAt(step, ["stop"]) !== undefined && valueAt(step, ["if"]) === undefined;
}

/** Checks the steps inside a step, which run after the outer step has begun. */
function blocksIn(walk: Walk, path: Path, value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (isBlock(inner)) blockIn(walk, [...path, key]);
    else if (!Array.isArray(inner)) blocksIn(walk, [...path, key], inner);
  }
}

/** Checks one block of a step. All but the steps of a `repeat` and of a parallel branch run under a condition. */
function blockIn(walk: Walk, path: Path): void {
  if (!CONDITIONAL.has(String(path.at(-1)))) return stepsIn(walk, path);
  const inner = { ...walk, done: new Map(walk.done) };
  stepsIn(inner, path);
  addResults(walk, inner.done, OUTSIDE_BLOCK);
}

const CONDITIONAL: ReadonlySet<string> = new Set(
  "then else else_if on_error on_held on_timeout on_invalid".split(" "),
);

function isBlock(value: unknown): boolean {
  return Array.isArray(value) && value.some((one) => typeof one === "object" && one !== null);
}

/** Checks the texts and expressions of a step, but not of the steps inside it. */
function textsIn(walk: Walk, path: Path, value: unknown): void {
  if (typeof value === "string") return checkText(walk, path, value);
  if (typeof value !== "object" || value === null || isBlock(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    textsIn(walk, [...path, Array.isArray(value) ? Number(key) : key], inner);
  }
}

function checkText(walk: Walk, path: Path, text: string): void {
  const isExpression = EXPRESSIONS.has(String(path.at(-1))) || text.includes("${{");
  if (!isExpression) return;
  checkRound(walk, path, text);
  let mayBeAbsent = false;
  for (const reference of text.matchAll(/(?<![\w."'])steps\.([A-Za-z_]\w*)/g)) {
    const id = reference[1] ?? "";
    if (!walk.ids.has(id)) continue;
    if (walk.done.has(id)) {
      mayBeAbsent ||= walk.done.get(id) !== undefined;
      continue;
    }
    const message = `the step "${id}" has no result yet where this is read`;
    const help = walk.beside?.has(id)
      ? "read it in a step after the parallel one"
      : `move the step  id: ${id}  above this one`;
    const mistake = { code: "result-before-step", message, help };
    walk.context.report(path, mistake, {
      text,
      offset: reference.index,
      length: reference[0].length,
    });
  }
  const isList = path.at(-1) === "for_each";
  if (mayBeAbsent) checkAbsence(walk.context, path, text, { absences: walk.done, isList });
}

/** Keys whose values are expressions. */
const EXPRESSIONS: ReadonlySet<string> = new Set(["if", "while", "until"]);

function checkRound({ context, round }: Walk, path: Path, text: string): void {
  // the condition of a `repeat` step is evaluated in each of its rounds
  const isOwn = path.at(-1) === "while" || path.at(-1) === "until";
  const here = round ?? (isOwn ? "counted" : undefined);
  for (const reference of text.matchAll(/(?<![\w."'])repeat\.(index|item)\b/g)) {
    if (here === "items" || (here === "counted" && reference[1] === "index")) continue;
    const message =
      here === undefined
        ? "this is read outside the steps of a repeat"
        : "this repeat has no for_each, so it has no item";
    const help =
      here === undefined ? "put the step under  repeat: {sequence: …}" : "read repeat.index";
    const mistake = { code: "outside-repeat", message, help };
    context.report(path, mistake, { text, offset: reference.index, length: reference[0].length });
  }
}

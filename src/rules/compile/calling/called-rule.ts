import { checkValue, valueAt } from "../../../config/check-value.ts";
import { didYouMean } from "../../../text/did-you-mean.ts";
import type { Problem } from "../../../config/problem.ts";
import type { Path } from "../../../config/yaml-document.ts";
import type { Json } from "../../../protocol/json.ts";
import { isWithin, MAX_VARIABLE } from "../../expression/value-size.ts";
import { celOfType } from "../../expression/view.ts";
import {
  type CallsRule,
  IN_CALLED,
  ON_CALLED_ERROR,
  type Step,
  type StepBody,
} from "../../run/step.ts";
import { meantWord } from "../../schema/other-words.ts";
import { ruleMap, sharedRuleMap } from "../../file-schema/rule-file.ts";
import type { CompileContext } from "../compile-context.ts";
import { reportTemplatesIn } from "../mistakes/other-templates.ts";
import { privateGiven, reportPrivateTexts } from "../mistakes/private-to-public.ts";
import { handlesFailure } from "../../steps/written/unheard-answer.ts";
import { reportWordsOfOthers, wordsGiven } from "../mistakes/words-of-others.ts";
import { reportOrder } from "../mistakes/steps-in-order.ts";
import { textOf } from "../revision.ts";
import { type Argument, compileArgument } from "../../steps/written/step-argument.ts";
import { declareCaptures, declareSteps, stepIdsAt, stepTypes } from "../step-ids.ts";
import { typeOfConstant } from "../../expression/value-types/constant-type.ts";
import { asWritten, declareVariables } from "../variables.ts";
import { type CallableRule, type CallLink, circleTo } from "./calls.ts";
import { type WrittenCall } from "../../steps/step-kind.ts";

type CompileSteps = (context: CompileContext, path: Path) => readonly Step[];

/**
 * Maximum number of calls that are compiled for one rule, including the calls in called rules. Each call compiles the
 * called rule's steps again.
 */
const MAX_CALLS = 100;

/**
 * Compiles the steps of the rule that the step at `path` calls. They can read the fields that the triggers of the
 * calling rule provide.
 *
 * @param compileSteps Compiles a list of steps.
 */
export function compileCalled(
  context: CompileContext,
  path: Path,
  { id, passedValues }: WrittenCall,
  compileSteps: CompileSteps,
): Pick<StepBody, "calls" | "blocks"> | undefined {
  const at = [...path, "run"];
  const { calls } = context;
  const called = calls.callable.find(id, context.source);
  if (called === undefined) return context.report(at, unknownRule(context, id));
  const link: CallLink = {
    id: calls.rule,
    file: context.document.file,
    line: context.document.linesOf(at)[0],
    problem: (mistake) => context.document.problemAt(at, mistake),
    handlesFailure: handlesFailure(context, path),
  };
  const circle = circleTo(called.id, calls, link);
  if (circle !== undefined) {
    context.add(circle);
    return undefined;
  }
  calls.callCounter.count += 1;
  if (calls.callCounter.count > MAX_CALLS) return context.report(at, TOO_MANY);
  context.dependsOn({ revision: textOf(called), files: [], runs: called.source });
  const label = `${context.label(path)}.run(${called.id}).`;
  const chain = [...calls.chain, link];
  const passedNames = {
    private: privateGiven(context, passedValues),
    words: wordsGiven(context, passedValues),
  };
  const there = { ...calls, rule: called.id, chain, label, ...passedNames };
  const inner = context.inCalled(called, there);
  const shape = shapeOf(called);
  for (const problem of [...shape.problems, ...tornIn(called)]) context.add(problem);
  const { variables = {}, allow = [] } = shape.value ?? {};
  reportUnknown(context, path, { id, passedValues }, Object.keys(variables));
  const passed = compileVars(context, inner, { path, passedValues, variables });
  const ownStepIds = stepIdsAt(inner, called.base);
  const withCaptures = declareCaptures(passed.environment, calls.captures.names);
  const running = inner
    .capturing(calls.captures)
    .knowing({ vars: passed.types, ...stepTypes(ownStepIds) })
    .declaring(declareSteps(withCaptures, ownStepIds));
  const stepIds = new Map([...ownStepIds].map(([name, step]) => [name, step.label]));
  const blocks = {
    [IN_CALLED]: compileSteps(running, [...called.base, "actions"]),
    [ON_CALLED_ERROR]: compileSteps(running, [...called.base, "on_error"]),
  };
  reportOrder(inner, called.base, stepIds);
  const captured = calls.captures.names;
  reportTemplatesIn(running, called.base, ["variables", "actions", "on_error"], captured);
  reportPrivateTexts(inner, called.base, [...allow, ...allowedBy(context)]);
  reportWordsOfOthers(inner, called.base);
  const { vars, types } = passed;
  const variableTypes = new Map(Object.entries(types));
  const { file } = called.document;
  return { blocks, calls: { id: called.id, file, stepIds, vars, variableTypes } };
}

/** Checks the map of the called rule. A rule without triggers has a different schema, since only other rules run it. */
function shapeOf({ id, document, base }: CallableRule) {
  const hasTriggers = valueAt(document.value, [...base, "triggers"]) !== undefined;
  const within = ` in rule "${id}"`;
  return hasTriggers
    ? checkValue(ruleMap, document, { at: base, within, meant: (key) => meantWord("rule", key) })
    : checkValue(sharedRuleMap, document, { at: base, within: `${within}, which has no triggers` });
}

/** Returns the `allow` list of the calling rule, which holds for the steps of the called rule, too. */
function allowedBy({ document, base }: CompileContext): readonly string[] {
  const allow = valueAt(document.value, [...base, "allow"]);
  return Array.isArray(allow) ? allow.map(String) : [];
}

function unknownRule(context: CompileContext, id: string) {
  const names = context.calls.callable.names(context.source);
  const guess = didYouMean(id, names);
  const help =
    guess === undefined
      ? "write the id of a rule whose steps are to be run"
      : `did you mean "${guess}"?`;
  return { code: "unknown-rule", message: `there is no rule "${id}"`, help };
}

const TOO_MANY = {
  code: "run-too-often",
  message: `with this call the rule runs more than ${MAX_CALLS} rules, including the rules that these run`,
  help: "call fewer rules, or put the steps into a repeat",
} as const;

/** Returns the YAML syntax problems within the lines of a rule. */
function tornIn({ document, base }: CallableRule): readonly Problem[] {
  const [first, last] = document.linesOf(base);
  return document.problems.filter(({ line }) => line >= first && line <= last);
}

function reportUnknown(
  context: CompileContext,
  path: Path,
  { id, passedValues }: WrittenCall,
  names: readonly string[],
): void {
  for (const name of Object.keys(passedValues)) {
    if (names.includes(name)) continue;
    const guess = didYouMean(name, names);
    const knownVariables =
      names.length === 0
        ? `add to rule "${id}":  variables: {${name}: ""}`
        : `its variables: ${names.join(", ")}`;
    const help = guess === undefined ? knownVariables : `did you mean "${guess}"?`;
    const message = `rule "${id}" has no variable "${name}"`;
    context.report([...path, "with", name], { code: "unknown-variable", message, help }, "key");
  }
}

/** Compiled variable of the called rule. */
interface CalledVariable {
  readonly name: string;
  /** Whether the calling step passes the value. Expressions in a passed value read the names of the calling step. */
  readonly isGiven: boolean;
  readonly value: Argument;
  /** CEL type of the value. */
  readonly type: string;
}

interface WrittenVars {
  readonly path: Path;
  readonly passedValues: WrittenCall["passedValues"];
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * Compiles the variables of the called rule. Each variable can read the variables above it. A value that the calling
 * step passes replaces the rule's own value.
 */
function compileVars(
  context: CompileContext,
  inner: CompileContext,
  { path, passedValues, variables }: WrittenVars,
) {
  const compiled: CalledVariable[] = [];
  const types: Record<string, string> = {};
  let environment = declareVariables(inner.scope.environment, types);
  for (const [name, own] of Object.entries(variables)) {
    const isGiven = Object.hasOwn(passedValues, name);
    const here = isGiven ? context : inner.declaring(environment).knowing({ vars: types });
    const at = isGiven ? [...path, "with", name] : [...inner.base, "variables", name];
    const written = isGiven ? passedValues[name] : asWritten(own, inner.document.sourceAt(at));
    let type = typeOfConstant(written);
    const value = compileArgument(here, at, written, (one, place, text) => {
      const template = one.value(place, text);
      if (place.length === at.length) type = template?.type ?? type;
      return template;
    });
    if (value) compiled.push({ name, isGiven, value, type });
    types[name] = type;
    environment = declareVariables(inner.scope.environment, types);
  }
  return { vars: evaluating(compiled), environment, types };
}

function evaluating(variables: readonly CalledVariable[]): CallsRule["vars"] {
  return (view) => {
    const vars: Record<string, Json> = {};
    const seen = new Map<string, unknown>();
    const inside = Object.assign(Object.create(null), view, { vars: seen });
    for (const { name, isGiven, value, type } of variables) {
      const evaluatedValue = value(isGiven ? view : inside);
      if (!evaluatedValue.ok) return evaluatedValue;
      if (!isWithin(evaluatedValue.value, MAX_VARIABLE)) {
        return { ok: false, error: `${name} holds more than ${MAX_VARIABLE} characters` };
      }
      vars[name] = evaluatedValue.value;
      seen.set(name, celOfType(evaluatedValue.value, type));
    }
    return { ok: true, value: vars };
  };
}

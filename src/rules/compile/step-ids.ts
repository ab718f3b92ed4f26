import type { Environment } from "@marcbachmann/cel-js";
import type { ResultFields } from "../../actions/action-result.ts";
import { valueAt } from "../../config/check-value.ts";
import type { Path } from "../../config/yaml-document.ts";
import { savedAs, stepId } from "./habits/steps/asked-steps.ts";
import { branch } from "../steps/branch.ts";
import { EACH } from "../steps/step-kind.ts";
import { resultFieldsOf, STEPS, VERBS } from "../steps/steps.ts";
import { LOOKED_UP, resultFields } from "../../events/looked-up.ts";
import { CEL_TYPES } from "../expression/scope.ts";
import type { CompileContext } from "./compile-context.ts";
import { type CaptureNames, numbersUnder } from "./conditions/captures.ts";
import { choicesAt } from "../steps/written/answer-choices.ts";
import type { KnownTypes, ResultObject } from "../expression/value-types/known-types.ts";
import { mergedNumbers, numberGroups } from "../expression/patterns/number-groups.ts";
import { extended } from "../expression/extended.ts";

/** Step with an id, and the values of the step that other steps can read by this id. */
export interface StepId {
  readonly label: string;
  /** Members that results of this verb have besides those of every result: `status` and `json` of an `http` step. */
  readonly gives: readonly string[];
  /** Fields of the result of the step's action, if any. */
  readonly result?: ResultFields;
  /** Answers that the step's question lists. */
  readonly choices: readonly string[];
  /** Platform object, such as a looked-up user, in the step's result. Absent: the result's fields are unknown. */
  readonly object?: ResultObject | undefined;
  /** Named groups in the question's `expect` patterns that always hold a number. */
  readonly captures: CaptureNames;
}

/** Returns the steps with an id, at any depth. Reports an id that is used twice. */
export function stepIdsAt(
  context: CompileContext,
  rulePath: Path,
  actions = "actions",
): ReadonlyMap<string, StepId> {
  const stepsById = new Map<string, StepId>();
  const collect = (path: Path): void => {
    const list = valueAt(context.document.value, path);
    if (!Array.isArray(list)) return;
    for (const [index, step] of list.entries()) {
      const at = [...path, index];
      // For an `ask` in another tool's form, the id is the name of its answer; habits/steps/ translates such steps.
      const id = stepId(step);
      if (id !== undefined && stepsById.has(id)) {
        context.report([...at, "id"], {
          code: "duplicate-id",
          message: `the step id "${id}" is used twice`,
          help: `write another id, as ${id}_2`,
        });
      } else if (id !== undefined) {
        const own = VERBS.find((one) => valueAt(step, [one]) !== undefined);
        const verb = own ?? (savedAs(step) === undefined ? undefined : "ask");
        const choices = choicesAt(context.document, at);
        const ownResults = verb === undefined ? [] : (STEPS[verb]?.gives ?? []);
        const gives = choices.length === 0 ? ownResults : [...ownResults, "choice"];
        const result = resultFieldsOf(verb);
        const writtenResult =
          verb && STEPS[verb]?.resultOf?.(valueAt(context.document.value, [...at, verb]));
        stepsById.set(id, {
          label: context.label(at),
          gives,
          choices,
          captures: capturedBy(step),
          ...(result && { result }),
          ...writtenResult,
        });
      }
      for (const block of BLOCKS) collectUnder(at, block);
    }
  };
  const collectUnder = (path: Path, block: readonly string[]): void => {
    const each = block.indexOf(EACH);
    if (each === -1) return collect([...path, ...block]);
    const listed = [...path, ...block.slice(0, each)];
    for (const key of keysOf(valueAt(context.document.value, listed))) {
      collectUnder([...listed, key], block.slice(each + 1));
    }
  };
  collect([...rulePath, actions]);
  collect([...rulePath, "on_error"]);
  return stepsById;
}

/** Returns the captures of a question's `expect` patterns. */
function capturedBy(step: unknown): CaptureNames {
  const written = valueAt(step, ["ask", "expect", "matches"]);
  const sources: readonly unknown[] = Array.isArray(written) ? written : [written];
  const all = sources
    .filter((one) => typeof one === "string")
    .map((one) => ({
      names: Array.from(one.matchAll(/\(\?P?<(\w+)>/g), ([, name = ""]) => name),
      numbers: numberGroups(one),
    }));
  return {
    names: [...new Set(all.flatMap(({ names }) => names))],
    numbers: mergedNumbers(all, "one"),
  };
}

/** Returns the types of the values that later steps can read from these steps. */
export function stepTypes(
  ids: ReadonlyMap<string, StepId>,
): Pick<KnownTypes, "numbers" | "answers" | "results" | "lookedUp"> {
  const all = [...ids];
  return {
    numbers: new Map(
      all.flatMap(([id, { captures }]) => [...numbersUnder(`steps.${id}.captures`, captures)]),
    ),
    answers: new Map(
      all.flatMap(([id, { gives, choices }]) =>
        gives.includes("captures") ? [[id, choices]] : [],
      ),
    ),
    results: new Map(all.flatMap(([id, { result }]) => (result ? [[id, result]] : []))),
    lookedUp: new Map(all.flatMap(([id, { object }]) => (object ? [[id, object]] : []))),
  };
}

function keysOf(value: unknown): Iterable<string | number> {
  if (Array.isArray(value)) return value.keys();
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}

/** Paths within a step that contain steps. */
const BLOCKS = [
  ...[branch, ...Object.values(STEPS)].flatMap(({ blocks }) => blocks ?? []),
  ["on_error"],
  ["on_held"],
];

/** CEL types of the members of step results, by name. */
const RESULT_TYPES: Readonly<Record<string, string>> = {
  ok: "bool",
  result: "dyn",
  error: "string",
  held: "string",
  text: "string",
  captures: "map<string, string>",
  choice: "string",
  status: "int",
  json: "dyn",
  ids: "list<string>",
  people: "int",
};

/** Adds `steps.<id>`, `repeat`, `secrets` and `error` to an environment. */
export function declareSteps(
  environment: Environment,
  ids: ReadonlyMap<string, StepId>,
): Environment {
  const types = Object.fromEntries([...ids].map(([id, step]) => [id, typeOf(step)]));
  return extended(environment, `steps ${JSON.stringify(types)}`, (declared) => {
    for (const step of new Map([...ids.values()].map((one) => [typeOf(one), one])).values()) {
      const names = ["ok", "result", "error", "held", ...step.gives];
      const types = names.map((name) => [name, RESULT_TYPES[name] ?? "dyn"] as const);
      const result = step.object && declareObject(declared, step.object);
      declared.registerType(typeOf(step), {
        fields: { ...Object.fromEntries(types), ...(result !== undefined && { result }) },
      });
    }
    return declared
      .registerType("steps_fields", { fields: types })
      .registerVariable("steps", "steps_fields")
      .registerType("error_fields", {
        fields: { code: "string", message: "string", step: "string" },
      })
      .registerVariable("error", "error_fields")
      .registerType("repeat_fields", { fields: { index: "int", item: "dyn" } })
      .registerVariable("repeat", "repeat_fields")
      .registerVariable("secrets", "map<string, string>");
  });
}

function typeOf({ gives, object }: StepId): string {
  return ["step", ...gives, ...(object ? [objectType(object)] : []), "fields"].join("_");
}

/** Declares the CEL type of an object that is a step's result. @returns The name of the type. */
function declareObject(environment: Environment, object: ResultObject): string {
  const name = objectType(object);
  const fields = resultFields(object.of, object.fields).map((field) => {
    const { type } = LOOKED_UP[object.of].get(field) ?? {};
    return [field, type === undefined ? "dyn" : CEL_TYPES[type]] as const;
  });
  environment.registerType(name, { fields: Object.fromEntries(fields) });
  return name;
}

function objectType({ of, fields }: ResultObject): string {
  return [of, ...resultFields(of, fields).toSorted(), "object"].join("_");
}

/** Adds `captures.<name>`, the named groups of the rule's patterns, to an environment. */
export function declareCaptures(environment: Environment, names: readonly string[]): Environment {
  if (names.length === 0) return environment;
  return extended(environment, `captures ${names.join(" ")}`, (declared) =>
    declared
      .registerType("captures_fields", {
        fields: Object.fromEntries(names.map((name) => [name, "string"])),
      })
      .registerVariable("captures", "captures_fields"),
  );
}

import {
  resultFieldsOf,
  EXPRESSION_FUNCTIONS,
  OPERATORS,
  stepMap,
  branch,
  type StepKind,
  STEPS,
} from "../../rules/language.ts";
import type { ResultFields } from "../../actions/action-result.ts";
import type { TopicFact, Topic } from "./topic.ts";
import { codes, jsonSchema, type Key, keysInside, keysOf, written } from "./written.ts";

/** Returns a reference topic (description, facts, example) for every operator of conditions. */
export function operatorTopics(): readonly Topic[] {
  return Object.entries(OPERATORS).map(([name, { operand, types, example }]) => {
    const schema = jsonSchema(operand);
    return {
      kind: "operator",
      name,
      aliases: [],
      about: schema.description ?? "",
      facts: [
        { label: "For fields of type", value: types.join(", ") },
        { label: "Operand", value: written(schema) },
      ],
      keys: [],
      examples: [{ title: "Example", example }],
      section: "operators",
    };
  });
}

/** Returns a reference topic for every function of expressions that the toolkit adds to CEL. */
export function functionTopics(): readonly Topic[] {
  return EXPRESSION_FUNCTIONS.map(({ signature, description, example }) => {
    const called = signature.replace(/\(.*$/, "");
    return {
      kind: "function",
      name: signature,
      aliases: [called.replace(/^(?:string|list<A>)\./, ""), called],
      about: description,
      facts: [],
      keys: [],
      examples: [{ title: "Example", example }],
      section: "functions",
    };
  });
}

/** Keys that any step may have in addition to its verb. The reference lists them once, not for each step. */
export const STEP_KEYS: readonly Key[] = besideAny();

function besideAny(): readonly Key[] {
  const ofVerbs = Object.values(STEPS).flatMap(({ shape }) => Object.keys(shape));
  const ofBranch = Object.keys(branch.shape).filter((key) => key !== "if");
  return keysOf(jsonSchema(stepMap)).filter(
    ({ path }) => ![...ofVerbs, ...ofBranch].includes(path),
  );
}

/** Returns a reference topic for every step: the verbs, and `if`. */
export function stepTopics(): readonly Topic[] {
  return [...Object.entries(STEPS), ["if", branch] as const].map(([name, kind]) => ({
    kind: "step",
    name,
    aliases: name === "if" ? ["then", "else", "else_if"] : [],
    about: name === "if" ? "Choose between branches." : (verbKey(name)?.meaning ?? ""),
    facts: stepFacts(name, kind),
    keys: verbKeys(name, kind),
    examples: [{ title: "Example", example: kind.example }],
    section: "steps",
  }));
}

function verbKey(verb: string): Key | undefined {
  return keysOf(jsonSchema(stepMap)).find(({ path }) => path === verb);
}

function stepFacts(name: string, { bare, needs, gives, shape }: StepKind): readonly TopicFact[] {
  const beside = Object.keys(shape).filter((key) => key !== name);
  const result = resultFieldsOf(name);
  return [
    { label: "Written as", value: name === "if" ? "text" : (verbKey(name)?.written ?? "") },
    ...(beside.length === 0 ? [] : [{ label: "Keys beside it", value: codes(beside) }]),
    ...(bare === undefined ? [] : [{ label: "May stand alone", value: "yes" }]),
    ...(needs === undefined ? [] : [{ label: "Needs", value: needs.what }]),
    ...(gives === undefined ? [] : [{ label: "Its result has", value: codes(gives) }]),
    ...(result === undefined ? [] : [{ label: "In result", value: codes(resultNames(result)) }]),
  ];
}

/** Returns the paths of a result's fields, such as `platform_attribution.post_id`. */
function resultNames(fields: ResultFields): readonly string[] {
  return Object.entries(fields).flatMap(([name, type]) =>
    typeof type === "string" ? [name] : [name, ...resultNames(type).map((one) => `${name}.${one}`)],
  );
}

/** Returns the keys of a verb: those inside its map, and those beside it in the step that only such verbs use. */
function verbKeys(name: string, { shape }: StepKind): readonly Key[] {
  const { properties = {} } = jsonSchema(stepMap);
  const under = properties[name];
  const beside = keysOf({ properties }).filter(
    ({ path }) => path !== name && path in shape && path !== "if",
  );
  return [...(typeof under === "object" ? keysInside(under) : []), ...beside];
}

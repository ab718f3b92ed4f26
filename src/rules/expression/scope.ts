import { Environment } from "@marcbachmann/cel-js";
import { didYouMean } from "../../text/did-you-mean.ts";
import type { Mistake } from "../../config/problem.ts";
import type { AccountEvent } from "../../events/event.ts";
import type { FieldType } from "../../events/fields.ts";
import type { EventKindName } from "../../events/kinds/kinds.ts";
import { type Trigger, TRIGGER_FACTS } from "../../events/triggers.ts";
import { fieldsOf, NOW, type RuleField } from "../schema/fields.ts";
import { STATE_OWNERS } from "../schema/state-keys.ts";
import type { DeclaredState } from "./state-names.ts";
import { registerTextFunctions } from "./functions/text-functions.ts";
import { registerNonEmpty } from "./value-types/empty-captures.ts";
import { registerZonedTimes } from "./functions/zoned-times.ts";
import { registerMixedNumbers } from "./value-types/mixed-numbers.ts";
import { meantWord } from "../schema/other-words.ts";
import { NOT_YET, reservedWord } from "../schema/reserved-words.ts";

/** Names that the conditions, variables and actions of a rule can use. */
export interface RuleScope {
  readonly triggers: readonly Trigger[];
  /** Fields that every trigger of the rule provides, by path. */
  readonly fields: ReadonlyMap<string, RuleField>;
  /** CEL environment that declares all of `fields`, `now`, `trigger` and `state`. Clone it before adding names. */
  readonly environment: Environment;
  /** State that the rule file declares, by path. */
  readonly declared?: ReadonlyMap<string, DeclaredState>;
  /** Names that the rule file defines under `texts`, `inputs` and `hours`, by this key. */
  readonly namesByRoot?: Readonly<Record<string, readonly string[]>>;
}

/** Field at a path, or the mistake if there is no such field. `part` is the wrong part of the path. */
export type FieldLookup =
  | { readonly field: RuleField }
  | { readonly mistake: Mistake; readonly part: string };

const scopes = new Map<string, RuleScope>();

/** Returns the scope of a rule with these triggers. Rules with the same triggers share a scope. */
export function scopeOf(triggers: readonly Trigger[]): RuleScope {
  const key = triggers.join(" ");
  const cachedScope = scopes.get(key);
  if (cachedScope) return cachedScope;
  const kinds = [...new Set(triggers.map((trigger) => TRIGGER_FACTS[trigger].kind))];
  const fields = sharedFields(kinds);
  const scope = { triggers, fields, environment: environmentOf(fields) };
  scopes.set(key, scope);
  return scope;
}

function sharedFields(kinds: readonly EventKindName[]): ReadonlyMap<string, RuleField> {
  const [first, ...rest] = kinds;
  if (first === undefined) return new Map();
  if (rest.length === 0) return fieldsOf(first);
  const shared = [...fieldsOf(first)].filter(([path]) =>
    rest.every((kind) => fieldsOf(kind).has(path)),
  );
  return new Map(
    shared.map(([path, field]) => [
      path,
      {
        ...field,
        mayBeAbsent: kinds.some((kind) => fieldsOf(kind).get(path)?.mayBeAbsent === true),
        read: (event: AccountEvent) => fieldsOf(event.kind).get(path)?.read(event),
      },
    ]),
  );
}

/**
 * Returns the field at `path`, or a mistake that names the trigger without the field or the name that was probably
 * meant.
 */
export function lookUpField(scope: RuleScope, path: string): FieldLookup {
  const field = path === "now" ? NOW : scope.fields.get(path);
  if (field) return { field };
  const later = reservedWord("field", path) ?? reservedWord("field", path.split(".")[0] ?? path);
  if (later !== undefined)
    return { mistake: { code: "not-in-this-version", message: later, help: NOT_YET }, part: path };
  const lacking = scope.triggers.find((one) => !fieldsOf(TRIGGER_FACTS[one].kind).has(path));
  const anywhere = ALL_PATHS.has(path);
  if (lacking !== undefined && (anywhere || !rootsOf(scope.fields).has(path.split(".")[0] ?? ""))) {
    return anywhere || ALL_ROOTS.has(path.split(".")[0] ?? "")
      ? { mistake: notOnTrigger(path, lacking), part: path }
      : { mistake: unknownRoot(scope, path), part: path.split(".")[0] ?? path };
  }
  return unknownField(scope, path);
}

function notOnTrigger(path: string, trigger: Trigger): Mistake {
  const roots = [...rootsOf(fieldsOf(TRIGGER_FACTS[trigger].kind))];
  return {
    code: "field-not-on-trigger",
    message: `"${path}" does not exist on trigger ${trigger}`,
    help: `${trigger} carries: ${roots.join(", ")}`,
  };
}

function unknownRoot(scope: RuleScope, path: string): Mistake {
  const roots = [...rootsOf(scope.fields)];
  const root = path.split(".")[0] ?? path;
  const guess = meantWord("combinator", root) ?? didYouMean(root, roots);
  return {
    code: "unknown-field",
    message: `there is no "${root}"`,
    help: guess === undefined ? `there are: ${roots.join(", ")}` : `did you mean "${guess}"?`,
  };
}

function unknownField(scope: RuleScope, path: string): FieldLookup {
  const parts = path.split(".");
  let parent = "";
  for (const part of parts) {
    const here = parent === "" ? part : `${parent}.${part}`;
    const exists = [...scope.fields.keys()].some(
      (one) => one === here || one.startsWith(`${here}.`),
    );
    if (!exists) return { mistake: noSuchField(scope, parent, part), part };
    parent = here;
  }
  const children = childrenOf(scope, path);
  return {
    part: path,
    mistake: {
      code: "not-a-field",
      message: `"${path}" holds several fields`,
      help: `name one: ${children.map((child) => `${path}.${child}`).join(", ")}`,
    },
  };
}

/** Returns the mistake of reading a field `name` of `parent` that does not exist. */
export function noSuchField(scope: RuleScope, parent: string, name: string): Mistake {
  const children = childrenOf(scope, parent);
  const guess = didYouMean(name, children);
  const type = guess === undefined ? undefined : scope.fields.get(`${parent}.${guess}`)?.type;
  const all =
    children.length === 0 ? helpFor(parent, name) : `${parent} has: ${children.join(", ")}`;
  const help =
    guess === undefined ? all : `did you mean "${guess}"${type === undefined ? "" : ` (${type})`}?`;
  return { code: "unknown-field", message: `${parent} has no field "${name}"`, help };
}

/**
 * Returns the help for an unknown member of a parent that has no members, such as `vars` in a rule without variables.
 */
function helpFor(parent: string, name: string): string {
  if (parent === "vars") return `add it above what uses it:  variables: {${name}: "\${{ … }}"}`;
  if (parent === "steps") return `give a step above that id:  id: ${name}`;
  if (parent.startsWith("steps."))
    return "a step's outcome has: ok, result, error (an answer also text and captures, and choice where expect lists texts)";
  return "leave it out";
}

function childrenOf(scope: RuleScope, parent: string): string[] {
  const definedNames = scope.namesByRoot?.[parent];
  if (definedNames) return [...definedNames];
  const inside = [...scope.fields.keys()].filter((path) => path.startsWith(`${parent}.`));
  return [...new Set(inside.map((path) => path.slice(parent.length + 1).split(".")[0] ?? ""))];
}

function rootsOf(fields: ReadonlyMap<string, unknown>): Set<string> {
  return new Set([...fields.keys()].map((path) => path.split(".")[0] ?? path));
}

const ALL_PATHS = new Set(
  Object.values(TRIGGER_FACTS).flatMap(({ kind }) => [...fieldsOf(kind).keys()]),
);
const ALL_ROOTS = new Set([...ALL_PATHS].map((path) => path.split(".")[0] ?? path));

/** CEL types by type of field. */
export const CEL_TYPES: Readonly<Record<FieldType, string>> = {
  text: "string",
  number: "int",
  boolean: "bool",
  "list of texts": "list<string>",
  time: "string",
};

/** Declares the fields as nested types: `sender` has a type with the fields of a person. */
function environmentOf(fields: ReadonlyMap<string, RuleField>): Environment {
  const environment = new Environment({
    unlistedVariablesAreDyn: false,
    enableOptionalTypes: true,
    limits: { maxAstNodes: 2_000, maxDepth: 60 },
  });
  registerTextFunctions(environment);
  registerZonedTimes(environment);
  registerNonEmpty(environment);
  registerMixedNumbers(environment);
  environment.registerVariable("now", "string");
  environment.registerType("state_fields", {
    fields: Object.fromEntries(STATE_OWNERS.map((owner) => [owner, "map<string, dyn>"])),
  });
  environment.registerVariable("state", "state_fields");
  environment.registerType("trigger_fields", { fields: { name: "string", id: "string" } });
  environment.registerVariable("trigger", "trigger_fields");
  const members = new Map<string, Record<string, string>>();
  const declare = (path: string, type: string) => {
    const dot = path.lastIndexOf(".");
    const parent = path.slice(0, Math.max(dot, 0));
    const isNew = !members.has(parent);
    const own = members.get(parent) ?? {};
    own[path.slice(dot + 1)] = type;
    members.set(parent, own);
    if (isNew && parent !== "") declare(parent, typeName(parent));
  };
  for (const [path, field] of fields) declare(path, CEL_TYPES[field.type]);
  const deepestFirst = [...members].sort(([a], [b]) => b.split(".").length - a.split(".").length);
  for (const [path, own] of deepestFirst) {
    if (path !== "") environment.registerType(typeName(path), { fields: own });
  }
  for (const [name, type] of Object.entries(members.get("") ?? {})) {
    environment.registerVariable(name, type);
  }
  return environment;
}

function typeName(path: string): string {
  return `${path.replaceAll(".", "_")}_fields`;
}

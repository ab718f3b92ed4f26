import { Environment } from "@marcbachmann/cel-js";
import { EVENT_KIND_NAMES, type EventKindName } from "../../../src/events/kinds/kinds.ts";
import { isInbound, maxAgeMsOf, TRIGGER_FACTS, TRIGGERS } from "../../../src/events/triggers.ts";
import { registerTextFunctions } from "../../../src/rules/compile/text-functions.ts";
import { OPERATORS } from "../../../src/rules/operators/operators.ts";
import { fieldsOf } from "../../../src/rules/schema/fields.ts";
import { ruleMap, stepMap, triggerMap } from "../../../src/rules/schema/rule-file.ts";
import { branch } from "../../../src/rules/steps/branch.ts";
import { STEPS } from "../../../src/rules/steps/steps.ts";
import { codes, table } from "../markdown.ts";
import { jsonSchema, type Key, keysOf, written } from "./written.ts";

const HOUR_MS = 3_600_000;

/** The keys of a rule. */
export function ruleKeys(): string {
  return keyTable(keysOf(jsonSchema(ruleMap)));
}

/** The keys of a trigger that is written as a map. */
export function triggerKeys(): string {
  return keyTable(keysOf(jsonSchema(triggerMap)));
}

/** The keys of a step that are not its verb's. */
export function stepKeys(): string {
  const ofVerbs = Object.values(STEPS).flatMap(({ shape }) => Object.keys(shape));
  const own = Object.keys(branch.shape).filter((key) => key !== "if");
  return keyTable(
    keysOf(jsonSchema(stepMap)).filter(({ path }) => ![...ofVerbs, ...own].includes(path)),
  );
}

function keyTable(keys: readonly Key[]): string {
  return table(
    ["Key", "Written as", "Default", "Meaning"],
    keys.map((key) => [`\`${key.path}\``, key.written, key.byDefault, key.meaning]),
  );
}

/** Every trigger, the kind of its events, and how old they may be. */
export function triggersTable(): string {
  const rows = TRIGGERS.map((trigger) => {
    const hours = maxAgeMsOf(trigger) / HOUR_MS;
    const caused = isInbound(trigger) ? "" : "only with `direction: outbound`";
    const maxAge = Number.isFinite(hours) ? `${hours}h` : "none";
    return [`\`${trigger}\``, TRIGGER_FACTS[trigger].kind, maxAge, caused];
  });
  return table(["Trigger", "Kind of event", "`max_age` unless said", "Note"], rows);
}

/** The fields of events, those with the same parent and the same kinds in one row. */
export function fieldsTable(): string {
  const kinds = EVENT_KIND_NAMES.filter((kind) =>
    TRIGGERS.some((trigger) => TRIGGER_FACTS[trigger].kind === kind),
  );
  const kindsOf = new Map<string, EventKindName[]>();
  const typeOf = new Map<string, string>();
  for (const kind of kinds) {
    for (const [path, { type }] of fieldsOf(kind)) {
      kindsOf.set(path, [...(kindsOf.get(path) ?? []), kind]);
      typeOf.set(path, type);
    }
  }
  const groups = new Map<string, string[]>();
  for (const [path, all] of kindsOf) {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf(".")));
    const carriedBy = all.length === kinds.length ? "every event" : all.join(", ");
    const key = JSON.stringify([parent, carriedBy]);
    const type = typeOf.get(path) ?? "";
    const name = `\`${path.slice(parent === "" ? 0 : parent.length + 1)}\``;
    groups.set(key, [...(groups.get(key) ?? []), type === "text" ? name : `${name} (${type})`]);
  }
  const rows = [...groups].map(([key, names]) => {
    const [parent = "", carriedBy = ""]: string[] = JSON.parse(key);
    return [parent === "" ? "" : `\`${parent}.\``, names.join(", "), carriedBy];
  });
  return table(["Of", "Fields", "Kinds of event"], rows);
}

/** Every operator of conditions. */
export function operatorsTable(): string {
  const rows = Object.entries(OPERATORS).map(([name, { operand, types }]) => {
    const schema = jsonSchema(operand);
    return [`\`${name}\``, types.join(", "), written(schema), schema.description ?? ""];
  });
  return table(["Operator", "For fields of type", "Operand", "Holds when"], rows);
}

/** Every verb that a step can have. */
export function stepsTable(): string {
  const properties = new Map(keysOf(jsonSchema(stepMap)).map((key) => [key.path, key]));
  const rows = Object.entries(STEPS).map(([verb, { shape, needs, bare }]) => {
    const beside = Object.keys(shape).filter((key) => key !== verb);
    const alone = bare === undefined ? "" : "yes";
    const key = properties.get(verb);
    return [
      `\`${verb}\``,
      key?.written ?? "",
      codes(beside),
      alone,
      needs?.what ?? "",
      key?.meaning ?? "",
    ];
  });
  return table(
    ["Verb", "Written as", "Keys beside it", "May stand alone", "Needs", "Meaning"],
    rows,
  );
}

/** The functions of expressions that CEL does not bring. */
export function functionsTable(): string {
  const environment = new Environment();
  const known = new Set(environment.getDefinitions().functions.map(({ signature }) => signature));
  registerTextFunctions(environment);
  const own = environment.getDefinitions().functions.filter((one) => !known.has(one.signature));
  return table(
    ["Function", "Gives"],
    own.map(({ signature, description }) => [`\`${signature}\``, description ?? ""]),
  );
}

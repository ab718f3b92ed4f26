import * as z from "zod";
import type { FieldType } from "../../events/fields.ts";
import { EVENT_KIND_NAMES } from "../../events/kinds/kinds.ts";
import { OPERATORS } from "../operators/operators.ts";
import { BARE_VERBS } from "../steps/steps.ts";
import { fieldsOf, NOW } from "../schema/fields.ts";
import { matcherMap, ruleFile, stepMap } from "./rule-file.ts";

/** JSON Schema, or a part of one. */
type Schema = Readonly<Record<string, unknown>>;

const STEP = "#/definitions/step";
const CONDITION = "#/definitions/condition";

/**
 * Returns the JSON Schema of rule files for completion and checks in editors. The compiler's schema leaves the items of
 * lists of steps and conditions open; this schema describes them, too.
 */
export function ruleFileForEditors(): Schema {
  const whole = schemaOf(ruleFile);
  return {
    ...linked(whole),
    definitions: {
      ...linked(Object(whole["definitions"])),
      step: step(),
      condition: condition(),
      ...matchers(),
    },
  };
}

/** Returns the JSON Schema of a YAML file for editors. `check` reads an unquoted number as text, so a text may be a number. */
export function schemaForEditors(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, {
    target: "draft-07",
    io: "input",
    override({ jsonSchema, path }) {
      const { type, pattern = "", format, enum: words, const: word } = jsonSchema;
      const mayBeNumber = [format, words, word].every((one) => one === undefined);
      if (type !== "string" || !mayBeNumber || path.at(-1) === "propertyNames") return;
      if (new RegExp(pattern).test("7")) Object.assign(jsonSchema, { type: ["string", "number"] });
    },
  });
}

const VARIABLE = "#/definitions/variable";
/** Keywords by which a text has a form that `${{ env.NAME }}` does not have. */
const FORMS = ["pattern", "format", "enum"];

/** Returns the JSON Schema of settings for editors. A text of any form may be `${{ env.NAME }}`, except in `secrets`. */
export function settingsForEditors(schema: z.ZodType): Schema {
  const variable = { type: "string", pattern: String.raw`\$\{\{\s*env\.` };
  return { ...Object(orVariable(schemaForEditors(schema))), definitions: { variable } };
}

function orVariable(value: unknown, key?: string): unknown {
  if (Array.isArray(value) || Object(value) !== value) return value;
  if (key === "secrets" || key === "propertyNames") return value;
  const schema: Schema = Object(value);
  const { type } = schema;
  const hasForm = FORMS.some((one) => one in schema) || Number(schema["minLength"]) > 1;
  if (!hasForm || !String(type).startsWith("string")) {
    const entries = Object.entries(schema).map(([name, of]) => [name, orVariable(of, name)]);
    return Object.fromEntries(entries);
  }
  const { description, default: byDefault, examples, ...form } = schema;
  return { description, default: byDefault, examples, anyOf: [form, { $ref: VARIABLE }] };
}

function schemaOf(schema: z.ZodType): Schema {
  const { $schema, ...rest } = schemaForEditors(schema);
  return schema === ruleFile ? { $schema, ...rest } : rest;
}

const HELD: Readonly<Record<string, Schema>> = {
  steps: { items: { $ref: STEP } },
  conditions: { items: { $ref: CONDITION } },
  "a text's matcher": { allOf: [{ $ref: "#/definitions/ask_text" }] },
};

/** Replaces the mark `holds: steps` or `holds: conditions` of a list's schema by the schema of these items. */
function linked(schema: Schema): Schema {
  const { holds, ...rest } = schema;
  const held = typeof holds === "string" ? HELD[holds] : {};
  return {
    ...Object.fromEntries(Object.entries(rest).map(([key, of]) => [key, inside(of)])),
    ...held,
  };
}

function inside(value: unknown): unknown {
  // omits alternatives that exist only for better error messages
  if (Array.isArray(value)) return value.filter((one) => !Object(one).refused).map(inside);
  return typeof value === "object" && value !== null ? linked(Object(value)) : value;
}

/** Returns the schema of a step: a map with one verb, or a verb alone, such as `stop`. */
function step(): Schema {
  const map = linked(schemaOf(stepMap));
  const enumDescriptions = BARE_VERBS.map(
    (verb) => Object(Object(map["properties"])[verb]).description,
  );
  return { anyOf: [map, { type: "string", enum: BARE_VERBS, enumDescriptions }] };
}

function condition(): Schema {
  const list = { type: "array", minItems: 1, items: { $ref: CONDITION } };
  return {
    type: "object",
    description: "One field with a value or operators; or any, all, not, if.",
    minProperties: 1,
    maxProperties: 1,
    additionalProperties: false,
    properties: {
      any: { ...list, description: "One of them must hold." },
      all: { ...list, description: "All of them must hold." },
      not: {
        description: "It must not hold.",
        anyOf: [{ $ref: CONDITION }, list],
      },
      if: { type: "string", description: "An expression that must be true." },
      ...Object.fromEntries(
        [...allFields()].map(([path, type]) => [path, { $ref: `#/definitions/${nameOf(type)}` }]),
      ),
    },
    patternProperties: {
      "^state\\.(sender|conversation|account)\\.": { $ref: "#/definitions/ask_state" },
    },
  };
}

/** Returns the types of all events' fields, by path. */
function allFields(): ReadonlyMap<string, FieldType> {
  const fields = EVENT_KIND_NAMES.flatMap((kind) => [...fieldsOf(kind)]);
  return new Map([...fields, ["now", NOW] as const].map(([path, { type }]) => [path, type]));
}

function nameOf(type: FieldType): string {
  return `ask_${type.replaceAll(" ", "_")}`;
}

/**
 * Returns a schema for each type of field: a map of the operators for the type, or a value that the field must equal.
 */
function matchers(): Schema {
  const all = schemaOf(matcherMap);
  const matcher = (types: readonly FieldType[]): Schema => {
    const fitting = Object.entries(Object(all["properties"])).filter(
      ([name]) =>
        name === "cased" || (OPERATORS[name]?.types ?? []).some((one) => types.includes(one)),
    );
    return {
      anyOf: [
        { ...all, properties: Object.fromEntries(fitting) },
        { type: ["string", "number", "boolean"] },
      ],
    };
  };
  const types = [...new Set(allFields().values())];
  return {
    ...Object.fromEntries(types.map((type) => [nameOf(type), matcher([type])])),
    ask_state: matcher(["text", "number", "boolean", "list of texts", "time"]),
  };
}

import * as z from "zod";
import { id, WITH_EXPRESSION } from "../../rules/language.ts";
import { DURATION } from "../../system/duration.ts";

type Schema = z.core.JSONSchema.BaseSchema;

/** A key of a YAML map, as the reference describes it. Its texts have words of the rule language in backticks. */
export interface Key {
  readonly path: string;
  readonly written: string;
  /** Default value as JSON; empty without a default. */
  readonly byDefault: string;
  readonly meaning: string;
  /** Range of a number, or number of entries of a list, such as `2 to 20`; empty if unlimited. */
  readonly limits: string;
  readonly required: boolean;
  /** Example of a value, from the schema. */
  readonly example?: unknown;
}

const PATTERNS: ReadonlyMap<string, string> = new Map([
  [DURATION.source, "duration"],
  [WITH_EXPRESSION.source, "expression"],
  [z.toJSONSchema(id).pattern ?? "", "id"],
]);
const NAMES: Readonly<Record<string, string>> = { string: "text", object: "map", array: "list" };
/** Maximum number of words in a table cell; a longer list of words has its own table. */
const MAX_WORDS = 6;

/** Converts a Zod schema to the JSON Schema of the values that people write. */
export function jsonSchema(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
}

/** Returns words as code, separated by commas. */
export function codes(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(", ");
}

/** Describes the values that a schema accepts, such as `duration`, `text or list (text)`. */
export function written(schema: Schema): string {
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.enum !== undefined) {
    const words = schema.enum.map(String);
    return words.length > MAX_WORDS ? "name" : codes(words);
  }
  if (schema.anyOf !== undefined) {
    return [...new Set(waysOf(schema).map((one) => written(one)))].join(" or ");
  }
  if (schema.pattern !== undefined) return PATTERNS.get(schema.pattern) ?? "text";
  if (schema.format === "uri") return "URL";
  if (Array.isArray(schema.type)) return schema.type.map(named).join(", ");
  if (schema.type === "array") return listed(schema.items);
  if (schema.type === "object") return mapped(schema);
  return schema.type === undefined ? "anything" : named(schema.type);
}

/** Returns the alternatives of a schema, without those that exist only for better error messages. */
function waysOf({ anyOf = [] }: Schema): readonly Schema[] {
  return anyOf.filter((one) => Object(one).refused !== true);
}

function named(type: string): string {
  return NAMES[type] ?? type;
}

function listed(items: Schema["items"]): string {
  if (typeof items !== "object" || Array.isArray(items)) return "list";
  const item = written(items);
  return item === "anything" ? "list" : `list (${item})`;
}

function mapped({ properties = {} }: Schema): string {
  const keys = Object.keys(properties);
  return keys.length === 0 ? "map" : `map (${codes(keys)})`;
}

/** Returns the limits of a value, such as `2 to 20` or `1 or more`; empty if there are none. */
function limitsOf({ minimum, maximum, minItems, maxItems }: Schema): string {
  if (maxItems !== undefined) return `${minItems ?? 0} to ${maxItems} entries`;
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  const least = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum;
  if (least !== undefined && most !== undefined) return `${least} to ${most}`;
  if (least !== undefined) return `${least} or more`;
  return most === undefined ? "" : `${most} at most`;
}

/** Returns the keys of a map. With `deep`, nested maps are replaced by their own keys, with paths. */
export function keysOf(schema: Schema, deep = false, prefix = ""): readonly Key[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    if (typeof inner !== "object") return [];
    const path = `${prefix}${name}`;
    if (deep && inner.properties !== undefined) return keysOf(inner, true, `${path}.`);
    return [keyOf(path, inner, schema.required?.includes(name) === true)];
  });
}

function keyOf(path: string, schema: Schema, required: boolean): Key {
  const { default: byDefault, description = "", examples } = schema;
  const [example]: readonly unknown[] = Array.isArray(examples) ? examples : [];
  return {
    path,
    written: written(schema),
    byDefault: byDefault === undefined ? "" : JSON.stringify(byDefault),
    meaning: description,
    limits: limitsOf(schema),
    required,
    ...(example === undefined ? {} : { example }),
  };
}

/** Returns the keys of the map that a value may be; empty if the value can't be a map. */
export function keysInside(schema: Schema): readonly Key[] {
  const map = schema.properties === undefined ? waysOf(schema).find(hasKeys) : schema;
  return map === undefined ? [] : keysOf(map);
}

function hasKeys({ properties = {} }: Schema): boolean {
  return Object.keys(properties).length > 0;
}

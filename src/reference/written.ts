import * as z from "zod";
import { DURATION } from "../../../src/system/duration.ts";
import { id } from "../../../src/rules/schema/pieces.ts";
import { codes } from "../markdown.ts";

type Schema = z.core.JSONSchema.BaseSchema;

/** A key of a map: how its value is written, and what the schema says of it. */
export interface Key {
  readonly path: string;
  readonly written: string;
  readonly byDefault: string;
  readonly meaning: string;
}

const PATTERNS: ReadonlyMap<string, string> = new Map([
  [DURATION.source, "duration"],
  [z.toJSONSchema(id).pattern ?? "", "id"],
]);
const NAMES: Readonly<Record<string, string>> = { string: "text", object: "map", array: "list" };
/** A longer list of words has a table of its own. */
const MOST_WORDS = 6;

/** The JSON Schema of what people write. */
export function jsonSchema(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
}

/** How a value of `schema` is written, for people. */
export function written(schema: Schema): string {
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.enum !== undefined) {
    const words = schema.enum.map(String);
    return words.length > MOST_WORDS ? "name" : codes(words);
  }
  if (schema.anyOf !== undefined) {
    const ways = schema.anyOf.filter((one) => Object(one).refused !== true);
    return [...new Set(ways.map((one) => written(one)))].join(" or ");
  }
  if (schema.pattern !== undefined) return PATTERNS.get(schema.pattern) ?? "text";
  if (schema.format === "uri") return "URL";
  if (Array.isArray(schema.type)) return schema.type.map(named).join(", ");
  if (schema.type === "array") return listed(schema.items);
  if (schema.type === "object") return mapped(schema);
  return schema.type === undefined ? "anything" : named(schema.type);
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

/** The keys of a map; those of maps inside it by their path, when `deep`. */
export function keysOf(schema: Schema, deep = false, prefix = ""): readonly Key[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    if (typeof inner !== "object") return [];
    const path = `${prefix}${name}`;
    if (deep && inner.properties !== undefined) return keysOf(inner, true, `${path}.`);
    const { default: byDefault, description = "" } = inner;
    return [
      {
        path,
        written: written(inner),
        byDefault: byDefault === undefined ? "" : `\`${JSON.stringify(byDefault)}\``,
        meaning: description,
      },
    ];
  });
}

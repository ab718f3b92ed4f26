import { safeParse } from "zod/v4/core";
import type * as z from "zod";
import { ownMember } from "../system/own-member.ts";

type Schema = z.core.$ZodType;
type Definition = z.core.$ZodTypes["_zod"]["def"];

/** Returns the keys that `schema` allows for the map at `path`; for a union, the keys of all its maps. */
export function knownKeys(schema: Schema, path: readonly PropertyKey[]): string[] {
  const keys = schemasAt(schema, path).flatMap((inner) => {
    const def = definition(inner);
    return def.type === "object" ? Object.keys(def.shape) : [];
  });
  return [...new Set(keys)];
}

/** Whether the schema checks texts at `path` by `pattern`. */
export function takesPattern(
  schema: Schema,
  path: readonly PropertyKey[],
  pattern: RegExp,
): boolean {
  return schemasAt(schema, path).some((inner) => patternsOf(inner).includes(pattern.source));
}

/** Whether the schema accepts `value` at `path`. */
export function takesValue(schema: Schema, path: readonly PropertyKey[], value: unknown): boolean {
  return schemasAt(schema, path).some((inner) => safeParse(inner, value).success);
}

/** Definition of the schema at `path` without optional, default and other wrappers; of a union, its first option. */
export function innermost(schema: Schema, path: readonly PropertyKey[] = []): Definition {
  return definition(schemasAt(schema, path)[0] ?? schema);
}

function schemasAt(schema: Schema, path: readonly PropertyKey[]): Schema[] {
  let schemas = unwrap(schema);
  for (const step of path) schemas = schemas.flatMap((inner) => childOf(inner, step));
  return schemas;
}

function patternsOf(schema: Schema): readonly string[] {
  const { checks = [] } = definition(schema);
  return checks.flatMap(({ _zod: { def } }) =>
    "pattern" in def && def.pattern instanceof RegExp ? [def.pattern.source] : [],
  );
}

/** The schemas behind optional, default, lazy and union wrappers. */
function unwrap(schema: Schema): Schema[] {
  const def = definition(schema);
  if (def.type === "lazy") return unwrap(def.getter());
  if (def.type === "pipe") return unwrap(def.in);
  if (def.type === "union") return def.options.flatMap((option) => unwrap(option));
  return "innerType" in def ? unwrap(def.innerType) : [schema];
}

function childOf(schema: Schema, step: PropertyKey): Schema[] {
  const def = definition(schema);
  if (def.type === "array" && typeof step === "number") return unwrap(def.element);
  if (def.type === "record") return unwrap(def.valueType);
  if (def.type !== "object") return [];
  const child = ownMember(def.shape, String(step)) ?? def.catchall;
  return child === undefined ? [] : unwrap(child);
}

function definition(schema: Schema): Definition {
  // the cast is safe: zod types this definition as a base type, but all schemas that zod builds are in $ZodTypes
  return (schema as z.core.$ZodTypes)._zod.def;
}

import type * as z from "zod";
import { innermost } from "./known-keys.ts";

type Schema = z.core.$ZodType;

/** Name in the code for a key of a file, such as `baseUrl` for `base_url`. */
export type CamelCase<Key> = Key extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Key;

/** Read-only copy of a TypeScript type with camelCase keys. Keys without a value are absent, lists unchanged. */
export type CamelKeys<T> = T extends readonly (infer Item)[]
  ? readonly Item[]
  : T extends object
    ? { readonly [Key in keyof T as CamelCase<Key>]: CamelKeys<Exclude<T[Key], undefined>> }
    : T;

/**
 * Renames the keys of a value that `schema` returned to camelCase. Keys of a record, such as handles, stay unchanged.
 */
export function camelKeys<T>(schema: z.ZodType<T>, value: T): CamelKeys<T>;
export function camelKeys(schema: Schema, value: unknown): unknown {
  return renamed(schema, value, { from: (key) => key, to: camelCase });
}

/** Renames camelCase keys to the keys of the file. Drops keys that `schema` does not have. */
export function snakeKeys<T>(schema: z.ZodType<unknown, T>, value: Partial<CamelKeys<T>>): object {
  return { ...Object(renamed(schema, value, { from: camelCase, to: (key) => key })) };
}

/** Converts a key of the schema to the key of the original value (`from`) and to the key of the copy (`to`). */
interface Renaming {
  readonly from: (key: string) => string;
  readonly to: (key: string) => string;
}

function renamed(schema: Schema, value: unknown, renaming: Renaming): unknown {
  if (typeof value !== "object" || value === null) return value;
  const kind = innermost(schema);
  const values = new Map<string, unknown>(Object.entries(value));
  if (kind.type === "record") {
    const entries = [...values].map(([key, one]) => [key, renamed(kind.valueType, one, renaming)]);
    return Object.fromEntries(entries);
  }
  if (kind.type !== "object") return value;
  const entries = Object.entries(kind.shape).flatMap(([key, inner]) => {
    const one = values.get(renaming.from(key));
    return one === undefined ? [] : [[renaming.to(key), renamed(inner, one, renaming)]];
  });
  return Object.fromEntries(entries);
}

function camelCase(key: string): string {
  return key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

import type { AccountEvent } from "../../events/event.ts";
import type { Json } from "../../protocol/json.ts";
import type { EventField, FieldType, FieldValue } from "../../events/fields.ts";
import type { EventKindName } from "../../events/kinds/kinds.ts";
import { fieldsOf } from "../schema/fields.ts";

/**
 * Values that an expression can read: plain data without prototypes. Members whose names an author or a service chooses
 * are in a map: the evaluator takes an object's own member `constructor` for its class, and refuses the object.
 */
export type View = Readonly<Record<string, unknown>>;

type Builder = (event: AccountEvent) => unknown;

const builders = new Map<EventKindName, readonly (readonly [string, Builder])[]>();

/** Returns the event as expressions read it: `sender`, `message`, `post` … An absent field is an absent key. */
export function viewOf(event: AccountEvent): Record<string, unknown> {
  let roots = builders.get(event.kind);
  if (!roots) {
    roots = buildersFor(fieldsOf(event.kind), "");
    builders.set(event.kind, roots);
  }
  return build(event, roots);
}

function build(
  event: AccountEvent,
  members: readonly (readonly [string, Builder])[],
): Record<string, unknown> {
  const view = bare();
  for (const [name, builder] of members) {
    const value = builder(event);
    if (value !== undefined) view[name] = value;
  }
  return view;
}

function buildersFor(
  fields: ReadonlyMap<string, EventField<AccountEvent>>,
  prefix: string,
): (readonly [string, Builder])[] {
  const inside = [...fields.keys()].filter((path) => path.startsWith(prefix));
  const names = new Set(inside.map((path) => path.slice(prefix.length).split(".")[0] ?? ""));
  return [...names].map((name) => {
    const field = fields.get(prefix + name);
    if (field) return [name, (event) => celValue(field.type, field.read(event))] as const;
    const members = buildersFor(fields, `${prefix}${name}.`);
    return [name, (event) => build(event, members)] as const;
  });
}

function celValue(type: FieldType, value: FieldValue): unknown {
  if (typeof value !== "number") return value;
  if (!Number.isFinite(value)) return undefined;
  return type === "time" ? isoTime(value) : BigInt(Math.trunc(value));
}

/** Formats milliseconds since the epoch as ISO text. Returns an empty text if `ms` is outside of the range of dates. */
export function isoTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}

/** Converts JSON for expressions: whole numbers become integers, objects have no prototypes. */
export function celData(value: unknown): unknown {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map((item) => celData(item));
  if (typeof value !== "object" || value === null) return value;
  // see `View`
  if (Object.hasOwn(value, "constructor")) {
    return new Map(Object.entries(value).map(([key, inner]) => [key, celData(inner)]));
  }
  const copy = bare();
  for (const [key, inner] of Object.entries(value)) copy[key] = celData(inner);
  return copy;
}

/**
 * Converts JSON back to the value that an expression of the CEL type `type` had. The type distinguishes 2.0 from 2, and
 * the text of an integer beyond 2^53 from other texts. JSON of another type is converted as by {@link celData}.
 */
export function celOfType(value: Json, type: string): unknown {
  const itemType = /^list<(.*)>$/.exec(type)?.[1];
  if (itemType !== undefined && Array.isArray(value)) {
    return value.map((item) => celOfType(item, itemType));
  }
  if (type === "int" && typeof value === "string" && LONG_INTEGER.test(value)) return BigInt(value);
  return type === "double" && typeof value === "number" ? value : celData(value);
}

/** Matches the texts into which {@link jsonOf} converts integers: 2^53 has 16 digits, and 2^63 has 19. */
const LONG_INTEGER = /^-?\d{16,19}$/;

/** Returns the first integer in a value, at any depth, that {@link jsonOf} would convert to a text. */
export function longIntegerIn(value: unknown): bigint | undefined {
  const integer = firstIn(value, (one) => typeof one === "bigint" && !isSafe(one));
  return typeof integer === "bigint" ? integer : undefined;
}

/** Returns whether JSON has a form for a value and all its parts. It has none for infinity, NaN and bytes. */
export function isJsonValue(value: unknown): boolean {
  const isOther = (one: unknown): boolean =>
    typeof one === "number" ? !Number.isFinite(one) : one instanceof Uint8Array;
  return firstIn(value, isOther) === undefined;
}

function firstIn(value: unknown, test: (one: unknown) => boolean): unknown {
  if (test(value)) return value;
  if (typeof value !== "object" || value === null) return undefined;
  const members: Iterable<unknown> = value instanceof Map ? value.values() : Object.values(value);
  for (const member of members) {
    const first = firstIn(member, test);
    if (first !== undefined) return first;
  }
  return undefined;
}

function isSafe(integer: bigint): boolean {
  return Number.isSafeInteger(Number(integer));
}

/** Converts the result of an expression to JSON. Integers beyond 2^53 become text. */
export function jsonOf(value: unknown): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "bigint") return isSafe(value) ? Number(value) : String(value);
  if (Array.isArray(value)) return value.map((item) => jsonOf(item));
  if (value instanceof Date) return isoTime(value.getTime());
  if (value instanceof Map) return jsonOf(Object.fromEntries(value));
  if (typeof value !== "object") return null;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, jsonOf(inner)]));
}

function bare(): Record<string, unknown> {
  return Object.create(null);
}

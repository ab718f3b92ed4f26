import type { AccountEvent } from "../../events/event.ts";
import type { Json } from "../../protocol/json.ts";
import type { EventField, FieldType, FieldValue } from "../../events/fields.ts";
import type { EventKindName } from "../../events/kinds/kinds.ts";
import { fieldsOf } from "../schema/fields.ts";

/** Values that an expression can read: plain data without prototypes. */
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
  // The evaluator takes an object's own member `constructor` for its class, and refuses the object. A map has no members.
  if (Object.hasOwn(value, "constructor")) {
    return new Map(Object.entries(value).map(([key, inner]) => [key, celData(inner)]));
  }
  const copy = bare();
  for (const [key, inner] of Object.entries(value)) copy[key] = celData(inner);
  return copy;
}

/** Converts the result of an expression to JSON. Integers beyond 2^53 become text. */
export function jsonOf(value: unknown): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (Array.isArray(value)) return value.map((item) => jsonOf(item));
  if (value instanceof Date) return isoTime(value.getTime());
  if (value instanceof Map) return jsonOf(Object.fromEntries(value));
  if (typeof value !== "object") return null;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, jsonOf(inner)]));
}

function bare(): Record<string, unknown> {
  return Object.create(null);
}

import type { Json } from "../../protocol/json.ts";

/** Maximum depth of nested lists and objects. Deeper values overflow the stack of code that walks through them. */
export const MAX_DEPTH = 100;

/**
 * Returns a value as plain data. Refuses a value that JSON would change, because later reads of it would return another
 * value.
 *
 * @param what Name of the value in errors, such as `the result of ctx.step("lookup")`.
 * @param most Maximum number of characters as JSON.
 * @returns undefined for undefined.
 * @throws {TypeError} if the value has parts that JSON can't represent, is nested too deeply or is too long.
 */
export function plainValue(input: unknown, what: string, most: number): Json | undefined {
  if (input === undefined) return undefined;
  refuseOthers(input, what, "", []);
  const text = JSON.stringify(input);
  if (text.length > most) {
    throw new TypeError(
      `${what} has ${text.length} characters as JSON, and ${most} are the most: keep what is needed later`,
    );
  }
  return JSON.parse(text);
}

function refuseOthers(value: unknown, what: string, path: string, within: readonly object[]): void {
  const invalidPart = notJson(value, within);
  if (invalidPart !== undefined) {
    const where = path === "" ? "is" : `has at ${path}`;
    throw new TypeError(`${what} ${where} ${invalidPart}: give plain data, as JSON has it`);
  }
  if (typeof value !== "object" || value === null) return;
  if (within.length >= MAX_DEPTH) {
    throw new TypeError(`${what} is nested deeper than ${MAX_DEPTH}: keep what is needed later`);
  }
  for (const [key, one] of Object.entries(value)) {
    // JSON omits undefined properties
    if (one === undefined && !Array.isArray(value)) continue;
    const at = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
    refuseOthers(one, what, at, [...within, value]);
  }
}

/** Describes a value that JSON can't represent; undefined if JSON can represent it. */
function notJson(value: unknown, within: readonly object[]): string | undefined {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return undefined;
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : `the number ${value}`;
  }
  if (typeof value === "object") return notJsonObject(value, within);
  return value === undefined ? "undefined" : `a ${typeof value}`;
}

function notJsonObject(value: object, within: readonly object[]): string | undefined {
  if (within.includes(value)) return "something that holds itself";
  if (Array.isArray(value)) return notJsonList(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return undefined;
  return `a ${value.constructor.name || "class instance"}`;
}

/** Describes a list that JSON would change: a match of a pattern has more fields than its items, for example. */
function notJsonList(list: readonly unknown[]): string | undefined {
  const keys = Object.keys(list);
  const field = keys.find((key) => !/^\d+$/.test(key));
  if (field !== undefined) return `a list with the field ${JSON.stringify(field)}`;
  return keys.length < list.length ? "a list with empty places" : undefined;
}

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

/**
 * Returns the result of a function that a rule calls, as plain data. Unlike {@link plainValue}, it accepts what JSON
 * converts without a loss: values with `toJSON`, such as dates, and fields of class instances. Methods are left out.
 *
 * @param what Name of the result in errors, such as `the result of codes.ts#redeem`.
 * @param most Maximum number of characters as JSON.
 * @returns null for undefined.
 * @throws {TypeError} if JSON would empty a part of the value, or the value is nested too deeply or is too long.
 */
export function convertedValue(input: unknown, what: string, most: number): Json {
  return plainValue(converted(input, what, "", []), what, most) ?? null;
}

function converted(input: unknown, what: string, path: string, within: readonly object[]): unknown {
  const value = hasToJson(input) ? input.toJSON() : input;
  if (typeof value !== "object" || value === null || within.length > MAX_DEPTH) return value;
  const part = (one: unknown, at: string) =>
    converted(one, what, `${path}${at}`, [...within, value]);
  if (within.includes(value)) throw new TypeError(refusal(what, path, HOLDS_ITSELF));
  // JSON has null for items that are undefined, and omits other fields of a list
  if (Array.isArray(value)) return Array.from(value, (one, at) => part(one ?? null, `[${at}]`));
  const fields = Object.entries(value).filter(([, one]) => typeof one !== "function");
  const isEmptied = fields.length === 0 || value instanceof Error || ArrayBuffer.isView(value);
  if (isEmptied && isOfClass(value)) throw new TypeError(refusal(what, path, nameOfClass(value)));
  return Object.fromEntries(fields.map(([key, one]) => [key, part(one, `.${key}`)]));
}

function hasToJson(value: unknown): value is { readonly toJSON: () => unknown } {
  const method: unknown =
    value === undefined || value === null ? undefined : Reflect.get(Object(value), "toJSON");
  return typeof method === "function";
}

function refuseOthers(value: unknown, what: string, path: string, within: readonly object[]): void {
  const invalidPart = notJson(value, within);
  if (invalidPart !== undefined) {
    throw new TypeError(refusal(what, path, invalidPart));
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

function refusal(what: string, path: string, invalidPart: string): string {
  const where = path === "" ? "is" : `has at ${path}`;
  return `${what} ${where} ${invalidPart}: give plain data, as JSON has it`;
}

const HOLDS_ITSELF = "something that holds itself";

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
  if (within.includes(value)) return HOLDS_ITSELF;
  if (Array.isArray(value)) return notJsonList(value);
  return isOfClass(value) ? nameOfClass(value) : undefined;
}

function isOfClass(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== null && Object.getPrototypeOf(prototype) !== null;
}

function nameOfClass(value: object): string {
  // An object may have any value as its constructor, and a class any value as its name.
  const { name: className }: { readonly name?: unknown } = Object(value.constructor);
  const name = typeof className === "string" && className !== "" ? className : "class instance";
  return `${/^[AEIO]/.test(name) ? "an" : "a"} ${name}`;
}

/** Describes a list that JSON would change: a match of a pattern has more fields than its items, for example. */
function notJsonList(list: readonly unknown[]): string | undefined {
  const keys = Object.keys(list);
  const field = keys.find((key) => !/^\d+$/.test(key));
  if (field !== undefined) return `a list with the field ${JSON.stringify(field)}`;
  return keys.length < list.length ? "a list with empty places" : undefined;
}

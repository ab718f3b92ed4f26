import { inspect } from "node:util";
import { UsageError } from "../../errors.ts";
import { type Endpoint, nameOf } from "./endpoint.ts";

/**
 * Query and form values before encoding. Undefined values are omitted, lists are joined by commas, and a
 * `Date` becomes ISO 8601 with milliseconds.
 */
export type Params = Readonly<
  Record<string, string | number | boolean | Date | readonly string[] | undefined>
>;

/**
 * Returns a query or a form with its values as text.
 *
 * @throws UsageError for a value that untyped code may pass, such as null.
 */
export function paramTexts(
  endpoint: Endpoint,
  params: Params | undefined,
): Readonly<Record<string, string>> {
  const texts = Object.entries(params ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, paramText(endpoint, name, value)] as const],
  );
  return Object.fromEntries(texts);
}

function paramText(endpoint: Endpoint, name: string, value: Params[string]): string {
  if (value instanceof Date) return instant(name, value);
  if (!isList(value)) return scalarText(endpoint, name, value);
  return value.map((item, index) => scalarText(endpoint, `${name}[${index}]`, item)).join(",");
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function scalarText(endpoint: Endpoint, name: string, value: unknown): string {
  if (typeof value === "boolean") return String(value);
  const text = textOf(value);
  if (text !== undefined) return text;
  throw new UsageError(`${nameOf(endpoint)} got ${shown(value)} for ${name}`, {
    hint: "pass a text, a number, true or false, a Date, or a list of texts",
  });
}

/** Returns a text or number as text; undefined for another value, and for an integer that a number can't hold. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  return Number.isSafeInteger(value) || !Number.isInteger(value) ? String(value) : undefined;
}

function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : inspect(value, { depth: -1 });
}

function instant(name: string, date: Date): string {
  if (!Number.isNaN(date.getTime())) return date.toISOString();
  throw new UsageError(`${name} is an invalid Date`, {
    hint: "check what the Date was made from",
  });
}

/** A name in a path template, such as `:id`. */
export const PATH_NAME = /:([a-z_]+)/g;

/**
 * Returns the path parameters that an endpoint's template names, as text.
 *
 * @throws UsageError if the template is no path, or a parameter is missing, would change the path, or is neither a text
 * nor a number.
 */
export function pathTexts(
  endpoint: Endpoint,
  values: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  checkTemplate(endpoint);
  const names = Array.from(endpoint.path.matchAll(PATH_NAME), ([, name = ""]) => name);
  return Object.fromEntries(names.map((name) => [name, pathText(endpoint, name, values[name])]));
}

function pathText(endpoint: Endpoint, name: string, value: unknown): string {
  const text = textOf(value);
  if (text !== undefined && text !== "" && text !== "." && text !== "..") return text;
  throw new UsageError(`${nameOf(endpoint)} needs a value for :${name}, and got ${shown(value)}`);
}

/** Refuses a query in a path template, which a signature would not cover, and a template that would name another host. */
function checkTemplate(endpoint: Endpoint): void {
  const template: unknown = endpoint.path;
  if (typeof template !== "string" || !template.startsWith("/")) {
    throw new UsageError(`the endpoint ${shown(template)} is no path`, {
      hint: 'begin it with a slash, as in "/2/users/me"',
    });
  }
  const [sign] = /[?#]/.exec(template) ?? [];
  if (sign === undefined) return;
  throw new UsageError(
    `${nameOf(endpoint)} has "${sign}" in its path: put parameters into \`query\``,
  );
}

import { inspect } from "node:util";
import { UsageError } from "../../errors.ts";

/** `oauth1` and `oauth2` act for a user, `bearer` for the app. */
export type CredentialKind = "oauth1" | "bearer" | "oauth2";

/** Credentials that act for a user. */
export const USER = ["oauth1", "oauth2"] as const satisfies readonly CredentialKind[];

/** OAuth 2.0 of a user only: OAuth 1.0a has no permission for these endpoints. */
export const SCOPED = ["oauth2"] as const satisfies readonly CredentialKind[];

/** The app's own bearer token, or OAuth 2.0 of a user: no OAuth 1.0a. */
export const APP_OR_SCOPED = ["bearer", "oauth2"] as const satisfies readonly CredentialKind[];

/** Any kind of credentials, for public data. */
export const ANY = ["bearer", "oauth1", "oauth2"] as const satisfies readonly CredentialKind[];

/** The app's own bearer token only. */
export const APP = ["bearer"] as const satisfies readonly CredentialKind[];

/** A signed request for a user only: account activity, API v1.1 and advertising. */
export const SIGNED = ["oauth1"] as const satisfies readonly CredentialKind[];

/** Endpoint of the platform's API. */
export interface Endpoint {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path template in the post dialect, such as `/2/posts/:id`. */
  readonly path: string;
  readonly takes: readonly CredentialKind[];
  /** Whether the path is on the advertising host, below its version. */
  readonly ads?: true;
}

/** A table of endpoints, one for each method of a resource. */
export type Endpoints<Methods> = { readonly [Name in keyof Methods]: Endpoint };

/**
 * TypeScript type that replaces a method whose endpoint does not accept the client's kind of credentials. Calling the
 * method does not compile, and the compiler's message names the accepted kinds.
 */
export interface NeedsCredentials<Kind extends CredentialKind> {
  readonly "this endpoint takes credentials of type": Kind;
}

/**
 * Methods of a resource for a client with credentials of kind `Kind`; methods that refuse this kind become
 * {@link NeedsCredentials}. If the compiler does not know `Kind`, every method is present, and a call with the wrong
 * kind throws `CredentialError`.
 */
export type For<Kind extends CredentialKind, Methods, Table extends Endpoints<Methods>> = {
  readonly [Name in keyof Methods]: Extract<Kind, Table[Name]["takes"][number]> extends never
    ? NeedsCredentials<Table[Name]["takes"][number]>
    : Methods[Name];
};

/** Name of an endpoint in errors and in the rate limit view: `POST /2/posts`. */
export function nameOf(endpoint: Endpoint): string {
  return `${endpoint.method} ${endpoint.path}`;
}

/** Whether a call may be repeated although the outcome of the first attempt is unknown. */
export function isSafe(endpoint: Endpoint): boolean {
  return endpoint.method !== "POST";
}

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

import * as z from "zod";
import type { RouteCall } from "../server/route.ts";
import { type AdsErrorEntry, adsError } from "./ads-error.ts";

/** Schema of a non-empty text. The error message of each schema here completes the sentence "Expected …". */
export const text = z.string({ error: "text" }).min(1, { error: "text" });

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: `one of ${values.join(", ")}` });
}

/** Creates the schema of a window in days, which must be one of `windows`. */
export function days(windows: readonly number[]) {
  return z
    .enum(windows.map(String), { error: `one of ${windows.join(", ")} days` })
    .transform(Number);
}

export const flag = z
  .enum(["true", "false"], { error: "true or false" })
  .transform((input) => input === "true");

export function whole(min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER) {
  const bounded = min !== Number.MIN_SAFE_INTEGER;
  return z
    .string()
    .refine((numeral) => /^-?\d{1,16}$/.test(numeral) && +numeral >= min && +numeral <= max, {
      error: bounded ? `a whole number from ${min} to ${max}` : "a whole number",
    })
    .transform(Number);
}

export const instant = z.iso.datetime({ offset: true, error: "an ISO 8601 timestamp" });

export const instantWithMillis = z.iso.datetime({
  offset: true,
  precision: 3,
  error: "an ISO 8601 timestamp with milliseconds, such as 2026-01-31T12:00:00.000Z",
});

/** Creates the schema of a comma-separated list of up to `max` ids. */
export function idList(max: number) {
  return z
    .string()
    .transform((idText) => idText.split(","))
    .refine((ids) => ids.length <= max && ids.every((id) => /^[0-9a-z]{1,19}$/i.test(id)), {
      error: `1 to ${max} ids of letters and digits, separated by commas`,
    });
}

/** Validated parameters of a request. */
export interface AdsQuery<T> {
  readonly values: T;
  /** Parameters of path and query as sent, for `request.params`. */
  readonly sent: Readonly<Record<string, string>>;
  /** Parameters of path and query as JSON values: numbers, booleans and lists. */
  readonly typed: Readonly<Record<string, unknown>>;
}

/**
 * Validates the query of an advertising request against `schema` and reports all faults at once.
 *
 * @throws {ApiError} 400 with one error per fault: MISSING_PARAMETER, INVALID_PARAMETER, or the code that an issue of
 * the schema carries in `params.code`.
 */
export function readQuery<Shape extends z.ZodRawShape>(
  call: RouteCall,
  schema: z.ZodObject<Shape>,
): AdsQuery<z.infer<z.ZodObject<Shape>>> {
  const names = Object.keys(schema.shape).filter((name) => call.query.has(name));
  const queryValues = Object.fromEntries(names.map((name) => [name, call.query.get(name) ?? ""]));
  const sent = { ...pathParams(call), ...queryValues };
  const twice = names.filter((name) => call.query.getAll(name).length > 1);
  const result = schema.safeParse(queryValues);
  const errors = [
    ...twice.map((name) =>
      fault(name, queryValues[name] ?? "", `${name} stands twice in the query`),
    ),
    ...(result.success
      ? []
      : result.error.issues.map((issue) => explain(issue, queryValues, call))),
  ];
  if (!result.success || errors.length > 0) throw adsError(400, errors, sent);
  const values: Readonly<Record<string, unknown>> = result.data;
  const typed = Object.fromEntries(names.map((name) => [name, values[name]]));
  return { values: result.data, sent, typed: { ...pathParams(call), ...typed } };
}

/** Returns the parameters in a request's path, without the version. */
export function pathParams({ params }: RouteCall): Record<string, string> {
  const { version: _version, ...rest } = params;
  return rest;
}

function explain(
  issue: z.core.$ZodIssue,
  queryValues: Readonly<Record<string, string>>,
  { body }: RouteCall,
): AdsErrorEntry {
  const name = String(issue.path[0] ?? "");
  const value = queryValues[name];
  if (value === undefined) {
    const hint = body.kind === "empty" ? "" : "; parameters are read from the query, not the body";
    const message = `${name} is required${hint}`;
    return { code: "MISSING_PARAMETER", message, parameter: name };
  }
  if (issue.code === "custom" && typeof issue.params?.["code"] === "string") {
    return { code: issue.params["code"], message: issue.message, parameter: name };
  }
  return fault(name, value, `Expected ${issue.message}, got "${value}" for ${name}`);
}

function fault(parameter: string, value: string, message: string): AdsErrorEntry {
  return { code: "INVALID_PARAMETER", message, parameter, value };
}

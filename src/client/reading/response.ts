import type { ApiResponse } from "../http/api-caller.ts";
import { ProtocolError } from "../errors.ts";
import type { ProblemDetails } from "../errors.ts";
import { isFields, readProblems, refusalOf } from "../http/problem.ts";
import type { z } from "zod";

/**
 * Returns the `data` of a response, checked against the schema.
 *
 * @throws PlatformError if the response has no `data`, only `errors`; ProtocolError if the data do not match.
 */
export function dataOf<T>(answer: ApiResponse, schema: z.ZodType<T>): T {
  if (answer.body["data"] === undefined) throw noDataError(answer);
  return checkedPart(answer, answer.body["data"], schema, "data");
}

/** Checks any part of a response against a schema. @throws ProtocolError */
export function checkedPart<T>(
  answer: ApiResponse,
  value: unknown,
  schema: z.ZodType<T>,
  name: string,
): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = [name, ...(issue?.path ?? [])].join(".");
  throw protocolError(answer, `${where}: ${issue?.message ?? "not as described"}`);
}

/** Error for a response without data: a refusal if the response holds errors, else a protocol error. */
export function noDataError(answer: ApiResponse): Error {
  const problems: ProblemDetails[] = readProblems(answer.body["errors"]);
  if (problems.length === 0) return protocolError(answer, "it holds no data");
  return refusalOf(answer.body, {
    endpoint: answer.endpoint,
    status: answer.status,
    headers: {},
    safe: !answer.endpoint.startsWith("POST "),
    afterUnknown: false,
    redact: (text) => text,
  });
}

/** Creates the error for a response that does not match the API's description. */
export function protocolError(answer: ApiResponse, what: string): ProtocolError {
  const { endpoint, status } = answer;
  return new ProtocolError(`${endpoint} answered ${status}, but ${what}`, { endpoint, status });
}

/** Check for a type of object, such as a post: its required fields, and a type guard. */
export interface Shape<T> {
  readonly keys: readonly string[];
  readonly is: (value: unknown) => value is T;
}

/** Whether a value is an object that has a value for each of these keys. */
export function hasKeys(value: unknown, keys: readonly string[]): boolean {
  return isFields(value) && keys.every((key) => value[key] !== undefined);
}

/** Checks that a value has the required fields of a type of object. @throws ProtocolError */
export function objectOf<T>(answer: ApiResponse, value: unknown, shape: Shape<T>, name: string): T {
  if (shape.is(value)) return value;
  const presentFields = isFields(value) ? value : {};
  const missing = shape.keys.filter((key) => presentFields[key] === undefined);
  throw protocolError(answer, `${name} lacks ${missing.join(", ")}`);
}

/** Checks that all values of a list have the required fields. An absent list is empty. @throws ProtocolError */
export function objectsOf<T>(
  answer: ApiResponse,
  value: unknown,
  shape: Shape<T>,
  name: string,
): T[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw protocolError(answer, `${name} is not a list`);
  return value.map((item, index) => objectOf(answer, item, shape, `${name}[${index}]`));
}

import type { Answer } from "./caller.ts";
import { ProtocolError } from "./errors.ts";
import type { Problem } from "./errors.ts";
import { isFields, readProblems, refusalOf } from "./problem.ts";
import type { z } from "zod";

/**
 * An answer's `data`, checked against what the interface says.
 *
 * @throws PlatformError when the answer holds only `errors`, ProtocolError when it is something else.
 */
export function dataOf<T>(answer: Answer, schema: z.ZodType<T>): T {
  if (answer.body["data"] === undefined) throw emptyAnswer(answer);
  return checked(answer, answer.body["data"], schema, "data");
}

/** Any part of an answer, checked. */
export function checked<T>(answer: Answer, value: unknown, schema: z.ZodType<T>, name: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = [name, ...(issue?.path ?? [])].join(".");
  throw unexpected(answer, `${where}: ${issue?.message ?? "not as described"}`);
}

/** An answer without data: a refusal if it holds errors, else not what the interface describes. */
export function emptyAnswer(answer: Answer): Error {
  const problems: Problem[] = readProblems(answer.body["errors"]);
  if (problems.length === 0) return unexpected(answer, "it holds no data");
  return refusalOf(answer.body, {
    endpoint: answer.endpoint,
    status: answer.status,
    headers: {},
    safe: true,
    afterUnknown: false,
    redact: (text) => text,
  });
}

/** The error for an answer that the interface does not describe. */
export function unexpected(answer: Answer, what: string): ProtocolError {
  const { endpoint, status } = answer;
  return new ProtocolError(`${endpoint} answered ${status}, but ${what}`, { endpoint, status });
}

/** How a kind of object is told: the fields it must carry, and the guard that looks. */
export interface Shape<T> {
  readonly keys: readonly string[];
  readonly is: (value: unknown) => value is T;
}

/** Whether this is an object that carries these keys. */
export function carries(value: unknown, keys: readonly string[]): boolean {
  return isFields(value) && keys.every((key) => value[key] !== undefined);
}

/** One object of a shape. @throws ProtocolError */
export function objectOf<T>(answer: Answer, value: unknown, shape: Shape<T>, name: string): T {
  if (shape.is(value)) return value;
  const found = isFields(value) ? value : {};
  const missing = shape.keys.filter((key) => found[key] === undefined);
  throw unexpected(answer, `${name} lacks ${missing.join(", ")}`);
}

/** A list of objects of a shape; a list that was left out is empty. @throws ProtocolError */
export function objectsOf<T>(answer: Answer, value: unknown, shape: Shape<T>, name: string): T[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw unexpected(answer, `${name} is no list`);
  return value.map((item, index) => objectOf(answer, item, shape, `${name}[${index}]`));
}

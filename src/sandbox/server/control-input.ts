import { assumed } from "../kernel/ledger.ts";
import type * as z from "zod";
import { ApiError } from "../kernel/http/api-error.ts";
import type { RouteCall } from "./route.ts";

/**
 * Returns the properties that control routes share: the control token as authentication, and a fidelity note.
 *
 * @param note Purpose of the endpoint, as the end of a sentence.
 */
export const ownRoute = (note: string) =>
  ({ auth: ["control"], ledger: assumed(`The sandbox's own: ${note}`) }) as const;

/** Shared properties of control routes that have no counterpart on the platform. */
export const OWN = ownRoute("no part of the platform.");

/** Shared properties of control routes that take the place of the developer portal in tests. */
export const PORTAL = ownRoute("stands for the developer portal.");

/**
 * Validates the JSON body of a control request. An absent body is `{}`.
 *
 * @throws {ApiError} 400 that names the key and its fault.
 */
export function controlInput<T>(call: RouteCall, schema: z.ZodType<T>): T {
  if (call.body.kind !== "json" && call.body.kind !== "empty") {
    throw ApiError.control(
      400,
      "invalid_request",
      "Send a JSON body with content-type application/json.",
    );
  }
  const result = schema.safeParse(call.body.kind === "json" ? call.body.value : {});
  if (result.success) return result.data;
  throw ApiError.control(400, "invalid_request", problem(result.error));
}

/** Parses a sequence number of the query; `null` is 0. @throws {ApiError} 400 if `text` is not a whole number. */
export function sequence(text: string | null, name: string): number {
  if (text === null) return 0;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw ApiError.control(400, "invalid_request", `${name}: write a sequence number, got "${text}"`);
}

/** Maximum number of rows in a response. */
const MAX_ROWS = 1_000;

/**
 * Returns the latest rows, oldest first. The query parameter `limit` sets the maximum number, by default 100.
 *
 * @throws {ApiError} 400 if `limit` is no number from 1 to 1,000.
 */
export function latest<Row>({ query }: RouteCall, rows: Iterable<Row>): readonly Row[] {
  const limit = query.get("limit") ?? "100";
  if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_ROWS) {
    const message = `limit: write a number from 1 to ${MAX_ROWS}, got "${limit}"`;
    throw ApiError.control(400, "invalid_request", message);
  }
  return [...rows].slice(-Number(limit));
}

/** Formats all faults in one line, each after the path of its key: `match.path: Invalid input; …`. */
function problem(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`))
    .join("; ");
}

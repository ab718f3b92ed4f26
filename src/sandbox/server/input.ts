import type * as z from "zod";
import { BODY_WORDS, type Dialect } from "../../protocol/dialects.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { RouteCall } from "./route.ts";

/**
 * Validates the JSON body of a request to API v2. An absent body is `{}`.
 *
 * @throws {ApiError} 400, one entry of `errors` per fault.
 */
export function jsonInput<T>(call: RouteCall, schema: z.ZodType<T>): T {
  const value = call.body.kind === "json" ? call.body.value : {};
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw ApiError.invalid(result.error.issues.flatMap((issue) => faultsOf(issue, call.dialect)));
}

interface InputFault {
  readonly message: string;
  readonly parameters?: Record<string, string[]>;
}

/** Formats a fault in the words of the live service, with the path in the caller's dialect. */
function faultsOf(issue: z.core.$ZodIssue, dialect: Dialect): InputFault[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      parameters: { [key]: [""] },
      message: `$.${spelled([...issue.path, key], dialect)}: is not defined in the schema and the schema does not allow additional properties`,
    }));
  }
  if (issue.path.length === 0) return [{ message: issue.message }];
  const path = spelled(issue.path, dialect);
  const missing = issue.code === "invalid_type" && issue.input === undefined;
  return [
    {
      parameters: { [path]: typeof issue.input === "string" ? [issue.input] : [] },
      message: `$.${path}: ${missing ? "is missing but it is required" : issue.message}`,
    },
  ];
}

function spelled(path: readonly PropertyKey[], dialect: Dialect): string {
  return path
    .map(String)
    .map((part) => (dialect === "post" ? part : (BODY_WORDS[part] ?? part)))
    .join(".");
}

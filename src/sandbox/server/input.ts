import type * as z from "zod";
import { BODY_WORDS } from "../../protocol/dialects.ts";
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
  throw ApiError.invalid(result.error.issues.flatMap((issue) => faultsOf(issue, call)));
}

interface InputFault {
  readonly message: string;
  readonly parameters?: Record<string, string[]>;
}

/** Formats a fault in the words of the live service, with the keys that the caller wrote. */
function faultsOf(issue: z.core.$ZodIssue, call: RouteCall): InputFault[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const keys = sentKeys(call, [...issue.path, key]);
      return {
        parameters: { [keys.at(-1) ?? key]: [""] },
        message: `$.${keys.join(".")}: is not defined in the schema and the schema does not allow additional properties`,
      };
    });
  }
  if (issue.path.length === 0) return [{ message: issue.message }];
  const path = sentKeys(call, issue.path).join(".");
  const missing = issue.code === "invalid_type" && issue.input === undefined;
  return [
    {
      parameters: { [path]: typeof issue.input === "string" ? [issue.input] : [] },
      message: `$.${path}: ${missing ? "is missing but it is required" : issue.message}`,
    },
  ];
}

/** Returns the keys of a path in the body as the caller wrote them; absent keys have the caller's dialect. */
export function sentKeys(
  { body, dialect }: Pick<RouteCall, "body" | "dialect">,
  path: readonly PropertyKey[],
): string[] {
  let holder: unknown = body.kind === "json" ? body.sent : undefined;
  return path.map(String).map((key) => {
    const tweetKey = BODY_WORDS[key] ?? key;
    const object: Readonly<Record<string, unknown>> = { ...Object(holder) };
    const absent = dialect === "post" ? key : tweetKey;
    const sent = [key, tweetKey].find((one) => Object.hasOwn(object, one)) ?? absent;
    holder = object[sent];
    return sent;
  });
}

import type * as z from "zod";
import { BODY_WORDS, type Dialect } from "../../interface/dialects.ts";
import { Refusal } from "./refusal.ts";
import type { Call } from "./route.ts";

/**
 * The JSON body of a request to the data interface, checked. An absent body is `{}`.
 *
 * @throws {Refusal} 400, one entry of `errors` per fault.
 */
export function jsonInput<T>(call: Call, schema: z.ZodType<T>): T {
  const value = call.body.kind === "json" ? call.body.value : {};
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw Refusal.invalid(result.error.issues.flatMap((issue) => faults(issue, call.dialect)));
}

interface Fault {
  readonly message: string;
  readonly parameters?: Record<string, string[]>;
}

/** One fault in the words of the live service, the path spelled as the caller would. */
function faults(issue: z.core.$ZodIssue, dialect: Dialect): Fault[] {
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

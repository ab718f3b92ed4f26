import type * as z from "zod";
import { Refusal } from "../kernel/refusal.ts";
import type { Call } from "../kernel/route.ts";

/**
 * The JSON body of a control request, checked. An absent body is `{}`.
 *
 * @throws {Refusal} 400 that names the key and what is wrong with it.
 */
export function controlInput<T>(call: Call, schema: z.ZodType<T>): T {
  if (call.body.kind !== "json" && call.body.kind !== "empty") {
    throw Refusal.control(
      400,
      "invalid_request",
      "Send a JSON body with content-type application/json.",
    );
  }
  const result = schema.safeParse(call.body.kind === "json" ? call.body.value : {});
  if (result.success) return result.data;
  throw Refusal.control(400, "invalid_request", problem(result.error));
}

/** One sentence per fault, each led by the path of its key. */
function problem(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`))
    .join("; ");
}

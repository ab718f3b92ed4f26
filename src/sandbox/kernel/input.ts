import type * as z from "zod";
import { Refusal } from "./refusal.ts";
import type { Call } from "./route.ts";

/**
 * The JSON body of a request to the data interface, checked. An absent body is `{}`.
 *
 * @throws {Refusal} 400, one entry of `errors` per fault.
 */
export function jsonInput<T>(call: Call, schema: z.ZodType<T>): T {
  const value = call.body.kind === "json" ? call.body.value : {};
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw Refusal.invalid(
    result.error.issues.map(({ path, message }) => ({
      message: path.length === 0 ? message : `$.${path.join(".")}: ${message}`,
    })),
  );
}

import type { RequestCaller } from "../../auth/caller.ts";
import { ApiError } from "../../kernel/http/api-error.ts";

/** Returns a caller that signed as an app without a user. @throws {ApiError} 401 for any other caller. */
export function requireSignedCaller(
  caller: RequestCaller,
): Extract<RequestCaller, { kind: "signed" }> {
  if (caller.kind !== "signed") throw ApiError.unauthorized();
  return caller;
}

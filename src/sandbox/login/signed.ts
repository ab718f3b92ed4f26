import type { Caller } from "../auth/caller.ts";
import { Refusal } from "../kernel/refusal.ts";

/** A caller that signed for itself. @throws {Refusal} 401 for any other. */
export function signedBy(caller: Caller): Extract<Caller, { kind: "signed" }> {
  if (caller.kind !== "signed") throw Refusal.unauthorized();
  return caller;
}

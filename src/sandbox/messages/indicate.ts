import type { UserRow } from "../model/accounts.ts";
import { emit } from "../activity/emit.ts";
import type { Sandbox } from "../kernel/sandbox.ts";

/**
 * Tells a person that another writes to them, or has read up to a message; nobody else hears of it.
 *
 * @param ref Id of the last message that was read.
 * @returns the event's id.
 */
export function indicate(
  sandbox: Sandbox,
  by: UserRow,
  to: UserRow,
  kind: "typing" | "read",
  ref?: string,
): string {
  return emit(sandbox, { kind, by: by.id, to: to.id, ref, involved: [to.id] });
}

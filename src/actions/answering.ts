import type { ActionType } from "./actions.ts";

const ANSWERING: ReadonlySet<ActionType> = new Set([
  "create_post",
  "quote",
  "reply_dm",
  "reply_post",
]);

/** Whether an action puts words before a person: of the rules of a group only one may do so. */
export function isAnswering(type: ActionType): boolean {
  return ANSWERING.has(type);
}

import type { ActionType } from "./actions.ts";

const ANSWERING: ReadonlySet<ActionType> = new Set([
  "create_post",
  "quote",
  "reply_dm",
  "reply_post",
]);

/** Whether an action sends or publishes a text. In a group of rules, only one rule may do this for an event. */
export function isAnswering(type: ActionType): boolean {
  return ANSWERING.has(type);
}

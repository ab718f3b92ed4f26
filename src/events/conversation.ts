import { type AccountEvent, CONVERSATION_KINDS, type UserId } from "./event.ts";

/** Values of `in`, the option by which a rule's trigger or a bot is limited to private or group conversations. */
export const CONVERSATION_SCOPES = [...CONVERSATION_KINDS, "any"] as const;
/** Kind of conversation to which a rule's trigger or a bot is limited. */
export type ConversationScope = (typeof CONVERSATION_SCOPES)[number];

/** Pattern of a group conversation's id. The id of a private conversation has a hyphen. */
export const GROUP_ID = /^\d{1,19}$/;

/** Returns whether an event happened in the kind of conversation `scope`; always true except for messages. */
export function isInScope(scope: ConversationScope, event: AccountEvent): boolean {
  return event.kind !== "message" || scope === "any" || scope === event.message.conversationKind;
}

/** Returns the id of the group in which the event happened; `undefined` outside of groups. */
export function groupOf(event: AccountEvent): string | undefined {
  if (event.kind !== "message" || event.message.conversationKind !== "group") return undefined;
  return event.message.conversationId;
}

/**
 * Returns whether a waiting run may take an event as its answer. In a group, only events of the run's own person count.
 *
 * @param person Returns the user id of the run's person.
 */
export function mayAnswer(event: AccountEvent, person: () => UserId | undefined): boolean {
  return groupOf(event) === undefined || ("sender" in event && event.sender.id === person());
}

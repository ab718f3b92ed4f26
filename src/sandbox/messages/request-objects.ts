import { renderContext } from "../data-query/viewer.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import { type UserRow, users } from "../model/accounts.ts";
import {
  isMessageListed,
  type GroupRow,
  groups,
  type MessageRow,
  messages,
  pairConversation,
} from "../model/messages.ts";
import { hiddenObjectError } from "../rendering/partial-errors.ts";
import type { RouteCall } from "../server/route.ts";

const PAIR = /^(\d{1,19})-(\d{1,19})$/;
const GROUP = /^\d{15,19}$/;

/** A conversation in which messages are sent and read. */
export type ConversationRef =
  | { readonly kind: "pair"; readonly id: string; readonly other: UserRow }
  | { readonly kind: "group"; readonly id: string; readonly group: GroupRow };

/**
 * Finds a conversation that a path names and the user is part of.
 *
 * @throws {ApiError} 400 for an invalid id, 403 if the user does not participate, 404 for an unknown conversation.
 */
export function conversationOf(
  call: RouteCall,
  user: UserRow,
  id: string,
  parameter: string,
): ConversationRef {
  const { world } = call.sandbox;
  const pair = PAIR.exec(id);
  if (pair !== null) {
    const [, a = "", b = ""] = pair;
    if (a !== user.id && b !== user.id) throw notParticipant();
    const otherId = a === user.id ? b : a;
    const other = users.in(world).get(otherId);
    if (other === undefined) throw missing(call, parameter, id);
    return { kind: "pair", id: pairConversation(user.id, otherId), other };
  }
  if (!GROUP.test(id)) {
    const message = `The \`${parameter}\` query parameter value [${id}] does not match ^([0-9]{1,19}-[0-9]{1,19}|[0-9]{15,19})$`;
    throw ApiError.parameter(parameter, id, message);
  }
  const group = groups.in(world).get(id);
  if (group === undefined) throw missing(call, parameter, id);
  if (!group.participantIds.includes(user.id)) throw notParticipant();
  return { kind: "group", id, group };
}

/** Finds a message event that the lists of a user contain. @throws {ApiError} 404. */
export function eventOf(call: RouteCall, user: UserRow, id: string): MessageRow {
  const event = messages.in(call.sandbox.world).get(id);
  if (event !== undefined && isMessageListed(event, user.id, call.sandbox.time.now())) return event;
  const reference = { resource: "dm_event", parameter: "event_id", value: id } as const;
  throw hiddenObjectError(renderContext(call), "missing", reference);
}

function notParticipant(): ApiError {
  return ApiError.forbidden("You are not a participant of this conversation.");
}

function missing(call: RouteCall, parameter: string, value: string): ApiError {
  const reference = { resource: "dm_conversation", parameter, value } as const;
  return hiddenObjectError(renderContext(call), "missing", reference);
}

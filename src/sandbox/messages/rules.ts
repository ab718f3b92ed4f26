import { type UserRow, users, acceptsMessagesFrom } from "../model/accounts.ts";
import { hiddenObjectError } from "../rendering/partial-errors.ts";
import { renderContext } from "../data-query/render-context.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { RouteCall } from "../server/route.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import {
  type GroupRow,
  groups,
  type MessageRow,
  messages,
  pairConversation,
} from "../model/messages.ts";

/** How far back lists of message events reach. Source: direct message lookup of the live service. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

const PAIR = /^(\d{1,19})-(\d{1,19})$/;
const GROUP = /^\d{15,19}$/;

/** A conversation in which messages are sent and read. */
export type ConversationRef =
  | { readonly kind: "pair"; readonly id: string; readonly other: UserRow }
  | { readonly kind: "group"; readonly id: string; readonly group: GroupRow };

/** @throws {ApiError} 403 where the recipient does not accept messages of the sender. */
export function refuseUnreachable({ world }: Sandbox, sender: UserRow, recipient: UserRow): void {
  if (sender.id === recipient.id) {
    throw ApiError.forbidden("You cannot send messages to yourself.", { v1: 150 });
  }
  if (acceptsMessagesFrom(world, sender.id, recipient)) return;
  throw ApiError.forbidden("You do not have permission to DM one or more participants.", {
    v1: 349,
  });
}

/**
 * A conversation that a path names and the user is part of.
 *
 * @throws {ApiError} 400 where the id is not valid, 403 where the user is not in it, 404 where it does not exist.
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

/** Removes an event from a user's lists; it stays in those of others. */
export function hideEvent({ world }: Sandbox, user: UserRow, event: MessageRow): void {
  const readers = event.readers.filter((id) => id !== user.id);
  messages.in(world).update(event.id, { readers });
}

export function isListed(event: MessageRow, userId: string, now: number): boolean {
  return event.at >= now - KEPT_MS && event.readers.includes(userId);
}

function notParticipant(): ApiError {
  return ApiError.forbidden("You are not a participant of this conversation.");
}

function missing(call: RouteCall, parameter: string, value: string): ApiError {
  const reference = { resource: "dm_conversation", parameter, value } as const;
  return hiddenObjectError(renderContext(call), "missing", reference);
}

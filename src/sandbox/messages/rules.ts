import { type User, users } from "../accounts/entities.ts";
import { receivesFrom } from "../accounts/receives.ts";
import { refuseUnseen } from "../fields/problems.ts";
import { readerOf } from "../fields/reader.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Call } from "../kernel/route.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type Group, groups, type Message, messages, pairConversation } from "./entities.ts";

/** How far back lists of message events reach. Source: direct message lookup of the live service. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

const PAIR = /^(\d{1,19})-(\d{1,19})$/;
const GROUP = /^\d{15,19}$/;

/** Where a message can be sent to, and read from. */
export type Conversation =
  | { readonly kind: "pair"; readonly id: string; readonly other: User }
  | { readonly kind: "group"; readonly id: string; readonly group: Group };

/** @throws {Refusal} 403 where the recipient does not take messages of the sender. */
export function refuseUnreachable({ world }: Sandbox, sender: User, recipient: User): void {
  if (sender.id === recipient.id) {
    throw Refusal.forbidden("You cannot send messages to yourself.", { v1: 150 });
  }
  if (receivesFrom(world, sender.id, recipient)) return;
  throw Refusal.forbidden("You do not have permission to DM one or more participants.", {
    v1: 349,
  });
}

/**
 * A conversation that a path names and the user takes part in.
 *
 * @throws {Refusal} 400 where the id is none, 403 where the user is not in it, 404 where it is not.
 */
export function conversationOf(
  call: Call,
  user: User,
  id: string,
  parameter: string,
): Conversation {
  const { world } = call.sandbox;
  const pair = PAIR.exec(id);
  if (pair !== null) {
    const [, a = "", b = ""] = pair;
    if (a !== user.id && b !== user.id) throw outsider();
    const otherId = a === user.id ? b : a;
    const other = users.in(world).get(otherId);
    if (other === undefined) throw missing(call, parameter, id);
    return { kind: "pair", id: pairConversation(user.id, otherId), other };
  }
  if (!GROUP.test(id)) {
    const message = `The \`${parameter}\` query parameter value [${id}] does not match ^([0-9]{1,19}-[0-9]{1,19}|[0-9]{15,19})$`;
    throw Refusal.parameter(parameter, id, message);
  }
  const group = groups.in(world).get(id);
  if (group === undefined) throw missing(call, parameter, id);
  if (!group.participantIds.includes(user.id)) throw outsider();
  return { kind: "group", id, group };
}

/** A message event in the lists of a user. @throws {Refusal} 404. */
export function eventOf(call: Call, user: User, id: string): Message {
  const event = messages.in(call.sandbox.world).get(id);
  if (event !== undefined && isKept(event, user.id, call.sandbox.time.now())) return event;
  const reference = { resource: "dm_event", parameter: "event_id", value: id } as const;
  throw refuseUnseen(readerOf(call), "missing", reference);
}

/** Takes an event out of a user's lists; others keep it. */
export function forgetEvent({ world }: Sandbox, user: User, event: Message): void {
  const readers = event.readers.filter((id) => id !== user.id);
  messages.in(world).update(event.id, { readers });
}

export function isKept(event: Message, userId: string, now: number): boolean {
  return event.at >= now - KEPT_MS && event.readers.includes(userId);
}

function outsider(): Refusal {
  return Refusal.forbidden("You are not a participant of this conversation.");
}

function missing(call: Call, parameter: string, value: string): Refusal {
  const reference = { resource: "dm_conversation", parameter, value } as const;
  return refuseUnseen(readerOf(call), "missing", reference);
}

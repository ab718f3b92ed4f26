import type { MessageEvent, Person, ReadEvent, TypingEvent } from "./event.ts";
import { personOf, withoutGaps } from "./person.ts";
import { entitiesOf } from "./post.ts";
import { numberAt, objectAt, textAt, type Wire } from "./wire.ts";

/** Element of `direct_message_events`. People come from the body's `users` map. */
export function messageEventOf(
  wire: Wire,
  body: Wire,
  accountId: string,
  arrivedAt: number,
): MessageEvent | undefined {
  const create = objectAt(wire, "message_create");
  const data = objectAt(create, "message_data");
  const id = textAt(wire, "id");
  const senderId = textAt(create, "sender_id");
  const recipientId = textAt(objectAt(create, "target"), "recipient_id");
  if (id === undefined || senderId === undefined || recipientId === undefined) return undefined;
  const own = senderId === accountId;
  const media = objectAt(objectAt(data, "attachment"), "media");
  return {
    kind: "message",
    key: `message:${id}`,
    accountId,
    at: numberAt(wire, "created_timestamp") ?? arrivedAt,
    direction: own ? "outbound" : "inbound",
    lane: `${accountId}/${own ? recipientId : senderId}`,
    triggers: own ? ["dm.sent"] : ["dm.received"],
    sender: personIn(body, senderId),
    message: withoutGaps({
      id,
      text: textAt(data, "text") ?? "",
      senderId,
      recipientId,
      conversationId: conversationOf(senderId, recipientId),
      sourceAppId: textAt(create, "source_app_id"),
      ...entitiesOf(objectAt(data, "entities")),
      mediaUrl: textAt(media, "media_url_https") ?? textAt(media, "media_url"),
    }),
  };
}

/** Element of `direct_message_indicate_typing_events`. */
export function typingEventOf(
  wire: Wire,
  body: Wire,
  accountId: string,
  arrivedAt: number,
): TypingEvent | undefined {
  const seen = signalOf(wire, body, accountId, arrivedAt);
  if (seen === undefined) return undefined;
  return { kind: "typing", ...seen, key: `typing:${seen.signal}`, triggers: ["dm.typing"] };
}

/** Element of `direct_message_mark_read_events`. */
export function readEventOf(
  wire: Wire,
  body: Wire,
  accountId: string,
  arrivedAt: number,
): ReadEvent | undefined {
  const seen = signalOf(wire, body, accountId, arrivedAt);
  if (seen === undefined) return undefined;
  const lastReadId = textAt(wire, "last_read_event_id") ?? "";
  return {
    kind: "read",
    ...seen,
    key: `read:${seen.signal}:${lastReadId}`,
    triggers: ["dm.read"],
    lastReadId,
  };
}

/** What typing and reading have in common: who, to whom, when; they have no id of their own. */
function signalOf(wire: Wire, body: Wire, accountId: string, arrivedAt: number) {
  const senderId = textAt(wire, "sender_id");
  const recipientId = textAt(objectAt(wire, "target"), "recipient_id");
  if (senderId === undefined || recipientId === undefined) return undefined;
  const at = numberAt(wire, "created_timestamp") ?? arrivedAt;
  const own = senderId === accountId;
  return {
    signal: `${senderId}>${recipientId}:${at}`,
    accountId,
    at,
    direction: own ? ("outbound" as const) : ("inbound" as const),
    lane: `${accountId}/${own ? recipientId : senderId}`,
    sender: personIn(body, senderId),
  };
}

function personIn(body: Wire, id: string): Person {
  return personOf(objectAt(objectAt(body, "users"), id)) ?? { id };
}

/** Id of the conversation of two people: their ids, the smaller first. */
export function conversationOf(one: string, other: string): string {
  const ordered = one.length === other.length ? one < other : one.length < other.length;
  return ordered ? `${one}-${other}` : `${other}-${one}`;
}

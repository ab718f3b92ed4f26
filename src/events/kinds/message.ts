import { conversationIdOf } from "../../protocol/conversation-id.ts";
import { GROUP_ID } from "../conversation.ts";
import { groupLaneOf, laneOf } from "../lane.ts";
import { namedIn, wholeText } from "../own-words.ts";
import { mediaUrlOf, textOf } from "../entities.ts";
import type { Message, MessageEvent } from "../event.ts";
import { type FieldsOf, maybe, part, SENDER, text, texts } from "../fields.ts";
import { personIn, withoutGaps } from "../person.ts";
import { idAt, numberAt, objectAt, textAt, textsAt, type Wire } from "../wire.ts";
import type { Delivery, EventKind } from "./event-kind.ts";

const MESSAGE: FieldsOf<Message> = {
  id: text((message) => message.id),
  text: text((message) => message.text),
  raw_text: text((message) => message.rawText ?? message.text),
  sender_id: text((message) => message.senderId),
  recipient_id: text((message) => message.recipientId),
  conversation_id: text((message) => message.conversationId),
  source_app_id: maybe(text((message) => message.sourceAppId)),
  source_app_name: maybe(text((message) => message.sourceAppName)),
  source_app_url: maybe(text((message) => message.sourceAppUrl)),
  hashtags: texts((message) => message.hashtags),
  cashtags: texts((message) => message.cashtags ?? []),
  urls: texts((message) => message.urls),
  mentions: texts((message) => message.mentions.map((mention) => mention.username)),
  mention_ids: texts((message) => message.mentions.map((mention) => mention.id)),
  media_url: maybe(text((message) => message.mediaUrl)),
  media_type: maybe(text((message) => message.mediaType)),
};

export const message: EventKind<MessageEvent> = {
  wire: { keys: ["direct_message_events"], read },
  fields: {
    ...SENDER,
    ...part("message", MESSAGE, (event: MessageEvent) => event.message),
    "conversation.id": text((event) => event.message.conversationId),
    "conversation.kind": text((event) => event.message.conversationKind),
    "conversation.participants": texts((event) => event.message.participants),
    text: text((event) => event.message.text),
  },
  answeredBy: "message",
  counterpart({ direction, message, sender }) {
    if (direction === "inbound") return sender.id;
    return message.conversationKind === "group" ? undefined : message.recipientId;
  },
};

/** Reads a message; its people come from the body's `users` map. */
function read(element: Wire, { body, accountId, arrivedAt }: Delivery): MessageEvent | undefined {
  const create = objectAt(element, "message_create");
  const data = objectAt(create, "message_data");
  const id = idAt(element, "id");
  const senderId = idAt(create, "sender_id");
  if (id === undefined || senderId === undefined) return undefined;
  const place = placeOf(objectAt(create, "target"), senderId, accountId);
  if (place === undefined) return undefined;
  const { lane, ...conversation } = place;
  const own = senderId === accountId;
  const media = objectAt(objectAt(data, "attachment"), "media");
  const sourceAppId = idAt(create, "source_app_id");
  const app = objectAt(objectAt(body, "apps"), sourceAppId ?? "");
  const written = wholeText(textAt(data, "text") ?? "");
  const entities = objectAt(data, "entities");
  return {
    kind: "message",
    key: `message:${id}`,
    accountId,
    at: numberAt(element, "created_timestamp") ?? arrivedAt,
    direction: own ? "outbound" : "inbound",
    lane,
    triggers: own ? ["dm.sent"] : ["dm.received"],
    sender: personIn(body, senderId),
    message: withoutGaps({
      id,
      senderId,
      ...conversation,
      sourceAppId,
      sourceAppName: textAt(app, "name"),
      sourceAppUrl: textAt(app, "url"),
      ...textOf(written, entities),
      mentions: namedIn(written, entities).mentions,
      mediaUrl: mediaUrlOf(media),
      mediaType: textAt(media, "type"),
    }),
  };
}

type Place = Pick<MessageEvent, "lane"> &
  Pick<Message, "recipientId" | "conversationId" | "conversationKind" | "participants">;

/** Reads the conversation from a message's `target`: a person, or a group with its participants. */
function placeOf(target: Wire | undefined, senderId: string, accountId: string): Place | undefined {
  const own = senderId === accountId;
  const conversationId = textAt(target, "dm_conversation_id");
  if (conversationId !== undefined && GROUP_ID.test(conversationId)) {
    return {
      lane: groupLaneOf(accountId, conversationId),
      recipientId: own ? conversationId : accountId,
      conversationId,
      conversationKind: "group",
      participants: [...new Set([...textsAt(target, "participant_ids"), senderId, accountId])],
    };
  }
  const recipientId = idAt(target, "recipient_id");
  // A message between two others is not private: it is from a group whose id is missing.
  if (recipientId === undefined || (!own && recipientId !== accountId)) return undefined;
  return {
    lane: laneOf(accountId, own ? recipientId : senderId),
    recipientId,
    conversationId: conversationIdOf(senderId, recipientId),
    conversationKind: "private",
    participants: [senderId, recipientId],
  };
}

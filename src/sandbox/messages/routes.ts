import { seenUser } from "../accounts/seen.ts";
import { appOf, userOf } from "../auth/caller.ts";
import { controlInput } from "../control/input.ts";
import { Includes } from "../fields/includes.ts";
import { Query } from "../fields/query.ts";
import { readerOf } from "../fields/reader.ts";
import { jsonInput } from "../kernel/input.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Answer, Call, Route } from "../kernel/route.ts";
import { attachable } from "../media/attach.ts";
import { groups, type Message, pairConversation } from "./entities.ts";
import { changeParticipants, createGroup } from "./groups.ts";
import { groupInput, type MessageInput, messageInput, participantsInput } from "./input.ts";
import { listEvents, readEventSelection, readList } from "./list.ts";
import { showEvent } from "./render.ts";
import {
  type Conversation,
  conversationOf,
  eventOf,
  forgetEvent,
  refuseUnreachable,
} from "./rules.ts";
import { sendMessage, sendToGroup } from "./send.ts";

const base = { auth: ["oauth1", "oauth2"], level: "read-write-directmessages" } as const;

const writing = {
  ...base,
  scopes: ["dm.write", "tweet.read", "users.read"],
  limits: { user: 15, userDay: 1_440, appDay: 1_440 },
} as const;

const reading = {
  ...base,
  scopes: ["dm.read", "tweet.read", "users.read"],
  limits: { user: 15 },
} as const;

export const routes: readonly Route[] = [
  {
    method: "POST",
    path: "/2/dm_conversations/with/:participant_id/messages",
    ...writing,
    handle: (call) => {
      const input = jsonInput(call, messageInput);
      const other = seenUser(call, call.params["participant_id"] ?? "", "participant_id");
      return send(call, input, { kind: "pair", id: "", other });
    },
  },
  {
    method: "POST",
    path: "/2/dm_conversations/:dm_conversation_id/messages",
    ...writing,
    handle: (call) => {
      const input = jsonInput(call, messageInput);
      const id = call.params["dm_conversation_id"] ?? "";
      const user = userOf(call.caller);
      return send(call, input, conversationOf(call, user, id, "dm_conversation_id"));
    },
  },
  {
    method: "POST",
    path: "/2/dm_conversations",
    ...writing,
    handle: (call) => {
      const { message, participant_ids: ids } = jsonInput(call, groupInput);
      const group = createGroup(call.sandbox, userOf(call.caller), ids);
      return send(call, message, { kind: "group", id: group.id, group });
    },
  },
  {
    method: "GET",
    path: "/2/dm_conversations/with/:user_id/dm_events",
    ...reading,
    handle: (call) => {
      const asked = readList(call);
      const other = seenUser(call, call.params["user_id"] ?? "", "participant_id");
      return listEvents(call, asked, pairConversation(userOf(call.caller).id, other.id));
    },
  },
  {
    method: "GET",
    path: "/2/dm_conversations/:dm_conversation_id/dm_events",
    ...reading,
    handle: (call) => {
      const asked = readList(call);
      const id = call.params["dm_conversation_id"] ?? "";
      return listEvents(call, asked, conversationOf(call, userOf(call.caller), id, "id").id);
    },
  },
  {
    method: "GET",
    path: "/2/dm_events",
    ...reading,
    handle: (call) => listEvents(call, readList(call)),
  },
  { method: "GET", path: "/2/dm_events/:event_id", ...reading, handle: one },
  {
    method: "DELETE",
    path: "/2/dm_events/:event_id",
    ...base,
    scopes: ["dm.read", "dm.write"],
    limits: { user: 300, userDay: 1_500, appDay: 4_000 },
    handle: (call) => {
      const user = userOf(call.caller);
      forgetEvent(call.sandbox, user, eventOf(call, user, call.params["event_id"] ?? ""));
      return { body: { data: { deleted: true } } };
    },
  },
  {
    method: "POST",
    path: "/_sandbox/dm_conversations/:id/participants",
    auth: ["control"],
    handle: (call) => {
      const id = call.params["id"] ?? "";
      const group = groups.in(call.sandbox.world).get(id);
      if (group === undefined) {
        throw Refusal.control(404, "unknown_conversation", `There is no group ${id}.`);
      }
      const changed = changeParticipants(
        call.sandbox,
        group,
        controlInput(call, participantsInput),
      );
      return { body: { dm_conversation_id: id, participant_ids: changed.participantIds } };
    },
  },
];

function send(call: Call, input: MessageInput, to: Conversation): Answer {
  const { sandbox } = call;
  const sender = userOf(call.caller);
  const mediaIds = input.attachments?.map(({ media_id: id }) => id) ?? [];
  attachable(sandbox, sender, mediaIds, "message");
  const enclosed = { appId: appOf(call.caller).id, mediaIds };
  const text = input.text ?? "";
  let sent: Message;
  if (to.kind === "group") sent = sendToGroup(sandbox, sender, to.group, text, enclosed);
  else {
    refuseUnreachable(sandbox, sender, to.other);
    sent = sendMessage(sandbox, sender, to.other, text, enclosed);
  }
  const data = { dm_conversation_id: sent.conversationId, dm_event_id: sent.id };
  return { status: 201, body: { data } };
}

function one(call: Call): Answer {
  const query = new Query(call);
  const id = query.pathId("event_id");
  const selection = readEventSelection(query);
  query.done();
  const reader = readerOf(call);
  const includes = new Includes(reader, selection);
  const data = showEvent(reader, eventOf(call, userOf(call.caller), id), selection, includes);
  return { body: { data, ...includes.body() } };
}

import { DESCRIBED, documented } from "../kernel/ledger.ts";
import { findVisibleUser, renderContext } from "../data-query/viewer.ts";
import { appOf, userOf } from "../auth/caller.ts";
import { controlInput, ownRoute } from "../server/control-input.ts";
import { Includes } from "../rendering/includes.ts";
import { Query } from "../data-query/query.ts";
import { jsonInput } from "../server/input.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { RouteResponse, RouteCall, Route } from "../server/route.ts";
import { requireAttachable } from "../media/attach.ts";
import { groups, type MessageRow, pairConversation } from "../model/messages.ts";
import { renderEvent } from "../rendering/messages.ts";
import { changeParticipants, createGroup } from "./groups.ts";
import { groupInput, type MessageInput, messageInput, participantsInput } from "./input.ts";
import { listEvents, readEventSelection, readEventListRequest } from "./list-requests.ts";
import { eventOf, type ConversationRef, conversationOf } from "./request-objects.ts";
import { hideEvent, refuseUnreachable } from "./rules.ts";
import { sendMessage, sendToGroup } from "./send.ts";

/** Fidelity note of message endpoints that the documentation names without describing their bodies. */
const NAMED = documented(
  "Direct message endpoints",
  "Bodies follow the live service's API description.",
);

const base = { auth: ["oauth1", "oauth2"], level: "read-write-directmessages" } as const;

const writing = {
  ...base,
  ledger: NAMED,
  scopes: ["dm.write", "tweet.read", "users.read"],
  limits: { user: 15, userDay: 1_440, appDay: 1_440 },
} as const;

const reading = {
  ...base,
  ledger: NAMED,
  scopes: ["dm.read", "tweet.read", "users.read"],
  limits: { user: 15 },
} as const;

export const routes: readonly Route[] = [
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
      // A refused request leaves no group behind.
      attachableMedia(call, message);
      const group = createGroup(call.sandbox, userOf(call.caller), ids);
      return send(call, message, { kind: "group", id: group.id, group });
    },
  },
  {
    method: "POST",
    path: "/2/dm_conversations/with/:participant_id/messages",
    ...writing,
    handle: (call) => {
      const input = jsonInput(call, messageInput);
      const other = findVisibleUser(call, call.params["participant_id"] ?? "", "participant_id");
      return send(call, input, { kind: "pair", id: "", other });
    },
  },
  {
    method: "GET",
    path: "/2/dm_conversations/with/:user_id/dm_events",
    ...reading,
    handle: (call) => {
      const request = readEventListRequest(call, "user_id");
      const other = findVisibleUser(call, call.params["user_id"] ?? "", "user_id");
      return listEvents(call, request, pairConversation(userOf(call.caller).id, other.id));
    },
  },
  {
    method: "GET",
    path: "/2/dm_conversations/:dm_conversation_id/dm_events",
    ...reading,
    handle: (call) => {
      const request = readEventListRequest(call);
      const id = call.params["dm_conversation_id"] ?? "";
      return listEvents(call, request, conversationOf(call, userOf(call.caller), id, "id").id);
    },
  },
  {
    method: "GET",
    path: "/2/dm_events",
    ...reading,
    handle: (call) => listEvents(call, readEventListRequest(call)),
  },
  {
    method: "GET",
    path: "/2/dm_events/:event_id",
    ...reading,
    ledger: DESCRIBED,
    handle: getEvent,
  },
  {
    method: "DELETE",
    path: "/2/dm_events/:event_id",
    ...base,
    ledger: DESCRIBED,
    scopes: ["dm.read", "dm.write"],
    limits: { user: 300, userDay: 1_500, appDay: 4_000 },
    handle: (call) => {
      const user = userOf(call.caller);
      hideEvent(call.sandbox, user, eventOf(call, user, call.params["event_id"] ?? ""));
      return { body: { data: { deleted: true } } };
    },
  },
  {
    method: "POST",
    path: "/_sandbox/dm_conversations/:id/participants",
    ...ownRoute("lets users into a group or out of it."),
    handle: (call) => {
      const id = call.params["id"] ?? "";
      const group = groups.in(call.sandbox.world).get(id);
      if (group === undefined) {
        throw ApiError.control(404, "unknown_conversation", `There is no group ${id}.`);
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

function send(call: RouteCall, input: MessageInput, to: ConversationRef): RouteResponse {
  const { sandbox } = call;
  const sender = userOf(call.caller);
  const extras = { appId: appOf(call.caller).id, mediaIds: attachableMedia(call, input) };
  const text = input.text ?? "";
  let sent: MessageRow;
  if (to.kind === "group") sent = sendToGroup(sandbox, sender, to.group, text, extras);
  else {
    refuseUnreachable(sandbox, sender, to.other);
    sent = sendMessage(sandbox, sender, to.other, text, extras);
  }
  const data = { dm_conversation_id: sent.conversationId, dm_event_id: sent.id };
  return { status: 201, body: { data } };
}

/** Returns the ids of a message's media. @throws {ApiError} 400 for media that cannot be attached. */
function attachableMedia(
  { sandbox, caller }: RouteCall,
  { attachments = [] }: MessageInput,
): string[] {
  const mediaIds = attachments.map(({ media_id: id }) => id);
  requireAttachable(sandbox, userOf(caller), mediaIds, "message");
  return mediaIds;
}

function getEvent(call: RouteCall): RouteResponse {
  const query = new Query(call);
  const id = query.pathId("event_id");
  const selection = readEventSelection(query);
  query.finish();
  const context = renderContext(call);
  const includes = new Includes(context, selection);
  const data = renderEvent(context, eventOf(call, userOf(call.caller), id), selection, includes);
  return { body: { data, ...includes.body() } };
}

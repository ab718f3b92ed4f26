import * as z from "zod";
import { type UserRow, users } from "../../../model/accounts.ts";
import { hiddenUserReason } from "../../../model/hidden-reason.ts";
import { messageInEvent } from "../../../rendering/events/message.ts";
import { appOf, userOf } from "../../../auth/caller.ts";
import type { PagedList } from "../../../kernel/world/paging.ts";
import type { Route, RouteCall, RouteResponse } from "../../../server/route.ts";
import { isMessageListed, type MessageRow, messages } from "../../../model/messages.ts";
import { indicate, sendMessage } from "../../../messages/send.ts";
import { hideEvent, refuseUnreachable } from "../../../messages/rules.ts";
import { badParameter, coded } from "../coded-errors.ts";
import { LegacyParameters } from "../parameters.ts";
import { legacyBody } from "../respond.ts";
import { bodyOf, MESSAGING, messageData, requireMedia, wireId } from "./message-input.ts";
import { requestedPage } from "./pages.ts";

const EVENTS = "/1.1/direct_messages/events";

/** Body of a new message. */
const input = z.object({
  event: z.object({
    type: z.literal("message_create"),
    message_create: z.object({
      target: z.object({ recipient_id: wireId }),
      message_data: messageData,
    }),
  }),
});

/** Routes for direct messages between two people; group messages are excluded. */
export const messageRoutes: readonly Route[] = [
  {
    ...MESSAGING,
    method: "POST",
    path: `${EVENTS}/new.json`,
    limits: { userDay: 1_000, appDay: 15_000 },
    handle: send,
  },
  {
    ...MESSAGING,
    method: "GET",
    path: `${EVENTS}/show.json`,
    limits: { user: 15 },
    handle: (call) => {
      const row = findMessage(call, new LegacyParameters(call).requiredId("id"));
      const [event] = rendered(call, [row]).events;
      return legacyBody({ event, ...appsOf(call, [row]) });
    },
  },
  { ...MESSAGING, method: "GET", path: `${EVENTS}/list.json`, limits: { user: 15 }, handle: list },
  {
    ...MESSAGING,
    method: "DELETE",
    path: `${EVENTS}/destroy.json`,
    limits: { userDay: 1_500 },
    handle: (call) => {
      const row = findMessage(call, new LegacyParameters(call).requiredId("id"));
      hideEvent(call.sandbox, userOf(call.caller), row);
      return { status: 204 };
    },
  },
  {
    ...MESSAGING,
    method: "POST",
    path: "/1.1/direct_messages/indicate_typing.json",
    limits: { userDay: 5_000 },
    handle: (call) => sendIndicator(call, "typing"),
  },
  {
    ...MESSAGING,
    method: "POST",
    path: "/1.1/direct_messages/mark_read.json",
    limits: { userDay: 5_000 },
    handle: (call) => {
      const lastId = new LegacyParameters(call).requiredId("last_read_event_id");
      return sendIndicator(call, "read", findMessage(call, lastId).id);
    },
  },
];

/** Shows the other person that the caller is typing or has read a message; the response is empty. */
function sendIndicator(call: RouteCall, kind: "typing" | "read", ref?: string): RouteResponse {
  const params = new LegacyParameters(call);
  indicate(
    call.sandbox,
    userOf(call.caller),
    recipientOf(call, params.requiredId("recipient_id")),
    kind,
    ref,
  );
  return { status: 204 };
}

/** Finds the recipient of a message. @throws {ApiError} 404, code 108. */
function recipientOf({ sandbox }: RouteCall, recipientId: string): UserRow {
  const recipient = users.in(sandbox.world).get(recipientId);
  if (recipient !== undefined && hiddenUserReason(recipient) === undefined) return recipient;
  throw coded("recipientMissing");
}

function send(call: RouteCall): RouteResponse {
  const { sandbox } = call;
  const { target, message_data: data } = bodyOf(call, input).event.message_create;
  const sender = userOf(call.caller);
  const recipient = recipientOf(call, target.recipient_id);
  const mediaIds = data.attachment === undefined ? [] : [data.attachment.media.id];
  if (data.text === "" && mediaIds.length === 0) {
    throw badParameter("event.message_create.message_data.text");
  }
  // Recorded responses show that the live service accepts messages from a user to themselves.
  if (recipient.id !== sender.id) refuseUnreachable(sandbox, sender, recipient);
  requireMedia(call, mediaIds);
  const extras = { appId: appOf(call.caller).id, mediaIds };
  const sent = sendMessage(sandbox, sender, recipient, data.text, extras);
  const [event] = rendered(call, [sent]).events;
  return legacyBody({ event });
}

/** Lists the messages of the last thirty days, newest first. */
function list(call: RouteCall): RouteResponse {
  const { world } = call.sandbox;
  const user = userOf(call.caller);
  const now = call.sandbox.time.now();
  const table = messages.in(world);
  const all: PagedList<MessageRow> = {
    descending: (below) => table.descending("reader", user.id, below),
    ascending: (above) => table.ascending("reader", user.id, above),
    orderOf: ({ id: order }) => order,
    keep: (row) => isBetweenTwo(row) && isMessageListed(row, user.id, now),
  };
  const { items, cursor } = requestedPage(call, all);
  return legacyBody({ ...rendered(call, items), ...appsOf(call, items), ...cursor });
}

function isBetweenTwo({ change, recipientId }: MessageRow): boolean {
  return change === undefined && recipientId !== undefined;
}

/** Finds a message of the caller. @throws {ApiError} 404, code 34. */
function findMessage({ sandbox, caller }: RouteCall, messageId: string): MessageRow {
  const row = messages.in(sandbox.world).get(messageId);
  const isThere =
    row !== undefined &&
    isBetweenTwo(row) &&
    isMessageListed(row, userOf(caller).id, sandbox.time.now());
  if (isThere) return row;
  throw coded("pageMissing");
}

function rendered(call: RouteCall, rows: readonly MessageRow[]): { events: unknown[] } {
  return { events: rows.flatMap((row) => partsOf(call, row)?.events ?? []) };
}

/** Returns the field `apps` of a response: the apps that sent the messages. Without messages the field is absent. */
function appsOf(call: RouteCall, rows: readonly MessageRow[]): { apps?: object } {
  if (rows.length === 0) return {};
  const apps = rows.map((row) => partsOf(call, row)?.apps ?? {});
  return { apps: Object.assign({}, ...apps) };
}

function partsOf(
  { sandbox: { world }, origin }: RouteCall,
  row: MessageRow,
): { events: unknown[]; apps: object } | undefined {
  const recipient = users.in(world).get(row.recipientId ?? "");
  if (recipient === undefined) return undefined;
  const rendering = messageInEvent(world, row, recipient.id, origin);
  const { direct_message_events: events, apps } = rendering;
  return { events: Array.isArray(events) ? events : [], apps: Object(apps) };
}

import * as z from "zod";
import { type UserRow, users } from "../../../model/accounts.ts";
import { hiddenUserReason } from "../../../model/hidden-reason.ts";
import { messageInEvent } from "../../../rendering/events/message.ts";
import { appOf, userOf } from "../../../auth/caller.ts";
import {
  decodeCursor,
  encodeCursor,
  pageOf,
  type PagedList,
} from "../../../kernel/world/paging.ts";
import { ApiError } from "../../../kernel/http/api-error.ts";
import type { Route, RouteCall, RouteResponse } from "../../../server/route.ts";
import type { SandboxWorld } from "../../../kernel/world/sandbox-world.ts";
import { requireAttachable } from "../../../media/attach.ts";
import { type MessageRow, messages } from "../../../model/messages.ts";
import { indicate, sendMessage } from "../../../messages/send.ts";
import { hideEvent, isListed, refuseUnreachable } from "../../../messages/rules.ts";
import { LEGACY } from "../../ledger.ts";
import { badParameter, coded } from "../coded-errors.ts";
import { LegacyParameters } from "../parameters.ts";
import { legacyBody } from "../respond.ts";

const EVENTS = "/1.1/direct_messages/events";
const COUNTS = { max: 50, fallback: 20 };

/** Clients write ids as numbers, too. */
const id = z
  .union([z.string(), z.int(), z.bigint()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,19}$/, "is not valid"));

/** Body of a new message. Other fields, such as quick replies for people's clients, are ignored. */
const input = z.object({
  event: z.object({
    type: z.literal("message_create"),
    message_create: z.object({
      target: z.object({ recipient_id: id }),
      message_data: z.object({
        text: z.string().max(10_000).default(""),
        attachment: z.object({ type: z.literal("media"), media: z.object({ id }) }).optional(),
      }),
    }),
  }),
});

const base = { ledger: LEGACY, auth: ["oauth1"], level: "read-write-directmessages" } as const;

/** Routes for direct messages between two people; group messages are excluded. */
export const messageRoutes: readonly Route[] = [
  {
    ...base,
    method: "POST",
    path: `${EVENTS}/new.json`,
    limits: { userDay: 1_000, appDay: 15_000 },
    handle: send,
  },
  {
    ...base,
    method: "GET",
    path: `${EVENTS}/show.json`,
    limits: { user: 15 },
    handle: (call) => {
      const { world } = call.sandbox;
      const row = findMessage(call, new LegacyParameters(call).requiredId("id"));
      const [event] = rendered(world, [row]).events;
      return legacyBody({ event, ...appsOf(world, [row]) });
    },
  },
  { ...base, method: "GET", path: `${EVENTS}/list.json`, limits: { user: 15 }, handle: list },
  {
    ...base,
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
    ...base,
    method: "POST",
    path: "/1.1/direct_messages/indicate_typing.json",
    limits: { userDay: 5_000 },
    handle: (call) => sendIndicator(call, "typing"),
  },
  {
    ...base,
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
  const result = input.safeParse(call.body.kind === "json" ? call.body.value : {});
  if (!result.success) throw malformed(result.error);
  const { target, message_data: data } = result.data.event.message_create;
  const sender = userOf(call.caller);
  const recipient = recipientOf(call, target.recipient_id);
  const mediaIds = data.attachment === undefined ? [] : [data.attachment.media.id];
  if (data.text === "" && mediaIds.length === 0) {
    throw badParameter("event.message_create.message_data.text");
  }
  // The live service accepts messages to oneself, as recorded.
  if (recipient.id !== sender.id) refuseUnreachable(sandbox, sender, recipient);
  requireMedia(call, mediaIds);
  const extras = { appId: appOf(call.caller).id, mediaIds };
  const sent = sendMessage(sandbox, sender, recipient, data.text, extras);
  const [event] = rendered(sandbox.world, [sent]).events;
  return legacyBody({ event });
}

function requireMedia(call: RouteCall, mediaIds: readonly string[]): void {
  try {
    requireAttachable(call.sandbox, userOf(call.caller), mediaIds, "message");
  } catch (error) {
    throw error instanceof ApiError ? coded("badMedia") : error;
  }
}

function malformed({ issues: [issue] }: z.ZodError): ApiError {
  const message = `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is not valid"}`;
  return new ApiError({ status: 400, v1: 214, code: "v1_214", message });
}

/** Lists the messages of the last thirty days, newest first. */
function list(call: RouteCall): RouteResponse {
  const params = new LegacyParameters(call);
  const { world } = call.sandbox;
  const user = userOf(call.caller);
  const token = params.text("cursor");
  const cursor = token === undefined ? undefined : decodeCursor(token);
  if (token !== undefined && cursor === undefined) throw badParameter("cursor");
  const now = call.sandbox.time.now();
  const table = messages.in(world);
  const all: PagedList<MessageRow> = {
    descending: (below) => table.descending("reader", user.id, below),
    ascending: (above) => table.ascending("reader", user.id, above),
    orderOf: ({ id: order }) => order,
    keep: (row) => isBetweenTwo(row) && isListed(row, user.id, now),
  };
  const { items } = pageOf(all, { size: params.count(COUNTS), cursor });
  const last = items.at(-1);
  return legacyBody({
    ...rendered(world, items),
    ...appsOf(world, items),
    // Every page has a next page until a page is empty, as recorded of the live service.
    ...(last === undefined
      ? {}
      : { next_cursor: encodeCursor({ direction: "older", id: last.id }) }),
  });
}

function isBetweenTwo({ change, recipientId }: MessageRow): boolean {
  return change === undefined && recipientId !== undefined;
}

/** Finds a message of the caller. @throws {ApiError} 404, code 34. */
function findMessage({ sandbox, caller }: RouteCall, messageId: string): MessageRow {
  const row = messages.in(sandbox.world).get(messageId);
  const isThere =
    row !== undefined && isBetweenTwo(row) && isListed(row, userOf(caller).id, sandbox.time.now());
  if (isThere) return row;
  throw coded("pageMissing");
}

function rendered(world: SandboxWorld, rows: readonly MessageRow[]): { events: unknown[] } {
  return { events: rows.flatMap((row) => partsOf(world, row)?.events ?? []) };
}

/** Returns the apps that sent the messages; absent without messages. */
function appsOf(world: SandboxWorld, rows: readonly MessageRow[]): { apps?: object } {
  if (rows.length === 0) return {};
  const apps = rows.map((row) => partsOf(world, row)?.apps ?? {});
  return { apps: Object.assign({}, ...apps) };
}

function partsOf(
  world: SandboxWorld,
  row: MessageRow,
): { events: unknown[]; apps: object } | undefined {
  const recipient = users.in(world).get(row.recipientId ?? "");
  if (recipient === undefined) return undefined;
  const { direct_message_events: events, apps } = messageInEvent(world, row, recipient.id);
  return { events: Array.isArray(events) ? events : [], apps: Object(apps) };
}

import * as z from "zod";
import { appOf, userOf } from "../../../auth/caller.ts";
import { apps } from "../../../model/apps.ts";
import type { SandboxWorld } from "../../../kernel/world/sandbox-world.ts";
import {
  type WelcomeMessageRow,
  welcomeMessages,
  welcomeRules,
} from "../../../model/welcome-messages.ts";
import { mediaInEvent } from "../../../rendering/events/media.ts";
import { wireEntities } from "../../../rendering/events/post.ts";
import type { WireObject } from "../../../rendering/selection.ts";
import { shownText } from "../../../rendering/shown-text.ts";
import type { Route, RouteCall } from "../../../server/route.ts";
import { coded } from "../coded-errors.ts";
import { LegacyParameters } from "../parameters.ts";
import { legacyBody } from "../respond.ts";
import { bodyOf, MESSAGING, messageData, requireMedia } from "./message-input.ts";
import { requestedPage, rowsOf } from "./pages.ts";

const PATH = "/1.1/direct_messages/welcome_messages";
const limits = { user: 15 } as const;

const newMessage = z.object({
  welcome_message: z.object({ name: z.string().max(100).default(""), message_data: messageData }),
});
const changedMessage = z.object({ message_data: messageData });

/** Routes for the caller's welcome messages. */
export const welcomeRoutes: readonly Route[] = [
  {
    ...MESSAGING,
    method: "POST",
    path: `${PATH}/new.json`,
    limits: { userDay: 1_000 },
    handle: (call) => {
      const { name, message_data: data } = bodyOf(call, newMessage).welcome_message;
      const { world, time } = call.sandbox;
      const row = welcomeMessages.in(world).put({
        id: world.ids.next(),
        ownerId: userOf(call.caller).id,
        name,
        at: time.now(),
        appId: appOf(call.caller).id,
        ...contentOf(call, data),
      });
      return legacyBody(shown(world, row));
    },
  },
  {
    ...MESSAGING,
    method: "GET",
    path: `${PATH}/show.json`,
    limits,
    handle: (call) => legacyBody(shown(call.sandbox.world, ownMessage(call))),
  },
  {
    ...MESSAGING,
    method: "PUT",
    path: `${PATH}/update.json`,
    limits,
    handle: (call) => {
      const row = ownMessage(call);
      const { message_data: data } = bodyOf(call, changedMessage);
      const { mediaIds: _replaced, ...facts } = row;
      const { world } = call.sandbox;
      const changed = welcomeMessages.in(world).put({ ...facts, ...contentOf(call, data) });
      return legacyBody(shown(world, changed));
    },
  },
  {
    ...MESSAGING,
    method: "GET",
    path: `${PATH}/list.json`,
    limits,
    handle: (call) => {
      const { world } = call.sandbox;
      const own = rowsOf(welcomeMessages.in(world), userOf(call.caller).id);
      const { items, cursor } = requestedPage(call, own);
      return legacyBody({
        welcome_messages: items.map((row) => rendered(world, row)),
        ...(items.length === 0
          ? {}
          : { apps: Object.assign({}, ...items.map((row) => appsOf(world, row))) }),
        ...cursor,
      });
    },
  },
  {
    ...MESSAGING,
    method: "DELETE",
    path: `${PATH}/destroy.json`,
    limits,
    handle: (call) => {
      const { id } = ownMessage(call);
      const { world } = call.sandbox;
      welcomeMessages.in(world).delete(id);
      for (const rule of welcomeRules.in(world).where("message", id)) {
        welcomeRules.in(world).delete(rule.id);
      }
      return { status: 204 };
    },
  },
];

/** Finds a welcome message of the caller by the parameter `id`. @throws {ApiError} 404, code 34. */
function ownMessage(call: RouteCall): WelcomeMessageRow {
  return ownMessageOf(call, new LegacyParameters(call).requiredId("id"));
}

/** Finds a welcome message of the caller. @throws {ApiError} 404, code 34. */
export function ownMessageOf({ sandbox, caller }: RouteCall, id: string): WelcomeMessageRow {
  const row = welcomeMessages.in(sandbox.world).get(id);
  if (row?.ownerId === userOf(caller).id) return row;
  throw coded("pageMissing");
}

/** Returns the stored content of a message. @throws {ApiError} 400 for media that cannot be attached. */
function contentOf(
  call: RouteCall,
  { text, attachment }: z.infer<typeof messageData>,
): Pick<WelcomeMessageRow, "text" | "mediaIds"> {
  if (attachment === undefined) return { text };
  const mediaIds = [attachment.media.id];
  requireMedia(call, mediaIds);
  return { text, mediaIds };
}

function shown(world: SandboxWorld, row: WelcomeMessageRow): WireObject {
  return { welcome_message: rendered(world, row), apps: appsOf(world, row) };
}

function rendered(world: SandboxWorld, row: WelcomeMessageRow): WireObject {
  const text = shownText(row.text);
  const { hashtags, symbols, user_mentions, urls } = wireEntities(world, text);
  const [attached] = mediaInEvent(world, row.mediaIds ?? [], undefined, {
    id: row.id,
    baseUrl: world.baseUrl,
  });
  return {
    id: row.id,
    created_timestamp: String(row.at),
    message_data: {
      text: text.text,
      entities: { hashtags, symbols, user_mentions, urls },
      ...(attached === undefined ? {} : { attachment: { type: "media", media: attached } }),
    },
    source_app_id: row.appId,
    ...(row.name === "" ? {} : { name: row.name }),
  };
}

function appsOf(world: SandboxWorld, { appId }: WelcomeMessageRow): WireObject {
  const app = apps.in(world).get(appId);
  if (app === undefined) return {};
  return { [app.id]: { id: app.id, name: app.name, url: app.websiteUrl } };
}

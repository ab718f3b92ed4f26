import { expect, it } from "vitest";
import { ENDPOINTS } from "../../../src/client/client.ts";
import type { Endpoint } from "../../../src/client/http/endpoint.ts";

const tables: readonly Readonly<Record<string, Endpoint>>[] = Object.values(ENDPOINTS);
const endpoints = tables.flatMap((table) => Object.values(table));

const ACTIVITY = "/2/account_activity/webhooks/:webhook_id/subscriptions";
const TAGS = "/accounts/:account_id/app_event_tags";
const LISTS = "/accounts/:account_id/app_lists";

/** Endpoints of the platform's API that need credentials, with the kinds of credentials that each accepts. */
const DOCUMENTED = [
  ["GET", "/2/posts/search/recent", "bearer oauth1 oauth2"],
  ["POST", "/2/dm_conversations", "oauth1 oauth2"],
  ["POST", "/2/dm_conversations/:dm_conversation_id/messages", "oauth1 oauth2"],
  ["POST", "/2/dm_conversations/with/:participant_id/messages", "oauth1 oauth2"],
  ["GET", "/2/dm_conversations/with/:user_id/dm_events", "oauth1 oauth2"],
  ["GET", "/2/dm_conversations/:dm_conversation_id/dm_events", "oauth1 oauth2"],
  ["GET", "/2/dm_events", "oauth1 oauth2"],
  ["POST", "/2/media/upload", "oauth1 oauth2"],
  ["POST", "/2/webhooks", "bearer"],
  ["GET", "/2/webhooks", "bearer"],
  ["DELETE", "/2/webhooks/:webhook_id", "bearer"],
  ["PUT", "/2/webhooks/:webhook_id", "bearer"],
  ["POST", `${ACTIVITY}/all`, "oauth1"],
  ["GET", `${ACTIVITY}/all`, "oauth1"],
  ["DELETE", `${ACTIVITY}/:user_id/all`, "bearer"],
  ["GET", `${ACTIVITY}/all/list`, "bearer"],
  ["GET", "/2/account_activity/subscriptions/count", "bearer"],
  ["POST", "/2/account_activity/replay/webhooks/:webhook_id/subscriptions/all", "bearer"],
  ["POST", "/conversion_event", "oauth1"],
  ["GET", "/conversion_attribution", "oauth1"],
  ["GET", TAGS, "oauth1"],
  ["GET", `${TAGS}/:app_event_tag_id`, "oauth1"],
  ["POST", TAGS, "oauth1"],
  ["DELETE", `${TAGS}/:app_event_tag_id`, "oauth1"],
  ["GET", LISTS, "oauth1"],
  ["GET", `${LISTS}/:app_list_id`, "oauth1"],
] as const;

it.each(DOCUMENTED)("%s %s is called with %s", (method, path, takes) => {
  const matches = endpoints.filter((one) => one.method === method && one.path === path);
  expect(matches).not.toEqual([]);
  expect(matches.every((one) => one.takes.join(" ") === takes)).toBe(true);
});

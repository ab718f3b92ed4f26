import type { ENDPOINTS } from "../../../src/client/client.ts";
import { appEventTags, appLists, conversions } from "./ads.ts";
import { connections } from "./connections.ts";
import { filteredStream } from "./filtered-stream.ts";
import { media } from "./media.ts";
import { dms } from "./messages.ts";
import { account, blocks, follows, mutes, users } from "./people.ts";
import { lists, spaces } from "./lists.ts";
import { bookmarks, counts, likes, posts, reposts, timelines } from "./posts.ts";
import { activitySubscriptions } from "./activity-subscriptions.ts";
import { activity, replay, webhooks } from "./webhooks.ts";
import { usage } from "./usage.ts";
import type { CallsOf } from "./stage.ts";

/** Calls of every method of every resource. A missing method does not compile. */
export const CALLS: { readonly [Resource in keyof typeof ENDPOINTS]: CallsOf<Resource> } = {
  posts,
  counts,
  filteredStream,
  users,
  timelines,
  likes,
  reposts,
  bookmarks,
  lists,
  spaces,
  follows,
  blocks,
  mutes,
  dms,
  webhooks,
  activity,
  activitySubscriptions,
  replay,
  usage,
  connections,
  media,
  account,
  conversions,
  appEventTags,
  appLists,
};

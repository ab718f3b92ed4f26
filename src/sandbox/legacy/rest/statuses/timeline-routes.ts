import type { UserRow } from "../../../model/accounts.ts";
import { userOf } from "../../../auth/caller.ts";
import { pageOf } from "../../../kernel/world/paging.ts";
import { renderContext } from "../../../data-query/viewer.ts";
import type { Route, RouteCall, RouteResponse } from "../../../server/route.ts";
import { likes, type PostRow, posts } from "../../../model/posts.ts";
import { hiddenPostReason } from "../../../model/hidden-reason.ts";
import {
  mentionsOf,
  pagedLikes,
  pagedPosts,
  type PostIndexValue,
  homeAuthors,
} from "../../../posts/reading/paged-posts.ts";
import { like, unlike } from "../../../posts/writing/write.ts";
import { LEGACY } from "../../ledger.ts";
import { boundsOf, LegacyParameters } from "../parameters.ts";
import { coded } from "../coded-errors.ts";
import { findOriginal, readablePerson } from "../find.ts";
import { renderStatus } from "../render-status.ts";
import { viewOf } from "../status-view.ts";
import { legacyBody } from "../respond.ts";

const COUNTS = { max: 200, fallback: 20 };

const ofUser = { ledger: LEGACY, auth: ["oauth1"] } as const;
const ofAnybody = { ledger: LEGACY, auth: ["oauth1", "bearer"] } as const;

/** Routes for timelines, and for likes under their older name. */
export const timelineRoutes: readonly Route[] = [
  {
    ...ofUser,
    method: "GET",
    path: "/1.1/statuses/home_timeline.json",
    limits: { user: 15 },
    handle: (call) => {
      const user = userOf(call.caller);
      const authors = homeAuthors(call.sandbox.world, user);
      return timeline(
        call,
        authors.map((value) => ({ index: "author", value }) as const),
      );
    },
  },
  {
    ...ofAnybody,
    method: "GET",
    path: "/1.1/statuses/user_timeline.json",
    limits: { app: 1_500, user: 900 },
    handle: (call) => {
      const { id: value } = readablePerson(call, new LegacyParameters(call));
      return timeline(call, [{ index: "author", value }]);
    },
  },
  {
    ...ofUser,
    method: "GET",
    path: "/1.1/statuses/mentions_timeline.json",
    limits: { user: 75 },
    handle: (call) => {
      const user = userOf(call.caller);
      return timeline(call, mentionsOf(user), ({ authorId }) => authorId !== user.id);
    },
  },
  {
    ...ofAnybody,
    method: "GET",
    path: "/1.1/favorites/list.json",
    limits: { app: 75, user: 75 },
    handle: favorites,
  },
  {
    ...ofUser,
    method: "POST",
    path: "/1.1/favorites/create.json",
    level: "read-write",
    limits: { userDay: 1_000 },
    handle: (call) => {
      const user = userOf(call.caller);
      const post = findOriginal(call, new LegacyParameters(call).requiredId("id"));
      if (isLiked(call, user, post)) throw coded("alreadyFavorited");
      like(call.sandbox, user, post);
      return legacyBody(renderStatus(viewOf(call, new LegacyParameters(call)), post));
    },
  },
  {
    ...ofUser,
    method: "POST",
    path: "/1.1/favorites/destroy.json",
    level: "read-write",
    limits: { userDay: 1_000 },
    handle: (call) => {
      const user = userOf(call.caller);
      const post = findOriginal(call, new LegacyParameters(call).requiredId("id"));
      if (!isLiked(call, user, post)) throw coded("statusMissing");
      unlike(call.sandbox, user, post.id);
      return legacyBody(renderStatus(viewOf(call, new LegacyParameters(call)), post));
    },
  },
];

function isLiked({ sandbox }: RouteCall, user: UserRow, post: PostRow): boolean {
  return likes.in(sandbox.world).first("pair", `${user.id}:${post.id}`) !== undefined;
}

function timeline(
  call: RouteCall,
  lists: readonly PostIndexValue[],
  keep: (post: PostRow) => boolean = () => true,
): RouteResponse {
  const params = new LegacyParameters(call);
  const reposts = params.flag("include_rts", true);
  const noReplies = params.flag("exclude_replies");
  const list = pagedPosts(
    renderContext(call),
    lists,
    boundsOf(params),
    (post) =>
      keep(post) &&
      (reposts || post.repostOf === undefined) &&
      !(noReplies && post.replyTo !== undefined),
  );
  const { items } = pageOf(list, { size: params.count(COUNTS), cursor: undefined });
  const view = viewOf(call, params);
  return legacyBody(items.map((post) => renderStatus(view, post)));
}

/** Lists the posts that a person likes, the latest like first; the bounds apply to the posts' ids. */
function favorites(call: RouteCall): RouteResponse {
  const params = new LegacyParameters(call);
  const person = readablePerson(call, params);
  const { sinceId, untilId } = boundsOf(params);
  const view = viewOf(call, params);
  const { world, viewer } = view;
  const table = posts.in(world);
  const list = pagedLikes(renderContext(call), "user", person.id, ({ postId }) => {
    if (sinceId !== undefined && BigInt(postId) <= BigInt(sinceId)) return false;
    if (untilId !== undefined && BigInt(postId) >= BigInt(untilId)) return false;
    return hiddenPostReason(world, viewer, table.get(postId)) === undefined;
  });
  const { items } = pageOf(list, { size: params.count(COUNTS), cursor: undefined });
  const liked = items.flatMap(({ postId }) => table.get(postId) ?? []);
  return legacyBody(liked.map((post) => renderStatus(view, post)));
}

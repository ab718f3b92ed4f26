import { appOf, userOf } from "../../../auth/caller.ts";
import { ApiError } from "../../../kernel/http/api-error.ts";
import type { Route, RouteCall, RouteResponse } from "../../../server/route.ts";
import { MAX_INHERITED_HANDLES, type PostRow, posts } from "../../../model/posts.ts";
import { hiddenPostReason } from "../../../model/hidden-reason.ts";
import { typedMentionsIn } from "../../../model/text/mentions.ts";
import type { PostInput } from "../../../posts/writing/input.ts";
import { deleteOwnPost, publishPost, refuseRepost } from "../../../posts/writing/rules.ts";
import { deletePost, repost, repostOf } from "../../../posts/writing/write.ts";
import { LEGACY } from "../../ledger.ts";
import { badParameter, coded } from "../coded-errors.ts";
import { findOriginal, findStatus } from "../find.ts";
import { LegacyParameters, routesById } from "../parameters.ts";
import { renderStatus } from "../render-status.ts";
import { viewOf } from "../status-view.ts";
import { legacyBody } from "../respond.ts";

const reading = { ledger: LEGACY, auth: ["oauth1", "bearer"] } as const;
const writing = { ledger: LEGACY, auth: ["oauth1"], level: "read-write" } as const;
const changing = { ...writing, method: "POST", limits: { user: 300 } } as const;

const MAX_MEDIA = 4;
const MAX_IDS = 100;
/** Parameter that makes the platform add the thread's handles to a reply. */
const ADDS_HANDLES = "auto_populate_reply_metadata";

export const statusRoutes: readonly Route[] = [
  { ...changing, path: "/1.1/statuses/update.json", handle: update },
  ...routesById(
    "/1.1/statuses/show",
    { ...reading, method: "GET", limits: { app: 900, user: 900 } },
    show,
  ),
  ...(["GET", "POST"] as const).map((method): Route => ({
    ...reading,
    method,
    path: "/1.1/statuses/lookup.json",
    limits: { app: 300, user: 900 },
    handle: lookup,
  })),
  ...routesById("/1.1/statuses/destroy", changing, (call, id) => {
    const post = findStatus(call, id);
    const rendered = rendering(call, post);
    deleteOwnPost(call.sandbox, userOf(call.caller), post);
    return rendered;
  }),
  ...routesById("/1.1/statuses/retweet", changing, (call, id) => {
    const user = userOf(call.caller);
    const original = findOriginal(call, id);
    refuseRepost(call.sandbox, user, original);
    if (repostOf(call.sandbox, user, original.id) !== undefined) throw coded("alreadyReposted");
    return rendering(call, repost(call.sandbox, user, original, appOf(call.caller).id));
  }),
  ...routesById("/1.1/statuses/unretweet", changing, (call, id) => {
    const original = findOriginal(call, id);
    const existing = repostOf(call.sandbox, userOf(call.caller), original.id);
    if (existing !== undefined) deletePost(call.sandbox, existing);
    return rendering(call, original);
  }),
];

function rendering(call: RouteCall, post: PostRow): RouteResponse {
  return legacyBody(renderStatus(viewOf(call, new LegacyParameters(call)), post));
}

function show(call: RouteCall, id: string): RouteResponse {
  return rendering(call, findStatus(call, id));
}

/**
 * Returns the visible posts in the order of the request; with `map`, all requested posts by id, hidden posts as null.
 */
function lookup(call: RouteCall): RouteResponse {
  const params = new LegacyParameters(call);
  const ids = params.list("id", MAX_IDS);
  if (ids.length === 0) throw coded("missing");
  const view = viewOf(call, params);
  const statusEntries = ids.map((id) => {
    const post = posts.in(view.world).get(id);
    const hidden = hiddenPostReason(view.world, view.viewer, post) !== undefined;
    return [id, hidden || post === undefined ? null : renderStatus(view, post)] as const;
  });
  if (params.flag("map")) return legacyBody({ id: Object.fromEntries(statusEntries) });
  return legacyBody(statusEntries.flatMap(([, status]) => (status === null ? [] : [status])));
}

function update(call: RouteCall): RouteResponse {
  return postStatus(call, new LegacyParameters(call).list("media_ids", MAX_MEDIA));
}

/** Creates the status of a request, with media. @throws {ApiError} 400 or 403. */
export function postStatus(call: RouteCall, media: readonly string[]): RouteResponse {
  const params = new LegacyParameters(call);
  const text = params.text("status");
  if (text === undefined && media.length === 0) throw coded("textMissing");
  const reply = repliedTo(call, params, text ?? "");
  const quote = quotedBy(params);
  const user = userOf(call.caller);
  try {
    const input: PostInput = {
      ...(text === undefined ? {} : { text }),
      ...(media.length === 0 ? {} : { media: { media_ids: [...media] } }),
      ...(reply === undefined ? {} : { reply: replyInput(params, reply) }),
      ...(quote === undefined ? {} : { quote_post_id: quote }),
    };
    const typesHandles = !params.flag(ADDS_HANDLES);
    const post = publishPost(call.sandbox, appOf(call.caller), user, input, typesHandles);
    return rendering(call, post);
  } catch (error) {
    const isBad = error instanceof ApiError && error.spec.status === 400;
    if (!isBad) throw error;
    if (media.length > 0) throw coded("badMedia");
    throw badParameter(quote === undefined ? "status" : "attachment_url");
  }
}

/**
 * Finds the post that a status replies to. The status counts as a reply only if the post's author is the caller or is
 * mentioned in the text, or if the request asks to add the mention; otherwise the result is `undefined`.
 */
function repliedTo(call: RouteCall, params: LegacyParameters, text: string): PostRow | undefined {
  const id = params.id("in_reply_to_status_id");
  if (id === undefined) return undefined;
  const { world } = call.sandbox;
  const { id: me } = userOf(call.caller);
  const post = posts.in(world).get(id);
  if (post === undefined || hiddenPostReason(world, me, post) !== undefined) {
    throw coded("repliedToMissing");
  }
  const isAddressed =
    post.authorId === me ||
    params.flag(ADDS_HANDLES) ||
    typedMentionsIn(world, text).includes(post.authorId);
  return isAddressed ? post : undefined;
}

function replyInput(params: LegacyParameters, { id }: PostRow): NonNullable<PostInput["reply"]> {
  return {
    in_reply_to_post_id: id,
    exclude_reply_user_ids: params.list("exclude_reply_user_ids", MAX_INHERITED_HANDLES),
  };
}

/** Returns the id of the post that `attachment_url` links to. @throws {ApiError} 400, code 44. */
function quotedBy(params: LegacyParameters): string | undefined {
  const url = params.text("attachment_url");
  if (url === undefined) return undefined;
  const id = /^https?:\/\/[^\s/]+\/(?:[^\s/]+\/)*status\/(\d{1,19})$/.exec(url)?.[1];
  if (id === undefined) throw badParameter("attachment_url");
  return id;
}

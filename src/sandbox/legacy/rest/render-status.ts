import type { WireObject } from "../../rendering/selection.ts";
import { profileEntities } from "../../login/oauth1/verify-credentials.ts";
import { userInPost } from "../../rendering/events/user.ts";
import { type UserRow, users, isRelated } from "../../model/accounts.ts";
import { postInEvent } from "../../rendering/events/post.ts";
import { wireInt } from "../../rendering/events/wire.ts";
import { likes, type PostRow, posts, metricsOf } from "../../model/posts.ts";
import { hiddenPostReason } from "../../model/hidden-reason.ts";
import { wholePost } from "../../rendering/shown-post.ts";
import { displayRange } from "../../rendering/shown-text.ts";
import type { StatusView } from "./status-view.ts";

/** Maximum nesting of reposted and quoted statuses: a repost of a quote shows both. */
const DEPTH = 2;

/** Renders a post as version 1.1 does, in the key order of recorded responses. */
export function renderStatus(view: StatusView, post: PostRow, depth = 0): WireObject {
  const { world, viewer } = view;
  // Taken from the object of webhook events. `nested` renders the reposted and quoted posts for the same viewer.
  const event = postInEvent(world, post, viewer, 1);
  const author = users.in(world).get(post.authorId);
  const shown = post.repostOf ?? post.id;
  const { reposts, likes: favorites } = metricsOf(world, post);
  return {
    ...pickFrom(event, ["created_at", "id", "id_str"]),
    ...textPart(view, post, event),
    ...pickFrom(event, [
      "source",
      "in_reply_to_status_id",
      "in_reply_to_status_id_str",
      "in_reply_to_user_id",
      "in_reply_to_user_id_str",
      "in_reply_to_screen_name",
    ]),
    user: author === undefined ? null : authorOf(view, author),
    geo: null,
    coordinates: null,
    place: null,
    contributors: null,
    ...nested(view, "reposted_status", post.repostOf, depth),
    ...pickFrom(event, [
      "is_quote_status",
      "quoted_status_id",
      "quoted_status_id_str",
      "quoted_status_permalink",
    ]),
    ...nested(view, "quoted_status", post.quoteOf, depth),
    repost_count: reposts,
    favorite_count: favorites,
    favorited:
      viewer !== undefined && likes.in(world).first("pair", `${viewer}:${shown}`) !== undefined,
    reposted:
      viewer !== undefined && posts.in(world).first("repostBy", `${viewer}:${shown}`) !== undefined,
    lang: event["lang"],
  };
}

function authorOf(view: StatusView, author: UserRow): WireObject {
  if (view.trimUser) return { id: wireInt(author.id), id_str: author.id };
  return personInStatus(view, author);
}

function nested(view: StatusView, name: string, id: string | undefined, depth: number): WireObject {
  const post = id === undefined ? undefined : posts.in(view.world).get(id);
  if (post === undefined || depth >= DEPTH) return {};
  if (hiddenPostReason(view.world, view.viewer, post) !== undefined) return {};
  return { [name]: renderStatus(view, post, depth + 1) };
}

/** Returns the `text`, shortened if necessary; with `tweet_mode=extended` the whole text as `full_text`. */
function textPart(
  { world, extended, entities: wanted }: StatusView,
  post: PostRow,
  event: WireObject,
): WireObject {
  const whole = event["extended_post"];
  if (!extended) {
    const names = ["text", "truncated", ...(wanted ? ["entities", "extended_entities"] : [])];
    return pickFrom(event, names);
  }
  const long: WireObject = typeof whole === "object" && whole !== null ? { ...whole } : {};
  const shown = wholePost(world, post);
  const { full_text: text = shown.text, ...rest } = long;
  const from = whole === undefined ? event : rest;
  return {
    full_text: text,
    truncated: false,
    display_text_range: displayRange(shown),
    ...(wanted ? pickFrom(from, ["entities", "extended_entities"]) : {}),
  };
}

function pickFrom(whole: WireObject, names: readonly string[]): WireObject {
  return Object.fromEntries(names.flatMap((name) => (name in whole ? [[name, whole[name]]] : [])));
}

/** Renders a person as the author of a post in version 1.1. */
export function personInStatus({ world, viewer }: StatusView, user: UserRow): WireObject {
  const to = (kind: "follow" | "request"): boolean | null =>
    viewer === undefined ? null : isRelated(world, kind, viewer, user.id);
  return {
    ...userInPost(world, user),
    entities: profileEntities(user),
    following: to("follow"),
    follow_request_sent: to("request"),
    notifications: viewer === undefined ? null : false,
  };
}

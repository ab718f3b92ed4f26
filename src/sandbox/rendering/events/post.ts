import { LONGFORM_TEXT_LENGTH } from "../../../protocol/limits.ts";
import { users } from "../../model/accounts.ts";
import { apps } from "../../model/apps.ts";
import type { SandboxWorld } from "../../kernel/world/sandbox-world.ts";
import {
  likes,
  type PostRow,
  posts,
  editControls,
  isEditable,
  versionsOf,
} from "../../model/posts.ts";
import { languageOf } from "../../model/text/language.ts";
import { hiddenPostReason } from "../../model/hidden-reason.ts";
import { displayUrl, pictureUrl } from "../text-entities.ts";
import { displayRange, type ShownEntity, type ShownText } from "../shown-text.ts";
import { isLongform, pageOfPost, shortened, wholePost } from "../shown-post.ts";
import { mediaInEvent, type WireLink } from "./media.ts";
import { userInPost } from "./user.ts";
import { dateText, wireInt } from "./wire.ts";

/**
 * Renders a post object inside an event, in the key order of recorded bodies.
 *
 * @param viewer Id of the user who receives the event. Quoted posts that this user may not see are left out.
 */
export function postInEvent(
  world: SandboxWorld,
  post: PostRow,
  viewer: string | undefined,
  depth = 0,
): Record<string, unknown> {
  const author = users.in(world).get(post.authorId);
  const parent = post.replyTo === undefined ? undefined : posts.in(world).get(post.replyTo);
  const replyToUser = parent === undefined ? undefined : users.in(world).get(parent.authorId);
  return {
    created_at: dateText(post.at),
    id: wireInt(post.id),
    id_str: post.id,
    ...textPart(world, post),
    source: sourceOf(world, post),
    in_reply_to_status_id: parent === undefined ? null : wireInt(parent.id),
    in_reply_to_status_id_str: parent?.id ?? null,
    in_reply_to_user_id: replyToUser === undefined ? null : wireInt(replyToUser.id),
    in_reply_to_user_id_str: replyToUser?.id ?? null,
    in_reply_to_screen_name: replyToUser?.username ?? null,
    user: author === undefined ? null : userInPost(world, author),
    geo: null,
    coordinates: null,
    place: null,
    contributors: null,
    ...quotedPart(world, post, viewer, depth),
    ...repostedPart(world, post, viewer, depth),
    is_quote_status: post.quoteOf !== undefined,
    quote_count: posts.in(world).count("quoteOf", post.id),
    reply_count: posts.in(world).count("replyTo", post.id),
    repost_count: posts.in(world).count("repostOf", post.id),
    favorite_count: likes.in(world).count("post", post.id),
    favorited: false,
    reposted: false,
    ...editPart(world, post),
    filter_level: "low",
    lang: post.extra?.["lang"] ?? languageOf(post.text),
    timestamp_ms: String(post.at),
  };
}

/** Renders the text with its entities. Longform posts have a shortened text, and the whole text in `extended_post`. */
function textPart(world: SandboxWorld, post: PostRow): Record<string, unknown> {
  const whole = wholePost(world, post);
  const { added, ...textEntities } = wireEntities(world, whole);
  const attached = mediaInEvent(world, post.mediaIds ?? [], added[0]);
  const media = attached.length === 0 ? {} : { media: attached };
  const extended = attached.length === 0 ? {} : { extended_entities: { media: attached } };
  const entities = { ...textEntities, ...media };
  if (!isLongform(post)) {
    return { text: whole.text, truncated: false, ...rangePart(whole), entities, ...extended };
  }
  const short = shortened(world, post, LONGFORM_TEXT_LENGTH);
  const { added: _none, ...inShort } = wireEntities(world, short);
  return {
    text: short.text,
    truncated: true,
    display_text_range: displayRange(short),
    extended_post: {
      full_text: whole.text,
      display_text_range: displayRange(whole),
      entities,
      ...extended,
    },
    entities: inShort,
  };
}

/** Returns the field `display_text_range` of a text, or no field if the whole text is displayed. */
function rangePart(shown: ShownText): Record<string, unknown> {
  const [start, end] = displayRange(shown);
  if (start === 0 && end === Array.from(shown.text).length) return {};
  return { display_text_range: [start, end] };
}

/** Returns the edit history of a post that was edited or can be: the ids of all its versions, the oldest first. */
function editPart(world: SandboxWorld, post: PostRow): Record<string, unknown> {
  if (!isEditable(post) && post.editOf === undefined) return {};
  const { edits_remaining, is_edit_eligible, editable_until } = editControls(world, post);
  const ids = versionsOf(world, post).map(({ id }) => id);
  const history = { initial_post_id: ids[0], edit_post_ids: ids };
  return {
    edit_history: history,
    edit_controls: {
      ...history,
      edits_remaining,
      editable_until_ms: Date.parse(editable_until),
      is_edit_eligible,
    },
  };
}

interface WireEntities {
  readonly hashtags: readonly unknown[];
  readonly urls: readonly WireLink[];
  /** Links that the platform has added at the end of the text, such as a link to the post's media. */
  readonly added: readonly WireLink[];
  readonly user_mentions: readonly unknown[];
  readonly symbols: readonly unknown[];
}

/** Renders the entities of a post's text (tags, links, mentions) in the form of webhook bodies. */
export function wireEntities(
  world: SandboxWorld,
  { entities: shownEntities }: ShownText,
): WireEntities {
  const tags = (kind: "hashtag" | "cashtag"): unknown[] =>
    shownEntities
      .filter((one) => one.kind === kind)
      .map(({ word, start, end }) => ({ text: word, indices: [start, end] }));
  const links = shownEntities.filter(({ kind }) => kind === "url");
  return {
    hashtags: tags("hashtag"),
    urls: links.filter(({ attached }) => attached?.kind !== "media").map(wireLink),
    added: links.filter(({ attached }) => attached?.kind === "media").map(wireLink),
    user_mentions: shownEntities
      .filter(({ kind }) => kind === "mention")
      .flatMap(({ word, start, end }) => {
        const user = users.in(world).first("username", word.toLowerCase());
        if (user === undefined) return [];
        return {
          screen_name: user.username,
          name: user.name,
          id: wireInt(user.id),
          id_str: user.id,
          indices: [start, end],
        };
      }),
    symbols: tags("cashtag"),
  };
}

function wireLink({ word, page = word, start, end, attached }: ShownEntity): WireLink {
  const display_url = attached?.kind === "media" ? pictureUrl(word) : displayUrl(page);
  return { url: word, expanded_url: page, display_url, indices: [start, end] };
}

function quotedPart(
  world: SandboxWorld,
  post: PostRow,
  viewer: string | undefined,
  depth: number,
): Record<string, unknown> {
  const quoted = post.quoteOf === undefined ? undefined : posts.in(world).get(post.quoteOf);
  if (quoted === undefined) return {};
  const ids = { quoted_status_id: wireInt(quoted.id), quoted_status_id_str: quoted.id };
  if (depth >= 2) return ids;
  const page = pageOfPost(world, quoted);
  const link = wholePost(world, post).entities.find(({ attached }) => attached?.kind === "quote");
  const isHidden = hiddenPostReason(world, viewer, quoted) !== undefined;
  return {
    ...ids,
    ...(isHidden ? {} : { quoted_status: postInEvent(world, quoted, viewer, depth + 1) }),
    quoted_status_permalink: {
      url: link?.word ?? page,
      expanded: page,
      display: displayUrl(page),
    },
  };
}

function repostedPart(
  world: SandboxWorld,
  post: PostRow,
  viewer: string | undefined,
  depth: number,
): Record<string, unknown> {
  const original = post.repostOf === undefined ? undefined : posts.in(world).get(post.repostOf);
  if (original === undefined || depth >= 2) return {};
  return { reposted_status: postInEvent(world, original, viewer, depth + 1) };
}

/**
 * Returns an HTML link with the name and website of the app that sent a post. Source: "Developer app settings" of the
 * interface.
 */
function sourceOf(world: SandboxWorld, post: PostRow): string {
  const app = post.appId === undefined ? undefined : apps.in(world).get(post.appId);
  if (app === undefined)
    return '<a href="https://platform.example" rel="nofollow">Platform Web App</a>';
  return `<a href="${app.websiteUrl}" rel="nofollow">${app.name}</a>`;
}

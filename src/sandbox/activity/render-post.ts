import { LONGFORM_TEXT_LENGTH, POST_LENGTH } from "../../protocol/limits.ts";
import { users } from "../accounts/entities.ts";
import { apps } from "../apps/entities.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { textEntities } from "../posts/text/text-entities.ts";
import { likes, type PostRow, posts } from "../posts/entities.ts";
import { shorten } from "../posts/text/longform.ts";
import { languageOf } from "../posts/text/language.ts";
import { mediaInEvent } from "./render-media.ts";
import { userInPost } from "./render-user.ts";
import { dateText, wireInt } from "./wire.ts";

/** A post object inside an event, in the key order of recorded bodies. */
export function postInEvent(
  world: SandboxWorld,
  post: PostRow,
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
    ...quotedPart(world, post, depth),
    ...repostedPart(world, post, depth),
    is_quote_status: post.quoteOf !== undefined,
    quote_count: posts.in(world).count("quoteOf", post.id),
    reply_count: posts.in(world).count("replyTo", post.id),
    repost_count: posts.in(world).count("repostOf", post.id),
    favorite_count: likes.in(world).count("post", post.id),
    favorited: false,
    reposted: false,
    filter_level: "low",
    lang: post.extra?.["lang"] ?? languageOf(post.text),
    timestamp_ms: String(post.at),
  };
}

/** Text with its entities; longform posts have a shortened text, and the full one in a field of its own. */
function textPart(world: SandboxWorld, post: PostRow): Record<string, unknown> {
  const letters = Array.from(post.text);
  const attached = mediaInEvent(world, post.mediaIds ?? [], letters.length);
  const media = attached.length === 0 ? {} : { media: attached };
  const extended = attached.length === 0 ? {} : { extended_entities: { media: attached } };
  if (letters.length <= POST_LENGTH) {
    const entities = { ...wireEntities(world, post.text), ...media };
    return { text: post.text, truncated: false, entities, ...extended };
  }
  const { kept, tail, url, page } = shorten(post, LONGFORM_TEXT_LENGTH);
  const start = Array.from(kept).length + 2;
  const short = wireEntities(world, kept);
  return {
    text: kept + tail,
    truncated: true,
    display_text_range: [0, LONGFORM_TEXT_LENGTH],
    extended_post: {
      full_text: post.text,
      display_text_range: [0, letters.length],
      entities: { ...wireEntities(world, post.text), ...media },
      ...extended,
    },
    entities: {
      ...short,
      urls: [
        ...short.urls,
        {
          url,
          expanded_url: page,
          display_url: page.slice(8, 34),
          indices: [start, start + url.length],
        },
      ],
    },
  };
}

interface WireEntities {
  readonly hashtags: readonly unknown[];
  readonly urls: readonly unknown[];
  readonly user_mentions: readonly unknown[];
  readonly symbols: readonly unknown[];
}

/** Entities of a text as posts in events carry them. */
export function wireEntities(world: SandboxWorld, text: string): WireEntities {
  const found = textEntities(text);
  const tags = (kind: "hashtag" | "cashtag"): unknown[] =>
    found
      .filter((one) => one.kind === kind)
      .map(({ word, start, end }) => ({ text: word, indices: [start, end] }));
  return {
    hashtags: tags("hashtag"),
    urls: found
      .filter(({ kind }) => kind === "url")
      .map(({ word, start, end }) => ({
        url: word,
        expanded_url: word,
        display_url: word.replace(/^https?:\/\//, ""),
        indices: [start, end],
      })),
    user_mentions: found
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

function quotedPart(world: SandboxWorld, post: PostRow, depth: number): Record<string, unknown> {
  const quoted = post.quoteOf === undefined ? undefined : posts.in(world).get(post.quoteOf);
  if (quoted === undefined) return {};
  const ids = { quoted_status_id: wireInt(quoted.id), quoted_status_id_str: quoted.id };
  if (depth >= 2) return ids;
  const page = `https://platform.example/${quoted.authorId}/status/${quoted.id}`;
  return {
    ...ids,
    quoted_status: postInEvent(world, quoted, depth + 1),
    quoted_status_permalink: { url: page, expanded: page, display: page.slice(8) },
  };
}

function repostedPart(world: SandboxWorld, post: PostRow, depth: number): Record<string, unknown> {
  const original = post.repostOf === undefined ? undefined : posts.in(world).get(post.repostOf);
  if (original === undefined || depth >= 2) return {};
  return { reposted_status: postInEvent(world, original, depth + 1) };
}

/** The sending app's name and website as a link. Source: "Developer app settings" of the interface. */
function sourceOf(world: SandboxWorld, post: PostRow): string {
  const app = post.appId === undefined ? undefined : apps.in(world).get(post.appId);
  if (app === undefined)
    return '<a href="https://platform.example" rel="nofollow">Platform Web App</a>';
  return `<a href="${app.websiteUrl}" rel="nofollow">${app.name}</a>`;
}

import { LONGFORM_TEXT_LENGTH, POST_LENGTH } from "../../interface/limits.ts";
import { users } from "../accounts/entities.ts";
import { apps } from "../apps/entities.ts";
import type { World } from "../kernel/world.ts";
import { entitiesIn } from "../posts/entities-in-text.ts";
import { likes, type Post, posts } from "../posts/entities.ts";
import { languageOf } from "../posts/language.ts";
import { mediaInEvent } from "./render-media.ts";
import { userInPost } from "./render-user.ts";
import { dateText, wireInt } from "./wire.ts";

/** A post object inside an event, in the key order of recorded bodies. */
export function postInEvent(world: World, post: Post, depth = 0): Record<string, unknown> {
  const author = users.in(world).get(post.authorId);
  const parent = post.replyTo === undefined ? undefined : posts.in(world).get(post.replyTo);
  const answered = parent === undefined ? undefined : users.in(world).get(parent.authorId);
  return {
    created_at: dateText(post.at),
    id: wireInt(post.id),
    id_str: post.id,
    ...textPart(world, post),
    source: sourceOf(world, post),
    in_reply_to_status_id: parent === undefined ? null : wireInt(parent.id),
    in_reply_to_status_id_str: parent?.id ?? null,
    in_reply_to_user_id: answered === undefined ? null : wireInt(answered.id),
    in_reply_to_user_id_str: answered?.id ?? null,
    in_reply_to_screen_name: answered?.username ?? null,
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

/** Text with its entities; longform posts carry a shortened text and the whole beside it. */
function textPart(world: World, post: Post): Record<string, unknown> {
  const letters = Array.from(post.text);
  const attached = mediaInEvent(world, post.mediaIds ?? [], letters.length);
  const among = attached.length === 0 ? {} : { media: attached };
  const beside = attached.length === 0 ? {} : { extended_entities: { media: attached } };
  if (letters.length <= POST_LENGTH) {
    const entities = { ...wireEntities(world, post.text), ...among };
    return { text: post.text, truncated: false, entities, ...beside };
  }
  const link = `https://t.co/${BigInt(post.id).toString(36).slice(-10)}`;
  const tail = `… ${link}`;
  const kept = letters.slice(0, LONGFORM_TEXT_LENGTH - tail.length).join("");
  const start = Array.from(kept).length + 2;
  const short = wireEntities(world, kept);
  const page = `https://platform.example/i/web/status/${post.id}`;
  return {
    text: kept + tail,
    truncated: true,
    display_text_range: [0, LONGFORM_TEXT_LENGTH],
    extended_post: {
      full_text: post.text,
      display_text_range: [0, letters.length],
      entities: { ...wireEntities(world, post.text), ...among },
      ...beside,
    },
    entities: {
      ...short,
      urls: [
        ...short.urls,
        {
          url: link,
          expanded_url: page,
          display_url: page.slice(8, 34),
          indices: [start, start + link.length],
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
export function wireEntities(world: World, text: string): WireEntities {
  const found = entitiesIn(text);
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

function quotedPart(world: World, post: Post, depth: number): Record<string, unknown> {
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

function repostedPart(world: World, post: Post, depth: number): Record<string, unknown> {
  const original = post.repostOf === undefined ? undefined : posts.in(world).get(post.repostOf);
  if (original === undefined || depth >= 2) return {};
  return { reposted_status: postInEvent(world, original, depth + 1) };
}

/** The sending app's name and website as a link. Source: "Developer app settings" of the interface. */
function sourceOf(world: World, post: Post): string {
  const app = post.appId === undefined ? undefined : apps.in(world).get(post.appId);
  if (app === undefined)
    return '<a href="https://platform.example" rel="nofollow">Platform Web App</a>';
  return `<a href="${app.websiteUrl}" rel="nofollow">${app.name}</a>`;
}

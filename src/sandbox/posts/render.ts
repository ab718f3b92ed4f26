import { EDIT_HISTORY_SINCE, POST_FIELDS } from "../../interface/fields.ts";
import { apps } from "../apps/entities.ts";
import type { Reader } from "../fields/reader.ts";
import { type Field, pick } from "../fields/selection.ts";
import type { World } from "../kernel/world.ts";
import { media } from "../media/entities.ts";
import { type Post, posts } from "./entities.ts";
import { languageOf } from "./language.ts";
import { isLongform, shownText } from "./longform.ts";
import { metricsOf } from "./metrics.ts";
import { renderEntities } from "./render-entities.ts";
import { editControls, versionsOf } from "./versions.ts";

/** Fields that only the author gets to see. */
export const PRIVATE_FIELDS = [
  "non_public_metrics",
  "organic_metrics",
  "promoted_metrics",
] as const;

/** A post with its default fields and those selected. */
export function renderPost(
  reader: Reader,
  post: Post,
  selected: ReadonlySet<string>,
): Record<string, unknown> {
  return pick("post", selected, {
    ...further(post),
    ...identity(reader, post, selected),
    ...relations(reader, post),
    ...numbers(reader, post),
  });
}

/** Fields that the sandbox keeps as they came, such as `context_annotations`. */
function further(post: Post): Record<string, Field> {
  const { extra = {} } = post;
  const known: readonly string[] = POST_FIELDS;
  const kept = Object.entries(extra).filter(([name]) => known.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, () => value]));
}

function identity(
  { world }: Reader,
  post: Post,
  selected: ReadonlySet<string>,
): Record<string, Field> {
  const withHistory = selected.has("edit_history_post_ids") || post.at >= EDIT_HISTORY_SINCE;
  return {
    id: () => post.id,
    text: () => shownText(post).text,
    edit_history_post_ids: () =>
      withHistory ? versionsOf(world, post).map(({ id }) => id) : undefined,
    created_at: () => new Date(post.at).toISOString(),
    author_id: () => post.authorId,
    lang: () => post.extra?.["lang"] ?? languageOf(post.text),
    source: () => sourceOf(world, post),
    display_text_range: () => [0, Array.from(shownText(post).text).length],
    possibly_sensitive: () => post.extra?.["possibly_sensitive"] ?? false,
    entities: () => renderEntities(world, shownText(post)),
    note_post: () => {
      if (!isLongform(post)) return undefined;
      const entities = renderEntities(world, { text: post.text });
      return { text: post.text, ...(entities === undefined ? {} : { entities }) };
    },
    edit_controls: () => editControls(world, post),
  };
}

function relations({ world }: Reader, post: Post): Record<string, Field> {
  return {
    conversation_id: () => post.conversationId,
    in_reply_to_user_id: () => post.replyToUserId,
    referenced_posts: () => {
      const references = referencesOf(post);
      return references.length === 0 ? undefined : references;
    },
    reply_settings: () => post.replySettings ?? "everyone",
    attachments: () => {
      const keys = mediaKeysOf(world, post);
      const held = {
        ...(keys.length === 0 ? {} : { media_keys: keys }),
        ...(post.pollId === undefined ? {} : { poll_ids: [post.pollId] }),
      };
      return Object.keys(held).length === 0 ? undefined : held;
    },
    media_metadata: () => {
      const held = (post.mediaIds ?? []).flatMap((id) => media.in(world).get(id) ?? []);
      if (held.length === 0) return undefined;
      return held.map(({ mediaKey, altText }) => ({
        media_key: mediaKey,
        ...(altText === undefined ? {} : { alt_text: altText }),
      }));
    },
    geo: () => (post.placeId === undefined ? undefined : { place_id: post.placeId }),
  };
}

function numbers({ world, viewer }: Reader, post: Post): Record<string, Field> {
  const views = typeof post.extra?.["views"] === "number" ? post.extra["views"] : 0;
  const owned = viewer === post.authorId;
  return {
    public_metrics: () => {
      const { reposts, replies, likes, quotes } = metricsOf(world, post);
      return {
        repost_count: reposts,
        reply_count: replies,
        like_count: likes,
        quote_count: quotes,
        bookmark_count: 0,
        impression_count: views,
      };
    },
    non_public_metrics: () =>
      owned ? { impression_count: views, user_profile_clicks: 0, engagements: 0 } : undefined,
    organic_metrics: () => {
      if (!owned) return undefined;
      const { reposts, replies, likes } = metricsOf(world, post);
      return {
        impression_count: views,
        like_count: likes,
        reply_count: replies,
        repost_count: reposts,
        user_profile_clicks: 0,
      };
    },
  };
}

/** The posts that a post refers to, as `referenced_posts` names them. */
export function referencesOf(post: Post): { type: string; id: string }[] {
  return [
    ...(post.repostOf === undefined ? [] : [{ type: "retweeted", id: post.repostOf }]),
    ...(post.quoteOf === undefined ? [] : [{ type: "quoted", id: post.quoteOf }]),
    ...(post.replyTo === undefined ? [] : [{ type: "replied_to", id: post.replyTo }]),
  ];
}

/** Keys of a post's media; a repost shows those of the post it repeats. */
export function mediaKeysOf(world: World, post: Post): string[] {
  const shown = post.repostOf === undefined ? post : posts.in(world).get(post.repostOf);
  return (shown?.mediaIds ?? []).flatMap((id) => media.in(world).get(id)?.mediaKey ?? []);
}

/** The sending app's name. Source: "Developer app settings" of the interface. */
function sourceOf(world: World, post: Post): string {
  const app = post.appId === undefined ? undefined : apps.in(world).get(post.appId);
  return app?.name ?? "Platform Web App";
}

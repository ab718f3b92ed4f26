import { EDIT_HISTORY_SINCE, POST_FIELDS } from "../../../protocol/fields.ts";
import { apps } from "../../apps/entities.ts";
import type { RenderContext } from "../../data-query/render-context.ts";
import { type LazyField, pick } from "../../data-query/selection.ts";
import type { SandboxWorld } from "../../kernel/world/sandbox-world.ts";
import { media } from "../../media/entities.ts";
import { bookmarks } from "../bookmarks/entities.ts";
import { type PostRow, posts } from "../entities.ts";
import { languageOf } from "../text/language.ts";
import { isLongform, shownPost, wholePost } from "../text/longform.ts";
import { writtenLength } from "../text/shown-text.ts";
import { metricsOf } from "./metrics.ts";
import { renderEntities } from "./render-entities.ts";
import { editControls, versionsOf } from "../versions.ts";

/** Fields that only the author may see. */
export const PRIVATE_FIELDS = [
  "non_public_metrics",
  "organic_metrics",
  "promoted_metrics",
] as const;

/** A post with its default fields and those selected. */
export function renderPost(
  context: RenderContext,
  post: PostRow,
  selected: ReadonlySet<string>,
): Record<string, unknown> {
  return pick("post", selected, {
    ...extraFields(post),
    ...ownFields(context, post, selected),
    ...relationFields(context, post),
    ...metricFields(context, post),
  });
}

/** Fields that the sandbox stores as they are, such as `context_annotations`. */
function extraFields(post: PostRow): Record<string, LazyField> {
  const { extra = {} } = post;
  const known: readonly string[] = POST_FIELDS;
  const kept = Object.entries(extra).filter(([name]) => known.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, () => value]));
}

function ownFields(
  { world }: RenderContext,
  post: PostRow,
  selected: ReadonlySet<string>,
): Record<string, LazyField> {
  const withHistory = selected.has("edit_history_post_ids") || post.at >= EDIT_HISTORY_SINCE;
  return {
    id: () => post.id,
    text: () => shownPost(world, post).text,
    edit_history_post_ids: () =>
      withHistory ? versionsOf(world, post).map(({ id }) => id) : undefined,
    created_at: () => new Date(post.at).toISOString(),
    author_id: () => post.authorId,
    lang: () => post.extra?.["lang"] ?? languageOf(post.text),
    source: () => sourceOf(world, post),
    display_text_range: () => [0, writtenLength(shownPost(world, post))],
    possibly_sensitive: () => post.extra?.["possibly_sensitive"] ?? false,
    entities: () => renderEntities(world, shownPost(world, post), mediaKeysOf(world, post)),
    note_post: () => {
      if (!isLongform(post)) return undefined;
      const whole = wholePost(world, post);
      const entities = renderEntities(world, whole, mediaKeysOf(world, post));
      return { text: whole.text, ...(entities === undefined ? {} : { entities }) };
    },
    edit_controls: () => editControls(world, post),
  };
}

function relationFields({ world }: RenderContext, post: PostRow): Record<string, LazyField> {
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

function metricFields({ world, viewer }: RenderContext, post: PostRow): Record<string, LazyField> {
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
        bookmark_count: bookmarks.in(world).count("post", post.id),
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
export function referencesOf(post: PostRow): { type: string; id: string }[] {
  return [
    ...(post.repostOf === undefined ? [] : [{ type: "retweeted", id: post.repostOf }]),
    ...(post.quoteOf === undefined ? [] : [{ type: "quoted", id: post.quoteOf }]),
    ...(post.replyTo === undefined ? [] : [{ type: "replied_to", id: post.replyTo }]),
  ];
}

/** Keys of a post's media; a repost shows those of its original. */
export function mediaKeysOf(world: SandboxWorld, post: PostRow): string[] {
  const shown = post.repostOf === undefined ? post : posts.in(world).get(post.repostOf);
  return (shown?.mediaIds ?? []).flatMap((id) => media.in(world).get(id)?.mediaKey ?? []);
}

/** The sending app's name. Source: "Developer app settings" of the interface. */
function sourceOf(world: SandboxWorld, post: PostRow): string {
  const app = post.appId === undefined ? undefined : apps.in(world).get(post.appId);
  return app?.name ?? "Platform Web App";
}

import { EDIT_HISTORY_SINCE } from "../../protocol/fields.ts";
import { apps } from "../model/apps.ts";
import type { SandboxWorld } from "../kernel/world/sandbox-world.ts";
import { media } from "../model/media.ts";
import { bookmarks } from "../model/bookmarks.ts";
import { type PostRow, posts, metricsOf, editControls, versionsOf } from "../model/posts.ts";
import { languageOf } from "../model/text/language.ts";
import type { RenderContext } from "./render-context.ts";
import { type FieldReader, picker } from "./selection.ts";
import { isLongform, shownPost, wholePost } from "./shown-post.ts";
import { displayRange } from "./shown-text.ts";
import { renderEntities } from "./text-entities.ts";

/** Fields that only the author may see. */
export const PRIVATE_FIELDS = [
  "non_public_metrics",
  "organic_metrics",
  "promoted_metrics",
] as const;

type PostFields = Readonly<Record<string, FieldReader<PostRow>>>;

const OWN_FIELDS: PostFields = {
  id: (_, post) => post.id,
  text: ({ world }, post) => shownPost(world, post).text,
  edit_history_post_ids: ({ world }, post) => versionsOf(world, post).map(({ id }) => id),
  created_at: (_, post) => new Date(post.at).toISOString(),
  author_id: (_, post) => post.authorId,
  lang: (_, post) => post.extra?.["lang"] ?? languageOf(post.text),
  source: ({ world }, post) => sourceOf(world, post),
  display_text_range: ({ world }, post) => displayRange(shownPost(world, post)),
  possibly_sensitive: (_, post) => post.extra?.["possibly_sensitive"] ?? false,
  entities: ({ world }, post) =>
    renderEntities(world, shownPost(world, post), mediaKeysOf(world, post)),
  note_post: ({ world }, post) => {
    if (!isLongform(post)) return undefined;
    const whole = wholePost(world, post);
    const entities = renderEntities(world, whole, mediaKeysOf(world, post));
    return { text: whole.text, ...(entities === undefined ? {} : { entities }) };
  },
  edit_controls: ({ world }, post) => editControls(world, post),
};

const RELATION_FIELDS: PostFields = {
  conversation_id: (_, post) => post.conversationId,
  in_reply_to_user_id: (_, post) => post.replyToUserId,
  referenced_posts: (_, post) => {
    const references = referencesOf(post);
    return references.length === 0 ? undefined : references;
  },
  reply_settings: (_, post) => post.replySettings ?? "everyone",
  attachments: ({ world }, post) => {
    const keys = mediaKeysOf(world, post);
    const held = {
      ...(keys.length === 0 ? {} : { media_keys: keys }),
      ...(post.pollId === undefined ? {} : { poll_ids: [post.pollId] }),
    };
    return Object.keys(held).length === 0 ? undefined : held;
  },
  media_metadata: ({ world }, post) => {
    const held = (post.mediaIds ?? []).flatMap((id) => media.in(world).get(id) ?? []);
    if (held.length === 0) return undefined;
    return held.map(({ mediaKey, altText }) => ({
      media_key: mediaKey,
      ...(altText === undefined ? {} : { alt_text: altText }),
    }));
  },
  geo: (_, post) => (post.placeId === undefined ? undefined : { place_id: post.placeId }),
};

const METRIC_FIELDS: PostFields = {
  public_metrics: ({ world }, post) => {
    const { reposts, replies, likes, quotes } = metricsOf(world, post);
    return {
      repost_count: reposts,
      reply_count: replies,
      like_count: likes,
      quote_count: quotes,
      bookmark_count: bookmarks.in(world).count("post", post.id),
      impression_count: viewsOf(post),
    };
  },
  non_public_metrics: ({ viewer }, post) =>
    viewer === post.authorId
      ? { impression_count: viewsOf(post), user_profile_clicks: 0, engagements: 0 }
      : undefined,
  organic_metrics: ({ world, viewer }, post) => {
    if (viewer !== post.authorId) return undefined;
    const { reposts, replies, likes } = metricsOf(world, post);
    return {
      impression_count: viewsOf(post),
      like_count: likes,
      reply_count: replies,
      repost_count: reposts,
      user_profile_clicks: 0,
    };
  },
};

function viewsOf({ extra }: PostRow): number {
  return typeof extra?.["views"] === "number" ? extra["views"] : 0;
}

const FIELDS: PostFields = { ...OWN_FIELDS, ...RELATION_FIELDS, ...METRIC_FIELDS };

const knownFields = picker("post", FIELDS);

/** Renders a post with its default and selected fields. */
export function renderPost(
  context: RenderContext,
  post: PostRow,
  selected: ReadonlySet<string>,
): Record<string, unknown> {
  const shown = knownFields(context, post, selected);
  if (!selected.has("edit_history_post_ids") && post.at < EDIT_HISTORY_SINCE) {
    delete shown["edit_history_post_ids"];
  }
  return post.extra === undefined ? shown : { ...extraFields(post.extra, selected), ...shown };
}

/** Returns selected fields that the sandbox stores without interpreting them, such as `context_annotations`. */
function extraFields(
  extra: NonNullable<PostRow["extra"]>,
  selected: ReadonlySet<string>,
): Record<string, unknown> {
  const selectedEntries = Object.entries(extra).filter(
    ([name]) => selected.has(name) && !(name in FIELDS),
  );
  return Object.fromEntries(selectedEntries);
}

/** Returns the posts that a post refers to, in the form of `referenced_posts`. */
export function referencesOf(post: PostRow): { type: string; id: string }[] {
  return [
    ...(post.repostOf === undefined ? [] : [{ type: "retweeted", id: post.repostOf }]),
    ...(post.quoteOf === undefined ? [] : [{ type: "quoted", id: post.quoteOf }]),
    ...(post.replyTo === undefined ? [] : [{ type: "replied_to", id: post.replyTo }]),
  ];
}

/** Returns the keys of a post's media; a repost has the media of its original. */
export function mediaKeysOf(world: SandboxWorld, post: PostRow): string[] {
  const shown = post.repostOf === undefined ? post : posts.in(world).get(post.repostOf);
  return (shown?.mediaIds ?? []).flatMap((id) => media.in(world).get(id)?.mediaKey ?? []);
}

/** Returns the name of the app that sent a post. Source: "Developer app settings" of the interface. */
function sourceOf(world: SandboxWorld, post: PostRow): string {
  const app = post.appId === undefined ? undefined : apps.in(world).get(post.appId);
  return app?.name ?? "Platform Web App";
}

import { POST_LENGTH } from "../../interface/limits.ts";
import { tied, type User, users } from "../accounts/entities.ts";
import type { App } from "../apps/entities.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { attachable } from "../media/attach.ts";
import { places } from "../places/entities.ts";
import { createPoll } from "../polls/rules.ts";
import { entitiesIn } from "./entities-in-text.ts";
import { type Post, posts } from "./entities.ts";
import type { PostInput } from "./input.ts";
import { refuseReply } from "./replying.ts";
import { EDITABLE_MS, isEditable, MOST_EDITS, versionsOf } from "./versions.ts";
import { unseenPost } from "./visible.ts";
import { createPost, deletePost, type Draft } from "./write.ts";

/** The same text by the same user within this time is a duplicate. */
const DUPLICATE_MS = 24 * 60 * 60_000;

/** How many of one's own latest posts are looked through for a duplicate. */
const DUPLICATES_AMONG = 50;

/** A link counts as many letters, however long it is. */
const LINK_LENGTH = 23;

/** A longform post has at most this many characters. */
const MOST_LONGFORM = 25_000;

/** What may not stand beside each other in one post. */
const EXCLUSIVE = ["media", "poll", "quote_post_id", "card_uri"] as const;

/** @throws {Refusal} 400 or 403 where the post may not be made. */
export function publish(sandbox: Sandbox, app: App, author: User, input: PostInput): Post {
  const text = input.text ?? "";
  refuseShape(author, text, input);
  const replaces = editable(sandbox, author, input.edit_options?.previous_post_id);
  const replyTo = referenced(
    sandbox,
    author,
    input.reply?.in_reply_to_post_id,
    "reply.in_reply_to_tweet_id",
  );
  if (replyTo !== undefined) refuseReply(sandbox, author, replyTo);
  const quoteOf = referenced(sandbox, author, input.quote_post_id, "quote_tweet_id");
  refuseDuplicate(sandbox, author, text, replyTo?.id, replaces);
  return createPost(sandbox, author, {
    text,
    replyTo,
    quoteOf,
    replaces,
    appId: app.id,
    ...attachments(sandbox, author, input),
  });
}

/** Deletes one's own post. @throws {Refusal} 403 where it is somebody else's. */
export function unpublish(sandbox: Sandbox, user: User, post: Post): void {
  if (post.authorId !== user.id) {
    throw Refusal.forbidden("You are not authorized to delete this Tweet.", { v1: 183 });
  }
  for (const version of versionsOf(sandbox.world, post)) {
    if (version.deletedAt === undefined) deletePost(sandbox, version);
  }
}

/** Hides a reply in a conversation that `user` began. @throws {Refusal} 403. */
export function hideReply(sandbox: Sandbox, user: User, reply: Post, hidden: boolean): void {
  const table = posts.in(sandbox.world);
  if (reply.replyTo === undefined || table.get(reply.conversationId)?.authorId !== user.id) {
    throw Refusal.forbidden("You can only hide replies to conversations that you have started.");
  }
  table.update(reply.id, { hidden });
}

/** Lets nobody act on the post of somebody who blocks them. @throws {Refusal} 403. */
export function refuseBlocked({ world }: Sandbox, user: User, post: Post): void {
  if (!tied(world, "block", post.authorId, user.id)) return;
  throw Refusal.forbidden("You have been blocked from the author of this tweet.", { v1: 136 });
}

/** Letters of a text as the platform counts them: links have one length. */
export function weight(text: string): number {
  const links = entitiesIn(text).filter(({ kind }) => kind === "url");
  return links.reduce(
    (sum, { start, end }) => sum - (end - start) + LINK_LENGTH,
    Array.from(text).length,
  );
}

function refuseShape(author: User, text: string, input: PostInput): void {
  const bare =
    input.media === undefined && input.poll === undefined && input.card_uri === undefined;
  if (text.trim() === "" && bare) {
    throw Refusal.invalid([
      { message: "One of `text`, `media`, `poll` or `card_uri` is required for a post." },
    ]);
  }
  const given = EXCLUSIVE.filter((name) => input[name] !== undefined);
  if (given.length > 1) {
    throw Refusal.invalid([{ message: `Only one of [${given.join(", ")}] may be given.` }]);
  }
  const most = isPremium(author.profile["subscription_type"]) ? MOST_LONGFORM : POST_LENGTH;
  if (weight(text) > most) {
    throw Refusal.forbidden(`The text is longer than ${most} characters.`, { v1: 186 });
  }
}

/** What a post carries besides its text. @throws {Refusal} 400 where it names what there is not. */
function attachments(sandbox: Sandbox, author: User, input: PostInput): Partial<Draft> {
  const { world } = sandbox;
  const mediaIds = input.media?.media_ids ?? [];
  attachable(sandbox, author, mediaIds, "post");
  const stranger = input.media?.tagged_user_ids?.find(
    (id) => users.in(world).get(id) === undefined,
  );
  if (stranger !== undefined) throw unknown("media.tagged_user_ids", stranger);
  const placeId = input.geo?.place_id;
  if (placeId !== undefined && places.in(world).get(placeId) === undefined) {
    throw unknown("geo.place_id", placeId);
  }
  const { poll } = input;
  const settings = input.reply_settings ?? poll?.reply_settings;
  const extra = {
    ...(input.paid_partnership === undefined ? {} : { paid_partnership: input.paid_partnership }),
    ...(input.community_id === undefined ? {} : { community_id: input.community_id }),
    ...(input.card_uri === undefined ? {} : { card_uri: input.card_uri }),
    ...(input.nullcast === true ? { nullcast: true } : {}),
    ...(input.for_super_followers_only === true ? { scopes: { followers: true } } : {}),
  };
  return {
    ...(mediaIds.length === 0 ? {} : { mediaIds }),
    ...(poll === undefined
      ? {}
      : { pollId: createPoll(sandbox, poll.options, poll.duration_minutes).id }),
    ...(placeId === undefined ? {} : { placeId }),
    ...(settings === undefined ? {} : { replySettings: settings }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/** The version that an edit replaces. @throws {Refusal} 400 or 403. */
function editable(sandbox: Sandbox, author: User, id: string | undefined): Post | undefined {
  if (id === undefined) return undefined;
  const post = posts.in(sandbox.world).get(id);
  if (post === undefined || post.deletedAt !== undefined) {
    throw unknown("edit_options.previous_post_id", id);
  }
  const versions = versionsOf(sandbox.world, post);
  const since = sandbox.time.now() - (versions[0] ?? post).at;
  const fault =
    post.authorId !== author.id
      ? "it is not yours"
      : !isEditable(post)
        ? "replies, reposts and polls can not be edited"
        : post.replacedBy !== undefined
          ? `it was edited already; name its latest version, ${versions.at(-1)?.id ?? ""}`
          : since >= EDITABLE_MS
            ? "the time to edit it is over"
            : versions.length > MOST_EDITS
              ? `it was edited ${MOST_EDITS} times already`
              : undefined;
  if (fault === undefined) return post;
  throw Refusal.forbidden(`You are not allowed to edit the post [${id}]: ${fault}.`);
}

/** A post that a new one refers to. @throws {Refusal} 400 or 403. */
function referenced(
  sandbox: Sandbox,
  author: User,
  id: string | undefined,
  name: string,
): Post | undefined {
  if (id === undefined) return undefined;
  const post = posts.in(sandbox.world).get(id);
  const why = unseenPost(sandbox.world, author.id, post);
  if (why === undefined && post !== undefined) {
    return post.repostOf === undefined ? post : posts.in(sandbox.world).get(post.repostOf);
  }
  if (why === "blocked" && post !== undefined) refuseBlocked(sandbox, author, post);
  if (why === "protected") throw Refusal.forbidden("You are not permitted to perform this action.");
  throw unknown(name, id);
}

function unknown(name: string, value: string): Refusal {
  return Refusal.parameter(
    name,
    value,
    `The \`${name}\` value [${value}] names nothing that you can see.`,
  );
}

function refuseDuplicate(
  sandbox: Sandbox,
  author: User,
  text: string,
  replyTo: string | undefined,
  replaces: Post | undefined,
): void {
  if (text === "") return;
  const since = sandbox.time.now() - DUPLICATE_MS;
  let left = DUPLICATES_AMONG;
  for (const post of posts.in(sandbox.world).down("author", author.id)) {
    if (left === 0) return;
    left -= 1;
    if (post.text !== text || post.at <= since || post.replyTo !== replyTo) continue;
    if (replaces !== undefined && post.id !== replaces.id) continue;
    throw Refusal.forbidden("You are not allowed to create a Tweet with duplicate content.", {
      v1: 187,
    });
  }
}

function isPremium(subscription: unknown): boolean {
  return subscription === "Premium" || subscription === "PremiumPlus";
}

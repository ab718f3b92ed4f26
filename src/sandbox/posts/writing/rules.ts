import { entitiesOf } from "../../../protocol/public-text/entities.ts";
import { weightedLength } from "../../../protocol/public-text/length.ts";
import { POST_LENGTH } from "../../../protocol/limits.ts";
import { type UserRow, users } from "../../model/accounts.ts";
import type { AppRow } from "../../model/apps.ts";
import { ApiError } from "../../kernel/http/api-error.ts";
import type { Sandbox } from "../../kernel/sandbox.ts";
import { type PostRow, posts } from "../../model/posts.ts";
import { readAttachments } from "./attachments.ts";
import { editedPost, isSelfServe, refuseReply, refuseForeign, referenced } from "./references.ts";
import type { PostInput } from "./input.ts";
import { createPost, deleteVersions, type PostDraft, unchangedBy } from "./write.ts";

/** Time within which the same text by the same user is a duplicate. */
const DUPLICATE_MS = 24 * 60 * 60_000;

/** Number of the author's latest posts that are checked for the same text. */
const DUPLICATE_LOOKBACK = 50;

/** Mutually exclusive properties of a post. */
const EXCLUSIVE = ["media", "poll", "quote_post_id", "card_uri"] as const;

/** Properties that an edit can't have: replies and polls can not be edited, and no edit turns a post into one. */
const NOT_IN_EDITS = ["reply", "poll"] as const;

/**
 * Publishes a post by the platform's rules.
 *
 * @param typesHandles Whether the author types the handles of the thread that a reply begins with.
 * @throws {ApiError} 400 or 403 if the post is not allowed.
 */
export function publishPost(
  sandbox: Sandbox,
  app: AppRow,
  author: UserRow,
  input: PostInput,
  typesHandles = false,
): PostRow {
  const text = input.text ?? "";
  refuseShape(author, text, input);
  if (isSelfServe(sandbox, app)) refuseCashtags(text);
  const edited = input.edit_options?.previous_post_id;
  const replaces = edited === undefined ? undefined : editedPost(sandbox, author, edited);
  const replyTo = referenced(sandbox, author, input.reply?.in_reply_to_post_id, "reply");
  if (replyTo !== undefined) refuseReply(sandbox, author, replyTo);
  const quoteOf = referenced(sandbox, author, input.quote_post_id, "quote");
  for (const post of [replyTo, quoteOf]) {
    if (post !== undefined) refuseForeign(sandbox, app, author, post);
  }
  refuseDuplicate(sandbox, author, text, replyTo?.id);
  const attachments = readAttachments(sandbox, author, input);
  if (replaces !== undefined) {
    const parts = { ...attachments, ...(quoteOf === undefined ? {} : { quoteOf }) };
    const draft = editDraft(sandbox, replaces, input, parts);
    return createPost(sandbox, author, { ...draft, text, appId: app.id });
  }
  return createPost(sandbox, author, {
    text,
    replyTo,
    excludedIds: input.reply?.exclude_reply_user_ids,
    typesHandles,
    quoteOf,
    appId: app.id,
    ...attachments,
  });
}

/**
 * Returns the properties of a new version besides its text. Properties of the request replace those of the version
 * before; media, a quoted post and a card also replace each other.
 */
function editDraft(
  sandbox: Sandbox,
  replaces: PostRow,
  input: PostInput,
  parts: Partial<PostDraft>,
): Omit<PostDraft, "text"> {
  const { mediaIds, taggedIds, quoteOf, extra, ...others } = unchangedBy(sandbox, replaces);
  const { card_uri: card, ...otherExtra } = { ...extra, ...parts.extra };
  const isReplaced = EXCLUSIVE.some((name) => input[name] !== undefined);
  const shownCard = isReplaced ? input.card_uri : card;
  return {
    ...others,
    ...(isReplaced ? {} : { mediaIds, taggedIds, quoteOf }),
    ...parts,
    extra: { ...otherExtra, ...(shownCard === undefined ? {} : { card_uri: shownCard }) },
  };
}

/** Deletes a user's own post in all its versions. @throws {ApiError} 403 if the post belongs to another user. */
export function deleteOwnPost(sandbox: Sandbox, user: UserRow, post: PostRow): void {
  if (post.authorId !== user.id) {
    throw ApiError.forbidden("You are not authorized to delete this Tweet.", { v1: 183 });
  }
  deleteVersions(sandbox, post);
}

/** Hides a reply in a conversation that `user` started, or shows it again. @throws {ApiError} 403. */
export function hideReply(sandbox: Sandbox, user: UserRow, reply: PostRow, hidden: boolean): void {
  const table = posts.in(sandbox.world);
  if (reply.replyTo === undefined || table.get(reply.conversationId)?.authorId !== user.id) {
    throw ApiError.forbidden("You can only hide replies to conversations that you have started.");
  }
  table.update(reply.id, { hidden });
}

/** Refuses reposts of protected users' posts by other users. @throws {ApiError} 403. */
export function refuseRepost({ world }: Sandbox, user: UserRow, post: PostRow): void {
  const author = users.in(world).get(post.authorId);
  if (author?.profile["protected"] !== true || author.id === user.id) return;
  throw ApiError.forbidden("You are not permitted to repost a protected post.", { v1: 328 });
}

/**
 * Refuses a post without a text, also if it quotes a post, as well as exclusive properties together, edits with a reply or poll,
 * and long texts.
 * Source: the live service's API description, where a text is required unless media is provided.
 */
function refuseShape(author: UserRow, text: string, input: PostInput): void {
  const textOnly =
    input.media === undefined && input.poll === undefined && input.card_uri === undefined;
  if (text.trim() === "" && textOnly) {
    throw ApiError.invalid([
      { message: "One of `text`, `media`, `poll` or `card_uri` is required for a post." },
    ]);
  }
  const exclusiveFields = EXCLUSIVE.filter((name) => input[name] !== undefined);
  if (exclusiveFields.length > 1) {
    throw ApiError.invalid([
      { message: `Only one of [${exclusiveFields.join(", ")}] may be given.` },
    ]);
  }
  const uneditable = NOT_IN_EDITS.filter((name) => input[name] !== undefined);
  if (input.edit_options !== undefined && uneditable.length > 0) {
    throw ApiError.invalid([
      {
        message: `An edit can't have [${uneditable.join(", ")}]: replies and polls can not be edited.`,
      },
    ]);
  }
  const max = maxLengthFor(author);
  if (weightedLength(text) > max) {
    throw ApiError.forbidden(`The text is longer than ${max} characters.`, { v1: 186 });
  }
}

/** Refuses a text with several cashtags. Source: the live service's guide to creating posts, and recorded answers. */
function refuseCashtags(text: string): void {
  if (entitiesOf(text).filter(({ kind }) => kind === "cashtag").length < 2) return;
  throw ApiError.forbidden("Posts are limited to a maximum of one cashtag");
}

function refuseDuplicate(
  { world, time }: Sandbox,
  author: UserRow,
  text: string,
  replyTo: string | undefined,
): void {
  if (text === "") return;
  const since = time.now() - DUPLICATE_MS;
  let remainingPosts = DUPLICATE_LOOKBACK;
  for (const post of posts.in(world).descending("author", author.id)) {
    if (remainingPosts === 0) return;
    remainingPosts -= 1;
    if (post.text !== text || post.at <= since || post.replyTo !== replyTo) continue;
    throw ApiError.forbidden("You are not allowed to create a Tweet with duplicate content.", {
      v1: 187,
    });
  }
}

/** Maximum length of a longform post, in characters. */
const LONGFORM_LENGTH = 25_000;

/** Returns the maximum length of a post by `author`. Only Premium subscribers can publish longform posts. */
export function maxLengthFor(author: UserRow): number {
  const subscription = author.profile["subscription_type"];
  return subscription === "Premium" || subscription === "PremiumPlus"
    ? LONGFORM_LENGTH
    : POST_LENGTH;
}

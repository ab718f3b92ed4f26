import type { FetchOptions, FetchResult, Message, UserInfo } from "chat";
import type { BotAccount, BotContext } from "../bots/define.ts";
import { PlatformError } from "../client/errors.ts";
import type { Person } from "../events/event.ts";
import {
  MESSAGE_SELECTION,
  type ReadIncludes,
  type ReadMessage,
  type ReadPost,
} from "../events/read/objects.ts";
import { messageDelivery } from "../events/read/message.ts";
import { postDelivery } from "../events/read/post.ts";
import { translate } from "../events/translate.ts";
import { conversationIdOf } from "../protocol/conversation-id.ts";
import { messageOf, type SaidRaw, saidInMessage, saidInPost } from "./message.ts";
import { type ThreadPlace, threadIdOf } from "./thread-place.ts";

/** Maximum number of messages to read back when the caller wants the oldest messages first. */
const MAX_READ = 1_000;
/** Largest pages. A page is recorded, which limits its length, and posts have more fields than messages. */
const MAX_PAGE_SIZE = { dm: 100, post: 50 } as const;
const USUAL_PAGE = 50;

interface ReadPage {
  /** Messages or posts, newest first, as the platform lists them. */
  readonly said: readonly SaidRaw[];
  readonly next?: string | undefined;
}

/**
 * Returns messages or posts of a thread, as far as the platform returns them: messages of the last 30 days, posts of
 * the last seven. `forward` starts with the oldest of the last thousand, because the platform lists the newest first.
 */
export async function historyOf(
  ctx: BotContext,
  place: ThreadPlace,
  { limit = USUAL_PAGE, cursor, direction = "backward" }: FetchOptions,
): Promise<FetchResult<SaidRaw>> {
  if (direction === "forward") return { messages: await fromOldest(ctx, place) };
  const size = Math.min(Math.max(limit, 1), MAX_PAGE_SIZE[place.kind]);
  const { said, next } = await pageOf(ctx, place, size, cursor);
  const messages = oldestFirst(said);
  return next === undefined ? { messages } : { messages, nextCursor: next };
}

async function fromOldest(ctx: BotContext, place: ThreadPlace): Promise<Message<SaidRaw>[]> {
  const said: SaidRaw[] = [];
  let next: string | undefined;
  const size = MAX_PAGE_SIZE[place.kind];
  for (let pages = 0; pages < MAX_READ / size; pages += 1) {
    const page = await pageOf(ctx, place, size, next);
    said.push(...page.said);
    next = page.next;
    if (next === undefined) break;
  }
  return oldestFirst(said);
}

function pageOf(
  ctx: BotContext,
  place: ThreadPlace,
  maxResults: number,
  cursor: string | undefined,
): Promise<ReadPage> {
  const page = { maxResults, cursor };
  return place.kind === "dm"
    ? messagesWith(ctx, place.userId, page)
    : postsBelow(ctx, place.rootId, page);
}

interface PageAsked {
  readonly maxResults: number;
  /** The platform's token of the page; for posts, the id of the last post before the page. */
  readonly cursor: string | undefined;
}

/** Fields and expansions of messages, as far as the content of a thread needs them. */
const MESSAGE_FIELDS = {
  dmEventFields: ["attachments", "created_at", "entities", "sender_id", "text"],
  mediaFields: MESSAGE_SELECTION.mediaFields,
  expansions: MESSAGE_SELECTION.expansions,
} as const;

async function messagesWith(
  ctx: BotContext,
  userId: string,
  { maxResults, cursor }: PageAsked,
): Promise<ReadPage> {
  const { data, includes, meta } = await ctx.client.dms.eventsWith(userId, {
    ...MESSAGE_FIELDS,
    maxResults,
    paginationToken: cursor,
    eventTypes: ["MessageCreate"],
  });
  const said = data.flatMap((message) => saidWith(ctx, userId, message, includes) ?? []);
  return { said, next: meta.next_token };
}

/** Reads a message as if it had been delivered; undefined if it is not between the person and the account. */
function saidWith(
  { account }: BotContext,
  userId: string,
  { sender_id = userId, ...message }: Omit<ReadMessage, "dm_conversation_id">,
  includes: ReadIncludes,
): SaidRaw | undefined {
  const dm_conversation_id = conversationIdOf(account.id, userId);
  const asRead = { ...message, sender_id, dm_conversation_id };
  const event = translate(messageDelivery(account.id, asRead, includes), 0)[0]?.event;
  if (event?.kind !== "message") return undefined;
  return {
    ...saidInMessage(event),
    threadId: threadIdOf({ kind: "dm", userId }),
    ...byWhom(account, event.sender),
  };
}

/** Smallest page, in posts, that the platform's search accepts. */
const MIN_SEARCH_RESULTS = 10;

/** Fields and expansions of posts, as far as the content of a thread needs them. */
const POST_FIELDS = {
  postFields: [
    "attachments",
    "author_id",
    "created_at",
    "display_text_range",
    "entities",
    "in_reply_to_user_id",
    "note_post",
    "referenced_posts",
  ],
  mediaFields: MESSAGE_SELECTION.mediaFields,
  expansions: ["attachments.media_keys", "author_id"],
} as const;

async function postsBelow(
  ctx: BotContext,
  rootId: string,
  { maxResults, cursor }: PageAsked,
): Promise<ReadPage> {
  const { data, includes, meta } = await ctx.client.posts.searchRecent({
    ...POST_FIELDS,
    untilId: cursor,
    maxResults: Math.max(maxResults, MIN_SEARCH_RESULTS),
    query: `conversation_id:${rootId}`,
  });
  const threadId = threadIdOf({ kind: "post", rootId });
  const page = data.slice(0, maxResults);
  const said = page.flatMap((post) => saidIn(ctx, threadId, post, includes) ?? []);
  const isLast = page.length === data.length && meta.next_token === undefined;
  return { said, next: isLast ? undefined : page.at(-1)?.id };
}

/** Reads a post as if it had been delivered. The author's name is missing if the platform does not show the author. */
function saidIn(
  { account }: BotContext,
  threadId: string,
  post: ReadPost,
  { users = [], ...includes }: ReadIncludes,
): SaidRaw | undefined {
  const shown = { ...includes, users: [...users, { id: post.author_id }] };
  const event = translate(postDelivery(account.id, post, shown), 0)[0]?.event;
  if (event?.kind !== "post") return undefined;
  return { ...saidInPost(event), threadId, ...byWhom(account, event.sender) };
}

/** Returns the author of a message. The account's own handle is known even if the platform does not show it. */
function byWhom(account: BotAccount, sender: Person): Pick<SaidRaw, "author" | "isMe"> {
  const isMe = sender.id === account.id;
  return { author: isMe ? { ...account, ...sender } : sender, isMe };
}

function oldestFirst(said: readonly SaidRaw[]): Message<SaidRaw>[] {
  return said.map(messageOf).toReversed();
}

/** Returns a message or post; null if it does not exist. */
export async function saidWithId(
  ctx: BotContext,
  place: ThreadPlace,
  id: string,
): Promise<Message<SaidRaw> | null> {
  return orNull(async () => {
    const said = await readOne(ctx, place, id);
    return said === undefined ? null : messageOf(said);
  });
}

async function readOne(
  ctx: BotContext,
  place: ThreadPlace,
  id: string,
): Promise<SaidRaw | undefined> {
  if (place.kind === "post") {
    const { data, includes } = await ctx.client.posts.get(id, POST_FIELDS);
    return saidIn(ctx, threadIdOf(place), data, includes);
  }
  const { data, includes } = await ctx.client.dms.event(id, MESSAGE_FIELDS);
  return saidWith(ctx, place.userId, data, includes);
}

/** Returns a person; null if they do not exist. */
export async function personWithId(ctx: BotContext, id: string): Promise<UserInfo | null> {
  return orNull(async () => {
    const { data } = await ctx.client.users.get(id, { userFields: ["profile_image_url"] });
    const { username, name, profile_image_url: avatarUrl } = data;
    return {
      userId: id,
      userName: username,
      fullName: name,
      isBot: false,
      ...(avatarUrl !== undefined && { avatarUrl }),
    };
  });
}

async function orNull<T>(look: () => Promise<T>): Promise<T | null> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof PlatformError && error.notFound) return null;
    throw error;
  }
}

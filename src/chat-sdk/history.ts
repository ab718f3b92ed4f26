import type { FetchOptions, FetchResult, Message, UserInfo } from "chat";
import type { BotContext } from "../bots/define.ts";
import { PlatformError } from "../client/errors.ts";
import { messageOf, type SaidRaw } from "./message.ts";
import { type ThreadPlace, threadIdOf } from "./thread-place.ts";

/** Maximum number of pages of 100 messages to read back when the caller wants the oldest messages first. */
const MAX_PAGES = 10;
const MAX_PAGE_SIZE = 100;
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
  const size = Math.min(Math.max(limit, 1), MAX_PAGE_SIZE);
  const { said, next } = await pageOf(ctx, place, size, cursor);
  const messages = oldestFirst(said);
  return next === undefined ? { messages } : { messages, nextCursor: next };
}

async function fromOldest(ctx: BotContext, place: ThreadPlace): Promise<Message<SaidRaw>[]> {
  const said: SaidRaw[] = [];
  let next: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await pageOf(ctx, place, MAX_PAGE_SIZE, next);
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

async function messagesWith(
  ctx: BotContext,
  userId: string,
  { maxResults, cursor }: PageAsked,
): Promise<ReadPage> {
  const { data, meta } = await ctx.client.dms.eventsWith(userId, {
    maxResults,
    paginationToken: cursor,
    eventTypes: ["MessageCreate"],
    dmEventFields: ["sender_id", "text", "created_at"],
  });
  const said = data.map((message) => saidInMessage(ctx, userId, message));
  return { said, next: meta.next_token };
}

interface MessageRead {
  readonly id: string;
  readonly text?: string | undefined;
  readonly sender_id?: string | undefined;
  readonly created_at: string;
}

function saidInMessage(
  { account }: BotContext,
  userId: string,
  { id, text = "", sender_id: by = userId, created_at: at }: MessageRead,
): SaidRaw {
  const isMe = by === account.id;
  return {
    id,
    threadId: threadIdOf({ kind: "dm", userId }),
    text,
    at: Date.parse(at),
    author: isMe ? account : { id: by },
    isMe,
  };
}

/** Smallest page, in posts, that the platform's search accepts. */
const MIN_SEARCH_RESULTS = 10;

async function postsBelow(
  ctx: BotContext,
  rootId: string,
  { maxResults, cursor }: PageAsked,
): Promise<ReadPage> {
  const { data, includes, meta } = await ctx.client.posts.searchRecent({
    untilId: cursor,
    maxResults: Math.max(maxResults, MIN_SEARCH_RESULTS),
    query: `conversation_id:${rootId}`,
    postFields: ["author_id", "created_at"],
    expansions: ["author_id"],
  });
  const threadId = threadIdOf({ kind: "post", rootId });
  const said = data.slice(0, maxResults).map((post) => {
    const author = includes?.users?.find(({ id }) => id === post.author_id);
    return saidIn(ctx, threadId, post, author);
  });
  const isLast = said.length === data.length && meta.next_token === undefined;
  return { said, next: isLast ? undefined : said.at(-1)?.id };
}

interface PostRead {
  readonly id: string;
  readonly text: string;
  readonly author_id: string;
  readonly created_at: string;
}

function saidIn(
  { account }: BotContext,
  threadId: string,
  { id, text, author_id: by, created_at: at }: PostRead,
  author: { readonly username: string; readonly name: string } | undefined,
): SaidRaw {
  const isMe = by === account.id;
  return {
    id,
    threadId,
    text,
    at: Date.parse(at),
    author: { id: by, ...(author && { username: author.username, name: author.name }) },
    isMe,
  };
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
    if (place.kind === "post") {
      const { data, includes } = await ctx.client.posts.get(id, {
        postFields: ["author_id", "created_at"],
        expansions: ["author_id"],
      });
      return messageOf(saidIn(ctx, threadIdOf(place), data, includes?.users?.[0]));
    }
    const { data } = await ctx.client.dms.event(id, {
      dmEventFields: ["sender_id", "text", "created_at"],
    });
    return messageOf(saidInMessage(ctx, place.userId, data));
  });
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

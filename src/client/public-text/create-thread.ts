import { AnswerbackError, UsageError } from "../../errors.ts";
import { POST_LENGTH } from "../../protocol/limits.ts";
import { weightedLength } from "../../protocol/public-text/length.ts";
import { PlatformError, ProtocolError, UnreachableError } from "../errors.ts";
import type { CallOptions } from "../http/api-caller.ts";
import type { CreatedPost, PostsMethods } from "../resources/posts.ts";
import { splitPost } from "./split-post.ts";
import { storesClass } from "../../system/stored-classes.ts";

/** A client that can publish posts: from `createClient` with credentials of a user, or `ctx.client` of a bot. */
export interface PostingClient {
  readonly posts: Pick<PostsMethods, "create">;
}

/** Options of a thread. The call options apply to the request of each post. */
export interface PostThreadOptions extends CallOptions {
  /** Id of the post to which the first post replies. */
  readonly replyTo?: string | undefined;
  /** Maximum weighted characters of a post: default 280; up to 25000 for accounts with longform posts. */
  readonly limit?: number | undefined;
}

/** Options of a thread that decide where and whether the platform accepts a part. */
type NextOptions = Pick<PostThreadOptions, "replyTo" | "limit">;

/**
 * Publishes a thread: each post replies to the previous one.
 *
 * `splitPost` splits a text that is too long for one post. A list is published as one post per text.
 *
 * @param client A client with credentials of a user.
 * @returns The posts in order.
 * @throws UsageError, before anything is published, if there is no text, or a text of a list is empty or
 *   weighs more than `limit`.
 * @throws ThreadError if a part was not published, with the ids of the posts before it. Later parts are not tried.
 *
 * @example
 * const posts = await createThread(client, "A long story. ".repeat(40));
 * console.log(posts.map(({ id }) => id));
 */
export async function createThread(
  client: PostingClient,
  text: string | readonly string[],
  { replyTo, limit = POST_LENGTH, ...options }: PostThreadOptions = {},
): Promise<readonly CreatedPost[]> {
  const texts = typeof text === "string" ? splitPost(text, limit) : text;
  refuseTexts(texts, limit);
  const created: CreatedPost[] = [];
  for (const part of texts) {
    const answered = created.at(-1)?.id ?? replyTo;
    try {
      created.push(await client.posts.create({ text: part, replyTo: answered }, options));
    } catch (cause) {
      const createdIds = created.map(({ id }) => id);
      const next = { replyTo: answered, limit };
      throw new ThreadError(createdIds, texts.slice(created.length), cause, next);
    }
  }
  return created;
}

/** Checks the texts of a thread. @throws UsageError if the platform would refuse one of them. */
function refuseTexts(texts: readonly string[], limit: number): void {
  if (texts.length === 0) {
    throw new UsageError("the thread has no text", { hint: "pass a text, or a list of texts" });
  }
  for (const [index, part] of texts.entries()) {
    const which = `part ${index + 1}`;
    if (part.trim() === "") {
      throw new UsageError(`${which} is empty`, { hint: "leave it out of the list" });
    }
    const length = weightedLength(part);
    if (length <= limit) continue;
    throw new UsageError(`${which} is ${length} weighted characters (limit ${limit})`, {
      hint: "split it with splitPost, or pass the whole text instead of a list",
    });
  }
}

/** A part of a thread was not published, or its outcome is unknown. The posts before it stay published. */
export class ThreadError extends AnswerbackError {
  override readonly name = "ThreadError";
  readonly code = "thread-incomplete";
  /**
   * Whether the same call may be repeated. False after the first published post: a repeat would publish that post
   * twice.
   */
  readonly retryable: boolean;
  /**
   * `unknown`: the failed part may have been published. Before you go on, look for it in the account's timeline: the
   * hint has the call for both cases.
   */
  readonly executed: "no" | "unknown";
  /** Ids of the published posts, in order. */
  readonly createdIds: readonly string[];
  /** Texts that were not published: the failed part and all later ones. */
  readonly remainingTexts: readonly string[];

  /**
   * Creates the error for the first unpublished part.
   *
   * @param cause Error of the failed part.
   * @param next Options with which the failed part can be tried again; the hint names them.
   */
  constructor(
    createdIds: readonly string[],
    remainingTexts: readonly string[],
    cause: unknown,
    next: NextOptions,
  ) {
    const part = createdIds.length + 1;
    const executed = isUnknown(cause) ? "unknown" : "no";
    const outcome = executed === "unknown" ? "may not have been published" : "was not published";
    const reason = cause instanceof Error ? cause.message : String(cause);
    const before = createdIds.length === 0 ? "nothing" : createdIds.join(", ");
    const message = `part ${part} of ${createdIds.length + remainingTexts.length} ${outcome}: ${reason}; published before it: ${before}`;
    const hint =
      executed === "unknown"
        ? unknownHint(remainingTexts.length, next)
        : refusedHint(createdIds, cause, next);
    super(message, { cause, hint });
    this.createdIds = createdIds;
    this.remainingTexts = remainingTexts;
    this.executed = executed;
    const mayRetry = cause instanceof AnswerbackError && cause.retryable;
    this.retryable = createdIds.length === 0 && mayRetry;
  }
}

storesClass("ThreadError", ThreadError, ["createdIds", "remainingTexts"]);

function isUnknown(cause: unknown): boolean {
  if (cause instanceof UnreachableError) return cause.sent === "maybe";
  if (cause instanceof ProtocolError) return true;
  return cause instanceof PlatformError && cause.executed === "unknown";
}

/** Returns how to go on after a part that was not published. */
function refusedHint(
  createdIds: readonly string[],
  cause: unknown,
  next: NextOptions,
): string | undefined {
  const failure = cause instanceof AnswerbackError ? cause : undefined;
  if (createdIds.length === 0) return failure?.hint;
  const goOn = `go on with ${callFor("error.remainingTexts", next)}`;
  return failure?.retryable === true ? goOn : `remove the cause, then ${goOn}`;
}

/** Returns how to go on after a part that may have been published. A repeat could publish it twice. */
function unknownHint(textCount: number, next: NextOptions): string {
  const again = callFor("error.remainingTexts", next);
  const rest = callFor("error.remainingTexts.slice(1)", { ...next, replyTo: "ID" });
  const isThere = "look at the account's timeline first: if error.remainingTexts[0] is there";
  if (textCount === 1) return `${isThere}, the thread is complete, else go on with ${again}`;
  return `${isThere}, go on with ${rest}, where ID is the id of its post, else with ${again}`;
}

/** Returns the source text of a call of `createThread`. */
function callFor(texts: string, { replyTo, limit = POST_LENGTH }: NextOptions): string {
  const options = [
    ...(replyTo === undefined ? [] : [`replyTo: "${replyTo}"`]),
    ...(limit === POST_LENGTH ? [] : [`limit: ${limit}`]),
  ];
  const last = options.length === 0 ? "" : `, { ${options.join(", ")} }`;
  return `createThread(client, ${texts}${last})`;
}

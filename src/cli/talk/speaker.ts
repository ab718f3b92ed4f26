import { UsageError } from "../../errors.ts";
import type { LocalSandbox } from "../target/sandbox-control.ts";
import type { Act, SandboxEvent } from "../../sandbox/control/objects.ts";
import { shell } from "../../text/shell.ts";

/** A message or post with which the bot answers. */
export interface BotAnswer {
  readonly kind: "message" | "post";
  readonly id: string;
  readonly text: string;
}

export type InteractionKind = "dm" | "post" | "reply" | "follow";

/** An input to the bot: a person's message, post, reply or follow, with its key in the bot's journal. */
export interface SaidToBot {
  readonly kind: InteractionKind;
  /** User id of the bot's account. */
  readonly account: string;
  readonly person: string;
  /** Prefix of the key of the input's journal entry. */
  readonly keyBegins: string;
}

/** A sandbox user who writes to the bot and recognises its answers. */
export interface Speaker {
  readonly username: string;
  /**
   * Sends a message, publishes a post, replies to the bot's newest post to this user, or follows the bot.
   *
   * @throws {UsageError} for a reply if the bot has published no post; for a follow that waits until the bot accepts it.
   * @throws {SandboxRefusedError} for an action that the platform refuses, such as a message during a block.
   */
  send(kind: InteractionKind, text: string): Promise<SaidToBot>;
  /** Returns the bot's answer to this user; undefined if `event` is something else. */
  answerIn(event: SandboxEvent): BotAnswer | undefined;
}

const KEYS: Readonly<Record<InteractionKind, (createdId: string, person: string) => string>> = {
  dm: (createdId) => `message:${createdId}`,
  post: (createdId) => `post:${createdId}`,
  reply: (createdId) => `post:${createdId}`,
  // only the start of the key: a follow's key ends with its time, which is not known here
  follow: (_, person) => `follow:${person}>`,
};

/**
 * Returns the sandbox user with a handle; creates the user if missing.
 *
 * @throws {UsageError} for the bot's own handle: the bot's message to itself would be taken for its answer.
 */
export async function speakerFor(sandbox: LocalSandbox, handle: string): Promise<Speaker> {
  const { bot } = sandbox.file;
  const { id, username } = await sandbox.person(handle);
  if (id === bot.id) {
    throw new UsageError(`@${username} is the bot itself`, {
      hint: "name the person who writes, such as @ana",
    });
  }
  const sent = new Set<string>();
  const actOf = async (kind: InteractionKind, text: string): Promise<Act> => {
    if (kind === "dm") return { type: "dm", to: bot.id, text };
    if (kind === "follow") return { type: "follow", user_id: bot.id };
    if (kind === "post") return { type: "post", text };
    const { target, conversation } = await postsToReplyTo(sandbox, { id, username });
    if (target === undefined) throw nothingToReplyTo(sandbox, username);
    // the bot may answer an earlier post of the conversation
    for (const postId of conversation) sent.add(postId);
    return { type: "post", text, in_reply_to: target };
  };

  return {
    username,
    async send(kind, text) {
      const actResult = await sandbox.act(id, await actOf(kind, text));
      if (actResult.pending_follow === true) throw pendingFollow(sandbox, username);
      sent.add(actResult.id);
      return { kind, account: bot.id, person: id, keyBegins: KEYS[kind](actResult.id, id) };
    },
    answerIn({ type, data }) {
      const { kind, by, to, ref, text, refers_to: refersTo } = data;
      if (type !== "activity" || by !== bot.id || typeof ref !== "string") return undefined;
      const said = { id: ref, text: typeof text === "string" ? text : "" };
      if (kind === "message" && to === id) return { kind, ...said };
      if (kind !== "post" || !Array.isArray(refersTo)) return undefined;
      if (!refersTo.some((post) => sent.has(post))) return undefined;
      // later posts of a chain reply to the chain's previous post
      sent.add(ref);
      return { kind, ...said };
    },
  };
}

/** Number of the latest posts of the sandbox among which the bot's post is looked for. */
const LATEST_POSTS = 1_000;

/**
 * Finds the post to which a person's reply belongs: the bot's newest post that mentions the person, replies to the
 * person, or replies to such a post. Without one, it is the bot's newest post.
 *
 * @returns The id of that post, and the ids of all posts of the person's conversations with the bot.
 */
async function postsToReplyTo(
  sandbox: LocalSandbox,
  person: { readonly id: string; readonly username: string },
): Promise<{ readonly target: string | undefined; readonly conversation: ReadonlySet<string> }> {
  const bot = sandbox.file.bot.id;
  const mention = new RegExp(`@${person.username}\\b`, "i");
  const conversation = new Set<string>();
  let newest: string | undefined;
  let newestToPerson: string | undefined;
  for (const post of await sandbox.objects("posts", LATEST_POSTS)) {
    const { id, author_id: author, in_reply_to_post_id: repliesTo = "" } = post;
    if (post.reposted_post_id !== undefined) continue;
    const isToPerson = author === bot && (conversation.has(repliesTo) || mention.test(post.text));
    if (author === person.id || isToPerson) conversation.add(id);
    if (author !== bot || post.deleted) continue;
    newest = id;
    if (isToPerson) newestToPerson = id;
  }
  return { target: newestToPerson ?? newest, conversation };
}

function nothingToReplyTo({ file }: LocalSandbox, username: string): UsageError {
  const bot = file.bot.username;
  return new UsageError(`@${bot} has no post that @${username} could reply to`, {
    hint: `write a post to it first: ${shell`answerback send @${username} --post ${`@${bot} hello`}`}`,
  });
}

function pendingFollow({ file }: LocalSandbox, username: string): UsageError {
  const bot = `@${file.bot.username}`;
  return new UsageError(
    `the posts of ${bot} are protected, so the follow of @${username} waits until ${bot} accepts it`,
    { hint: "the bot gets no event about a follow that waits" },
  );
}

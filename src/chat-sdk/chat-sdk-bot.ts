import { getEmoji } from "chat";
import { type Bot, type BotContext, defineBot } from "../bots/define.ts";
import { type AnswerbackAdapter, adapterOf } from "./adapter.ts";
import { authorOf, messageOf, type SaidRaw } from "./message.ts";
import { rootOf } from "./roots.ts";
import { AnswerbackState } from "./state.ts";
import { ADAPTER_NAME, threadIdOf } from "./thread-place.ts";
import { duringTurn, Turn } from "./turn.ts";

/** How the runtime hands events to a `Chat`. */
export interface ChatSdkBotOptions {
  /** How old an event may be, as for `defineBot`. */
  readonly maxAge?: string;
  /** `true`: messages that a rule has answered are handed over, too; unless given they are left to the rule. */
  readonly besideRules?: boolean;
}

/** A `Chat` of the Chat SDK, as far as it is used here. */
export interface ChatOfSdk {
  /** As the Chat SDK has it. */
  initialize(): Promise<void>;
}

/**
 * Makes a bot of a `Chat` of the Chat SDK (npm `chat`): a module's default export.
 *
 * Its handlers get messages, mentions, replies and likes from the journal, in the order of each person, none
 * twice and none left out while another is at work. What they post goes out once, though a crash has them run again.
 *
 * @example
 * const bot = new Chat({
 *   userName: "hello_bot",
 *   adapters: { answerback: createAnswerbackAdapter() },
 *   state: createAnswerbackState(),
 * });
 * bot.onNewMention(async (thread, message) => {
 *   await thread.subscribe();
 *   await thread.post(`Hello ${message.author.fullName}`);
 * });
 * export default chatSdkBot("hello", bot);
 *
 * @param name As `defineBot` has it.
 */
export function chatSdkBot(name: string, chat: ChatOfSdk, options: ChatSdkBotOptions = {}): Bot {
  const { maxAge, besideRules = false } = options;
  const during = async (
    ctx: BotContext,
    handle: (turn: Turn, adapter: AnswerbackAdapter) => Promise<void>,
  ): Promise<void> => {
    const adapter = await initialized(chat);
    const turn = new Turn(name, ctx);
    await duringTurn(turn, () => handle(turn, adapter));
  };
  const heard = async (ctx: BotContext): Promise<void> => {
    if (ctx.answered && !besideRules) return;
    await during(ctx, handleMessage);
  };
  return defineBot({
    name,
    ...(maxAge !== undefined && { maxAge }),
    on: {
      "dm.received": heard,
      "post.mentioned": heard,
      "post.replied": heard,
      "post.quoted": heard,
      "post.liked": (ctx) => during(ctx, handleLike),
    },
  });
}

/** @throws {TypeError} where the `Chat` was made without our adapter or our state. */
async function initialized(chat: ChatOfSdk): Promise<AnswerbackAdapter> {
  await chat.initialize();
  const adapter = adapterOf(chat);
  if (adapter?.chat?.getState() instanceof AnswerbackState) return adapter;
  throw new TypeError(
    `the Chat needs our adapter and our state: new Chat({ adapters: { ${ADAPTER_NAME}: createAnswerbackAdapter() }, state: createAnswerbackState(), … })`,
  );
}

async function handleMessage(turn: Turn, adapter: AnswerbackAdapter): Promise<void> {
  const raw = await heardBy(turn);
  if (raw !== undefined) await adapter.chat?.processMessage(adapter, raw.threadId, messageOf(raw));
}

async function heardBy({ ctx, answered }: Turn): Promise<SaidRaw | undefined> {
  const { event } = ctx;
  if (event.kind === "message") {
    const { id, text, mediaUrl } = event.message;
    return {
      id,
      threadId: threadIdOf({ kind: "dm", userId: event.sender.id }),
      text,
      at: event.at,
      author: event.sender,
      isMe: false,
      isMention: false,
      ...(mediaUrl !== undefined && { mediaUrl }),
      event,
    };
  }
  if (event.kind !== "post") return undefined;
  const { post, sender: author } = event;
  const threadId = threadIdOf({ kind: "post", rootId: await rootOf(ctx, post) });
  answered.set(threadId, { postId: post.id, personId: author.id });
  const isMention = ctx.triggers.includes("post.mentioned");
  const { id, text, createdAt: at } = post;
  return { id, threadId, text, at, author, isMe: false, isMention, event };
}

async function handleLike({ ctx, answered }: Turn, adapter: AnswerbackAdapter): Promise<void> {
  const { event } = ctx;
  if (event.kind !== "like") return;
  const { post, sender } = event;
  const threadId = threadIdOf({ kind: "post", rootId: await rootOf(ctx, post) });
  answered.set(threadId, { postId: post.id, personId: sender.id });
  await adapter.chat?.processReaction({
    adapter,
    threadId,
    messageId: post.id,
    emoji: getEmoji("heart"),
    rawEmoji: "❤️",
    added: true,
    user: authorOf(sender, false),
    raw: event,
  });
}

import { getEmoji } from "chat";
import { type Bot, type BotContext, defineBot } from "../bots/define.ts";
import { type AnswerbackAdapter, adapterOf } from "./adapter.ts";
import { authorOf, messageOf, type SaidRaw, saidInMessage, saidInPost } from "./message.ts";
import { rootOf } from "./roots.ts";
import { AnswerbackState } from "./state.ts";
import { ADAPTER_NAME, threadIdOf } from "./thread-place.ts";
import { duringTurn, Turn } from "./turn.ts";

/** Options of passing events to a `Chat`. */
export interface ChatSdkBotOptions {
  /** Maximum age of events, as for `defineBot`. */
  readonly maxAge?: string;
  /** Whether to pass on messages that a rule has already answered; default `false`. */
  readonly besideRules?: boolean;
}

/** Part of the Chat SDK's `Chat` that is used here. */
export interface ChatOfSdk {
  /** Prepares the `Chat` for events; called before each event. */
  initialize(): Promise<void>;
}

/**
 * Creates a bot from a `Chat` of the Chat SDK (npm `chat`), for a module's default export.
 *
 * The `Chat` gets messages, mentions, replies, quotes and likes from the journal. Each event arrives once, and the
 * events of one person arrive in order, also those that come while another event is handled. The `Chat`'s posts are
 * sent once, even if a crash makes the handlers run again.
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
 * @param name The same as for `defineBot`.
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

/** Initializes a `Chat`, and returns its adapter. @throws {TypeError} if its adapter or state is not Answerback's. */
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
    const threadId = threadIdOf({ kind: "dm", userId: event.sender.id });
    return { ...saidInMessage(event), threadId, isMe: false, isMention: false, event };
  }
  if (event.kind !== "post") return undefined;
  const { post, sender } = event;
  const threadId = threadIdOf({ kind: "post", rootId: await rootOf(ctx, post) });
  answered.set(threadId, { postId: post.id, personId: sender.id });
  const isMention = ctx.triggers.includes("post.mentioned");
  return { ...saidInPost(event), threadId, isMe: false, isMention, event };
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

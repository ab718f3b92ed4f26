import {
  type Adapter,
  type AdapterPostableMessage,
  type ChannelInfo,
  type ChatInstance,
  type EmojiValue,
  type FetchOptions,
  type FetchResult,
  type FormattedContent,
  type Message,
  NotImplementedError,
  type RawMessage,
  type StreamChunk,
  type ThreadInfo,
  type UserInfo,
} from "chat";
import { edit, like, remove, unlike } from "./changes.ts";
import { historyOf, personWithId, saidWithId } from "./history.ts";
import { messageOf, type SaidRaw } from "./message.ts";
import { PLAIN_TEXT } from "./plain-text.ts";
import { idOnPlatform, post, replyTo, sayIn } from "./say.ts";
import {
  ADAPTER_NAME,
  channelOf,
  placeOf,
  PUBLIC_CHANNEL,
  type ThreadPlace,
  threadIdOf,
} from "./thread-place.ts";
import { currentTurn, turnUnderWay } from "./turn.ts";
import { textOf, writtenOf } from "./written.ts";

/** Options of the adapter. */
export interface AnswerbackAdapterOptions {
  /** Absolute path of a folder for pictures and videos waiting to be sent; default a temporary folder of this user. */
  readonly mediaFolder?: string;
}

/**
 * Creates the adapter for the option `adapters` of a `Chat`. Incoming events come from the runtime's journal, and posts
 * are sent through its outbox.
 */
export function createAnswerbackAdapter(options: AnswerbackAdapterOptions = {}): AnswerbackAdapter {
  return new AnswerbackAdapter(options);
}

const ADAPTERS = new WeakMap<object, AnswerbackAdapter>();

/** Returns the adapter of an initialized `Chat`; undefined if it has no Answerback adapter. */
export function adapterOf(chat: object): AnswerbackAdapter | undefined {
  return ADAPTERS.get(chat);
}

/** Adapter created by `createAnswerbackAdapter`. The Chat SDK calls its methods. */
export class AnswerbackAdapter implements Adapter<ThreadPlace, SaidRaw> {
  readonly name = ADAPTER_NAME;
  readonly #mediaFolder: string | undefined;
  #chat: ChatInstance | undefined;

  constructor({ mediaFolder }: AnswerbackAdapterOptions) {
    this.#mediaFolder = mediaFolder;
  }

  /** Handle of the current event's account. */
  get userName(): string {
    return turnUnderWay()?.ctx.account.username ?? ADAPTER_NAME;
  }

  /** Id of the current event's account; empty outside handlers. */
  get botUserId(): string {
    return turnUnderWay()?.ctx.account.id ?? "";
  }

  /** The `Chat` of this adapter. */
  get chat(): ChatInstance | undefined {
    return this.#chat;
  }

  async initialize(chat: ChatInstance): Promise<void> {
    this.#chat = chat;
    ADAPTERS.set(chat, this);
  }

  async handleWebhook(): Promise<Response> {
    return new Response("The runtime receives the platform's deliveries itself.\n", {
      status: 404,
    });
  }

  async postMessage(
    threadId: string,
    message: AdapterPostableMessage,
  ): Promise<RawMessage<SaidRaw>> {
    const turn = currentTurn("posting");
    const place = placeOf(threadId);
    return sentAs(await sayIn(turn, place, await writtenOf(message, this.#mediaFolder)));
  }

  /** Replies to a post of a thread. */
  async reply(
    threadId: string,
    messageId: string,
    message: AdapterPostableMessage,
  ): Promise<RawMessage<SaidRaw>> {
    const turn = currentTurn("replying");
    const place = placeOf(threadId);
    if (place.kind === "dm") {
      throw new NotImplementedError("a message can't answer one message here", "replies");
    }
    const under = { postId: idOnPlatform(messageId, "a reply"), personId: turn.ctx.sender.id };
    return sentAs(await replyTo(turn, place, under, await writtenOf(message, this.#mediaFolder)));
  }

  async postChannelMessage(
    channelId: string,
    message: AdapterPostableMessage,
  ): Promise<RawMessage<SaidRaw>> {
    if (channelId !== PUBLIC_CHANNEL) return this.postMessage(channelId, message);
    const turn = currentTurn("posting");
    return sentAs(await post(turn, await writtenOf(message, this.#mediaFolder)));
  }

  /** Collects the stream and posts the text once, because the platform can't update a text in place. */
  async stream(
    threadId: string,
    chunks: AsyncIterable<string | StreamChunk>,
  ): Promise<RawMessage<SaidRaw>> {
    let markdown = "";
    for await (const chunk of chunks) {
      if (typeof chunk === "string") markdown += chunk;
      else if (chunk.type === "markdown_text") markdown += chunk.text;
    }
    return this.postMessage(threadId, { markdown });
  }

  async editMessage(
    threadId: string,
    messageId: string,
    message: AdapterPostableMessage,
  ): Promise<RawMessage<SaidRaw>> {
    return sentAs(await edit(currentTurn("editing"), threadId, messageId, textOf(message)));
  }

  async deleteMessage(threadId: string, messageId: string): Promise<void> {
    await remove(currentTurn("deleting"), threadId, messageId);
  }

  async addReaction(
    threadId: string,
    messageId: string,
    emoji: EmojiValue | string,
  ): Promise<void> {
    await like(currentTurn("liking"), threadId, messageId, emoji);
  }

  async removeReaction(
    threadId: string,
    messageId: string,
    emoji: EmojiValue | string,
  ): Promise<void> {
    await unlike(currentTurn("unliking"), threadId, messageId, emoji);
  }

  /** No-op: the platform can't show typing. */
  async startTyping(): Promise<void> {}

  async fetchMessages(threadId: string, options: FetchOptions = {}): Promise<FetchResult<SaidRaw>> {
    return historyOf(currentTurn("reading").ctx, placeOf(threadId), options);
  }

  async fetchMessage(threadId: string, messageId: string): Promise<Message<SaidRaw> | null> {
    const id = idOnPlatform(messageId, "reading");
    return saidWithId(currentTurn("reading").ctx, placeOf(threadId), id);
  }

  async fetchThread(threadId: string): Promise<ThreadInfo> {
    const place = placeOf(threadId);
    const isDM = place.kind === "dm";
    return { id: threadId, channelId: channelOf(threadId), isDM, metadata: { ...place } };
  }

  async fetchChannelInfo(channelId: string): Promise<ChannelInfo> {
    return { id: channelId, isDM: channelId !== PUBLIC_CHANNEL, metadata: {} };
  }

  async getUser(userId: string): Promise<UserInfo | null> {
    return personWithId(currentTurn("looking somebody up").ctx, userId);
  }

  async openDM(userId: string): Promise<string> {
    return threadIdOf({ kind: "dm", userId });
  }

  isDM(threadId: string): boolean {
    return placeOf(threadId).kind === "dm";
  }

  channelIdFromThreadId(threadId: string): string {
    return channelOf(threadId);
  }

  encodeThreadId(place: ThreadPlace): string {
    return threadIdOf(place);
  }

  decodeThreadId(threadId: string): ThreadPlace {
    return placeOf(threadId);
  }

  parseMessage(raw: SaidRaw): Message<SaidRaw> {
    return messageOf(raw);
  }

  renderFormatted(content: FormattedContent): string {
    return PLAIN_TEXT.fromAst(content);
  }
}

function sentAs(raw: SaidRaw): RawMessage<SaidRaw> {
  return { id: raw.id, threadId: raw.threadId, raw };
}

import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type Adapter,
  type AdapterPostableMessage,
  type ChatInstance,
  Message,
  parseMarkdown,
  type RawMessage,
} from "chat";
import * as z from "zod";
import type { Client } from "../../../src/index.ts";
import { isSigned, signatureIn, signatureOf } from "../../../src/runtime/webhook/signature.ts";

const delivery = z.object({
  direct_message_events: z
    .array(
      z.object({
        id: z.string(),
        created_timestamp: z.string(),
        message_create: z.object({
          sender_id: z.string(),
          message_data: z.object({ text: z.string() }),
        }),
      }),
    )
    .default([]),
});

interface PlainNeeds {
  readonly client: Client<"oauth1">;
  readonly consumerSecret: string;
  /** User id of the account. */
  readonly account: string;
}

/**
 * An adapter in the manner of the Chat SDK's, for the messages of this platform's older webhook. It handles a delivery as
 * the Chat SDK's own adapter for the platform does (`handleWebhook` and `handleIncomingDm` in
 * packages/adapter-x/src/index.ts of github.com/vercel/chat): it checks the signature, passes each message to
 * `chat.processMessage` without waiting for it, and answers the delivery with 200.
 */
export class PlainAdapter implements Adapter<string, null> {
  readonly name = "plain";
  readonly userName = "desk";
  readonly #needs: PlainNeeds;
  #chat: ChatInstance | undefined;

  constructor(needs: PlainNeeds) {
    this.#needs = needs;
  }

  async initialize(chat: ChatInstance): Promise<void> {
    this.#chat = chat;
  }

  /** Answers the platform's challenge, and its deliveries. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { consumerSecret } = this.#needs;
    const token = new URL(request.url ?? "", "http://localhost").searchParams.get("crc_token");
    if (token !== null) {
      response.end(JSON.stringify({ response_token: signatureOf(token, consumerSecret) }));
      return;
    }
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(Buffer.from(piece));
    const body = Buffer.concat(pieces);
    if (!isSigned(body, signatureIn(request) ?? "", [consumerSecret])) {
      response.writeHead(401).end();
      return;
    }
    for (const event of delivery.parse(JSON.parse(body.toString())).direct_message_events) {
      this.#hear(event);
    }
    response.end();
  }

  #hear(event: z.infer<typeof delivery>["direct_message_events"][number]): void {
    const { sender_id: from, message_data: said } = event.message_create;
    const message = new Message({
      id: event.id,
      threadId: this.encodeThreadId(from),
      text: said.text,
      formatted: parseMarkdown(said.text),
      raw: null,
      author: {
        userId: from,
        userName: from,
        fullName: from,
        isBot: false,
        isMe: from === this.#needs.account,
      },
      metadata: { dateSent: new Date(Number(event.created_timestamp)), edited: false },
      attachments: [],
    });
    // the promise is not awaited, as in the SDK's adapter; the Chat SDK logs the outcome
    this.#chat?.processMessage(this, message.threadId, message).catch(() => {});
  }

  async postMessage(threadId: string, message: AdapterPostableMessage): Promise<RawMessage<null>> {
    if (typeof message !== "string") throw new TypeError("texts only");
    const participantId = this.decodeThreadId(threadId);
    const sent = await this.#needs.client.dms.send({ participantId, text: message });
    return { id: sent.dm_event_id, threadId, raw: null };
  }

  encodeThreadId(userId: string): string {
    return `plain:dm:${userId}`;
  }

  decodeThreadId(threadId: string): string {
    return threadId.split(":")[2] ?? "";
  }

  channelIdFromThreadId(threadId: string): string {
    return threadId;
  }

  isDM(): boolean {
    return true;
  }

  async handleWebhook(): Promise<Response> {
    return new Response(null, { status: 404 });
  }

  async fetchMessages(): Promise<{ messages: [] }> {
    return { messages: [] };
  }

  async fetchThread(id: string): Promise<{ id: string; channelId: string; metadata: {} }> {
    return { id, channelId: id, metadata: {} };
  }

  renderFormatted(): string {
    return "";
  }

  parseMessage(): never {
    throw new TypeError("nothing is parsed a second time here");
  }

  async startTyping(): Promise<void> {}

  async editMessage(): Promise<never> {
    throw new TypeError("messages can't be edited");
  }

  async deleteMessage(): Promise<void> {}

  async addReaction(): Promise<void> {}

  async removeReaction(): Promise<void> {}
}

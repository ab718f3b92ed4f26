import type { Message, MessageEvent, PostSnapshot, PostEvent } from "../../src/events/event.ts";

/** Creates a message from @ana (200) to the account 100. Override only what the test is about. */
export function messageReceived(over: Partial<Message> = {}): MessageEvent {
  const message: Message = {
    id: "5001",
    text: "hello",
    senderId: "200",
    recipientId: "100",
    conversationId: "100-200",
    conversationKind: "private",
    participants: ["200", "100"],
    hashtags: [],
    urls: [],
    mentions: [],
    ...over,
  };
  return {
    kind: "message",
    key: `message:${message.id}`,
    accountId: "100",
    at: Date.UTC(2026, 0, 1),
    direction: "inbound",
    lane: "100/200",
    triggers: ["dm.received"],
    sender: { id: "200", username: "ana", name: "Ana" },
    message,
  };
}

/** Creates a post by @ana (200) that mentions the account 100. */
export function postMentioned(over: Partial<PostSnapshot> = {}): PostEvent {
  const sender = { id: "200", username: "ana", name: "Ana" };
  const post: PostSnapshot = {
    id: "9001",
    text: "@hello_bot are you open?",
    author: sender,
    createdAt: Date.UTC(2026, 0, 1),
    mentions: [{ id: "100", username: "hello_bot" }],
    threadMentions: [],
    hashtags: [],
    urls: [],
    ...over,
  };
  return {
    kind: "post",
    key: `post:${post.id}`,
    accountId: "100",
    at: post.createdAt,
    direction: "inbound",
    lane: "100/200",
    triggers: ["post.mentioned"],
    sender,
    post,
  };
}

import type { User } from "../accounts/entities.ts";
import { emit } from "../activity/emit.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type Message, messages, pairConversation } from "./entities.ts";

/** Puts a message between two users and tells both; `appId` when an app sent it. */
export function sendMessage(
  sandbox: Sandbox,
  sender: User,
  recipient: User,
  text: string,
  appId?: string,
): Message {
  const message = messages.in(sandbox.world).put({
    id: sandbox.world.ids.next(),
    conversationId: pairConversation(sender.id, recipient.id),
    senderId: sender.id,
    recipientId: recipient.id,
    text,
    at: sandbox.time.now(),
    ...(appId === undefined ? {} : { appId }),
  });
  emit(sandbox, {
    kind: "message",
    by: sender.id,
    to: recipient.id,
    ref: message.id,
    involved: [sender.id, recipient.id],
  });
  return message;
}

import { type UserRow, acceptsMessagesFrom } from "../model/accounts.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type MessageRow, messages } from "../model/messages.ts";

/** @throws {ApiError} 403 if the recipient is the sender or does not accept the sender's messages. */
export function refuseUnreachable({ world }: Sandbox, sender: UserRow, recipient: UserRow): void {
  if (sender.id === recipient.id) {
    throw ApiError.forbidden("You cannot send messages to yourself.", { v1: 150 });
  }
  if (acceptsMessagesFrom(world, sender.id, recipient)) return;
  throw ApiError.forbidden("You do not have permission to DM one or more participants.", {
    v1: 349,
  });
}

/** Removes an event from a user's lists. The event stays in the lists of other users. */
export function hideEvent({ world }: Sandbox, user: UserRow, event: MessageRow): void {
  const readers = event.readers.filter((id) => id !== user.id);
  messages.in(world).update(event.id, { readers });
}

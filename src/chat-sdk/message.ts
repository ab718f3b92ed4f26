import { type Attachment, type Author, Message } from "chat";
import type { AccountEvent, Person } from "../events/event.ts";
import { mediaTypeByName } from "../system/files/media-file.ts";
import { PLAIN_TEXT } from "./plain-text.ts";
import { placeOf } from "./thread-place.ts";

/** Source data of a Chat SDK message: `message.raw`. */
export interface SaidRaw {
  /** Id of the message event or post. */
  readonly id: string;
  readonly threadId: string;
  readonly text: string;
  /** Time of the message in milliseconds since the epoch. */
  readonly at: number;
  readonly author: Person;
  readonly isMe: boolean;
  /**
   * Whether the text names the account's handle. False for answers and quotes without it: the Chat SDK passes these to
   * `onSubscribedMessage` or `onNewMessage`. Absent if the message was read from the platform.
   */
  readonly isMention?: boolean;
  /** URL of the attached picture or video. */
  readonly mediaUrl?: string;
  /** Event that delivered the message; absent if it was read from the platform or is the account's own. */
  readonly event?: AccountEvent;
}

/** Converts a message to the form of the Chat SDK. */
export function messageOf(raw: SaidRaw): Message<SaidRaw> {
  placeOf(raw.threadId);
  return new Message({
    id: raw.id,
    threadId: raw.threadId,
    text: raw.text,
    formatted: PLAIN_TEXT.toAst(raw.text),
    raw,
    author: authorOf(raw.author, raw.isMe),
    metadata: { dateSent: new Date(raw.at), edited: false },
    attachments: raw.mediaUrl === undefined ? [] : [attachmentOf(raw.mediaUrl)],
    ...(raw.isMention !== undefined && { isMention: raw.isMention }),
  });
}

/** Converts a person to the form of the Chat SDK. */
export function authorOf({ id, username = id, name = username }: Person, isMe: boolean): Author {
  return { userId: id, userName: username, fullName: name, isBot: isMe, isMe };
}

function attachmentOf(url: string): Attachment {
  const mimeType = mediaTypeByName(url.replace(/[?#].*$/, ""));
  const type = mimeType?.startsWith("video/") === true ? "video" : "image";
  return { type, url, ...(mimeType !== undefined && { mimeType }) };
}

import { type Attachment, type Author, Message } from "chat";
import type { AccountEvent, MessageEvent, Person, PostEvent } from "../events/event.ts";
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
  /** URL of the first attached picture or video. */
  readonly mediaUrl?: string;
  /** URLs of all attached pictures and videos. Absent if there are none. */
  readonly mediaUrls?: readonly string[];
  /** Types of the attached media, in the order of `mediaUrls`: `photo`, `video` or `animated_gif`. */
  readonly mediaTypes?: readonly string[];
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
    attachments: attachmentsOf(raw),
    ...(raw.isMention !== undefined && { isMention: raw.isMention }),
  });
}

/** Converts a person to the form of the Chat SDK. */
export function authorOf({ id, username = id, name = username }: Person, isMe: boolean): Author {
  return { userId: id, userName: username, fullName: name, isBot: isMe, isMe };
}

/** Returns the content of a delivered message. */
export function saidInMessage({ message, sender, at }: MessageEvent): Omit<SaidRaw, Placed> {
  const { id, text, mediaUrl, mediaType = "" } = message;
  const urls = mediaUrl === undefined ? [] : [mediaUrl];
  return { id, text, at, author: sender, ...mediaIn(urls, [mediaType]) };
}

/** Returns the content of a delivered post. */
export function saidInPost({ post, sender }: PostEvent): Omit<SaidRaw, Placed> {
  const { id, text, createdAt: at, mediaUrls = [], mediaTypes = [] } = post;
  return { id, text, at, author: sender, ...mediaIn(mediaUrls, mediaTypes) };
}

/** Parts of a message that depend on the account and the thread. */
type Placed = "threadId" | "isMe";

function mediaIn(
  mediaUrls: readonly string[],
  mediaTypes: readonly string[],
): Pick<SaidRaw, "mediaUrl" | "mediaUrls" | "mediaTypes"> {
  const [mediaUrl] = mediaUrls;
  return mediaUrl === undefined ? {} : { mediaUrl, mediaUrls, mediaTypes };
}

function attachmentsOf({ mediaUrl, mediaUrls, mediaTypes = [] }: SaidRaw): Attachment[] {
  // raw data that an earlier version stored has only the first URL
  const urls = mediaUrls ?? (mediaUrl === undefined ? [] : [mediaUrl]);
  return urls.map((url, index) => attachmentOf(url, mediaTypes[index]));
}

/** Converts a medium. Without a type in the event, the file name determines the type. */
function attachmentOf(url: string, mediaType = ""): Attachment {
  const byName = mediaTypeByName(url.replace(/[?#].*$/, ""));
  const isVideo = mediaType === "" ? byName?.startsWith("video/") === true : mediaType !== "photo";
  const type = isVideo ? "video" : "image";
  // the platform may show a video by a picture, whose type is not that of the video
  const mimeType = byName?.startsWith(`${type}/`) === true ? byName : undefined;
  return { type, url, ...(mimeType !== undefined && { mimeType }) };
}

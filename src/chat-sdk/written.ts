import { lstat, mkdir } from "node:fs/promises";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AdapterPostableMessage,
  type Attachment,
  ChatError,
  convertEmojiPlaceholders,
  type FileUpload,
  NotImplementedError,
} from "chat";
import { MEDIA_FILE_TYPES, mediaTypeByName } from "../system/files/media-file.ts";
import { replaceFile } from "../system/files/own-file.ts";
import { PLAIN_TEXT } from "./plain-text.ts";

/** Text and media of a post, in the platform's form. */
export interface Written {
  /** Text of at least one character. */
  readonly text: string;
  /** Absolute path of a picture or video. */
  readonly media?: string;
}

/**
 * Converts a message of the Chat SDK: markdown and cards become plain text, with up to one picture or video.
 *
 * @param folder Folder that keeps the picture or video until it is sent; default {@link ownTemporaryFolder}.
 * @throws {NotImplementedError} if there is more than one file, or the file is no picture or video.
 * @throws {ChatError} if there is no text.
 */
export async function writtenOf(
  message: AdapterPostableMessage,
  folder: string | undefined,
): Promise<Written> {
  const text = textOf(message).trim();
  if (text === "") throw new ChatError("a message has a text of 1 character or more", "NO_TEXT");
  const files = filesOf(message);
  const [file] = files;
  if (file === undefined) return { text };
  if (files.length > 1) {
    throw new NotImplementedError("a message takes one picture or video here", "files");
  }
  return { text, media: await keep(file, folder) };
}

/** Text of a message; its files are ignored. */
export function textOf(message: AdapterPostableMessage): string {
  return convertEmojiPlaceholders(PLAIN_TEXT.renderPostable(message), "x");
}

interface FileToKeep {
  readonly name: string;
  readonly bytes: () => Promise<Uint8Array>;
}

function filesOf(message: AdapterPostableMessage): FileToKeep[] {
  if (typeof message === "string") return [];
  const files = "files" in message ? (message.files ?? []) : [];
  const attachments = "attachments" in message ? (message.attachments ?? []) : [];
  return [...files.map(uploaded), ...attachments.map(attached)];
}

function uploaded({ data, filename, mimeType }: FileUpload): FileToKeep {
  return { name: nameOf(filename, mimeType), bytes: () => bytesOf(data) };
}

function attached({ data, fetchData, name = "", mimeType }: Attachment): FileToKeep {
  return {
    name: nameOf(name, mimeType),
    async bytes() {
      const attachmentData = data ?? (await fetchData?.());
      if (attachmentData !== undefined) return bytesOf(attachmentData);
      throw new ChatError("an attachment has data or fetchData to be sent", "NO_DATA");
    },
  };
}

/** File name with an extension that determines the platform's media type. */
function nameOf(name: string, mimeType: string | undefined): string {
  if (mediaTypeByName(name) !== undefined) return name;
  const [ending] = Object.entries(MEDIA_FILE_TYPES).find(([, type]) => type === mimeType) ?? [];
  if (ending !== undefined) return `file.${ending}`;
  throw new NotImplementedError(
    `"${name}" is no picture or video by its name or type: ${Object.keys(MEDIA_FILE_TYPES).join(", ")} can be sent`,
    "files",
  );
}

async function bytesOf(data: Uint8Array | Blob | ArrayBuffer): Promise<Uint8Array> {
  if (data instanceof Uint8Array) return data;
  return new Uint8Array(data instanceof Blob ? await data.arrayBuffer() : data);
}

/** Stores a file under the hash of its content, so repeated runs of a handler reuse the same file. */
async function keep({ name, bytes }: FileToKeep, named: string | undefined): Promise<string> {
  const folder = named ?? (await ownTemporaryFolder());
  const content = await bytes();
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 32);
  const path = join(folder, `${hash}.${name.split(".").pop()}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await replaceFile(path, content);
  return path;
}

/**
 * Creates a temporary folder that belongs to this user, with the same path in each process, so that repeated runs of a
 * handler reuse its files.
 *
 * @throws {ChatError} if another user could replace files in the folder.
 */
async function ownTemporaryFolder(): Promise<string> {
  const user = process.geteuid?.();
  const folder = join(tmpdir(), `answerback-media-${user ?? "user"}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Other users can create files in the system's temporary folder, so the name may already be theirs, or a link.
  const there = await lstat(folder);
  const isOwn = user === undefined || (there.uid === user && (there.mode & OTHERS_WRITE) === 0);
  if (there.isDirectory() && isOwn) return folder;
  throw new ChatError(
    `other users can change files in ${folder}: remove it, or pass mediaFolder to createAnswerbackAdapter`,
    "UNSAFE_FOLDER",
  );
}

/** Permission bits with which the group and all other users can write. */
const OTHERS_WRITE = 0o022;

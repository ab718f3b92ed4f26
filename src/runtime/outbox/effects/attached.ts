import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import {
  CredentialError,
  PlatformError,
  UnprocessedMediumError,
  UnreachableError,
} from "../../../client/errors.ts";
import { AnswerbackError, UsageError } from "../../../errors.ts";
import { MEDIA_BYTES } from "../../../protocol/media.ts";
import { messageOf } from "../../../system/error-message.ts";
import { mediaTypeByName } from "../../../system/files/media-file.ts";
import type { ActingClient, SendOptions } from "./effect.ts";

/** A picture or video could not be uploaded, so its message or post has not been sent. */
export class NotUploadedError extends AnswerbackError {
  override readonly name = "NotUploadedError";
  readonly code = "media-not-uploaded";
  /** Whether another upload may succeed: the platform has not refused to process the file. */
  readonly retryable: boolean;

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.retryable = !(cause instanceof UnprocessedMediumError);
  }
}

/**
 * Uploads the file that goes with a message or post.
 *
 * @param options Options of the request that will send the message or post. The upload ignores their `beforeWrite`,
 *   which may only run when that request is written.
 * @returns Platform id of the upload; `undefined` if nothing is attached.
 * @throws {UsageError} when the file can't be read. {NotUploadedError} when the platform can't process the file, or its
 *   response does not show whether it did anything. The client's error when the platform certainly did nothing.
 */
export async function uploaded(
  client: ActingClient,
  path: string | undefined,
  purpose: "dm" | "tweet",
  { beforeWrite: _ofSending, ...options }: SendOptions,
): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const mediaType = mediaTypeByName(path);
  if (mediaType === undefined) throw new UsageError(`${basename(path)} is no picture or video`);
  const kind =
    mediaType === "image/gif" ? "gif" : mediaType.startsWith("video/") ? "video" : "image";
  const media = await contentOf(path, MEDIA_BYTES[kind]);
  const whole = { media, mediaType, category: `${purpose}_${kind}` } as const;
  try {
    // Pictures are uploaded in one request; GIFs and videos, which the platform processes first, in parts.
    const done =
      kind === "image"
        ? await client.media.upload(whole, options)
        : await client.media.uploadChunked(whole, options);
    return done.id;
  } catch (error) {
    if (didNothing(error)) throw error;
    throw new NotUploadedError(`${basename(path)} was not uploaded: ${messageOf(error)}`, error);
  }
}

/** Whether the error itself shows that its request did nothing. The outcome of the item follows from such an error. */
function didNothing(error: unknown): boolean {
  if (error instanceof PlatformError) return error.executed === "no";
  if (error instanceof UnreachableError) return error.sent === "no";
  return error instanceof CredentialError || error instanceof UsageError;
}

/**
 * Reads the file at `path`.
 *
 * @throws {UsageError} if the path is a folder, a pipe or a device, or if the file has more than `most` bytes or can't
 *   be read.
 */
async function contentOf(path: string, most: number): Promise<Buffer> {
  try {
    // Non-blocking: opening a pipe must not wait for its other end.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const info = await file.stat();
      if (!info.isFile()) throw new UsageError(`${basename(path)} is no file`);
      if (info.size > most) throw new UsageError(`${basename(path)} is too large`);
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`${basename(path)} can't be read: ${messageOf(cause)}`, { cause });
  }
}

/** Uploads the attachment of a post. Returns its id as the `mediaIds` of a new post, or `{}` if nothing is attached. */
export async function attachedTo(
  client: ActingClient,
  path: string | undefined,
  options: SendOptions,
): Promise<{ readonly mediaIds?: readonly string[] }> {
  const id = await uploaded(client, path, "tweet", options);
  return id === undefined ? {} : { mediaIds: [id] };
}

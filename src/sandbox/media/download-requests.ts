import { userOf } from "../auth/caller.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import { CATEGORIES, type MediaRow, media } from "../model/media.ts";
import { isMessageListed, messages } from "../model/messages.ts";
import { PREVIEW } from "../rendering/media.ts";
import type { RouteCall, RouteResponse } from "../server/route.ts";
import { contentOf } from "./content.ts";

/** File name of a medium: its media key, for a video's preview picture the suffix `PREVIEW`, and an extension. */
const FILE = new RegExp(`^(?<key>[0-9]+_[0-9]+)(?<preview>${PREVIEW})?\\.[a-z0-9]+$`);

/** Grey picture of one pixel, the preview of every video: the sandbox decodes no media. */
const PREVIEW_PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==",
  "base64",
);

/** Returns the bytes of a post's medium, to every caller. @throws {ApiError} 404. */
export function downloadMedium(call: RouteCall): RouteResponse {
  const file = fileOf(call);
  if (file === undefined || CATEGORIES[file.medium.category].place !== "post") throw missing(call);
  return bytesOf(call, file);
}

/** Returns the bytes of a message's medium, to its participants and the medium's owner. @throws {ApiError} 404. */
export function downloadMessageMedium(call: RouteCall): RouteResponse {
  const { sandbox, params, caller } = call;
  const { id: userId } = userOf(caller);
  const file = fileOf(call);
  if (file === undefined || file.medium.id !== params["media_id"]) throw missing(call);
  const message = messages.in(sandbox.world).get(params["message_id"] ?? "");
  const isReader =
    message?.mediaIds?.includes(file.medium.id) === true &&
    isMessageListed(message, userId, sandbox.time.now());
  if (!isReader && file.medium.ownerId !== userId) throw missing(call);
  return bytesOf(call, file);
}

interface MediaFile {
  readonly medium: MediaRow;
  readonly isPreview: boolean;
}

function fileOf({ sandbox, params }: RouteCall): MediaFile | undefined {
  const { key, preview } = FILE.exec(params["file"] ?? "")?.groups ?? {};
  const [medium] = media.in(sandbox.world).where("key", key ?? "");
  return medium && { medium, isPreview: preview !== undefined };
}

function bytesOf(call: RouteCall, { medium, isPreview }: MediaFile): RouteResponse {
  if (isPreview) return { bytes: PREVIEW_PICTURE, headers: { "content-type": "image/png" } };
  const bytes = contentOf(call.sandbox.world, medium);
  if (bytes === undefined) throw missing(call);
  return { bytes, headers: { "content-type": medium.mediaType } };
}

function missing({ params }: RouteCall): ApiError {
  return ApiError.notFound("media", "file", params["file"] ?? "");
}

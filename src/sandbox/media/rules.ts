import {
  MEDIA_BYTES,
  MEDIA_SECONDS,
  type MediaCategory,
  type MediaType,
  UPLOAD_SECONDS,
} from "../../protocol/media.ts";
import type { UserRow } from "../model/accounts.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import {
  type MediaRow,
  media,
  type MediaUploadRow,
  uploads,
  assumedType,
  CATEGORIES,
  categoryOf,
  typeFits,
} from "../model/media.ts";
import { storeContent } from "./content.ts";
import { measure } from "./measure.ts";

/** Maximum size of one segment, in bytes. */
const SEGMENT_BYTES = 5 * 1024 * 1024;

/** Milliseconds from the end of an upload to the start (`from`) and the end (`to`) of its processing. */
const PROCESSING_MS = { from: 1_000, to: 3_000 };

/** Fields that an upload declares, under the names that the interface uses. */
interface DeclaredMedia {
  readonly media_type?: MediaType | undefined;
  readonly media_category?: MediaCategory | undefined;
  readonly additional_owners?: readonly string[] | undefined;
}

interface NewUpload extends DeclaredMedia {
  readonly media_type: MediaType;
  readonly total_bytes: number;
}

/** Opens a chunked upload. @throws {ApiError} 400 if the medium is too large or its type does not fit the category. */
export function startUpload(
  { world, time }: Sandbox,
  owner: UserRow,
  newUpload: NewUpload,
): MediaUploadRow {
  const category = newUpload.media_category ?? categoryOf(newUpload.media_type);
  refuseMisfit(newUpload.media_type, category);
  refuseTooLarge(newUpload.total_bytes, category);
  const id = world.ids.next();
  return uploads.in(world).put({
    id,
    mediaKey: `${CATEGORIES[category].prefix}_${id}`,
    ownerId: owner.id,
    additionalOwners: [...(newUpload.additional_owners ?? [])],
    category,
    mediaType: newUpload.media_type,
    ...(newUpload.media_category === undefined ? { undeclared: true } : {}),
    expiresAt: time.now() + UPLOAD_SECONDS * 1000,
    totalBytes: newUpload.total_bytes,
    segments: {},
    misdeclared: false,
  });
}

/** Adds one segment; a repeated index replaces the segment. @throws {ApiError} 400, 404. */
export function appendSegment(
  sandbox: Sandbox,
  owner: UserRow,
  mediaId: string,
  index: number,
  bytes: Buffer,
): MediaUploadRow {
  const upload = findUpload(sandbox, owner, mediaId);
  if (bytes.length > SEGMENT_BYTES) {
    const message = `A segment has at most ${SEGMENT_BYTES} bytes, this one has ${bytes.length}.`;
    throw ApiError.invalid([{ message }]);
  }
  const segments = { ...upload.segments, [index]: bytes.length };
  const sum = sumOf(segments);
  if (sum > upload.totalBytes) {
    const message = `Segments have ${sum} bytes, more than the ${upload.totalBytes} of total_bytes.`;
    throw ApiError.invalid([{ message }]);
  }
  const measured = index === 0 ? measure(bytes) : undefined;
  storeContent(sandbox.world, mediaId, index, bytes);
  return uploads.in(sandbox.world).put({
    ...upload,
    segments,
    ...(measured === undefined
      ? {}
      : { size: measured.size, misdeclared: !typeFits(measured.type, upload.category) }),
  });
}

/** Finishes a chunked upload; a repeated call returns the same medium. @throws {ApiError} 400, 404. */
export function finishUpload(sandbox: Sandbox, owner: UserRow, mediaId: string): MediaRow {
  const finished = media.in(sandbox.world).get(mediaId);
  if (finished?.ownerId === owner.id) return finished;
  const { totalBytes, segments, misdeclared, ...facts } = findUpload(sandbox, owner, mediaId);
  const sum = sumOf(segments);
  if (sum !== totalBytes || sum === 0) {
    const message = `Segments do not add up to provided total file size: ${sum} of ${totalBytes} bytes.`;
    throw ApiError.invalid([{ message }]);
  }
  const stored = storeMedia(sandbox, { ...facts, bytes: sum }, misdeclared);
  uploads.in(sandbox.world).delete(mediaId);
  return stored;
}

/** Stores a medium that was uploaded in one request. @throws {ApiError} 400. */
export function storeWhole(
  sandbox: Sandbox,
  owner: UserRow,
  declaredMedia: DeclaredMedia,
  bytes: Buffer,
): MediaRow {
  const measured = measure(bytes);
  const mediaType =
    declaredMedia.media_type ??
    measured?.type ??
    assumedType(declaredMedia.media_category ?? "tweet_image");
  const category = declaredMedia.media_category ?? categoryOf(mediaType);
  refuseMisfit(mediaType, category);
  refuseTooLarge(bytes.length, category);
  const id = sandbox.world.ids.next();
  const facts = {
    id,
    mediaKey: `${CATEGORIES[category].prefix}_${id}`,
    ownerId: owner.id,
    additionalOwners: [...(declaredMedia.additional_owners ?? [])],
    category,
    mediaType,
    ...(declaredMedia.media_category === undefined ? { undeclared: true as const } : {}),
    ...(measured === undefined ? {} : { size: measured.size }),
    bytes: bytes.length,
  };
  const isOther = measured !== undefined && !typeFits(measured.type, category);
  const stored = storeMedia(sandbox, facts, isOther);
  storeContent(sandbox.world, id, 0, bytes);
  return stored;
}

/** Returns the owner's medium or upload in progress by its media id. @throws {ApiError} 404. */
export function findUploaded(
  sandbox: Sandbox,
  owner: UserRow,
  mediaId: string,
): MediaRow | MediaUploadRow {
  const finished = media.in(sandbox.world).get(mediaId);
  if (finished === undefined) return findUpload(sandbox, owner, mediaId);
  if (finished.ownerId === owner.id && finished.expiresAt > sandbox.time.now()) return finished;
  throw ApiError.notFound("media", "media_id", mediaId);
}

function findUpload({ world, time }: Sandbox, owner: UserRow, mediaId: string): MediaUploadRow {
  const upload = uploads.in(world).get(mediaId);
  if (upload?.ownerId === owner.id && upload.expiresAt > time.now()) return upload;
  throw ApiError.notFound("media", "media_id", mediaId);
}

/**
 * Stores a medium. Videos and GIFs with a declared category are processed first; all other media are ready at once.
 *
 * @throws {ApiError} 400 if the processing fails at once.
 */
function storeMedia(
  { world, time }: Sandbox,
  facts: Omit<MediaRow, "createdAt" | "expiresAt" | "processing">,
  fails: boolean,
): MediaRow {
  const now = time.now();
  const { kind } = CATEGORIES[facts.category];
  const isMoving = kind === "video" || kind === "gif";
  const isProcessed = isMoving && facts.undeclared !== true;
  if (isMoving && !isProcessed && fails) {
    const message = `The bytes are not of the media type ${facts.mediaType}.`;
    throw ApiError.invalid([{ message }]);
  }
  const { from, to } = PROCESSING_MS;
  return media.in(world).put({
    ...facts,
    createdAt: now,
    expiresAt: now + MEDIA_SECONDS * 1000,
    ...(isProcessed ? { processing: { from: now + from, to: now + to, fails } } : {}),
  });
}

function sumOf(segments: MediaUploadRow["segments"]): number {
  return Object.values(segments).reduce((sum, bytes) => sum + bytes, 0);
}

function refuseMisfit(type: MediaType, category: MediaCategory): void {
  if (typeFits(type, category)) return;
  const message = `The media type ${type} does not fit the category ${category}.`;
  throw ApiError.parameter("media_category", category, message);
}

function refuseTooLarge(bytes: number, category: MediaCategory): void {
  const max = MEDIA_BYTES[CATEGORIES[category].kind];
  if (bytes <= max) return;
  throw ApiError.invalid([{ message: `File size exceeds ${max} bytes.` }]);
}

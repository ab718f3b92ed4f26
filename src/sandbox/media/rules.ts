import {
  MEDIA_BYTES,
  MEDIA_SECONDS,
  type MediaCategory,
  type MediaType,
  UPLOAD_SECONDS,
} from "../../interface/media.ts";
import type { User } from "../accounts/entities.ts";
import { Refusal } from "../kernel/refusal.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type Media, media, type Upload, uploads } from "./entities.ts";
import { assumedType, CATEGORIES, categoryOf, fits } from "./kinds.ts";
import { measure } from "./measure.ts";

/** Most bytes of one segment. */
const SEGMENT_BYTES = 5 * 1024 * 1024;

/** From a finished upload to the start and to the end of its processing. */
const PROCESSING_MS = { from: 1_000, to: 3_000 };

/** What an upload says of itself, under the wire's names. */
interface Declared {
  readonly media_type?: MediaType | undefined;
  readonly media_category?: MediaCategory | undefined;
  readonly additional_owners?: readonly string[] | undefined;
}

interface NewUpload extends Declared {
  readonly media_type: MediaType;
  readonly total_bytes: number;
}

/** Opens a chunked upload. @throws {Refusal} 400 where it is too large or of the wrong kind. */
export function startUpload({ world, time }: Sandbox, owner: User, given: NewUpload): Upload {
  const category = given.media_category ?? categoryOf(given.media_type);
  refuseMisfit(given.media_type, category);
  refuseTooLarge(given.total_bytes, category);
  const id = world.ids.next();
  return uploads.in(world).put({
    id,
    mediaKey: `${CATEGORIES[category].prefix}_${id}`,
    ownerId: owner.id,
    additionalOwners: [...(given.additional_owners ?? [])],
    category,
    mediaType: given.media_type,
    expiresAt: time.now() + UPLOAD_SECONDS * 1000,
    totalBytes: given.total_bytes,
    segments: {},
    misdeclared: false,
  });
}

/** Takes one segment; the same index again replaces it. @throws {Refusal} 400, 404. */
export function appendSegment(
  sandbox: Sandbox,
  owner: User,
  mediaId: string,
  index: number,
  bytes: Buffer,
): Upload {
  const upload = findUpload(sandbox, owner, mediaId);
  if (bytes.length > SEGMENT_BYTES) {
    const message = `A segment has at most ${SEGMENT_BYTES} bytes, this one has ${bytes.length}.`;
    throw Refusal.invalid([{ message }]);
  }
  const segments = { ...upload.segments, [index]: bytes.length };
  const sum = sumOf(segments);
  if (sum > upload.totalBytes) {
    const message = `Segments have ${sum} bytes, more than the ${upload.totalBytes} of total_bytes.`;
    throw Refusal.invalid([{ message }]);
  }
  const seen = index === 0 ? measure(bytes) : undefined;
  return uploads.in(sandbox.world).put({
    ...upload,
    segments,
    ...(seen === undefined
      ? {}
      : { size: seen.size, misdeclared: !fits(seen.type, upload.category) }),
  });
}

/** Ends a chunked upload; asked again, it gives the same medium. @throws {Refusal} 400, 404. */
export function finishUpload(sandbox: Sandbox, owner: User, mediaId: string): Media {
  const done = media.in(sandbox.world).get(mediaId);
  if (done?.ownerId === owner.id) return done;
  const { totalBytes, segments, misdeclared, ...facts } = findUpload(sandbox, owner, mediaId);
  const sum = sumOf(segments);
  if (sum !== totalBytes || sum === 0) {
    const message = `Segments do not add up to provided total file size: ${sum} of ${totalBytes} bytes.`;
    throw Refusal.invalid([{ message }]);
  }
  uploads.in(sandbox.world).delete(mediaId);
  return keep(sandbox, { ...facts, bytes: sum }, misdeclared);
}

/** Takes a whole medium at once. @throws {Refusal} 400. */
export function takeWhole(sandbox: Sandbox, owner: User, given: Declared, bytes: Buffer): Media {
  const seen = measure(bytes);
  const mediaType =
    given.media_type ?? seen?.type ?? assumedType(given.media_category ?? "tweet_image");
  const category = given.media_category ?? categoryOf(mediaType);
  refuseMisfit(mediaType, category);
  refuseTooLarge(bytes.length, category);
  const id = sandbox.world.ids.next();
  const facts = {
    id,
    mediaKey: `${CATEGORIES[category].prefix}_${id}`,
    ownerId: owner.id,
    additionalOwners: [...(given.additional_owners ?? [])],
    category,
    mediaType,
    ...(seen === undefined ? {} : { size: seen.size }),
    bytes: bytes.length,
  };
  return keep(sandbox, facts, seen !== undefined && !fits(seen.type, category));
}

/** The medium or the upload under way, of its owner. @throws {Refusal} 404. */
export function findEither(sandbox: Sandbox, owner: User, mediaId: string): Media | Upload {
  const done = media.in(sandbox.world).get(mediaId);
  if (done === undefined) return findUpload(sandbox, owner, mediaId);
  if (done.ownerId === owner.id && done.expiresAt > sandbox.time.now()) return done;
  throw Refusal.notFound("media", "media_id", mediaId);
}

function findUpload({ world, time }: Sandbox, owner: User, mediaId: string): Upload {
  const upload = uploads.in(world).get(mediaId);
  if (upload?.ownerId === owner.id && upload.expiresAt > time.now()) return upload;
  throw Refusal.notFound("media", "media_id", mediaId);
}

/** Pictures are ready at once; what moves is processed first, by the sandbox's clock. */
function keep(
  { world, time }: Sandbox,
  facts: Omit<Media, "createdAt" | "expiresAt" | "processing">,
  fails: boolean,
): Media {
  const now = time.now();
  const { kind } = CATEGORIES[facts.category];
  const moves = kind === "video" || kind === "gif";
  const { from, to } = PROCESSING_MS;
  return media.in(world).put({
    ...facts,
    createdAt: now,
    expiresAt: now + MEDIA_SECONDS * 1000,
    ...(moves ? { processing: { from: now + from, to: now + to, fails } } : {}),
  });
}

function sumOf(segments: Upload["segments"]): number {
  return Object.values(segments).reduce((sum, bytes) => sum + bytes, 0);
}

function refuseMisfit(type: MediaType, category: MediaCategory): void {
  if (fits(type, category)) return;
  const message = `The media type ${type} does not fit the category ${category}.`;
  throw Refusal.parameter("media_category", category, message);
}

function refuseTooLarge(bytes: number, category: MediaCategory): void {
  const most = MEDIA_BYTES[CATEGORIES[category].kind];
  if (bytes <= most) return;
  throw Refusal.invalid([{ message: `File size exceeds ${most} bytes.` }]);
}

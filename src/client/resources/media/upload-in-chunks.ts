import { LAST_SEGMENT } from "../../../protocol/media.ts";
import { UsageError } from "../../../errors.ts";
import { UnprocessedMediumError } from "../../errors.ts";
import type { CallOptions } from "../../http/api-caller.ts";
import type { ClientClock } from "../../clock.ts";
import type { ChunkedOptions, MediaChunk, NewMedia, NewUpload } from "./new-media.ts";
import type { UploadedMedia } from "../../objects/uploaded-media.ts";

const DEFAULT_CHUNK_BYTES = 4 * 1024 * 1024;

/** Maximum number of parts of an upload. */
const MAX_CHUNKS = LAST_SEGMENT + 1;

/** Bounds of the seconds between status requests, whatever interval the platform's response names. */
const MIN_POLL_SECONDS = 1;
const MAX_POLL_SECONDS = 60;

/** Default of the maximum wait for the processing, in milliseconds. Long videos take a few minutes. */
const PROCESSING_MS = 15 * 60_000;

/** Calls that a chunked upload uses. */
export interface UploadSteps {
  initialize(upload: NewUpload, options?: CallOptions): Promise<UploadedMedia>;
  append(chunk: MediaChunk, options?: CallOptions): Promise<unknown>;
  finalize(mediaId: string, options?: CallOptions): Promise<UploadedMedia>;
  status(mediaId: string, options?: CallOptions): Promise<UploadedMedia>;
}

/**
 * Uploads media part by part, in order, and requests the status until the platform has processed them.
 *
 * @throws UnprocessedMediumError if the processing takes longer than `processingMs`
 */
export async function uploadInChunks(
  steps: UploadSteps,
  { media, ...about }: NewMedia,
  clock: ClientClock,
  {
    chunkBytes = DEFAULT_CHUNK_BYTES,
    processingMs = PROCESSING_MS,
    ...options
  }: ChunkedOptions = {},
): Promise<UploadedMedia> {
  if (media.byteLength === 0) throw new UsageError("the medium is empty");
  if (!(chunkBytes >= 1)) throw new UsageError(`chunkBytes is ${chunkBytes}; it is at least 1`);
  if (!(processingMs >= 0))
    throw new UsageError(`processingMs is ${processingMs}; it is at least 0`);
  const size = Math.max(Math.floor(chunkBytes), Math.ceil(media.byteLength / MAX_CHUNKS));
  const totalBytes = media.byteLength;
  const { id: mediaId } = await steps.initialize({ ...about, totalBytes }, options);
  for (let start = 0, segmentIndex = 0; start < totalBytes; start += size, segmentIndex += 1) {
    const chunk = media.subarray(start, start + size);
    await steps.append({ mediaId, segmentIndex, media: chunk }, options);
  }
  let latest = await steps.finalize(mediaId, options);
  for (let leftMs = processingMs; isProcessing(latest);) {
    if (leftMs <= 0) {
      const limit = `${processingMs / 1000} seconds`;
      throw new UnprocessedMediumError(`the platform has not processed the medium within ${limit}`);
    }
    const startedAt = clock.now();
    const waitMs = Math.min(leftMs, pollMs(latest));
    await clock.sleep(waitMs, options.signal);
    latest = await steps.status(mediaId, options);
    // At least the wait, in case the clock was set back.
    leftMs -= Math.max(waitMs, clock.now() - startedAt);
  }
  return latest;
}

function pollMs({ processing_info: info }: UploadedMedia): number {
  const seconds = Math.max(info?.check_after_secs ?? 0, MIN_POLL_SECONDS);
  return Math.min(seconds, MAX_POLL_SECONDS) * 1000;
}

function isProcessing({ processing_info: info }: UploadedMedia): boolean {
  return info?.error === undefined && (info?.state === "pending" || info?.state === "in_progress");
}

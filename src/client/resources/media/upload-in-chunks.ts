import { LAST_SEGMENT } from "../../../protocol/media.ts";
import { UsageError } from "../../../errors.ts";
import type { CallOptions } from "../../http/api-caller.ts";
import type { ClientClock } from "../../clock.ts";
import type { ChunkedOptions, MediaChunk, NewMedia, NewUpload } from "./new-media.ts";
import type { UploadedMedia } from "../../objects/uploaded-media.ts";

const DEFAULT_CHUNK_BYTES = 4 * 1024 * 1024;

/** Maximum number of parts of an upload. */
const MAX_CHUNKS = LAST_SEGMENT + 1;

/** Minimum of the seconds between status requests, also if the platform's response names no interval. */
const MIN_POLL_SECONDS = 1;

/** Calls that a chunked upload uses. */
export interface UploadSteps {
  initialize(upload: NewUpload, options?: CallOptions): Promise<UploadedMedia>;
  append(chunk: MediaChunk, options?: CallOptions): Promise<unknown>;
  finalize(mediaId: string, options?: CallOptions): Promise<UploadedMedia>;
  status(mediaId: string, options?: CallOptions): Promise<UploadedMedia>;
}

/** Uploads media part by part, in order, and requests the status until the platform has processed them. */
export async function uploadInChunks(
  steps: UploadSteps,
  { media, ...about }: NewMedia,
  clock: ClientClock,
  { chunkBytes = DEFAULT_CHUNK_BYTES, ...options }: ChunkedOptions = {},
): Promise<UploadedMedia> {
  if (media.byteLength === 0) throw new UsageError("the medium is empty");
  if (!(chunkBytes >= 1)) throw new UsageError(`chunkBytes is ${chunkBytes}; it is at least 1`);
  const size = Math.max(Math.floor(chunkBytes), Math.ceil(media.byteLength / MAX_CHUNKS));
  const totalBytes = media.byteLength;
  const { id: mediaId } = await steps.initialize({ ...about, totalBytes }, options);
  for (let start = 0, segmentIndex = 0; start < totalBytes; start += size, segmentIndex += 1) {
    const chunk = media.subarray(start, start + size);
    await steps.append({ mediaId, segmentIndex, media: chunk }, options);
  }
  let latest = await steps.finalize(mediaId, options);
  while (isProcessing(latest)) {
    const seconds = latest.processing_info?.check_after_secs ?? 0;
    await clock.sleep(Math.max(seconds, MIN_POLL_SECONDS) * 1000, options.signal);
    latest = await steps.status(mediaId, options);
  }
  return latest;
}

function isProcessing({ processing_info: info }: UploadedMedia): boolean {
  return info?.error === undefined && (info?.state === "pending" || info?.state === "in_progress");
}

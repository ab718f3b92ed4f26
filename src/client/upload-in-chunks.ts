import { LAST_SEGMENT } from "../interface/media.ts";
import { UsageError } from "../errors.ts";
import type { CallOptions } from "./caller.ts";
import type { ClientClock } from "./clock.ts";
import type { ChunkedOptions, MediaChunk, NewMedia, NewUpload } from "./new-media.ts";
import type { UploadedMedia } from "./objects/uploaded-media.ts";

const USUAL_CHUNK = 4 * 1024 * 1024;

/** Parts of one upload at most. */
const MOST_CHUNKS = LAST_SEGMENT + 1;

/** Waits between looks at a medium that says nothing of when to look. */
const USUAL_WAIT_SECONDS = 1;

/** The calls that an upload in parts is made of. */
export interface UploadSteps {
  initialize(upload: NewUpload, options?: CallOptions): Promise<UploadedMedia>;
  append(chunk: MediaChunk, options?: CallOptions): Promise<unknown>;
  finalize(mediaId: string, options?: CallOptions): Promise<UploadedMedia>;
  status(mediaId: string, options?: CallOptions): Promise<UploadedMedia>;
}

/** Uploads a medium part by part, in order, and looks until it is processed. */
export async function uploadInChunks(
  steps: UploadSteps,
  { media, ...about }: NewMedia,
  clock: ClientClock,
  { chunkBytes = USUAL_CHUNK, ...options }: ChunkedOptions = {},
): Promise<UploadedMedia> {
  if (media.byteLength === 0) throw new UsageError("the medium is empty");
  if (!(chunkBytes >= 1)) throw new UsageError(`chunkBytes is ${chunkBytes}; it is at least 1`);
  const size = Math.max(Math.floor(chunkBytes), Math.ceil(media.byteLength / MOST_CHUNKS));
  const totalBytes = media.byteLength;
  const { id: mediaId } = await steps.initialize({ ...about, totalBytes }, options);
  for (let start = 0, segmentIndex = 0; start < totalBytes; start += size, segmentIndex += 1) {
    const chunk = media.subarray(start, start + size);
    await steps.append({ mediaId, segmentIndex, media: chunk }, options);
  }
  let latest = await steps.finalize(mediaId, options);
  while (isUnderWay(latest)) {
    const seconds = latest.processing_info?.check_after_secs ?? USUAL_WAIT_SECONDS;
    await clock.sleep(Math.max(seconds, 0) * 1000, options.signal);
    latest = await steps.status(mediaId, options);
  }
  return latest;
}

function isUnderWay({ processing_info: info }: UploadedMedia): boolean {
  return info?.state === "pending" || info?.state === "in_progress";
}

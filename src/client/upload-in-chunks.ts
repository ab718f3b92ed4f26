import { UsageError } from "../errors.ts";
import type { ClientClock } from "./clock.ts";
import type { ChunkedOptions, MediaMethods, NewMedia, UploadedMedia } from "./resources/media.ts";

const USUAL_CHUNK = 4 * 1024 * 1024;

/** Parts of one upload at most. */
const MOST_CHUNKS = 1000;

/** Waits between looks at a medium that says nothing of when to look. */
const USUAL_WAIT_SECONDS = 1;

/** Uploads a medium part by part, in order, and looks until it is processed. */
export async function uploadInChunks(
  methods: Pick<MediaMethods, "initialize" | "append" | "finalize" | "status">,
  { media, ...about }: NewMedia,
  clock: ClientClock,
  { chunkBytes = USUAL_CHUNK, ...options }: ChunkedOptions = {},
): Promise<UploadedMedia> {
  if (media.byteLength === 0) throw new UsageError("the medium is empty");
  if (!(chunkBytes >= 1)) throw new UsageError(`chunkBytes is ${chunkBytes}; it is at least 1`);
  const size = Math.max(Math.floor(chunkBytes), Math.ceil(media.byteLength / MOST_CHUNKS));
  const totalBytes = media.byteLength;
  const { id: mediaId } = await methods.initialize({ ...about, totalBytes }, options);
  for (let start = 0, segmentIndex = 0; start < totalBytes; start += size, segmentIndex += 1) {
    const chunk = media.subarray(start, start + size);
    await methods.append({ mediaId, segmentIndex, media: chunk }, options);
  }
  let latest = await methods.finalize(mediaId, options);
  while (isUnderWay(latest)) {
    const seconds = latest.processing_info?.check_after_secs ?? USUAL_WAIT_SECONDS;
    await clock.sleep(Math.max(seconds, 0) * 1000, options.signal);
    latest = await methods.status(mediaId, options);
  }
  return latest;
}

function isUnderWay({ processing_info: info }: UploadedMedia): boolean {
  return info?.state === "pending" || info?.state === "in_progress";
}

import { LAST_SEGMENT, type MediaCategory } from "../../../protocol/media.ts";
import { UsageError } from "../../../errors.ts";
import type { CallOptions } from "../../http/api-caller.ts";

/** Media to upload in one request. */
export interface NewMedia {
  readonly media: Uint8Array;
  /** MIME type such as `image/png`. */
  readonly mediaType: string;
  readonly category: MediaCategory;
  /** Other users who may attach the media to their posts. */
  readonly additionalOwners?: readonly string[] | undefined;
}

/** Media to upload in parts. */
export interface NewUpload extends Omit<NewMedia, "media"> {
  readonly totalBytes: number;
}

/** Part of an upload. */
export interface MediaChunk {
  readonly mediaId: string;
  /** Index of the part, from 0 to 999. */
  readonly segmentIndex: number;
  readonly media: Uint8Array;
}

/** Options of a chunked upload. The call options apply to each of its requests. */
export interface ChunkedOptions extends CallOptions {
  /** Bytes of each part; default 4 MiB, or more if the media would need over 1000 parts. */
  readonly chunkBytes?: number | undefined;
  /**
   * Maximum wait for the platform's processing, in milliseconds; default 900 000, which is 15 minutes. `signal` ends the
   * wait earlier.
   */
  readonly processingMs?: number | undefined;
}

/** Checks a segment index. @throws UsageError if it is out of range. */
export function checkSegmentIndex(index: number): void {
  if (Number.isInteger(index) && index >= 0 && index <= LAST_SEGMENT) return;
  throw new UsageError(`segmentIndex is ${index}; it goes from 0 to ${LAST_SEGMENT}`);
}

import { LAST_SEGMENT, type MediaCategory } from "../../../protocol/media.ts";
import { UsageError } from "../../../errors.ts";
import type { CallOptions } from "../../http/api-caller.ts";

/** A medium to upload in one request. */
export interface NewMedia {
  readonly media: Uint8Array;
  /** Such as `image/png`. */
  readonly mediaType: string;
  readonly category: MediaCategory;
  /** Other users who may use it. */
  readonly additionalOwners?: readonly string[] | undefined;
}

/** A medium to upload in parts. */
export interface NewUpload extends Omit<NewMedia, "media"> {
  readonly totalBytes: number;
}

/** One part of a medium. */
export interface MediaChunk {
  readonly mediaId: string;
  /** From 0 to 999. */
  readonly segmentIndex: number;
  readonly media: Uint8Array;
}

/** Options of a chunked upload, for each of its requests. */
export interface ChunkedOptions extends CallOptions {
  /** Bytes in a part; default 4 MiB, and more where the medium would need over 1000 parts. */
  readonly chunkBytes?: number | undefined;
}

/** @throws UsageError for a segment index out of range. */
export function checkSegmentIndex(index: number): void {
  if (Number.isInteger(index) && index >= 0 && index <= LAST_SEGMENT) return;
  throw new UsageError(`segmentIndex is ${index}; it goes from 0 to ${LAST_SEGMENT}`);
}

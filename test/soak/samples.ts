import { quantile } from "../bench/numbers.ts";

/** Measurement in an undisturbed stretch of the day. */
export interface Sample {
  /** Resident bytes, after garbage was collected. */
  readonly rss: number;
  /** Heap bytes of the main thread: shows whether memory growth is there. */
  readonly heapUsed: number;
  /** Open file descriptors. */
  readonly handles: number;
  /** Real milliseconds from messages to their answers. */
  readonly latencies: readonly number[];
}

/** All that was measured in one such stretch. */
export interface WindowMeasure {
  readonly samples: readonly Sample[];
  /** Bytes of files that a message has added up to its end, since the beginning or since the first stretch. */
  readonly bytesPerMessage: number;
}

/** How the day ended, as shares of how it began. */
export interface Ratios {
  readonly rss_ratio: number;
  readonly latency_ratio: number;
  readonly file_ratio: number;
  readonly handle_ratio: number;
}

/**
 * The last stretch as a share of the first: medians, and the bytes that a message adds to the files. Latencies
 * use the lower quartile, which depends least on other load of the machine.
 */
export function ratiosOf(first: WindowMeasure, last: WindowMeasure): Ratios {
  const ratio = (pick: (one: WindowMeasure) => number): number =>
    Math.round((pick(last) / pick(first)) * 100) / 100;
  const ofAll = (share: number, pick: (one: Sample) => readonly number[]) => (one: WindowMeasure) =>
    quantile(one.samples.flatMap(pick), share);
  return {
    rss_ratio: ratio(ofAll(0.5, ({ rss }) => [rss])),
    latency_ratio: ratio(ofAll(0.25, ({ latencies }) => latencies)),
    file_ratio: ratio(({ bytesPerMessage }) => bytesPerMessage),
    handle_ratio: ratio(ofAll(0.5, ({ handles }) => [handles])),
  };
}

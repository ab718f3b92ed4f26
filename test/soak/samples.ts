import { quantile } from "../bench/numbers.ts";

/** Measurement in an undisturbed period of the day. */
export interface Sample {
  /** Resident memory in bytes, after a garbage collection. */
  readonly rss: number;
  /** Heap of the main thread in bytes: shows whether memory grows there. */
  readonly heapUsed: number;
  /** Open file descriptors. */
  readonly handles: number;
  /** Real milliseconds from each message to its answer. */
  readonly latencies: readonly number[];
}

/** Measurements in one undisturbed period: the beginning or the end of the day. */
export interface WindowMeasure {
  readonly samples: readonly Sample[];
  /** Bytes per message by which the bot's files have grown since the previous period, or since the start of the day. */
  readonly bytesPerMessage: number;
}

/** Measurements at the end of the day, divided by those at its start. */
export interface Ratios {
  readonly rss_ratio: number;
  readonly latency_ratio: number;
  readonly file_ratio: number;
  readonly handle_ratio: number;
}

/**
 * Computes the ratios of the last period to the first. Memory and open files are compared by their medians. Latencies
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

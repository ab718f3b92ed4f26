import { durationMs } from "../system/duration.ts";

/**
 * Form of a limit on answers: `30 in 10m`, or `none`. A time of zero (`0m`) is invalid, because it would limit nothing.
 */
export const ANSWER_LIMIT = /^(?:none|([1-9]\d{0,8}) in ((?!0+[a-z])\d{1,9}(?:ms|s|m|h|d)))$/;

/** Maximum number of answers in a span of time. */
export interface LimitSetting {
  readonly max: number;
  readonly inMs: number;
  /** The limit as written in the settings. */
  readonly written: string;
}

/** Reads a limit such as `30 in 10m`; undefined for `none` or no text. */
export function readLimit(written = "none"): LimitSetting | undefined {
  const [, max, time] = ANSWER_LIMIT.exec(written) ?? [];
  if (max === undefined || time === undefined) return undefined;
  return { max: Number(max), inMs: durationMs(time), written };
}

import { durationMs } from "../system/duration.ts";

/** What a limit looks like: `30 in 10m`, or `none`. In no time (`0m`) it would hold nothing back. */
export const ANSWER_LIMIT = /^(?:none|([1-9]\d{0,8}) in ((?!0+[a-z])\d{1,9}(?:ms|s|m|h|d)))$/;

/** So many in a time. */
export interface LimitSetting {
  readonly max: number;
  readonly inMs: number;
  /** As the settings have it. */
  readonly written: string;
}

/** Reads a written limit; undefined for `none` and where nothing is written. */
export function readLimit(written = "none"): LimitSetting | undefined {
  const [, max, time] = ANSWER_LIMIT.exec(written) ?? [];
  if (max === undefined || time === undefined) return undefined;
  return { max: Number(max), inMs: durationMs(time), written };
}

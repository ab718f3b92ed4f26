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

/** The limits of one account; absent: without a limit. */
export interface LimitSettings {
  readonly replies?: LimitSetting;
  readonly loop?: LimitSetting;
  readonly equalReplies?: LimitSetting;
  readonly equalPosts?: LimitSetting;
}

/** Limits as a settings file has them. */
export interface WrittenLimits {
  readonly replies?: string | undefined;
  readonly loop?: string | undefined;
  readonly equal_replies?: string | undefined;
  readonly equal_posts?: string | undefined;
}

/** Written limits by the names of the code; those of `account` before those of all. */
export function toLimits(all: WrittenLimits, account: WrittenLimits = {}): LimitSettings {
  return {
    ...given("replies", account.replies ?? all.replies),
    ...given("loop", account.loop ?? all.loop),
    ...given("equalReplies", account.equal_replies ?? all.equal_replies),
    ...given("equalPosts", account.equal_posts ?? all.equal_posts),
  };
}

function given<K extends string>(key: K, written = "none"): { readonly [P in K]?: LimitSetting } {
  const entry: { [P in K]?: LimitSetting } = {};
  const [, max, time] = ANSWER_LIMIT.exec(written) ?? [];
  if (max !== undefined && time !== undefined) {
    entry[key] = { max: Number(max), inMs: durationMs(time), written };
  }
  return entry;
}

import type { MediaRow } from "./entities.ts";

export interface Processing {
  readonly state: "pending" | "in_progress" | "succeeded" | "failed";
  readonly check_after_secs?: number;
  readonly progress_percent?: number;
}

/** How far processing is at `now`; `undefined` for a medium that needs none. */
export function processingOf({ processing }: MediaRow, now: number): Processing | undefined {
  if (processing === undefined) return undefined;
  const { from, to, fails } = processing;
  const secondsTo = (at: number): number => Math.max(1, Math.ceil((at - now) / 1000));
  if (now < from) return { state: "pending", check_after_secs: secondsTo(from) };
  if (now < to) {
    const progress = Math.floor(((now - from) / (to - from)) * 100);
    return {
      state: "in_progress",
      check_after_secs: secondsTo(to),
      progress_percent: progress,
    };
  }
  return fails ? { state: "failed" } : { state: "succeeded", progress_percent: 100 };
}

/** Whether a medium can be attached at `now`. */
export function isReady(medium: MediaRow, now: number): boolean {
  const { state } = processingOf(medium, now) ?? { state: "succeeded" };
  return state === "succeeded";
}

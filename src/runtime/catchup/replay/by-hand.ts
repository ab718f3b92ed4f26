import {
  REPLAY_FROM_MIN_AGE_MS,
  REPLAY_TO_MIN_AGE_MS,
  REPLAY_WINDOW_MS,
} from "../../../protocol/limits.ts";
import type { Span } from "../../../system/spans.ts";
import { LONGEST_JOB_MS, minuteBefore, MINUTE_MS, replayReach } from "../plan.ts";
import { shellWord } from "../../../text/shell.ts";

/** Replay jobs for a stretch of time that an operator requested, or the reason why the stretch can't be replayed. */
export type HandWindow =
  | { readonly ok: true; readonly jobs: readonly Span[] }
  | { readonly ok: false; readonly problem: string; readonly hint: string };

/** Checks a stretch against the limits of the platform's replays, and cuts it into jobs of at most two hours. Pure. */
export function handWindow({ from, to }: Span, now: number): HandWindow {
  const reach = replayReach(now);
  const [begin, end] = [minuteBefore(from), minuteBefore(to)];
  const refused = (problem: string, hint: string): HandWindow => ({ ok: false, problem, hint });
  const earliest = minuteBefore(now - REPLAY_WINDOW_MS);
  if (begin >= end) {
    return refused(
      `from (${minuteText(begin)}) is not before to (${minuteText(end)})`,
      "a replay covers whole minutes; --to is not included in it",
    );
  }
  if (begin < earliest) {
    return refused(
      `from is ${minuteText(begin)}, over 24 hours ago: the platform replays it no longer`,
      `--from ${shellWord(minuteText(reach.oldest))} is the earliest just now`,
    );
  }
  if (now - begin < REPLAY_FROM_MIN_AGE_MS) {
    return refused(
      `from is ${minuteText(begin)}: a replay begins at least 31 minutes ago`,
      `--from ${shellWord(minuteText(reach.latestFrom))} is the latest just now; what was delivered already is kept once`,
    );
  }
  if (now - end < REPLAY_TO_MIN_AGE_MS) {
    return refused(
      `to is ${minuteText(end)}: a replay ends at least 10 minutes ago`,
      `--to ${shellWord(minuteText(reach.latestTo))} is the latest just now`,
    );
  }
  return { ok: true, jobs: cut({ from: begin, to: end }, now) };
}

function cut({ from, to }: Span, now: number): readonly Span[] {
  const latestFrom = minuteBefore(now - REPLAY_FROM_MIN_AGE_MS);
  const jobs: Span[] = [];
  for (let next = from; next < to; next = jobs.at(-1)?.to ?? to) {
    const start = Math.min(next, latestFrom);
    jobs.push({ from: start, to: Math.min(start + LONGEST_JOB_MS, to) });
  }
  return jobs;
}

/** Formats a time as minutes in UTC, such as `2026-01-02T03:04Z`. */
export function minuteText(at: number): string {
  return `${new Date(Math.floor(at / MINUTE_MS) * MINUTE_MS).toISOString().slice(0, 16)}Z`;
}

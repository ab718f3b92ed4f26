import {
  REPLAY_FROM_MIN_AGE_MS,
  REPLAY_TO_MIN_AGE_MS,
  REPLAY_WINDOW_MS,
} from "../../protocol/limits.ts";
import { overlap, type Span, union } from "../../system/spans.ts";
import type { CoverageGap } from "../store/coverage.ts";

/** Past stretch of an account's time in which events may have been missed. */
export type Gap = CoverageGap;

/** Groups gaps, or other items of an account, by account. */
export function byAccountOf<G extends Pick<Gap, "account">>(
  gaps: readonly G[],
): ReadonlyMap<string, G[]> {
  const byAccount = new Map<string, G[]>();
  for (const gap of gaps) {
    const same = byAccount.get(gap.account);
    if (same === undefined) byAccount.set(gap.account, [gap]);
    else same.push(gap);
  }
  return byAccount;
}

export interface PlanNeeds {
  /** Gaps to close, in milliseconds since the epoch. No gap ends after `now`. */
  readonly gaps: readonly Gap[];
  /** Current time of the platform, as estimated from its responses. */
  readonly now: number;
  /** Whether the platform replays for this app. */
  readonly replays: boolean;
}

/** Plan by which the current gaps are closed. */
export interface CatchupPlan {
  /** Windows to request from the platform, in whole minutes, oldest first, one at a time. */
  readonly jobs: readonly Span[];
  /** Stretches that become replayable later. */
  readonly tooRecent: readonly Span[];
  /** Time at which the first part of `tooRecent` becomes replayable. */
  readonly nextAt?: number;
  /** Stretches that no replay brings back, with the reason. */
  readonly beyond: readonly (Gap & { readonly reason: string })[];
}

export const MINUTE_MS = 60_000;

/** Largest assumed difference between this machine's clock and the platform's, in milliseconds. */
export const CLOCK_MARGIN_MS = 60_000;

/**
 * Longest window of a replay job, in milliseconds. The platform's documentation recommends windows of about two hours
 * or less.
 */
export const LONGEST_JOB_MS = 2 * 60 * MINUTE_MS;

/**
 * Minimum length of the replayable part of a gap whose end is too recent. If the part is shorter, its replay waits for
 * the whole gap.
 */
const WORTH_A_JOB_MS = 20 * MINUTE_MS;

export const OVER_24_HOURS = "over 24 hours old: the platform replays it no longer";
export const NO_REPLAY = "the platform does not replay for this app";

/** Bounds of a replay job's dates, in whole minutes, with a margin for clock differences. */
export interface ReplayReach {
  /** Earliest `from_date`. */
  readonly oldest: number;
  /** Latest `from_date`. */
  readonly latestFrom: number;
  /** Latest `to_date`. */
  readonly latestTo: number;
}

/** Computes the replayable time at `now`. Source: "Replay query parameters" in the platform's documentation. */
export function replayReach(now: number): ReplayReach {
  return {
    oldest: minuteAfter(now - REPLAY_WINDOW_MS + CLOCK_MARGIN_MS),
    latestFrom: minuteBefore(now - REPLAY_FROM_MIN_AGE_MS - CLOCK_MARGIN_MS),
    latestTo: minuteBefore(now - REPLAY_TO_MIN_AGE_MS - CLOCK_MARGIN_MS),
  };
}

/**
 * Turns gaps into replay jobs. Pure.
 *
 * Each job is within the platform's limits and covers all accounts of the webhook. Together the jobs cover all time
 * that is replayable now, with as few jobs as possible. All other time is too recent (`tooRecent`) or can't be replayed
 * (`beyond`).
 */
export function planCatchup({ gaps, now, replays }: PlanNeeds): CatchupPlan {
  const reach = replayReach(now);
  const split = replays ? reach.oldest : Infinity;
  const beyond = gaps.flatMap((gap) => {
    const part = overlap(gap, { from: -Infinity, to: split });
    const reason = replays ? OVER_24_HOURS : NO_REPLAY;
    return part === undefined ? [] : [{ ...gap, ...part, reason }];
  });
  const due: Span[] = [];
  const tooRecent: Span[] = [];
  for (const piece of piecesAfter(split, gaps)) {
    if (piece.to <= reach.latestTo) due.push(piece);
    else if (reach.latestTo - piece.from >= WORTH_A_JOB_MS) {
      due.push({ from: piece.from, to: reach.latestTo });
      tooRecent.push({ from: reach.latestTo, to: piece.to });
    } else tooRecent.push(piece);
  }
  const nextAt = legalAt(tooRecent);
  const plan = { jobs: jobsFor(due, reach), tooRecent, beyond };
  return nextAt === undefined ? plan : { ...plan, nextAt };
}

/** Merges the gaps of all accounts into whole minutes, from `oldest` on. */
function piecesAfter(oldest: number, gaps: readonly Gap[]): readonly Span[] {
  return union(
    gaps.flatMap((gap) => {
      const part = overlap(gap, { from: oldest, to: Infinity });
      return part === undefined
        ? []
        : [{ from: minuteBefore(part.from), to: minuteAfter(part.to) }];
    }),
  );
}

/** Returns the time from which the first of these stretches can be replayed completely; undefined without any. */
function legalAt(pieces: readonly Span[]): number | undefined {
  const [first] = pieces;
  return first && first.to + REPLAY_TO_MIN_AGE_MS + CLOCK_MARGIN_MS;
}

/**
 * Covers `pieces` with as few windows as possible. Each window begins at the end of the previous window and is as long
 * as allowed. A window begins no later than `latestFrom`, so the last window may begin before its piece.
 */
function jobsFor(pieces: readonly Span[], { latestFrom }: ReplayReach): readonly Span[] {
  const jobs: Span[] = [];
  let done = -Infinity;
  for (const piece of pieces) {
    for (let next = Math.max(piece.from, done); next < piece.to; next = done) {
      const from = Math.min(next, latestFrom);
      done = from + LONGEST_JOB_MS;
      jobs.push({ from, to: lastWithin(pieces, done) });
    }
  }
  return jobs;
}

/** Returns the end of the last piece that begins before `end`; at most `end`. */
function lastWithin(pieces: readonly Span[], end: number): number {
  const before = pieces.filter(({ from }) => from < end);
  return Math.min(end, before.at(-1)?.to ?? end);
}

export function minuteBefore(at: number): number {
  return Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

export function minuteAfter(at: number): number {
  return Math.ceil(at / MINUTE_MS) * MINUTE_MS;
}

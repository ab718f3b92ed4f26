import {
  REPLAY_FROM_MIN_AGE_MS,
  REPLAY_TO_MIN_AGE_MS,
  REPLAY_WINDOW_MS,
} from "../../protocol/limits.ts";
import { overlap, type Span, union } from "../../system/spans.ts";
import type { CoverageGap } from "../store/coverage.ts";

/** A stretch of an account's time, now over, in which events may have been missed. */
export type Gap = CoverageGap;

/** Gaps, or what else belongs to an account, by account. */
export function byAccountOf<G extends Pick<Gap, "account">>(
  gaps: readonly G[],
): ReadonlyMap<string, G[]> {
  const found = new Map<string, G[]>();
  for (const gap of gaps) {
    const same = found.get(gap.account);
    if (same === undefined) found.set(gap.account, [gap]);
    else same.push(gap);
  }
  return found;
}

export interface PlanNeeds {
  /** In milliseconds since the epoch; none of them reaches past `now`. */
  readonly gaps: readonly Gap[];
  /** By the platform's clock, as far as we know it. */
  readonly now: number;
  /** Whether the platform replays for this app. */
  readonly replays: boolean;
}

/** How gaps are closed, as of now. */
export interface CatchupPlan {
  /** What to ask the platform to deliver again, whole minutes, oldest first, one after the other. */
  readonly jobs: readonly Span[];
  /** What can be replayed later. */
  readonly tooRecent: readonly Span[];
  /** When the first part of `tooRecent` can be. */
  readonly nextAt?: number;
  /** What no replay brings back, and why. */
  readonly beyond: readonly (Gap & { readonly reason: string })[];
}

export const MINUTE_MS = 60_000;

/** Our clock and the platform's may differ so much. */
export const CLOCK_MARGIN_MS = 60_000;

/** The interface recommends windows of about so much or less. */
export const LONGEST_JOB_MS = 2 * 60 * MINUTE_MS;

/** A gap whose end is too recent is replayed in two parts only when the first is at least so long. */
const WORTH_A_JOB_MS = 20 * MINUTE_MS;

export const OVER_24_HOURS = "over 24 hours old: the platform replays it no longer";
export const NO_REPLAY = "the platform does not replay for this app";

/** The dates that a replay job may have, in whole minutes, safely. */
export interface ReplayReach {
  /** Earliest `from_date`. */
  readonly oldest: number;
  /** Latest `from_date`. */
  readonly latestFrom: number;
  /** Latest `to_date`. */
  readonly latestTo: number;
}

/** What can be replayed at `now`. Source: "Replay query parameters" of the interface. */
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
 * Each job is legal and covers all accounts of the webhook; together they cover what can be replayed
 * now, with as few jobs as possible. What is left is too recent or beyond every replay.
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

/** The gaps of all accounts as whole minutes, from `oldest` on. */
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

/** When the first of these pieces can be replayed whole. */
function legalAt(pieces: readonly Span[]): number | undefined {
  const [first] = pieces;
  return first && first.to + REPLAY_TO_MIN_AGE_MS + CLOCK_MARGIN_MS;
}

/**
 * As few windows as possible over `pieces`: each begins where the last left off and reaches as far as
 * it may. A window may begin no later than `latestFrom`, so the last one may begin before its piece.
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

/** Where the last of the pieces that lies before `end` ends, or `end` itself inside a piece. */
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

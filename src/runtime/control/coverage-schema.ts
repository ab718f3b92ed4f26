import * as z from "zod";
import { COVERED_KINDS } from "../store/coverage.ts";

const whole = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)], "not a whole number above 0")
  .pipe(z.number().int().positive());

/** Which part of the coverage. */
export const coverageQuery = z.strictObject({
  /** The last so many hours; 720 at most. */
  hours: whole.pipe(z.number().max(720)).default(24),
});

const shownSpan = z.object({
  /** Milliseconds since the epoch. */
  from: z.number(),
  /** Not included. */
  to: z.number(),
  /**
   * `unproven`: deliveries were expected, and nothing vouches for that time. `compared`: the same, but reading shows
   * that no message or mention is missing.
   */
  state: z.enum([
    "delivered",
    "unproven",
    "compared",
    "replayed",
    "backfilled",
    "too-recent",
    "missing",
    "lost",
    "none",
  ]),
  /** Why it is not better covered. */
  reason: z.string().exactOptional(),
  /** Set if messages and mentions of a `missing` or `too-recent` stretch have been read back. */
  readBack: z.literal(true).exactOptional(),
});

/** A replay that is wanted, under way or over. */
const replayShown = z.object({
  /** Of those that a person asked for. */
  id: z.number().exactOptional(),
  /** Gaps were found, a person asked, or nothing vouched for that time. */
  by: z.enum(["gap", "hand", "check"]),
  /** Milliseconds since the epoch. */
  from: z.number(),
  to: z.number(),
  /**
   * `too-old`: it could not be had before it was over 24 hours old. `refused`: the platform does not
   * replay for this app.
   */
  state: z.enum(["queued", "running", "waiting", "complete", "too-old", "refused"]),
  /** How many of its events were new, where it is over. */
  events: z.number().exactOptional(),
  /** How many had come before and were ignored, where it is over. */
  duplicates: z.number().exactOptional(),
  /** Why it waits, or was refused. */
  reason: z.string().exactOptional(),
});

/** A replay that is wanted, under way or over. */
export type ReplayShown = z.infer<typeof replayShown>;

/** Replays: the one under way, those that wait, the last that are over. */
export const replaysAnswer = z.object({ replays: z.array(replayShown).readonly() });

/** How the accounts' time is covered. */
export const coverageAnswer = z.object({
  /** Milliseconds since the epoch, by the platform's clock. */
  from: z.number(),
  to: z.number(),
  accounts: z
    .array(
      z.object({
        id: z.string(),
        username: z.string(),
        /** Deliveries come just now. */
        reachable: z.boolean(),
        /** Without holes, in order. */
        spans: z.array(shownSpan).readonly(),
        /** The same of each kind of event alone: messages, mentions, likes and so on. */
        kinds: z.record(z.enum(COVERED_KINDS), z.array(shownSpan).readonly()),
      }),
    )
    .readonly(),
});

/** A stretch of time that a person wants to have replayed. */
export const replayRequest = z.strictObject({
  /** Milliseconds since the epoch; a negative number is so many milliseconds ago. */
  from: z.number(),
  /** Not included. */
  to: z.number(),
});

/** What became of the request. */
export const replayAnswer = z.discriminatedUnion("accepted", [
  z.object({
    accepted: z.literal(true),
    /** Ids of the jobs that it takes. */
    ids: z.array(z.number()).readonly(),
  }),
  z.object({ accepted: z.literal(false), problem: z.string(), hint: z.string() }),
]);

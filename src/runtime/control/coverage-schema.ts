import * as z from "zod";
import { COVERED_KINDS } from "../store/coverage.ts";

const whole = z
  .union([z.number(), z.string().regex(/^\d+$/).transform(Number)], "not a whole number above 0")
  .pipe(z.number().int().positive());

/** Stretch of time whose coverage is to be returned. */
export const coverageQuery = z.strictObject({
  /** Number of last hours; at most 720. */
  hours: whole.pipe(z.number().max(720)).default(24),
});

const shownSpan = z.object({
  /** Time in milliseconds since the epoch. */
  from: z.number(),
  /** End of the stretch, exclusive. */
  to: z.number(),
  /**
   * `unproven`: deliveries were expected, but nothing proves that they arrived. `compared`: also unproven, but reading showed
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
  /** Reason for the state, such as why no replay could prove or recover the stretch. */
  reason: z.string().exactOptional(),
  /** Whether messages and mentions of a `missing` or `too-recent` stretch have been read back. */
  readBack: z.literal(true).exactOptional(),
});

/** Replay by the platform that is queued, running or over. */
const replayShown = z.object({
  /** Number of the replay; only replays requested by an operator have one. */
  id: z.number().exactOptional(),
  /** Cause of the replay: gaps were found, an operator requested it, or the stretch was unproven. */
  by: z.enum(["gap", "hand", "check"]),
  /** Time in milliseconds since the epoch. */
  from: z.number(),
  to: z.number(),
  /**
   * `too-old`: the stretch was older than 24 hours before a replay succeeded. `refused`: the platform does not replay
   * for this app.
   */
  state: z.enum(["queued", "running", "waiting", "complete", "too-old", "refused"]),
  /** Number of new events, once the replay is over. */
  events: z.number().exactOptional(),
  /** Number of events that had arrived before and were ignored, once the replay is over. */
  duplicates: z.number().exactOptional(),
  /** Reason why the replay waits for its next attempt, or was refused. */
  reason: z.string().exactOptional(),
});

/** Replay by the platform that is queued, running or over. */
export type ReplayShown = z.infer<typeof replayShown>;

/** Replays: the current replay, queued replays, and the last finished replays. */
export const replaysAnswer = z.object({ replays: z.array(replayShown).readonly() });

/** Coverage of the accounts: for each stretch of time, whether events were received. */
export const coverageAnswer = z.object({
  /** Time in milliseconds since the epoch, by the platform's clock. */
  from: z.number(),
  to: z.number(),
  accounts: z
    .array(
      z.object({
        id: z.string(),
        username: z.string(),
        /** Whether deliveries arrive at present. */
        reachable: z.boolean(),
        /** Coverage in the order of time. Every moment of the queried time is in exactly one stretch. */
        spans: z.array(shownSpan).readonly(),
        /** Coverage of each kind of event: messages, mentions, likes and so on. */
        kinds: z.record(z.enum(COVERED_KINDS), z.array(shownSpan).readonly()),
      }),
    )
    .readonly(),
});

/** Stretch of time that an operator wants to have replayed. */
export const replayRequest = z.strictObject({
  /** Milliseconds since the epoch; a negative number means that many milliseconds ago. */
  from: z.number(),
  /** End of the period, exclusive. */
  to: z.number(),
});

/** Answer to a replay request: accepted, or refused. */
export const replayAnswer = z.discriminatedUnion("accepted", [
  z.object({
    accepted: z.literal(true),
    /** Ids of the jobs that the request was split into. */
    ids: z.array(z.number()).readonly(),
  }),
  z.object({ accepted: z.literal(false), problem: z.string(), hint: z.string() }),
]);

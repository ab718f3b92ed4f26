import * as z from "zod";
import { heldAnswersOf, pausedAccount } from "./pause-schema.ts";

const count = z.number();

/** What the store holds. */
const storeStatus = z.object({
  /** Inputs that lanes still have to take in, and effects of runs that are under way. */
  inbox: count,
  /** Those of them that wait since their account is paused. */
  paused: count,
  /** Entries kept in the journal. */
  journal: count,
  /** Items by status; `failed` leaves out `dropped`, which the operator gave up. */
  items: z.object({
    pending: count,
    sending: count,
    sent: count,
    failed: count,
    dropped: count,
    expired: count,
    unknown: count,
    held: count,
  }),
  /** Open runs by status. */
  runs: z.object({ ready: count, waiting: count }),
  /** Escalations that nobody has resolved, by queue; a queue without any is left out. */
  escalations: z.record(z.string(), count),
  /** Arrival of the oldest entry still to decide, in milliseconds since the epoch. */
  oldestArrivedAt: z.number().exactOptional(),
  /** The version of Answerback that wrote the store last. */
  writtenBy: z.string().exactOptional(),
});

/** A process that works on the store. */
const processStatus = z.object({
  name: z.string(),
  role: z.enum(["all", "receiver", "worker"]),
  pid: z.number(),
  /** By the platform's clock, as ISO 8601. */
  startedAt: z.string(),
  /** Revision of the rules by which it decides. */
  rules: z.string(),
  /** It does what is to be done once for all: the link, catching up, schedules. */
  leads: z.boolean(),
  /** Partitions of lanes that it works on. */
  partitions: z.array(z.number()),
  /** It takes nothing new. */
  isLeaving: z.boolean(),
  /** How far the clock of its machine is ahead of the store's, in milliseconds; negative where it is behind. */
  clockAheadMs: z.number().exactOptional(),
});

/** What a running runtime says of itself. */
export const runtimeStatus = z.object({
  target: z.string(),
  /** How events come: the platform calls the webhook, or they are read again and again. */
  source: z.enum(["webhook", "activity", "both", "polling"]),
  /** By the platform's clock, as ISO 8601. */
  startedAt: z.string(),
  /** The platform's time, as ISO 8601. */
  now: z.string(),
  /** What keeps the runtime from doing its work; empty when nothing does. */
  missing: z.array(z.object({ part: z.string(), reason: z.string() })),
  webhook: z.object({
    /** `host:port`. */
    listen: z.string(),
    url: z.string(),
    /** Absent until the platform has it. */
    id: z.string().exactOptional(),
    /** Whether the platform's latest challenge was answered. */
    valid: z.boolean(),
    /** Whether deliveries are turned away now, since too much is not worked off. */
    shedding: z.boolean(),
    /** Deliveries that were turned away since the start; the platform sends them again. */
    shed: count,
    /** Why deliveries don't come, or why it is not known whether they do. */
    trouble: z.string().exactOptional(),
    /** Challenges that were answered, and deliveries that were kept, since the start. */
    challenges: count,
    deliveries: count,
    /** ISO 8601, by the platform's clock. */
    lastChallengeAt: z.string().exactOptional(),
    lastDeliveryAt: z.string().exactOptional(),
  }),
  /** Where metrics can be read, as `host:port`; absent where nowhere. */
  metrics: z.object({ listen: z.string() }).exactOptional(),
  accounts: z.array(
    z.object({
      id: z.string(),
      username: z.string(),
      /** Whether its events come. */
      subscribed: z.boolean(),
      /** Why they don't, where the platform said so. */
      reason: z.string().exactOptional(),
      /** A command that mends it. */
      fix: z.string().exactOptional(),
      /** When its last delivery came since the start, as ISO 8601 by the platform's clock. */
      lastDeliveryAt: z.string().exactOptional(),
    }),
  ),
  /** What is being caught up just now. Times are ISO 8601, by the platform's clock. */
  catchup: z.object({
    /** Stretches of an account's time that are not closed yet. */
    gaps: count,
    /** When the oldest of them begins. */
    since: z.string().exactOptional(),
    /** The replay that is under way, or is to be asked for again. */
    replay: z
      .object({
        state: z.enum(["running", "waiting"]),
        from: z.string(),
        to: z.string(),
        /** Why it waits. */
        reason: z.string().exactOptional(),
      })
      .exactOptional(),
    /** Why the platform does not replay for this app, where it said so. */
    noReplay: z.string().exactOptional(),
  }),
  rules: z.object({ count, revision: z.string(), problems: z.array(z.string()).readonly() }),
  bots: z.array(
    z.object({
      name: z.string(),
      triggers: z.array(z.string()),
      /** Events that are older don't call it, in milliseconds; that of each trigger where absent. */
      maxAgeMs: z.union([z.number(), z.literal("none")]).exactOptional(),
      /** What it did wrong since the start. */
      trouble: z
        .object({
          faults: count,
          /** The latest of them, and where in the bot's code. */
          latest: z.string(),
          place: z.string().exactOptional(),
          /** ISO 8601, by the platform's clock. */
          at: z.string(),
          /** Until when it is not called, since it ended its thread again and again. */
          asideUntil: z.string().exactOptional(),
        })
        .exactOptional(),
    }),
  ),
  /** Bot modules that could not be loaded, and why. */
  botFaults: z.array(z.string()),
  /** Bot modules that are not loaded yet. Times are ISO 8601, by the platform's clock. */
  loadingBots: z
    .array(
      z.object({
        file: z.string(),
        since: z.string(),
        /** Why the latest attempt was given up, and when the next one begins. */
        failed: z.string().exactOptional(),
        retryAt: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
  /** Other instances that answer for the same accounts, with another store. */
  otherInstances: z
    .array(
      z.object({
        /** User id. */
        account: z.string(),
        username: z.string().exactOptional(),
        reason: z.string(),
        /** ISO 8601, by the platform's clock. */
        since: z.string(),
        /** This instance sends nothing for the account until the operator resumes it. */
        holdsBack: z.boolean(),
      }),
    )
    .exactOptional(),
  /** Accounts for which nothing is decided and nothing sent. */
  paused: z.array(pausedAccount),
  /** Answers that are held back, by person. */
  held: z.array(heldAnswersOf),
  /** Events that ended the process again and again and are not handled any more; `seq` as in the journal. */
  givenUp: z.array(z.object({ seq: z.number(), reason: z.string() })),
  /** What is in hand just now. */
  work: z.object({
    /** Partitions of lanes that this process works on. */
    partitions: count,
    /** Inputs of lanes under way or waiting. */
    inputs: count,
    /** Effects of runs under way or waiting. */
    effects: count,
    /** Requests to the platform under way. */
    sending: count,
  }),
  store: storeStatus,
  /** Name of the process that says this. */
  process: z.string(),
  /** All that are at work on the store, this one among them. */
  processes: z.array(processStatus),
});

/** What a running runtime says of itself. */
export type RuntimeStatus = z.infer<typeof runtimeStatus>;

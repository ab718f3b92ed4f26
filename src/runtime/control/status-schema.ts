import * as z from "zod";
import { heldAnswersOf, pausedAccount, silencedAccount } from "./pause-schema.ts";

const count = z.number();

/** Numbers of inputs, entries, items and runs in the store. */
const storeStatus = z.object({
  /** Number of pending inputs of lanes, and of effects of runs that have not ended. */
  inbox: count,
  /** Number of inputs and effects in `inbox` whose account is paused. */
  paused: count,
  /** Number of entries in the journal. */
  journal: count,
  /** Items by status; `failed` excludes items that the operator dropped (`dropped`). */
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
  /** Number of unresolved escalations by queue; queues without any are absent. */
  escalations: z.record(z.string(), count),
  /** Arrival of the oldest entry that rules and bots have not processed yet, in milliseconds since the epoch. */
  oldestArrivedAt: z.number().exactOptional(),
  /** Version of Answerback that last wrote the store. */
  writtenBy: z.string().exactOptional(),
});

/** Process that works on the store. */
const processStatus = z.object({
  name: z.string(),
  role: z.enum(["all", "receiver", "worker"]),
  pid: z.number(),
  /** Time in ISO 8601, by the platform's clock. */
  startedAt: z.string(),
  /** Revision of the rules that the process uses. */
  rules: z.string(),
  /** Whether the process leads: manages the webhook link, catch-up and schedules for all processes. */
  leads: z.boolean(),
  /** Partitions of lanes that the process works on. */
  partitions: z.array(z.number()),
  /** Whether the process is about to end and accepts no new work. */
  isLeaving: z.boolean(),
  /** Milliseconds by which the machine's clock is ahead of the store's; negative if it is behind. */
  clockAheadMs: z.number().exactOptional(),
});

/** Status of a running runtime. */
export const runtimeStatus = z.object({
  target: z.string(),
  /** Transport of events: the platform calls the webhook, or the runtime polls. */
  source: z.enum(["webhook", "activity", "both", "polling"]),
  /** Time in ISO 8601, by the platform's clock. */
  startedAt: z.string(),
  /** The platform's time, as ISO 8601. */
  now: z.string(),
  /** Reasons why the runtime cannot do its work; empty if it can. */
  missing: z.array(z.object({ part: z.string(), reason: z.string() })),
  webhook: z.object({
    /** Local address of the webhook, as `host:port`. */
    listen: z.string(),
    url: z.string(),
    /** Id of the webhook; absent until it is registered with the platform. */
    id: z.string().exactOptional(),
    /** Whether the platform's latest challenge was answered. */
    valid: z.boolean(),
    /** Whether deliveries are rejected at present because the backlog is too large. */
    shedding: z.boolean(),
    /** Number of deliveries rejected since the start; the platform sends them again. */
    shed: count,
    /** Reason why deliveries do not arrive, or why their arrival is uncertain. */
    trouble: z.string().exactOptional(),
    /** Numbers of answered challenges and stored deliveries since the start. */
    challenges: count,
    deliveries: count,
    /** Time in ISO 8601, by the platform's clock. */
    lastChallengeAt: z.string().exactOptional(),
    lastDeliveryAt: z.string().exactOptional(),
  }),
  /** Address of the metrics endpoint, as `host:port`; absent if there is none. */
  metrics: z.object({ listen: z.string() }).exactOptional(),
  accounts: z.array(
    z.object({
      id: z.string(),
      username: z.string(),
      /** Whether the account's events arrive. */
      subscribed: z.boolean(),
      /** Permission level of the account's tokens, as the platform last reported it (`x-access-level`). */
      permissionLevel: z.string().exactOptional(),
      /** Reason why the account's events do not arrive, if the platform gave one. */
      reason: z.string().exactOptional(),
      /** Command by which the operator can solve the problem. */
      fix: z.string().exactOptional(),
      /** Time of the account's last delivery since the start, as ISO 8601 by the platform's clock. */
      lastDeliveryAt: z.string().exactOptional(),
    }),
  ),
  /** State of the catch-up. Times are ISO 8601, by the platform's clock. */
  catchup: z.object({
    /** Number of open gaps, over all accounts. */
    gaps: count,
    /** Start of the oldest open gap. */
    since: z.string().exactOptional(),
    /** Current replay job: under way, or waiting for its next attempt. */
    replay: z
      .object({
        state: z.enum(["running", "waiting"]),
        from: z.string(),
        to: z.string(),
        /** Reason why the replay waits for its next attempt. */
        reason: z.string().exactOptional(),
      })
      .exactOptional(),
    /** Reason why the platform does not replay for this app; absent unless it refused. */
    noReplay: z.string().exactOptional(),
  }),
  /** Queries of `post.found` triggers, for each account; empty in the status of a process that does not lead. */
  searches: z
    .array(
      z.object({
        query: z.string(),
        /** User id. */
        account: z.string(),
        /** Time of the last complete reading, as ISO 8601. */
        lastReadAt: z.string().exactOptional(),
        /** Reason why recent search reads the query; absent if the filtered stream brings its posts. */
        whyRecent: z.string().exactOptional(),
        /** Reason why the last reading failed. */
        trouble: z.string().exactOptional(),
        /**
         * Stretch of time from which posts may be missing, because recent search does not reach back that far; ISO
         * 8601.
         */
        lost: z.object({ from: z.string(), to: z.string() }).exactOptional(),
        /** Rate limit of recent search, as the platform last reported it. */
        limit: z.object({ limit: count, remaining: count, resetAt: z.string() }).exactOptional(),
      }),
    )
    .exactOptional(),
  /** Whether the filtered stream brings posts of `searches`, and why; absent without queries. */
  searchStream: z.object({ used: z.boolean(), why: z.string() }).exactOptional(),
  /** Posts that the app has received this month; absent while the platform does not report them, or this process does not lead. */
  posts: z
    .object({
      used: count,
      cap: count,
      /** Day on which the count begins again, as `2026-07-01`. */
      resetsOn: z.string(),
      /** ISO 8601, by the platform's clock. */
      readAt: z.string(),
    })
    .exactOptional(),
  rules: z.object({ count, revision: z.string(), problems: z.array(z.string()).readonly() }),
  bots: z.array(
    z.object({
      name: z.string(),
      triggers: z.array(z.string()),
      /** Age in milliseconds from which events no longer call the bot; absent: each trigger has its own maximum. */
      maxAgeMs: z.union([z.number(), z.literal("none")]).exactOptional(),
      /** Set while the bot's module is not loaded: the bot's events and waiting runs wait. */
      waits: z.literal(true).exactOptional(),
      /** Errors in the bot's handlers since the start of the runtime. */
      trouble: z
        .object({
          faults: count,
          /** Message of the latest error, and its place in the bot's code. */
          latest: z.string(),
          place: z.string().exactOptional(),
          /** Time in ISO 8601, by the platform's clock. */
          at: z.string(),
          /** Time until which the bot is not called, because it ended its worker thread repeatedly. */
          asideUntil: z.string().exactOptional(),
        })
        .exactOptional(),
    }),
  ),
  /** Bot modules that could not be loaded, with the reasons. */
  botFaults: z.array(z.string()),
  /** Bot modules that are not loaded yet. Times are ISO 8601, by the platform's clock. */
  loadingBots: z
    .array(
      z.object({
        file: z.string(),
        since: z.string(),
        /** Reason why the latest attempt failed, and the time of the next one. */
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
        /** Time in ISO 8601, by the platform's clock. */
        since: z.string(),
        /** Whether this instance sends nothing for the account until the operator resumes it. */
        holdsBack: z.boolean(),
      }),
    )
    .exactOptional(),
  /** Paused accounts: rules and bots decide nothing for them, and nothing is sent. */
  paused: z.array(pausedAccount),
  /** Accounts in which an escalation silences all conversations; absent if there are none. */
  silenced: z.array(silencedAccount).readonly().exactOptional(),
  /** Answers that are held back, by person. */
  held: z.array(heldAnswersOf),
  /** Events that crashed the process repeatedly and are no longer handled; `seq` as in the journal. */
  givenUp: z.array(z.object({ seq: z.number(), reason: z.string() })),
  /** Current work of this process. */
  work: z.object({
    /** Partitions of lanes that this process works on. */
    partitions: count,
    /** Number of inputs of lanes that this process works on, or that wait for it. */
    inputs: count,
    /** Number of effects of runs that this process performs, or that wait for it. */
    effects: count,
    /** Number of current requests to the platform that send items. */
    sending: count,
    /** Number of group messages since the start for which no rule or bot listens. */
    passedOver: count.exactOptional(),
  }),
  store: storeStatus,
  /** Name of the reporting process. */
  process: z.string(),
  /** All processes that work on the store, including this one. */
  processes: z.array(processStatus),
});

/** Status of a running runtime. */
export type RuntimeStatus = z.infer<typeof runtimeStatus>;

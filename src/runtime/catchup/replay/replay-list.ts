import type { Span } from "../../../system/spans.ts";
import { handWindow } from "./by-hand.ts";
import type { JobRecord } from "./job-record.ts";
import type { EndedJob } from "./replay-runner.ts";

/** Replay that is queued, under way or over. Times are milliseconds since the epoch. */
export interface ListedReplay extends Span {
  /** Number of the replay; only replays requested by an operator have one. */
  id?: number;
  readonly by: JobRecord["by"];
  state: "queued" | "running" | "waiting" | "complete" | "too-old" | "refused";
  /** Number of new events, once the replay is over. */
  events?: number;
  /** Number of events that had arrived before, and were ignored. */
  duplicates?: number;
  reason?: string;
}

/** Answer to an operator's request for a replay. */
export type HandAnswer =
  | { readonly accepted: true; readonly ids: number[] }
  | { readonly accepted: false; readonly problem: string; readonly hint: string };

/** Replays requested by operators, and the outcomes of all replays of this process. */
export interface ReplayList {
  /** Validates and queues an operator's request. */
  ask(window: Span, now: number): HandAnswer;
  /** Takes the next request of an operator from the queue and marks it as under way. */
  next(): Span | undefined;
  /** Counts new events that the replay brought. */
  count(events: number): void;
  /** Counts replayed events that had arrived before. */
  countKnown(events: number): void;
  /** Adds the finished job to the list. */
  ended(job: EndedJob): void;
  /** All listed replays, newest last. */
  all(current: JobRecord | undefined): ListedReplay[];
}

const KEPT = 20;

/**
 * Creates an empty list.
 *
 * @param never Reason why replays are never available; undefined if they may be.
 */
export function replayList(never?: string): ReplayList {
  const queued: (Span & { readonly id: number })[] = [];
  const over: ListedReplay[] = [];
  let lastId = 0;
  let underWay: number | undefined;
  let events = 0;
  let duplicates = 0;
  return {
    ask(window, now) {
      if (never !== undefined) {
        const hint =
          "messages and mentions are read back by themselves; answerback coverage shows it";
        return { accepted: false, problem: never, hint };
      }
      const checked = handWindow(window, now);
      if (!checked.ok) return { accepted: false, problem: checked.problem, hint: checked.hint };
      const ids = checked.jobs.map((job) => {
        lastId += 1;
        queued.push({ ...job, id: lastId });
        return lastId;
      });
      return { accepted: true, ids };
    },
    next() {
      const job = queued.shift();
      underWay = job?.id;
      return job;
    },
    count: (more) => void (events += more),
    countKnown: (more) => void (duplicates += more),
    ended({ job: { from, to, by }, outcome: state, reason }) {
      over.push({
        ...(underWay !== undefined && { id: underWay }),
        by,
        from,
        to,
        state,
        events,
        duplicates,
        ...(reason !== undefined && { reason }),
      });
      if (over.length > KEPT) over.shift();
      underWay = undefined;
      events = 0;
      duplicates = 0;
    },
    all(current) {
      const listed: ListedReplay[] = [...over];
      if (current !== undefined) {
        const { from, to, by, retryAt, reason } = current;
        listed.push({
          ...(underWay !== undefined && { id: underWay }),
          by,
          from,
          to,
          state: retryAt === undefined ? "running" : "waiting",
          ...(reason !== undefined && { reason }),
        });
      }
      return [
        ...listed,
        ...queued.map((job): ListedReplay => ({ ...job, by: "hand", state: "queued" })),
      ];
    },
  };
}

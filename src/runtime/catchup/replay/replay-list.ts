import type { Span } from "../../../system/spans.ts";
import { handWindow } from "./by-hand.ts";
import type { JobRecord } from "./job-record.ts";
import type { EndedJob } from "./replay-runner.ts";

/** A replay that is wanted, under way or over. Times are milliseconds since the epoch. */
export interface ListedReplay extends Span {
  /** Of those that a person asked for. */
  id?: number;
  readonly by: JobRecord["by"];
  state: "queued" | "running" | "waiting" | "complete" | "too-old" | "refused";
  /** How many of its events were new, where it is over. */
  events?: number;
  /** How many had come before, and were ignored. */
  duplicates?: number;
  reason?: string;
}

/** What becomes of a request by hand. */
export type HandAnswer =
  | { readonly accepted: true; readonly ids: number[] }
  | { readonly accepted: false; readonly problem: string; readonly hint: string };

/** The replays that people asked for, and what became of all of them in this process. */
export interface ReplayList {
  /** Checks and queues what a person asks for. */
  ask(window: Span, now: number): HandAnswer;
  /** The next that a person asked for; it is under way from now on. */
  next(): Span | undefined;
  /** Events came in by a replay. */
  count(events: number): void;
  /** Events came again by a replay that had come before. */
  countKnown(events: number): void;
  /** The job is over. */
  ended(job: EndedJob): void;
  /** Newest last. */
  all(current: JobRecord | undefined): ListedReplay[];
}

const KEPT = 20;

/**
 * A list without any replay.
 *
 * @param never Why there never are replays; undefined where there may be.
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

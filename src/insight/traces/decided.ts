import * as z from "zod";
import type { Json } from "../../protocol/json.ts";
import type { DecideContext } from "../../rules/decide.ts";
import type { RefusedAnswer } from "../../rules/run.ts";
import { type DecidedCount, isLate } from "../../runtime/runs.ts";
import { keptRun, ruleOf } from "../kept-run.ts";
import type { FoundEvent } from "./find-event.ts";

const schema = z.object({
  revision: z.string().optional(),
  ran: z.array(z.string()).default([]),
  now: z.number().optional(),
  read: z.record(z.string(), z.json()).default({}),
  username: z.string().optional(),
  takenBy: z.string().optional(),
  cancelled: z.array(z.string()).default([]),
  refused: z.object({ question: z.string(), wanted: z.string() }).optional(),
  paused: z.string().optional(),
  reason: z.string().optional(),
  error: z.string().optional(),
});

/** Stored decision on an event, and the inputs needed to reproduce it. */
export interface KeptVerdicts {
  /** Revision of the rules that decided. */
  readonly revision: string | undefined;
  /** Ids of the rules that ran. */
  readonly ran: readonly string[];
  readonly context: DecideContext;
  /** Keys of the user state that the decision read. */
  readonly read: readonly string[];
  /** Id of the run that took the event as an answer. Only rules that may interrupt a question were then evaluated. */
  readonly takenBy: string | undefined;
  /** Refusal of the answer, if the run in `takenBy` expected another kind of answer. */
  readonly refused: RefusedAnswer | undefined;
  /** Ids of the runs that the event ended, because the person cancelled their questions. */
  readonly cancelled: readonly string[];
  /** Reason why nothing was decided. */
  readonly undecided?: string;
  /** Counts to which rules listened when the event's runs raised them. Rules were evaluated for each of them, too. */
  readonly counts: readonly DecidedCount[];
}

/** Parses the stored decision of an event. */
export function decided({ row }: Pick<FoundEvent, "row">): KeptVerdicts {
  const { decision = "{}", decidedAt, arrivedAt, state } = row;
  const { revision, ran, now, read, username, takenBy, cancelled, refused, paused, reason, error } =
    schema.parse(JSON.parse(decision));
  const values: Readonly<Record<string, Json>> = read;
  const undecided = state === "open" ? "it is not decided yet" : (reason ?? error);
  return {
    revision,
    ran,
    takenBy,
    cancelled,
    refused,
    read: Object.keys(read),
    counts: row.runs.flatMap((run) => (ruleOf(run) ? (keptRun(run).reached ?? []) : [])),
    context: {
      now: now ?? decidedAt ?? arrivedAt,
      replayed: isLate(row),
      read: (key) => values[key],
      ...(paused !== undefined && { paused }),
      username,
    },
    ...(undecided !== undefined && { undecided }),
  };
}

import { handlesIn } from "../../events/handles.ts";
import { eventText } from "../../insight/words/event.ts";
import { ruleOf, type JournalRun } from "../../insight/kept-run.ts";
import { ruleOrBotOf } from "../../runtime/records.ts";
import { trunkOf } from "../../runtime/runs.ts";
import type { Answers } from "../../runtime/vocabulary.ts";
import { readableEvent } from "../../insight/traces/find-event.ts";
import type { JournalReader } from "../../insight/traces/needs.ts";
import { runInWords } from "../../insight/words/run.ts";

/**
 * Conditions that select runs. An absent condition excludes no run. With both `failed` and `open`, failed and open runs
 * are selected.
 */
export interface RunQuery {
  readonly failed?: boolean;
  /** Selects runs that have not ended. */
  readonly open?: boolean;
  /** Selects runs of the person with this user id, or this handle in any case, with or without `@`. */
  readonly person?: string;
  /** Id of the rule that owns the runs. */
  readonly rule?: string;
  /** Maximum number of runs. */
  readonly limit: number;
}

/** A run of a rule or bot, and the event that started the run. The run's branches are not listed separately. */
export interface RunSummary {
  readonly id: string;
  /** Journal number of the event that started the run. */
  readonly seq: number;
  readonly rule?: string;
  readonly bot?: string;
  readonly account: string;
  readonly person: { readonly id: string; readonly username?: string };
  readonly status: JournalRun["status"];
  /** Result of the run, such as `failed: actions[0]: no answer was what was asked for`. */
  readonly inWords: string;
  /** Arrival of the event, in milliseconds since the epoch. */
  readonly arrivedAt: number;
  /** Text of the event that started the run; absent if it has none. */
  readonly text?: string;
}

/** Number of journal entries that are read at a time. */
const PAGE = 200;

/** Lists runs from the journal. Runs of the newest events come first. */
export async function listRuns(
  stored: JournalReader,
  { limit, ...query }: RunQuery,
): Promise<readonly RunSummary[]> {
  const matchingRuns: RunSummary[] = [];
  for (let before: number | undefined; ;) {
    const rows = await stored.journal({ limit: PAGE, ...(before !== undefined && { before }) });
    for (const row of rows) {
      matchingRuns.push(...runsIn(row).filter((run) => fits(run, query)));
      if (matchingRuns.length >= limit) return matchingRuns.slice(0, limit);
    }
    before = rows.at(-1)?.seq;
    if (rows.length < PAGE) return matchingRuns;
  }
}

function runsIn(row: Answers["journal"][number]): readonly RunSummary[] {
  const runs = row.runs.filter(({ id }) => trunkOf(id) === undefined);
  const [first] = runs;
  if (first === undefined) return [];
  const event = readableEvent(row);
  const text = event && eventText(event);
  const id = row.lane.slice(row.lane.indexOf("/") + 1);
  const username = handlesIn(event === undefined ? [] : [event])
    .get(id)
    ?.replace(/^@/, "");
  const person = { id, ...(username !== undefined && { username }) };
  return runs.map((run) => {
    const rule = ruleOf(run);
    return {
      id: run.id,
      seq: row.seq,
      ...(rule === undefined ? { bot: ruleOrBotOf(run.owner).slice("bot:".length) } : { rule }),
      account: row.account,
      person,
      status: run.status,
      inWords: runInWords(run),
      arrivedAt: row.arrivedAt,
      ...(text !== undefined && { text }),
    };
  });
}

function fits(
  { status, rule: id, person: of }: RunSummary,
  { failed = false, open = false, person, rule }: Omit<RunQuery, "limit">,
): boolean {
  const isOpen = status === "ready" || status === "waiting";
  if ((failed || open) && !((failed && status === "failed") || (open && isOpen))) return false;
  if (rule !== undefined && id !== rule) return false;
  if (person === undefined) return true;
  const wanted = person.replace(/^@/, "").toLowerCase();
  return of.id === wanted || of.username?.toLowerCase() === wanted;
}

import { runIdParts } from "../../runtime/store/run.ts";
import type { JournalReader, TraceNeeds } from "../needs.ts";
import type { OutboxItem } from "../runs.ts";
import type { TraceOutcome } from "../trace.ts";
import { type OutcomeEvidence, outcomeOf } from "./outcome.ts";

/** Number of items that are read: no event has more. */
const MOST_ITEMS = 1_000;

/**
 * Returns what {@link outcomeOf} does. For an event that a run took as an answer, what that run has done since
 * counts, too.
 */
export async function outcomeWithTaker(
  stored: JournalReader & Pick<TraceNeeds, "outbox">,
  evidence: OutcomeEvidence,
): Promise<TraceOutcome> {
  const { row, kept, items } = evidence;
  const { takenBy } = kept;
  const lane = await unsettledItems(stored, evidence);
  if (takenBy === undefined) return outcomeOf({ ...evidence, lane });
  const [seq] = runIdParts(takenBy);
  const [entry] = await stored.journal({ seq, limit: 1 });
  const run = entry?.runs.find(({ id }) => id === takenBy);
  if (run === undefined) return outcomeOf({ ...evidence, lane });
  const since = (await stored.outbox({ seq, limit: MOST_ITEMS })).filter(
    // what the run did before it took this is no answer to this
    (item) => item.run === takenBy && (item.startedAt ?? Infinity) >= row.at,
  );
  return outcomeOf({
    ...evidence,
    lane,
    row: { ...row, runs: [...row.runs, run] },
    items: [...items, ...since],
  });
}

/** Returns the unsettled items of an event's lane, oldest first; none where no item of the event waits. */
async function unsettledItems(
  stored: Pick<TraceNeeds, "outbox">,
  { row: { account, lane }, items }: OutcomeEvidence,
): Promise<readonly OutboxItem[]> {
  if (!items.some(({ status }) => status === "pending")) return [];
  const all = await stored.outbox({ account, lane, limit: MOST_ITEMS });
  return all
    .filter(({ status }) => status === "pending" || status === "sending" || status === "unknown")
    .toSorted((one, other) => one.id - other.id);
}

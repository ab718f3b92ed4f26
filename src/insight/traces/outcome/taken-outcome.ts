import { isAnswerable } from "../../../events/kinds/answer-by-hand.ts";
import { runIdParts } from "../../../runtime/store/run.ts";
import type { JournalReader, TraceNeeds } from "../needs.ts";
import type { OutboxItem } from "../../kept-run.ts";
import type { TraceOutcome } from "../trace.ts";
import { isUnanswered, writtenByHand } from "./by-hand-outcome.ts";
import { type OutcomeEvidence, outcomeOf } from "./outcome.ts";

/** Number of items that are read: no event has more. */
const MOST_ITEMS = 1_000;

/**
 * Returns what {@link outcomeOf} does. For an event that a run took as an answer, what that run has done since
 * counts, too. So does what an operator has answered by hand since.
 */
export async function outcomeWithTaker(
  stored: JournalReader & Pick<TraceNeeds, "outbox">,
  evidence: OutcomeEvidence,
): Promise<TraceOutcome> {
  const whole = await withTaker(stored, evidence);
  const { row, event, byHand } = whole;
  const outcome = outcomeOf(whole);
  if (byHand !== undefined || !isAnswerable(event) || !isUnanswered(outcome)) return outcome;
  return outcomeOf({ ...whole, byHand: await writtenByHand(stored, row) });
}

/** Adds the run that took the event as an answer, and what it has sent since. */
async function withTaker(
  stored: JournalReader & Pick<TraceNeeds, "outbox">,
  evidence: OutcomeEvidence,
): Promise<OutcomeEvidence> {
  const { row, kept, items } = evidence;
  const { takenBy } = kept;
  const lane = await unsettledItems(stored, evidence);
  if (takenBy === undefined) return { ...evidence, lane };
  const [seq] = runIdParts(takenBy);
  const [entry] = await stored.journal({ seq, limit: 1 });
  const run = entry?.runs.find(({ id }) => id === takenBy);
  if (run === undefined) return { ...evidence, lane };
  const since = (await stored.outbox({ seq, limit: MOST_ITEMS })).filter(
    // what the run did before it took this is no answer to this
    (item) => item.run === takenBy && (item.startedAt ?? Infinity) >= row.at,
  );
  return {
    ...evidence,
    lane,
    row: { ...row, runs: [...row.runs, run] },
    items: [...items, ...since],
  };
}

/** Returns the unsettled items of an event's lane, oldest first; none where no item of the event waits. */
export async function unsettledItems(
  stored: Pick<TraceNeeds, "outbox">,
  { row: { account, lane }, items }: Pick<OutcomeEvidence, "row" | "items">,
): Promise<readonly OutboxItem[]> {
  if (!items.some(({ status }) => status === "pending")) return [];
  const all = await stored.outbox({ account, lane, limit: MOST_ITEMS });
  return all
    .filter(({ status }) => status === "pending" || status === "sending" || status === "unknown")
    .toSorted((one, other) => one.id - other.id);
}

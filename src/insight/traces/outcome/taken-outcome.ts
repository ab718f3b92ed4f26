import { isAnswerable } from "../../../events/kinds/answer-by-hand.ts";
import { runIdParts } from "../../../runtime/records.ts";
import type { JournalReader, TraceNeeds } from "../needs.ts";
import type { OutboxItem } from "../../kept-run.ts";
import type { TraceOutcome } from "../trace.ts";
import { isUnanswered, writtenByHand } from "./by-hand-outcome.ts";
import { type OutcomeEvidence, outcomeOf } from "./outcome.ts";

/** Maximum number of outbox items that are read; no event has more. */
const MAX_ITEMS = 1_000;

/**
 * Returns the outcome of an event. Counts an operator's later answers by hand and, if a run took the event as the
 * answer to its question, what this run did later.
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

/** Adds the run that took the event as an answer, and the outbox items that this run sent afterwards. */
async function withTaker(
  stored: JournalReader & Pick<TraceNeeds, "outbox">,
  evidence: OutcomeEvidence,
): Promise<OutcomeEvidence> {
  const { row, decision, items } = evidence;
  const { takenBy } = decision;
  const lane = await unsettledItems(stored, evidence);
  if (takenBy === undefined) return { ...evidence, lane };
  const [seq] = runIdParts(takenBy);
  const [entry] = await stored.journal({ seq, limit: 1 });
  const run = entry?.runs.find(({ id }) => id === takenBy);
  if (run === undefined) return { ...evidence, lane };
  const since = (await stored.outbox({ seq, limit: MAX_ITEMS })).filter(
    // earlier items of the run belong to earlier events
    (item) => item.run === takenBy && (item.startedAt ?? Infinity) >= row.at,
  );
  return {
    ...evidence,
    lane,
    row: { ...row, runs: [...row.runs, run] },
    items: [...items, ...since],
  };
}

/**
 * Returns the outbox items of an event's lane that have not been sent yet, oldest first. Empty if no item of the event
 * is pending.
 */
export async function unsettledItems(
  stored: Pick<TraceNeeds, "outbox">,
  { row: { account, lane }, items }: Pick<OutcomeEvidence, "row" | "items">,
): Promise<readonly OutboxItem[]> {
  if (!items.some(({ status }) => status === "pending")) return [];
  const all = await stored.outbox({ account, lane, limit: MAX_ITEMS });
  return all
    .filter(({ status }) => status === "pending" || status === "sending" || status === "unknown")
    .toSorted((one, other) => one.id - other.id);
}

import type { AccountEvent } from "../../../events/event.ts";
import type { Answers } from "../../../runtime/vocabulary.ts";
import { decided } from "../decided.ts";
import type { TraceNeeds } from "../needs.ts";
import { writtenAfter } from "../outcome/by-hand-outcome.ts";
import { outcomeWithTaker } from "../outcome/taken-outcome.ts";
import type { OutboxItem } from "../../kept-run.ts";
import type { TraceOutcome } from "../trace.ts";
import { verdictsOn } from "../verdicts.ts";

type JournalEntry = Answers["journal"][number];

/** A message or post by a person, with the stored records of its conversation. */
export interface SaidEvidence {
  readonly row: JournalEntry;
  readonly event: AccountEvent;
  /** Outbox items of the conversation. */
  readonly items: readonly OutboxItem[];
  /** Hand-overs to people that runs of the bot account have requested. */
  readonly escalations: Answers["escalations"];
}

/** Returns the outcome of a person's message or post. The verdicts of the rules are computed again from stored data. */
export async function outcomeOfSaid(
  needs: TraceNeeds,
  { row, event, items, escalations }: SaidEvidence,
): Promise<TraceOutcome> {
  const decision = decided({ row });
  const ruleset = needs.ruleset();
  const now = needs.now?.();
  return outcomeWithTaker(needs, {
    row,
    event,
    decision,
    ruleset,
    escalations,
    items: items.filter(({ seq }) => seq === row.seq),
    byHand: writtenAfter(items, row.seq),
    verdicts: verdictsOn(event, ruleset, decision),
    listening: ruleset.candidates(event.triggers).length,
    ...(now !== undefined && { now }),
    ...(needs.hindrances !== undefined && { hindrances: needs.hindrances }),
  });
}

/** Returns whether the event is an inbound message or post, which the bot may be expected to answer. */
export function isSaid(event: AccountEvent | undefined): event is AccountEvent {
  const hasText = event?.kind === "message" || event?.kind === "post";
  return hasText && event.direction === "inbound";
}

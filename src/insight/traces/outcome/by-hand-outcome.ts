import type { AccountEvent } from "../../../events/event.ts";
import { handlesIn } from "../../../events/handles.ts";
import { isAnswerable } from "../../../events/kinds/answer-by-hand.ts";
import { operatorOf } from "../../../runtime/records.ts";
import type { TraceNeeds } from "../needs.ts";
import type { OutboxItem } from "../../kept-run.ts";
import type { TraceOutcome } from "../trace.ts";
import type { AnswerHindrance } from "./hindrances.ts";
import { sentOutcome, unsentOutcome } from "./item-outcome.ts";
import type { TraceOutcomeWord } from "./outcome-words.ts";

/** Outcomes that mean that the bot has not answered and will not answer. */
const UNANSWERED: ReadonlySet<TraceOutcomeWord> = new Set([
  "acted",
  "error",
  "dropped",
  "cooling-down",
  "limited",
  "paused",
  "not-asked",
  "no-match",
  "no-rule",
]);

/** Whether the outcome means that the bot does not answer. An operator's answer by hand then replaces the outcome. */
export function isUnanswered({ word }: Pick<TraceOutcome, "word">): boolean {
  return UNANSWERED.has(word);
}

/** Returns the outbox items that operators wrote by hand after the entry `seq`, newest first. */
export function writtenAfter(items: readonly OutboxItem[], seq: number): readonly OutboxItem[] {
  return items
    .filter((item) => item.seq > seq && operatorOf(item) !== undefined)
    .toSorted((a, b) => b.id - a.id);
}

/** Maximum number of outbox items of a conversation that are read. */
const MAX_ITEMS = 1_000;

/** Reads the outbox items that operators wrote by hand in a conversation after the entry `seq`, newest first. */
export async function writtenByHand(
  stored: Pick<TraceNeeds, "outbox">,
  { account, lane, seq }: { readonly account: string; readonly lane: string; readonly seq: number },
): Promise<readonly OutboxItem[]> {
  return writtenAfter(await stored.outbox({ account, lane, limit: MAX_ITEMS }), seq);
}

interface ByHandEvidence {
  readonly event?: AccountEvent;
  /** Outbox items that operators wrote by hand after the event, newest first. */
  readonly byHand?: readonly OutboxItem[];
  /** Current time by the platform's clock, in milliseconds since the epoch. */
  readonly now?: number;
  /** Conditions that keep the bot from answering. */
  readonly hindrances?: readonly AnswerHindrance[];
  /** Outbox items of the conversation that have not been sent yet, oldest first. */
  readonly lane?: readonly OutboxItem[];
}

/**
 * Returns the outcome of a message that an operator has answered by hand. One answer counts for everything that the
 * person wrote before the answer. Undefined if the bot has answered the message, or if no operator has answered.
 */
export function byHandOutcome(
  { event, byHand = [], now, hindrances = [], lane = [] }: ByHandEvidence,
  automatic: TraceOutcome,
): TraceOutcome | undefined {
  if (!isAnswerable(event) || !isUnanswered(automatic)) return undefined;
  const handles = handlesIn([event]);
  const sent = byHand.filter(({ status }) => status === "sent");
  return (
    sentOutcome(sent.slice(0, 1), handles) ??
    unsentOutcome(byHand.slice(0, 1), { handles, now, hindrances, lane })
  );
}

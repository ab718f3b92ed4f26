import type { AccountEvent } from "../../../events/event.ts";
import { handlesIn } from "../../../events/handles.ts";
import { isAnswerable } from "../../../events/kinds/answer-by-hand.ts";
import { operatorOf } from "../../../runtime/store/operator-owner.ts";
import type { TraceNeeds } from "../needs.ts";
import type { OutboxItem } from "../../kept-run.ts";
import type { TraceOutcome } from "../trace.ts";
import type { AnswerHindrance } from "./hindrances.ts";
import { sentOutcome, unsentOutcome } from "./item-outcome.ts";
import type { TraceOutcomeWord } from "./outcome-words.ts";

/** Outcomes without an answer of the bot, where no answer is to be expected. */
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

/** Returns whether the outcome is one that an operator's answer replaces. */
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
 * person wrote before it. Undefined if the bot has answered, or no operator has.
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

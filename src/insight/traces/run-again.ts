import type { AccountEvent } from "../../events/event.ts";
import type { FoundEvent } from "./find-event.ts";
import type { TraceNeeds } from "./needs.ts";
import type { TraceOutcomeWord } from "./outcome/outcome-words.ts";
import type { Trace } from "./trace.ts";
import { traceFound } from "./trace-of.ts";
import { tryEvent, type TryNeeds } from "./try-message.ts";

/** Stored records, current rules and clock for running events again. */
export interface RunAgainNeeds extends Omit<TraceNeeds, "now">, Pick<TryNeeds, "now"> {}

/** Earlier result of an event, and its result with the current rules. */
export interface RunAgain {
  readonly before: Answer;
  readonly after: Answer;
  /**
   * Comparison of the two results. `later`: they are equal so far, but the current rules would continue after a wait.
   */
  readonly compared: "same" | "other" | "later";
  /** Trace of the event with the current rules. */
  readonly trace: Trace;
  /** Modules and services that were not called. Their steps count as failed. */
  readonly notAsked: readonly string[];
}

/** Result of an event: the outcome, and what the bot sent. */
interface Answer {
  readonly word: TraceOutcomeWord;
  /** Sent outbox items: the text of each, or else its description. */
  readonly says: readonly string[];
}

/**
 * Runs an event through the current rules, without any stored state: no cooldown is active. Nothing is sent.
 *
 * @param text Text that replaces the person's text.
 */
export async function runAgain(
  needs: RunAgainNeeds,
  foundEvent: FoundEvent,
  text?: string,
): Promise<RunAgain> {
  const { event } = foundEvent;
  const username = needs.usernameOf?.(event.accountId) ?? "bot";
  const setting = { ...needs, account: { id: event.accountId, username } };
  const again = { ...(text === undefined ? event : withText(event, text)), at: needs.now() };
  const { trace, notAsked } = await tryEvent(setting, again);
  const [before, after] = [answerOf(await traceFound(needs, foundEvent)), answerOf(trace)];
  return { before, after, compared: compared(before, after), trace, notAsked };
}

/** Returns the event with another text; an event without a text stays unchanged. */
function withText(event: AccountEvent, text: string): AccountEvent {
  if (event.kind === "message") return { ...event, message: { ...event.message, text } };
  if (event.kind === "post") return { ...event, post: { ...event.post, text } };
  return event;
}

function answerOf({ outcome, items, runs }: Trace): Answer {
  const bots = new Set(runs.filter(({ bot }) => bot !== undefined).map(({ id }) => id));
  const says = items
    .filter(({ run }) => !bots.has(run))
    .map(({ text, inWords }) => text ?? inWords);
  return { word: outcome.word, says };
}

function compared(before: Answer, after: Answer): RunAgain["compared"] {
  const isSame = after.says.every((words, at) => words === before.says[at]);
  if (isSame && after.word === "waiting") return "later";
  return isSame && after.says.length === before.says.length ? "same" : "other";
}

import type { AccountEvent } from "../../events/event.ts";
import type { FoundEvent } from "./find-event.ts";
import type { TraceNeeds } from "./needs.ts";
import type { TraceOutcomeWord } from "./outcome/outcome-words.ts";
import type { Trace } from "./trace.ts";
import { traceFound } from "./trace-of.ts";
import { tryEvent, type TryNeeds } from "./try-message.ts";

/** Sources for a rerun of events. */
export interface RunAgainNeeds extends Omit<TraceNeeds, "now">, Pick<TryNeeds, "now"> {}

/** Earlier result of an event, and its result with the rules in force. */
export interface RunAgain {
  readonly before: Answer;
  readonly after: Answer;
  /** Comparison of both. `later`: equal so far, and the rules would continue after a wait. */
  readonly compared: "same" | "other" | "later";
  /** Trace of the rerun. */
  readonly trace: Trace;
  /** Modules and services that were not called: the rerun treats their calls as failed. */
  readonly notAsked: readonly string[];
}

/** Reaction of the bot to an event. */
interface Answer {
  readonly word: TraceOutcomeWord;
  /** Sent items: the text of each, or its description. */
  readonly says: readonly string[];
}

/**
 * Runs an event through the rules in force, on a bot without state: no cooldown is active. Nothing is sent.
 *
 * @param text Replaces the person's text.
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

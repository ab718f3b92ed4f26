import type { AccountEvent } from "../../events/event.ts";
import type { FoundEvent } from "./find-event.ts";
import type { TraceNeeds } from "./needs.ts";
import type { TraceOutcomeWord } from "./outcome/outcome-words.ts";
import type { Trace } from "./trace.ts";
import { traceFound } from "./trace-of.ts";
import { tryEvent, type TryNeeds } from "./try-message.ts";

/** What events are run again with. */
export interface RunAgainNeeds extends Omit<TraceNeeds, "now">, Pick<TryNeeds, "now"> {}

/** What came of an event then, and what would come of it now. */
export interface RunAgain {
  readonly before: Answer;
  readonly after: Answer;
  /** `later`: so far it is the same, and the rules would go on after a wait. */
  readonly compared: "same" | "other" | "later";
  /** What the rules would do now. */
  readonly trace: Trace;
  /** Modules and services that were not asked: what would come now is for that. */
  readonly notAsked: readonly string[];
}

/** What the bot does about an event. */
interface Answer {
  readonly word: TraceOutcomeWord;
  /** What it sends: a text, or what it does in words. */
  readonly says: readonly string[];
}

/**
 * What the rules would do with an event if it came now, to a bot that has kept nothing: no cooldown runs. Nothing is sent.
 *
 * @param text In the place of what the person wrote.
 */
export async function runAgain(
  needs: RunAgainNeeds,
  found: FoundEvent,
  text?: string,
): Promise<RunAgain> {
  const { event } = found;
  const username = needs.usernameOf?.(event.accountId) ?? "bot";
  const setting = { ...needs, account: { id: event.accountId, username } };
  const again = { ...(text === undefined ? event : withText(event, text)), at: needs.now() };
  const { trace, notAsked } = await tryEvent(setting, again);
  const [before, after] = [answerOf(await traceFound(needs, found)), answerOf(trace)];
  return { before, after, compared: compared(before, after), trace, notAsked };
}

/** The same event of another text; what has no text stays as it is. */
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

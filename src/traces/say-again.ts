import type { AccountEvent } from "../events/event.ts";
import { eventText } from "../rehearsal/event-in-words.ts";
import { decided } from "./decided.ts";
import { readableEvent } from "./find-event.ts";
import type { TraceNeeds } from "./needs.ts";
import type { TraceOutcomeWord } from "./outcomes.ts";
import type { Trace } from "./trace.ts";
import { traceFound } from "./trace-of.ts";
import { tryEvent, type TryNeeds } from "./try-message.ts";

/** What the latest messages are said again with. */
export interface SayAgainNeeds extends TraceNeeds, Pick<TryNeeds, "secretsOf" | "now"> {}

/** A message that a person wrote, what came of it then, and what would come of it now. */
export interface SaidAgain {
  readonly seq: number;
  /** Handle or id of who wrote it. */
  readonly by: string;
  readonly text: string;
  readonly before: Answer;
  readonly after: Answer;
  /** `later`: so far it is the same, and the rules would go on after a wait. */
  readonly compared: "same" | "other" | "later";
  /** Modules and services that were not asked: what would come now is for that. */
  readonly notAsked: readonly string[];
}

/** What the bot does about a message. */
interface Answer {
  readonly word: TraceOutcomeWord;
  /** What it sends: a text, or what it does in words. */
  readonly says: readonly string[];
}

/** Entries that are looked through for messages of people. */
const LOOK_BACK = 500;

/**
 * What the rules would answer now to the latest messages and posts that people wrote to the bot, newest first; answers to
 * its questions and what bot modules sent are left out. Each is said by itself and to a bot that has kept nothing: no
 * cooldown runs. Nothing is sent.
 *
 * @param count So many messages, or fewer where there are fewer.
 */
export async function sayAgain(needs: SayAgainNeeds, count: number): Promise<readonly SaidAgain[]> {
  const rows = await needs.journal({ limit: LOOK_BACK });
  const written = rows
    .flatMap((row) => {
      // an answer to a question means nothing by itself
      const isAlone = row.state === "done" && decided({ row }).takenBy === undefined;
      const event = isAlone ? readableEvent(row) : undefined;
      const text = event && writtenBy(event);
      return event === undefined || text === undefined ? [] : [{ row, event, text }];
    })
    .slice(0, count);
  const said: SaidAgain[] = [];
  for (const { row, event, text } of written) {
    const found = await traceFound(needs, { row, event });
    const username = needs.usernameOf?.(event.accountId) ?? "bot";
    const setting = { ...needs, account: { id: event.accountId, username } };
    const { trace, notAsked } = await tryEvent(setting, { ...event, at: needs.now() });
    const [before, after] = [answerOf(found), answerOf(trace)];
    const by = found.event.person?.username ?? found.event.person?.id ?? "";
    said.push({
      seq: row.seq,
      by,
      text,
      before,
      after,
      compared: compared(before, after),
      notAsked,
    });
  }
  return said;
}

/** What a person wrote to the bot; undefined where it is something else. */
function writtenBy(event: AccountEvent): string | undefined {
  const isWritten =
    event.kind === "message" ||
    event.triggers.some((one) => one === "post.mentioned" || one === "post.replied");
  const text = event.direction === "inbound" && isWritten ? eventText(event) : undefined;
  return text === "" ? undefined : text;
}

function answerOf({ outcome, items, runs }: Trace): Answer {
  const bots = new Set(runs.filter(({ bot }) => bot !== undefined).map(({ id }) => id));
  const says = items
    .filter(({ run }) => !bots.has(run))
    .map(({ text, inWords }) => text ?? inWords);
  return { word: outcome.word, says };
}

function compared(before: Answer, after: Answer): SaidAgain["compared"] {
  const isSame = after.says.every((words, at) => words === before.says[at]);
  if (isSame && after.word === "waiting") return "later";
  return isSame && after.says.length === before.says.length ? "same" : "other";
}

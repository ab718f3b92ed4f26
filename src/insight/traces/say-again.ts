import type { AccountEvent } from "../../events/event.ts";
import { eventText } from "../words/event.ts";
import { decided } from "./decided.ts";
import { readableEvent } from "./find-event.ts";
import { type RunAgain, runAgain, type RunAgainNeeds } from "./run-again.ts";

/** A person's message, its earlier result, and its result with the rules in force. */
export interface SaidAgain extends Omit<RunAgain, "trace"> {
  readonly seq: number;
  /** Handle or id of the sender. */
  readonly by: string;
  readonly text: string;
}

/** Maximum entries that are searched for messages of people. */
const LOOK_BACK = 500;

/**
 * Returns the answers of the rules in force to the latest messages and posts that people wrote to the bot, newest
 * first. Answers to the bot's questions, and items that bot modules sent, are left out. Each message runs separately,
 * on a bot without state: no cooldown is active. Nothing is sent.
 *
 * @param count Maximum number of messages.
 */
export async function sayAgain(needs: RunAgainNeeds, count: number): Promise<readonly SaidAgain[]> {
  const rows = await needs.journal({ limit: LOOK_BACK });
  const written = rows
    .flatMap((row) => {
      // an answer to a question has no meaning by itself
      const isAlone = row.state === "done" && decided({ row }).takenBy === undefined;
      const event = isAlone ? readableEvent(row) : undefined;
      const text = event && writtenBy(event);
      return event === undefined || text === undefined ? [] : [{ row, event, text }];
    })
    .slice(0, count);
  const said: SaidAgain[] = [];
  for (const { row, event, text } of written) {
    const { trace, ...again } = await runAgain(needs, { row, event });
    const { person } = trace.event;
    said.push({ seq: row.seq, by: person?.username ?? person?.id ?? "", text, ...again });
  }
  return said;
}

/** Returns the text that a person wrote to the bot; undefined for other events. */
function writtenBy(event: AccountEvent): string | undefined {
  const isWritten =
    event.kind === "message" ||
    event.triggers.some((one) => one === "post.mentioned" || one === "post.replied");
  const text = event.direction === "inbound" && isWritten ? eventText(event) : undefined;
  return text === "" ? undefined : text;
}

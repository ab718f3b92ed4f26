import type { AccountEvent } from "../../events/event.ts";
import { eventText } from "../words/event.ts";
import { decided } from "./decided.ts";
import { readableEvent } from "./find-event.ts";
import { type RunAgain, runAgain, type RunAgainNeeds } from "./run-again.ts";

/** A person's message, its earlier result, and its result with the current rules. */
export interface SaidAgain extends Omit<RunAgain, "trace"> {
  readonly seq: number;
  /** Handle of the sender, or user id if no handle is known. */
  readonly by: string;
  readonly text: string;
}

/** Maximum number of journal entries that are searched for people's messages. */
const LOOK_BACK = 500;

/**
 * Runs the latest messages and posts that people wrote to the bot through the current rules, and returns the results,
 * newest first. Answers to the bot's questions, and items that bot modules sent, are left out. Each message runs
 * separately, without any stored state: no cooldown is active. Nothing is sent.
 *
 * @param count Maximum number of messages.
 */
export async function sayAgain(needs: RunAgainNeeds, count: number): Promise<readonly SaidAgain[]> {
  const rows = await needs.journal({ limit: LOOK_BACK });
  const written = rows
    .flatMap((row) => {
      // an answer to a question has no meaning without the question
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

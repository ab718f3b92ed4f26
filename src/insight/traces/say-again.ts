import type { AccountEvent } from "../../events/event.ts";
import { eventText } from "../words/event.ts";
import { decided } from "./decided.ts";
import { readableEvent } from "./find-event.ts";
import { type RunAgain, runAgain, type RunAgainNeeds } from "./run-again.ts";

/** A message that a person wrote, what came of it then, and what would come of it now. */
export interface SaidAgain extends Omit<RunAgain, "trace"> {
  readonly seq: number;
  /** Handle or id of who wrote it. */
  readonly by: string;
  readonly text: string;
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
export async function sayAgain(needs: RunAgainNeeds, count: number): Promise<readonly SaidAgain[]> {
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
    const { trace, ...again } = await runAgain(needs, { row, event });
    const { person } = trace.event;
    said.push({ seq: row.seq, by: person?.username ?? person?.id ?? "", text, ...again });
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

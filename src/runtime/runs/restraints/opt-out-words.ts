import type { AccountEvent } from "../../../events/event.ts";
import { fold } from "../../../text/fold.ts";

/** How people say that they want to hear no more of the bot, and that they do again. */
export interface OptOut {
  readonly words: readonly string[];
  readonly back: readonly string[];
  /** What they are told then; nothing, where absent. */
  readonly text?: string;
  readonly backText?: string;
}

/** Whether a person says nothing but one of `words`, however it is written. */
export function says(event: AccountEvent, words: readonly string[]): boolean {
  const said = saidIn(event);
  return said !== undefined && words.some((word) => bare(word) === said);
}

/** Nobody who wants to hear no more writes more than this. */
const LONGEST = 500;

/** What a person says: without whom they say it to, and without what stands around it. */
function saidIn(event: AccountEvent): string | undefined {
  if (event.direction !== "inbound") return undefined;
  const text = event.kind === "message" ? event.message.text : postText(event);
  return text === undefined || text.length > LONGEST ? undefined : bare(text);
}

function postText(event: AccountEvent): string | undefined {
  return event.kind === "post" ? event.post.text.replace(/^(?:\s*@\w+)+/, "") : undefined;
}

/** A word without what stands around it; a sign that is nothing else stays. */
function bare(text: string): string {
  const folded = fold(text).trim();
  return folded.replaceAll(/^[^\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, "") || folded;
}

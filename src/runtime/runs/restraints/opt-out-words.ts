import type { AccountEvent } from "../../../events/event.ts";
import { bare } from "../../../text/fold.ts";
import { DIRECTION_MARKS } from "../../../protocol/public-text/direction-marks.ts";

/** Words by which people opt out of the bot's messages (`words`), and words by which they opt in again (`back`). */
export interface OptOut {
  readonly words: readonly string[];
  readonly back: readonly string[];
  /** Text that answers an opt-out. `backText` answers an opt-in. If the text is absent, no answer is sent. */
  readonly text?: string;
  readonly backText?: string;
}

/** Whether a person's message or post consists of one of `words`, apart from case and surrounding punctuation. */
export function says(event: AccountEvent, words: readonly string[]): boolean {
  const said = saidIn(event);
  return said !== undefined && words.some((word) => bare(word) === said);
}

/** Maximum number of characters of a text that can be an opt-out. */
const LONGEST = 500;

/**
 * Returns the text of a person's message or post, normalised by `fold`, without outer punctuation, leading mentions and
 * a final mention of the account. Undefined if it is too long for an opt-out.
 */
function saidIn(event: AccountEvent): string | undefined {
  if (event.direction !== "inbound") return undefined;
  const text = event.kind === "message" ? event.message.text : postText(event);
  return text === undefined || text.length > LONGEST ? undefined : bare(text);
}

const HANDLES = new RegExp(`^(?:[\\s${DIRECTION_MARKS}]*[@＠]\\w+)+`);

/** Returns the text of a post that concerns the account. Undefined for posts to others, from a thread or a search. */
function postText(event: AccountEvent): string | undefined {
  if (event.kind !== "post" || event.triggers.every((one) => one === "post.found"))
    return undefined;
  const { text, mentions } = event.post;
  const own = mentions.find(({ id }) => id === event.accountId)?.username.toLowerCase();
  const said = text.replace(HANDLES, "");
  // The pattern below takes quadratic time, so a longer text is not searched.
  if (said.length > LONGEST) return undefined;
  return said.replace(/[@＠](?<name>\w+)[^\p{L}\p{N}]*$/u, (all, name: string) =>
    name.toLowerCase() === own ? "" : all,
  );
}

import type { NewEntry } from "../../../src/runtime/store/entry.ts";
import * as wire from "../../support/wire.ts";

/** The bot's account. */
export const ACCOUNT = "100";

/** A delivery of a message. */
export function messageFrom(
  from: string,
  to: string,
  { id, text = "When do you open?" }: { readonly id: string; readonly text?: string },
) {
  return wire.message({ id, from, to, text, at: Date.now() });
}

/** Returns a message that no rule answers, in the form in which the journal appends it. */
export function entryOf(n: number, person = String(20_000_000 + n)): NewEntry {
  const message = messageFrom(person, ACCOUNT, { id: `7${n}`, text: `Good morning! (${n})` });
  return {
    key: `message:7${n}`,
    account: ACCOUNT,
    lane: `${ACCOUNT}/${person}`,
    kind: "message",
    at: Date.now(),
    arrivedAt: Date.now(),
    source: "webhook",
    body: JSON.stringify(message),
  };
}

import type { AccountEvent } from "../events/event.ts";

/** Returns the text of a message or post event; undefined for other events. */
export function textOf(event: AccountEvent): string | undefined {
  if (event.kind === "message") return event.message.text;
  return event.kind === "post" ? event.post.text : undefined;
}

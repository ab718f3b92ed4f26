import type { AccountEvent } from "../events/event.ts";

/** What the person wrote by an event; undefined where they wrote nothing. */
export function textOf(event: AccountEvent): string | undefined {
  if (event.kind === "message") return event.message.text;
  return event.kind === "post" ? event.post.text : undefined;
}

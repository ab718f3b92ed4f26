import type { AccountEvent } from "../events/event.ts";

/** Text of an event's message or post; undefined for other events. */
export function textOf(event: AccountEvent): string | undefined {
  if (event.kind === "message") return event.message.text;
  return event.kind === "post" ? event.post.text : undefined;
}

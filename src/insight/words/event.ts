import type { AccountEvent } from "../../events/event.ts";

/** Returns an event as one line for people: `dm.received from ann: "hello"`. */
export function eventInWords(event: AccountEvent): string {
  const name = event.triggers.join(", ") || event.kind;
  const who = "sender" in event ? ` from @${event.sender.username ?? event.sender.id}` : "";
  if (event.kind === "schedule") {
    const { rule, cron, zone } = event.schedule;
    return `${name} of ${rule} ("${cron}", ${zone})`;
  }
  if (event.kind === "link_lost" || event.kind === "link_restored") {
    return `${name} (${event.link.reason})`;
  }
  if (event.kind === "answer_by_hand") {
    const { by, username, to, text } = event.answer;
    return `answer by hand by ${by} to @${username ?? to}: ${JSON.stringify(text)}`;
  }
  const text = eventText(event);
  return `${name}${who}${text === undefined ? "" : `: ${JSON.stringify(text)}`}`;
}

/** Returns sender and text of an event: `@ana: "hello"`. The trigger replaces the text of an event without one. */
export function saidInWords(event: AccountEvent): string {
  if (!("sender" in event)) return eventInWords(event);
  const { username, id } = event.sender;
  const who = username === undefined ? id : `@${username}`;
  const text = eventText(event);
  if (text === undefined) return `${who}: ${event.triggers.join(", ") || event.kind}`;
  const characters = Array.from(text);
  const isLong = characters.length > MAX_QUOTED;
  return `${who}: ${JSON.stringify(isLong ? `${characters.slice(0, MAX_QUOTED - 1).join("")}…` : text)}`;
}

const MAX_QUOTED = 60;

/** Returns the text of an event; undefined without one. */
export function eventText(event: AccountEvent): string | undefined {
  if (event.kind === "message") return event.message.text;
  if (event.kind === "answer_by_hand") return event.answer.text;
  return "post" in event ? event.post.text : undefined;
}

import type { AccountEvent } from "./event.ts";

/** Returns the handles (`@ana`) of people by user id, as far as the events contain them. */
export function handlesIn(events: readonly AccountEvent[]): ReadonlyMap<string, string> {
  const handles = new Map<string, string>();
  for (const event of events) {
    const people = [
      "sender" in event ? event.sender : undefined,
      event.kind === "relation" ? event.target : undefined,
      event.kind === "answer_by_hand"
        ? { id: event.answer.to, username: event.answer.username }
        : undefined,
    ];
    for (const person of people) {
      if (person?.username !== undefined) handles.set(person.id, `@${person.username}`);
    }
  }
  return handles;
}

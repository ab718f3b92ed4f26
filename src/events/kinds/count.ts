import type { AccountEvent, CountEvent, CountReached, Person } from "../event.ts";
import { count as number, part, SENDER, text, texts } from "../fields.ts";
import type { EventKind } from "./event-kind.ts";

const COUNT = {
  name: text((reached: CountReached) => reached.name),
  value: number((reached: CountReached) => reached.value),
  key: text((reached: CountReached) => reached.key ?? ""),
  people: number((reached: CountReached) => reached.people ?? 1),
  events: texts((reached: CountReached) => reached.events),
};

export const count: EventKind<CountEvent> = {
  fields: { ...SENDER, ...part("count", COUNT, (event: CountEvent) => event.count) },
  answeredBy: "message",
  counterpart: ({ sender }) => sender.id,
};

/**
 * Creates the event of a count that has reached a number.
 *
 * @param event The counted event.
 * @param personId The person with whom the account interacts in `event`.
 */
export function countReached(
  event: AccountEvent,
  personId: string,
  reached: CountReached,
): CountEvent {
  const { accountId, at, lane } = event;
  return {
    kind: "count",
    key: `count:${nameOf(reached)}:${reached.value}:${event.key}`,
    accountId,
    at,
    lane,
    direction: "inbound",
    triggers: ["count.reached"],
    sender: personIn(event, personId),
    count: reached,
  };
}

/** Name of the count with its key. It is part of the event key, since one event may be counted under several keys. */
function nameOf({ name, key }: CountReached): string {
  const text = key?.replaceAll(/\p{Surrogate}/gu, "\u{fffd}");
  return text === undefined ? name : `${name}/${encodeURIComponent(text)}`;
}

function personIn(event: AccountEvent, id: string): Person {
  return "sender" in event && event.sender.id === id ? event.sender : { id };
}

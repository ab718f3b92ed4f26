import { EVENT_WORDS } from "../protocol/dialects.ts";
import type { AccountEvent } from "./event.ts";
import type { Delivery, EventKind } from "./kinds/event-kind.ts";
import { EVENT_KINDS } from "./kinds/kinds.ts";
import { unrecognisedEvent } from "./kinds/unrecognised.ts";
import { idAt, wireOf, type Wire } from "./wire.ts";

/** An event of a delivery, with a body that contains only this event. */
export interface TranslatedEvent {
  readonly event: AccountEvent;
  /** The delivery without its other events; the unchanged delivery if it has one event. */
  readonly body: Wire;
}

/**
 * Splits a delivery into its events, without side effects. Field names may contain `post` or `tweet`.
 *
 * Unreadable content becomes an `unrecognised` event, so that no signed content of the platform is lost.
 *
 * @param delivery The parsed JSON body.
 * @param arrivedAt Milliseconds since the epoch; the default for payloads without a time.
 * @returns An event per array element; none if the body is not a JSON object, or its lists of events are empty.
 */
export function translate(delivery: unknown, arrivedAt: number): readonly TranslatedEvent[] {
  const body = wireOf(delivery);
  if (body === undefined) return [];
  const whole: Delivery = { body, accountId: idAt(body, "for_user_id") ?? "", arrivedAt };
  const translatedEvents: TranslatedEvent[] = [];
  for (const [key, value] of Object.entries(body)) {
    const wire = wireOfKey(key);
    if (wire === undefined) continue;
    const ofKind = withOnly(key, body);
    const elements: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const element of elements) {
      const object = wireOf(element);
      const event = object && identified(wire.read(object, whole));
      const alone = elements.length === 1 ? ofKind : { ...ofKind, [key]: [element] };
      const odd = `${key} has an unknown shape, names no account, or has an id above 2^53 that is a number`;
      translatedEvents.push({
        event: event ?? unrecognisedEvent({ ...whole, body: alone }, odd),
        body: alone,
      });
    }
  }
  const keys = Object.keys(body);
  if (keys.some((key) => wireOfKey(key) !== undefined)) return translatedEvents;
  const reason = `no known event key among: ${keys.join(", ") || "none"}`;
  return [{ event: unrecognisedEvent(whole, reason), body }];
}

/** Returns the body without the events of other kinds; the body itself if it has none. */
function withOnly(key: string, body: Wire): Wire {
  const fields = Object.entries(body);
  const ownFields = fields.filter(([one]) => one === key || wireOfKey(one) === undefined);
  return ownFields.length === fields.length ? body : Object.fromEntries(ownFields);
}

/** Rejects events without an account; only the end of a replay job may have none. */
function identified(event: AccountEvent | undefined): AccountEvent | undefined {
  return event?.accountId === "" && event.kind !== "replay_finished" ? undefined : event;
}

const KINDS: readonly EventKind<AccountEvent>[] = Object.values(EVENT_KINDS);

/** Functions that read an element of a delivery's array, by the array's key: `direct_message_events`. */
const WIRE_OF_KEY: ReadonlyMap<string, NonNullable<EventKind<AccountEvent>["wire"]>> = new Map(
  KINDS.flatMap(({ wire }) => (wire ? wire.keys.map((key) => [key, wire] as const) : [])),
);

function wireOfKey(key: string): EventKind<AccountEvent>["wire"] {
  return WIRE_OF_KEY.get(POST_WORDS.get(key) ?? key);
}

/** Delivery keys by their older spelling: `post_create_events` by `tweet_create_events`. */
const POST_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries(EVENT_WORDS).map(([post, tweet]) => [tweet, post]),
);

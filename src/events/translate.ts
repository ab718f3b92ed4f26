import { EVENT_WORDS } from "../protocol/dialects.ts";
import type { AccountEvent } from "./event.ts";
import type { Delivery, EventKind } from "./kinds/event-kind.ts";
import { EVENT_KINDS } from "./kinds/kinds.ts";
import { unrecognisedEvent } from "./kinds/unrecognised.ts";
import { idAt, wireOf, type Wire } from "./wire.ts";

/** One event of a delivery, and a body that carries it alone. */
export interface TranslatedEvent {
  readonly event: AccountEvent;
  /** The delivery with this element only: the same object when there was one element. */
  readonly body: Wire;
}

/**
 * Splits a delivery into its events, in either dialect. Pure.
 *
 * What this version can't read comes back as an `unrecognised` event, so that nothing signed by the
 * platform is lost.
 *
 * @param delivery The JSON body as parsed.
 * @param arrivedAt Milliseconds since the epoch; stands in where the payload has no time.
 * @returns One event per array element; none when the body is not a JSON object.
 */
export function translate(delivery: unknown, arrivedAt: number): readonly TranslatedEvent[] {
  const body = wireOf(delivery);
  if (body === undefined) return [];
  const whole: Delivery = { body, accountId: idAt(body, "for_user_id") ?? "", arrivedAt };
  const found: TranslatedEvent[] = [];
  for (const [key, value] of Object.entries(body)) {
    const wire = WIRE_OF_KEY.get(POST_WORDS.get(key) ?? key);
    if (wire === undefined) continue;
    const elements: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const element of elements) {
      const object = wireOf(element);
      const event = object && identified(wire.read(object, whole));
      const alone =
        elements.length === 1 ? body : { ...body, [key]: Array.isArray(value) ? [element] : value };
      const odd = `${key} has an unknown shape, or names no account`;
      found.push({
        event: event ?? unrecognisedEvent({ ...whole, body: alone }, odd),
        body: alone,
      });
    }
  }
  if (found.length > 0) return found;
  const keys = Object.keys(body).join(", ") || "none";
  return [{ event: unrecognisedEvent(whole, `no known event key among: ${keys}`), body }];
}

/** An event that is somebody's: only the end of a replay job is no account's. */
function identified(event: AccountEvent | undefined): AccountEvent | undefined {
  return event?.accountId === "" && event.kind !== "replay_finished" ? undefined : event;
}

const KINDS: readonly EventKind<AccountEvent>[] = Object.values(EVENT_KINDS);

/** How an element is read, by the key under which it stands. */
const WIRE_OF_KEY: ReadonlyMap<string, NonNullable<EventKind<AccountEvent>["wire"]>> = new Map(
  KINDS.flatMap(({ wire }) => (wire ? wire.keys.map((key) => [key, wire] as const) : [])),
);

/** The tweet dialect's event keys, and what the post dialect calls them. */
const POST_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries(EVENT_WORDS).map(([post, tweet]) => [tweet, post]),
);

import type { EventKey } from "../../protocol/event-keys.ts";
import type { AccountEvent } from "../event.ts";
import type { FieldsOf } from "../fields.ts";
import type { Wire } from "../wire.ts";

/** Keys of journal bodies that the runtime creates itself, for events that no platform delivers. */
export const OWN_KEYS = [
  "answerback_schedule",
  "answerback_link_lost",
  "answerback_link_restored",
  "answerback_post_edited",
  "answerback_post_found",
  "answerback_answer_by_hand",
] as const;

type OwnKey = (typeof OWN_KEYS)[number];

/** Description of a kind of event. For its triggers see `triggers.ts`. */
export interface EventKind<E extends AccountEvent> {
  /** How the event is read from a delivery or journal body. Absent if it has no body: the runtime creates it. */
  readonly wire?: {
    /** Keys of arrays in a delivery, in the spelling `post` (not `tweet`), or keys of the runtime's own bodies. */
    readonly keys: readonly (EventKey | OwnKey)[];
    /** @returns The event, or `undefined` if the element has another shape. */
    read(element: Wire, delivery: Delivery): E | undefined;
  };
  /** Fields for rules by path, besides the fields of every event. */
  readonly fields: FieldsOf<E>;
  /** Form of an answer: a reply to the post, or a message to the sender. Absent if the event can't be answered. */
  readonly answeredBy?: "post" | "message";
  /** User id of the other person in the event, besides the account. */
  counterpart(event: E): string | undefined;
}

/** Parts of a delivery that all its elements share. */
export interface Delivery {
  readonly body: Wire;
  /** User id of the subscribed account; empty if the delivery has none. */
  readonly accountId: string;
  /** Arrival in milliseconds since the epoch: the time of events whose payload has none. */
  readonly arrivedAt: number;
}

import type { EventKey } from "../../protocol/event-keys.ts";
import type { AccountEvent } from "../event.ts";
import type { FieldsOf } from "../fields.ts";
import type { Wire } from "../wire.ts";

/** Keys of bodies that the runtime writes into its journal itself: what happens that no platform tells of. */
export const OWN_KEYS = [
  "answerback_schedule",
  "answerback_link_lost",
  "answerback_link_restored",
  "answerback_post_edited",
  "answerback_answer_by_hand",
] as const;

type OwnKey = (typeof OWN_KEYS)[number];

/** What there is to know of one kind of event. Its triggers: `triggers.ts`. */
export interface EventKind<E extends AccountEvent> {
  /** How it comes over the wire. Absent: it is made by us. */
  readonly wire?: {
    /** Keys of a delivery under which such events stand, in the post dialect; our own for what no platform tells. */
    readonly keys: readonly (EventKey | OwnKey)[];
    /** @returns The event, or `undefined` when the element has not got its shape. */
    read(element: Wire, delivery: Delivery): E | undefined;
  };
  /** What rules can read of it, by path, besides what every event has. */
  readonly fields: FieldsOf<E>;
  /** How an answer to it goes out: as a reply to its post, or as a message to its sender. Absent: not at all. */
  readonly answeredBy?: "post" | "message";
  /** User id of the person whom the account deals with in it: whoever is not the account itself. */
  counterpart(event: E): string | undefined;
}

/** What an element of a delivery shares with the others. */
export interface Delivery {
  readonly body: Wire;
  /** User id of the subscribed account; empty where the delivery names none. */
  readonly accountId: string;
  /** Milliseconds since the epoch; stands in where the payload has no time. */
  readonly arrivedAt: number;
}

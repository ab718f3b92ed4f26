import type { UnrecognisedEvent } from "../event.ts";
import type { Delivery, EventKind } from "./event-kind.ts";

export const unrecognised: EventKind<UnrecognisedEvent> = {
  fields: {},
  counterpart: () => undefined,
};

/** Creates the event for a delivery, or an element of one, that could not be read. */
export function unrecognisedEvent(
  { body, accountId, arrivedAt }: Delivery,
  reason: string,
): UnrecognisedEvent {
  return {
    kind: "unrecognised",
    key: `unrecognised:${fingerprint(JSON.stringify(body))}`,
    accountId,
    at: arrivedAt,
    direction: "inbound",
    lane: `${accountId}/unrecognised`,
    triggers: [],
    reason,
  };
}

/**
 * Two 32-bit FNV-1a hashes, over even and odd positions. Different bodies have different hashes, with rare exceptions.
 */
function fingerprint(text: string): string {
  const hashes = [0x811c9dc5, 0x811c9dc5 ^ text.length];
  for (let i = 0; i < text.length; i++) {
    hashes[i & 1] = Math.imul((hashes[i & 1] ?? 0) ^ text.charCodeAt(i), 0x01000193);
  }
  return hashes.map((hash) => (hash >>> 0).toString(16).padStart(8, "0")).join("");
}

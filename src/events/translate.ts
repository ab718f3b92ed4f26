import { EVENT_WORDS } from "../interface/dialects.ts";
import type { EventKey } from "../interface/event-keys.ts";
import {
  likeEventOf,
  postDeletedEventOf,
  relationEventOf,
  replayFinishedEventOf,
  revokedEventOf,
} from "./activity.ts";
import type { AccountEvent, UnrecognisedEvent } from "./event.ts";
import { messageEventOf, readEventOf, typingEventOf } from "./message.ts";
import { postEventOf } from "./post.ts";
import { textAt, wireOf, type Wire } from "./wire.ts";

/** One event of a delivery, and a body that carries it alone. */
export interface Arrival {
  readonly event: AccountEvent;
  /** The delivery with this element only: the same object when there was one element. */
  readonly body: Wire;
}

/**
 * Splits a delivery into its events, in either dialect. Pure.
 *
 * What this version can't read comes back as an `unrecognised` event, so that nothing signed by the
 * platform is dropped on the floor.
 *
 * @param delivery The JSON body as parsed.
 * @param arrivedAt Milliseconds since the epoch; stands in where the payload has no time.
 * @returns One arrival per array element; none when the body is no JSON object.
 */
export function translate(delivery: unknown, arrivedAt: number): readonly Arrival[] {
  const body = wireOf(delivery);
  if (body === undefined) return [];
  const accountId = textAt(body, "for_user_id") ?? "";
  const found: Arrival[] = [];
  for (const [key, value] of Object.entries(body)) {
    const read = READERS.get(POST_WORDS.get(key) ?? key);
    if (read === undefined) continue;
    const elements: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const element of elements) {
      const wire = wireOf(element);
      const event = wire && read(wire, body, accountId, arrivedAt);
      const alone =
        elements.length === 1 ? body : { ...body, [key]: Array.isArray(value) ? [element] : value };
      found.push({
        event: event ?? unrecognised(alone, accountId, arrivedAt, `${key} has an unknown shape`),
        body: alone,
      });
    }
  }
  if (found.length > 0) return found;
  const keys = Object.keys(body).join(", ") || "none";
  const reason = `no known event key among: ${keys}`;
  return [{ event: unrecognised(body, accountId, arrivedAt, reason), body }];
}

type Reader = (
  element: Wire,
  body: Wire,
  accountId: string,
  arrivedAt: number,
) => AccountEvent | undefined;

const READER_OF_KEY: Readonly<Record<EventKey, Reader>> = {
  post_create_events: postEventOf,
  favorite_events: (wire, _body, account, at) => likeEventOf(wire, account, at),
  follow_events: (wire, _body, account, at) => relationEventOf(wire, account, at),
  block_events: (wire, _body, account, at) => relationEventOf(wire, account, at),
  mute_events: (wire, _body, account, at) => relationEventOf(wire, account, at),
  user_event: (wire, _body, _account, at) => revokedEventOf(wire, at),
  direct_message_events: messageEventOf,
  direct_message_indicate_typing_events: typingEventOf,
  direct_message_mark_read_events: readEventOf,
  post_delete_events: (wire, _body, account, at) => postDeletedEventOf(wire, account, at),
  replay_job_status: (wire, _body, _account, at) => replayFinishedEventOf(wire, at),
};

const READERS: ReadonlyMap<string, Reader> = new Map(Object.entries(READER_OF_KEY));

/** The tweet dialect's event keys, and what the post dialect calls them. */
const POST_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries(EVENT_WORDS).map(([post, tweet]) => [tweet, post]),
);

function unrecognised(
  body: Wire,
  accountId: string,
  arrivedAt: number,
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

/** Two 32-bit FNV-1a hashes over even and odd positions: equal bodies meet, others hardly ever. */
function fingerprint(text: string): string {
  const hashes = [0x811c9dc5, 0x811c9dc5 ^ text.length];
  for (let i = 0; i < text.length; i++) {
    hashes[i & 1] = Math.imul((hashes[i & 1] ?? 0) ^ text.charCodeAt(i), 0x01000193);
  }
  return hashes.map((hash) => (hash >>> 0).toString(16).padStart(8, "0")).join("");
}

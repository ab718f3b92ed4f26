import fc from "fast-check";
import { EVENT_WORDS } from "../../src/protocol/dialects.ts";
import type { EventKey } from "../../src/protocol/event-keys.ts";

/** Generator of deliveries with one kind of event, for property-based tests. */
export interface DeliveryKind {
  readonly name: string;
  /** Fields that identify the event: two events that differ in any of them are different. */
  readonly identity: fc.Arbitrary<Readonly<Record<string, string>>>;
  readonly key: EventKey;
  /** Creates an event's element of a delivery. `telling` has the fields that may differ between its deliveries. */
  readonly element: (identity: Readonly<Record<string, string>>, telling: Telling) => object;
  /** Whether the event is the only one in its delivery. Such a delivery names no account. */
  readonly isSingle?: true;
}

/** Fields that may differ between two deliveries of the same event. */
export interface Telling {
  readonly counter: number;
  readonly text: string;
  /** Fields with unknown names, as a later version of the platform may add them. */
  readonly more: Readonly<Record<string, string>>;
  readonly dialect: "post" | "tweet";
  readonly hasPeople: boolean;
}

const MORE = fc.dictionary(fc.constantFrom("x_flag", "x_note"), fc.string({ maxLength: 5 }));

/** Generator of the fields that may differ. */
export const TELLING: fc.Arbitrary<Telling> = fc.record({
  counter: fc.nat(1_000_000),
  text: fc.string({ maxLength: 20 }),
  more: MORE,
  dialect: fc.constantFrom("post", "tweet"),
  hasPeople: fc.boolean(),
});

/** Few values for each field, so that two events often differ in one field only. Some ids exceed 2^53. */
const person = fc.constantFrom("100", "200", "300", "1997712707928100864", "1997712707928100865");
const id = fc.constantFrom("1", "2", "21", "1997712707928100866", "1997712707928100867");
const ms = fc.constantFrom("1760000000000", "1760000000001", "1760000001000");

function user(userId: string, { counter, text, more }: Telling): object {
  return {
    ...more,
    id: Number(userId),
    id_str: userId,
    screen_name: `u${userId}`,
    name: text,
    followers_count: counter,
    created_at: "Sun Aug 15 13:32:13 +0000 2021",
  };
}

function post(postId: string, author: string, telling: Telling): object {
  const word = (name: string): string =>
    telling.dialect === "tweet" ? (EVENT_WORDS[name] ?? name) : name;
  return {
    ...telling.more,
    created_at: "Thu Oct 09 08:53:20 +0000 2025",
    id: Number(postId),
    id_str: postId,
    text: telling.text,
    user: user(author, telling),
    favorite_count: telling.counter,
    [word("repost_count")]: telling.counter,
    entities: { hashtags: [], urls: [], symbols: [], user_mentions: [] },
    timestamp_ms: "1760000000000",
  };
}

const relation = (key: EventKey, ...types: readonly string[]): DeliveryKind => ({
  name: key,
  key,
  identity: fc.record({ type: fc.constantFrom(...types), source: person, target: person, at: ms }),
  element: ({ type, source = "", target = "", at }, telling) => ({
    type,
    created_timestamp: at,
    source: { ...user(source, telling), id: source },
    target: { ...user(target, telling), id: target },
  }),
});

const signal = (at: string | undefined, sender: string | undefined, to: string | undefined) => ({
  created_timestamp: at,
  sender_id: sender,
  target: { recipient_id: to },
});

/** Generators for every kind of event that the platform delivers. */
export const DELIVERY_KINDS: readonly DeliveryKind[] = [
  {
    name: "message",
    key: "direct_message_events",
    identity: fc.record({ id }),
    element: ({ id: messageId }, { text, more }) => ({
      ...more,
      type: "message_create",
      id: messageId,
      created_timestamp: "1760000000000",
      message_create: {
        target: { recipient_id: "100" },
        sender_id: "200",
        message_data: { text, entities: {} },
      },
    }),
  },
  {
    name: "post",
    key: "post_create_events",
    identity: fc.record({ id }),
    element: ({ id: postId = "" }, telling) => post(postId, "200", telling),
  },
  {
    name: "deleted post",
    key: "post_delete_events",
    identity: fc.record({ id }),
    element: ({ id: postId }, { more }) => ({
      ...more,
      status: { id: postId, user_id: "200" },
      timestamp_ms: "1760000000000",
    }),
  },
  {
    name: "like",
    key: "favorite_events",
    identity: fc.record({ id }),
    element: ({ id: likeId }, telling) => ({
      id: likeId,
      timestamp_ms: 1_760_000_000_000,
      favorited_status: post("9", "100", telling),
      user: user("200", telling),
    }),
  },
  relation("follow_events", "follow", "unfollow"),
  relation("block_events", "block", "unblock"),
  relation("mute_events", "mute", "unmute"),
  {
    name: "typing",
    key: "direct_message_indicate_typing_events",
    identity: fc.record({ at: ms, sender: person, to: person }),
    element: ({ at, sender, to }, { more }) => ({ ...more, ...signal(at, sender, to) }),
  },
  {
    name: "reading",
    key: "direct_message_mark_read_events",
    identity: fc.record({ at: ms, sender: person, to: person, last: id }),
    element: ({ at, sender, to, last }, { more }) => ({
      ...more,
      ...signal(at, sender, to),
      last_read_event_id: last,
    }),
  },
  {
    name: "revocation",
    key: "user_event",
    isSingle: true,
    identity: fc.record({
      at: fc.constantFrom("2025-10-09T08:53:20+00:00", "2025-10-09T08:53:21+00:00"),
      app: id,
      user: person,
    }),
    element: ({ at, app, user: userId }) => ({
      revoke: { date_time: at, target: { app_id: app }, source: { user_id: userId } },
    }),
  },
  {
    name: "end of a replay",
    key: "replay_job_status",
    isSingle: true,
    identity: fc.record({ job: id, state: fc.constantFrom("Complete", "Incomplete") }),
    element: ({ job, state }, { text }) => ({
      webhook_id: "44",
      job_id: job,
      job_state: state,
      job_state_description: text,
    }),
  },
];

/** Creates a delivery of events of one kind to an account. */
export function deliveryOf(
  kind: DeliveryKind,
  identities: readonly Readonly<Record<string, string>>[],
  { account, telling }: { readonly account: string; readonly telling: Telling },
): object {
  const key = telling.dialect === "tweet" ? (EVENT_WORDS[kind.key] ?? kind.key) : kind.key;
  const elements = identities.map((identity) => kind.element(identity, telling));
  if (kind.isSingle) return { [key]: elements[0] };
  const users = { "200": { ...user("200", telling), id: "200" } };
  return {
    for_user_id: account,
    [key]: elements,
    ...(telling.hasPeople ? { users, apps: {} } : {}),
  };
}

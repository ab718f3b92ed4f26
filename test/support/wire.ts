import { EVENT_WORDS, type Dialect } from "../../src/protocol/dialects.ts";

/**
 * Default time of events, in milliseconds since the epoch. The functions of this module create webhook bodies as the
 * platform sends them, by default from @ana (200) to the account 100.
 */
const AT = "1760000000000";

const USERNAMES: Readonly<Record<string, string>> = {
  "100": "hello_bot",
  "200": "ana",
  "300": "ben",
};

function person(id: string) {
  return {
    id: Number(id),
    id_str: id,
    name: USERNAMES[id] ?? `User ${id}`,
    screen_name: USERNAMES[id] ?? `user_${id}`,
    followers_count: 12,
    created_at: "Sun Aug 15 13:32:13 +0000 2021",
  };
}

function messagePerson(id: string) {
  return {
    id,
    created_timestamp: AT,
    name: USERNAMES[id] ?? `User ${id}`,
    screen_name: USERNAMES[id] ?? `user_${id}`,
    followers_count: 12,
  };
}

export function message(
  over: {
    readonly id?: string;
    readonly text?: string;
    readonly from?: string;
    readonly to?: string;
    readonly hashtags?: readonly string[];
    readonly sourceAppId?: string;
    readonly account?: string;
    /** Time of the message, in milliseconds since the epoch. */
    readonly at?: number;
  } = {},
) {
  const { from = "200", to = "100" } = over;
  return {
    for_user_id: over.account ?? "100",
    direct_message_events: [
      {
        type: "message_create",
        id: over.id ?? "5001",
        created_timestamp: over.at === undefined ? AT : String(over.at),
        message_create: {
          target: { recipient_id: to },
          sender_id: from,
          ...(over.sourceAppId === undefined ? {} : { source_app_id: over.sourceAppId }),
          message_data: {
            text: over.text ?? "hello",
            entities: {
              hashtags: (over.hashtags ?? []).map((text) => ({ text, indices: [0, 1] })),
              symbols: [],
              user_mentions: [],
              urls: [],
            },
          },
        },
      },
    ],
    apps: {},
    users: { [from]: messagePerson(from), [to]: messagePerson(to) },
  };
}

interface PostOver {
  readonly id?: string;
  readonly author?: string;
  readonly text?: string;
  readonly fullText?: string;
  readonly mentions?: readonly string[];
  readonly inReplyTo?: { readonly postId: string; readonly userId: string };
  readonly quoted?: { readonly id: string; readonly author: string };
  readonly reposted?: { readonly id: string; readonly author: string };
  /** Time of the post, in milliseconds since the epoch. */
  readonly at?: number;
}

export function post(over: PostOver = {}, dialect: Dialect = "post") {
  const word = (name: string): string => (dialect === "tweet" ? (EVENT_WORDS[name] ?? name) : name);
  return { for_user_id: "100", [word("post_create_events")]: [postObject(over, word)] };
}

function postObject(over: PostOver, word: (name: string) => string): object {
  const { id = "9001", author = "200", quoted, reposted, inReplyTo } = over;
  const entities = {
    hashtags: [],
    urls: [],
    symbols: [],
    user_mentions: (over.mentions ?? []).map((user) => ({
      screen_name: USERNAMES[user],
      id: Number(user),
      id_str: user,
    })),
  };
  return {
    created_at:
      over.at === undefined ? "Thu Oct 09 08:53:20 +0000 2025" : new Date(over.at).toUTCString(),
    id: Number(id),
    id_str: id,
    text: over.text ?? "a post",
    user: person(author),
    in_reply_to_status_id_str: inReplyTo?.postId ?? null,
    in_reply_to_user_id_str: inReplyTo?.userId ?? null,
    ...(quoted && { quoted_status: postObject(quoted, word) }),
    ...(reposted && { [word("reposted_status")]: postObject(reposted, word) }),
    ...(over.fullText !== undefined && {
      [word("extended_post")]: { full_text: over.fullText, entities },
    }),
    entities: over.fullText === undefined ? entities : { ...entities, user_mentions: [] },
    timestamp_ms: over.at === undefined ? AT : String(over.at),
  };
}

export function relation(
  key: string,
  type: string,
  over: { readonly from?: string; readonly at?: number } = {},
) {
  const { from = "200", at = Number(AT) } = over;
  const [source, target] = [from, "100"].map((id) => ({ ...person(id), id }));
  return { for_user_id: "100", [key]: [{ type, created_timestamp: String(at), source, target }] };
}

export function like() {
  const words = (name: string): string => name;
  return {
    for_user_id: "100",
    favorite_events: [
      {
        id: "abc",
        created_at: "Thu Oct 09 08:53:20 +0000 2025",
        timestamp_ms: Number(AT),
        favorited_status: postObject({ author: "100" }, words),
        user: person("200"),
      },
    ],
  };
}

const signal = { created_timestamp: AT, sender_id: "200", target: { recipient_id: "100" } };

export function typing() {
  return { for_user_id: "100", direct_message_indicate_typing_events: [signal], users: {} };
}

export function read() {
  const seen = { ...signal, last_read_event_id: "5001" };
  return { for_user_id: "100", direct_message_mark_read_events: [seen], users: {} };
}

export function deleted(dialect: Dialect) {
  const key = dialect === "tweet" ? "tweet_delete_events" : "post_delete_events";
  return {
    for_user_id: "100",
    [key]: [{ status: { id: "9001", user_id: "200" }, timestamp_ms: AT }],
  };
}

export function revoked() {
  const revoke = {
    date_time: "2025-10-09T08:53:20+00:00",
    target: { app_id: "77" },
    source: { user_id: "100" },
  };
  return { user_event: { revoke } };
}

export function schedule() {
  const moment = {
    rule: "morning",
    cron: "0 9 * * *",
    zone: "UTC",
    at: "2026-01-05T09:00:00.000Z",
  };
  return { for_user_id: "100", answerback_schedule: [moment] };
}

export function answerByHand() {
  const answer = {
    key: "one-of-kim",
    at: "2026-01-05T09:00:00.000Z",
    to: { id: "200", username: "ana" },
    text: "We are here.",
    by: "Kim",
    answers: 1,
  };
  return { for_user_id: "100", answerback_answer_by_hand: [answer] };
}

export function linkLost(what: "lost" | "restored") {
  const outage = { number: 1, at: "2026-01-05T09:10:00.000Z", since: "2026-01-05T09:00:00.000Z" };
  return { for_user_id: "100", [`answerback_link_${what}`]: [{ ...outage, reason: "no answer" }] };
}

export function replayDone() {
  return { replay_job_status: { webhook_id: "44", job_id: "33", job_state: "Complete" } };
}

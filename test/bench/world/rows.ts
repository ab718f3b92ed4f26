import type { UserRow, RelationshipRow } from "../../../src/sandbox/model/accounts.ts";
import type { ActivityRow } from "../../../src/sandbox/model/activity.ts";
import { type MessageRow, pairConversation } from "../../../src/sandbox/model/messages.ts";
import type { PostRow } from "../../../src/sandbox/model/posts.ts";

/** Size of a world. */
export interface Size {
  /** Number of subscribed accounts. */
  readonly accounts: number;
  /** Number of stored events, each with its message, post or follow. */
  readonly events: number;
}

/** Webhook and app that the generated subscriptions belong to, and the time of the last event. */
export interface Home {
  readonly webhookId: string;
  readonly appId: string;
  /** Time of the last event, in milliseconds since the Unix epoch. */
  readonly now: number;
}

type NamedRow = readonly [table: string, row: object];

/** Account that takes part in every tenth event. */
export const HOT_ACCOUNT = "account_0";

const EPOCH = 1_288_834_974_657n;
const HOURS_20_MS = 20 * 3_600_000;

/**
 * Generates the rows of a large world. Of ten events, six are messages, three are mentions, and one is a new follower.
 *
 * Every tenth event belongs to {@link HOT_ACCOUNT}; all other events are spread over the other accounts in turn.
 */
export function* largeWorld({ accounts, events }: Size, home: Home): Generator<NamedRow> {
  const start = home.now - HOURS_20_MS;
  let count = 0n;
  const id = (at: number): string => {
    count += 1n;
    return String(((BigInt(Math.trunc(at)) - EPOCH) << 22n) + count);
  };
  const bots = Array.from({ length: accounts }, (_, n) => person(id(start), `account_${n}`, start));
  const people = Array.from({ length: accounts }, (_, n) =>
    person(id(start), `person_${n}`, start),
  );
  for (const user of [...bots, ...people]) yield ["users", user];
  for (const { id: userId } of bots) {
    const { webhookId, appId } = home;
    yield ["subscriptions", { id: id(start), webhookId, appId, userId, createdAt: start }];
  }
  const followers = new Map<string, number>();
  for (let n = 0; n < events; n += 1) {
    const at = start + Math.floor((n / events) * HOURS_20_MS);
    const bot = bots[n % 10 === 0 ? 0 : n % accounts];
    const fans = followers.get(bot?.id ?? "") ?? 0;
    const follows = Math.floor(n / 10) % 10 === 9 && fans < accounts;
    const from = people[follows ? fans : (n * 7 + Math.floor(n / accounts)) % accounts];
    if (bot === undefined || from === undefined) continue;
    if (follows) followers.set(bot.id, fans + 1);
    const fact = follows ? tie(id(at), at, from, bot) : spoken(n, id(at), at, from, bot);
    yield fact;
    const happening = { id: id(at), at, by: from.id, to: bot.id };
    yield ["activities", activityOf(fact, happening, `${home.webhookId}:${bot.id}`)];
  }
}

function person(id: string, username: string, createdAt: number): UserRow {
  const name = `Name of ${username}`;
  return { id, username, name, password: "password", email: "", createdAt, profile: {} };
}

type Fact =
  | readonly ["messages", MessageRow]
  | readonly ["posts", PostRow]
  | readonly ["ties", RelationshipRow];

function tie(seq: string, at: number, from: UserRow, bot: UserRow): Fact {
  return ["ties", { kind: "follow", seq, from: from.id, to: bot.id, at }];
}

function spoken(n: number, id: string, at: number, from: UserRow, bot: UserRow): Fact {
  const kind = Math.floor(n / 10) % 10;
  if (kind < 6) {
    const message: MessageRow = {
      id,
      conversationId: pairConversation(from.id, bot.id),
      senderId: from.id,
      recipientId: bot.id,
      readers: [from.id, bot.id],
      text: `When do you open tomorrow? (${n})`,
      at,
    };
    return ["messages", message];
  }
  const text = `@${bot.username} how is the queue today? #ask${n % 100}`;
  return ["posts", { id, authorId: from.id, text, at, conversationId: id }];
}

function activityOf(
  [table, fact]: Fact,
  { id, at, by, to }: { id: string; at: number; by: string; to: string },
  lane: string,
): ActivityRow {
  const lanes = [lane];
  if (table === "messages") return { id, kind: "message", at, by, to, ref: fact.id, lanes };
  if (table === "posts") return { id, kind: "post", at, by, ref: fact.id, lanes };
  return { id, kind: "follow", at, by, to, lanes };
}

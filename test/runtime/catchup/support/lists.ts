import { MockAgent } from "undici";
import type { Client } from "../../../../src/client/client.ts";
import { createClient } from "../../../../src/client/create-client.ts";

/** Message or mention that the platform lists. */
export interface Listed {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly from?: string;
  /** Omits the item, as the platform omits items of suspended people: its page has fewer items, or none. */
  readonly isOmitted?: true;
}

/** Response to one request, instead of the list. */
export interface Refused {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string;
}

/** Platform with the lists of messages and mentions of the account 100, without a server. */
export interface Lists {
  readonly client: Client<"oauth1">;
  /** Newest first, as the platform lists them. */
  messages: readonly Listed[];
  mentions: readonly Listed[];
  pageSize: number;
  /** Requests so far, such as `messages` or `messages 100`, with the index of the first listed item. */
  readonly requests: string[];
  /** Returns the response to a request if it is not the list: a refusal, or `unreachable`. */
  fails: (list: "messages" | "mentions") => Refused | "unreachable" | undefined;
}

const ORIGIN = "https://platform.example";
const PERSON = "200";

export function openLists(): Lists {
  const agent = new MockAgent();
  agent.disableNetConnect();
  const lists: Lists = {
    client: createClient({
      baseUrl: ORIGIN,
      dialect: "post",
      credentials: {
        type: "oauth1",
        consumerKey: "key",
        consumerSecret: "secret",
        accessToken: "100-token",
        accessTokenSecret: "secret",
      },
      retry: false,
      dispatcher: agent,
    }),
    messages: [],
    mentions: [],
    pageSize: 100,
    requests: [],
    fails: () => undefined,
  };
  agent
    .get(ORIGIN)
    .intercept({ path: () => true, method: "GET" })
    .reply(({ path }) => {
      const { pathname, searchParams } = new URL(path, ORIGIN);
      const list = pathname.endsWith("/mentions") ? "mentions" : "messages";
      const start = Number(searchParams.get("pagination_token") ?? 0);
      lists.requests.push(start === 0 ? list : `${list} ${start}`);
      const failure = lists.fails(list);
      if (failure === "unreachable") throw new Error("the connection broke");
      const headers = { "content-type": "application/json" };
      if (failure !== undefined) {
        const { status, body = { title: "refused", status } } = failure;
        return {
          statusCode: status,
          data: body,
          responseOptions: { headers: { ...headers, ...failure.headers } },
        };
      }
      return {
        statusCode: 200,
        data: pageOf(list, lists[list], start, lists.pageSize),
        responseOptions: { headers },
      };
    })
    .persist();
  return lists;
}

function pageOf(
  list: "messages" | "mentions",
  all: readonly Listed[],
  start: number,
  size: number,
): object {
  const listed = all.slice(start, start + size).filter(({ isOmitted }) => isOmitted !== true);
  const people = [...new Set([PERSON, ...listed.map(({ from = PERSON }) => from)])];
  const users = people.map(userOf);
  const next = start + size < all.length ? { next_token: String(start + size) } : {};
  return {
    data: listed.map(list === "messages" ? messageOf : mentionOf),
    includes: { users },
    meta: { result_count: listed.length, ...next },
  };
}

function userOf(id: string): object {
  return {
    id,
    username: `person${id}`,
    name: `Person ${id}`,
    created_at: "2020-01-01T00:00:00.000Z",
    description: "",
    protected: false,
    verified: false,
    public_metrics: {
      followers_count: 0,
      following_count: 0,
      post_count: 0,
      listed_count: 0,
      like_count: 0,
    },
  };
}

function messageOf({ id, at, from = PERSON }: Listed): object {
  return {
    id,
    event_type: "MessageCreate",
    text: `message ${id}`,
    sender_id: from,
    dm_conversation_id: `100-${from}`,
    created_at: new Date(at).toISOString(),
  };
}

function mentionOf({ id, at, from = PERSON }: Listed): object {
  const entities = { mentions: [{ start: 0, end: 4, username: "bot", id: "100" }] };
  return {
    id,
    text: "@bot are you open?",
    author_id: from,
    created_at: new Date(at).toISOString(),
    entities,
    public_metrics: { repost_count: 0, reply_count: 0, like_count: 0, quote_count: 0 },
    lang: "en",
    possibly_sensitive: false,
    edit_history_post_ids: [id],
    conversation_id: id,
  };
}

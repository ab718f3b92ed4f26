import type { Client } from "../../client/client.ts";
import { messageDelivery } from "../../events/read/message.ts";
import { MESSAGE_SELECTION, POST_SELECTION } from "../../events/read/objects.ts";
import type { Trigger } from "../../events/triggers.ts";
import { postDelivery } from "../../events/read/post.ts";

/** Client that reads for one account. */
export type ReadingClient = Pick<Client<"oauth1">, "dms" | "timelines" | "rateLimits">;

/** Event that was read, in the form in which the webhook would deliver it. */
export interface PolledEvent {
  readonly id: string;
  /** Time in milliseconds since the epoch. */
  readonly at: number;
  readonly delivery: object;
}

/** Page of a list, newest first. */
export interface PolledPage {
  readonly events: readonly PolledEvent[];
  /** Whether the page has items older than the `floor` of the request. */
  readonly isPast: boolean;
  /** Token of the next page. */
  readonly next: string | undefined;
}

/** Page to read from a list. */
export interface PolledRequest {
  readonly account: string;
  /** Earliest time to read, in milliseconds since the epoch. */
  readonly floor: number;
  /** Token of the page; absent for the first. */
  readonly token: string | undefined;
}

/** List of an account's events that polling reads from the platform. */
export interface PolledList {
  /** Name in messages to the operator, and in the stored name of the list's cursor. */
  readonly name: "messages" | "mentions";
  readonly endpoint: "GET /2/dm_events" | "GET /2/users/:id/mentions";
  /** Triggers whose events this list contains without exception. */
  readonly triggers: readonly Trigger[];
  readonly read: (client: ReadingClient, request: PolledRequest) => Promise<PolledPage>;
}

/** Turns off the client's retries, because the reader retries at its own pace. */
const ONCE = { retry: false } as const;
const PAGE_SIZE = 100;

const messages: PolledList = {
  name: "messages",
  endpoint: "GET /2/dm_events",
  triggers: ["dm.received", "dm.sent"],
  async read(client, { account, floor, token }) {
    const page = await client.dms.events(
      {
        ...MESSAGE_SELECTION,
        eventTypes: ["MessageCreate"],
        maxResults: PAGE_SIZE,
        paginationToken: token,
      },
      ONCE,
    );
    const dated = page.data.map((message) => ({ message, at: Date.parse(message.created_at) }));
    const events = dated
      .filter(({ at }) => at >= floor)
      .flatMap(({ message, at }): PolledEvent[] => {
        const delivery = messageDelivery(account, message, page.includes);
        return delivery === undefined ? [] : [{ id: message.id, at, delivery }];
      });
    return { events, isPast: dated.some(({ at }) => at < floor), next: page.meta.next_token };
  },
};

const mentions: PolledList = {
  name: "mentions",
  endpoint: "GET /2/users/:id/mentions",
  // not `post.quoted`: a reply mentions the author of the post that it answers, but a quote need not
  triggers: ["post.mentioned", "post.replied", "post.edited"],
  async read(client, { account, floor, token }) {
    const page = await client.timelines.mentions(
      account,
      {
        ...POST_SELECTION,
        startTime: new Date(floor),
        maxResults: PAGE_SIZE,
        paginationToken: token,
      },
      ONCE,
    );
    const events = page.data.flatMap((post): PolledEvent[] => {
      const delivery = postDelivery(account, post, page.includes);
      const at = Date.parse(post.created_at);
      return delivery === undefined ? [] : [{ id: post.id, at, delivery }];
    });
    return { events, isPast: false, next: page.meta.next_token };
  },
};

/** Lists that are polled for each account. */
export const POLLED_LISTS: readonly PolledList[] = [messages, mentions];

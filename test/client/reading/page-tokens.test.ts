import { expect, it } from "vitest";
import {
  type Caller,
  type CallInput,
  resources,
  type Resources,
} from "../../../src/client/client.ts";
import type { CredentialKind } from "../../../src/client/http/endpoint.ts";
import { PlatformClock, SYSTEM_CLOCK } from "../../../src/client/clock.ts";

const from = { paginationToken: "t1" };
const query = "a";

type Lists = Resources<CredentialKind>;

it.each<{ list: string; of: (client: Lists) => { pages(): AsyncIterable<unknown> } }>([
  { list: "recent posts", of: ({ posts }) => posts.searchRecent({ query, ...from }) },
  { list: "all posts", of: ({ posts }) => posts.searchAll({ query, ...from }) },
  { list: "quotes", of: ({ posts }) => posts.quotes("1", from) },
  { list: "found users", of: ({ users }) => users.search({ query, nextToken: "t1" }) },
  { list: "posts of a user", of: ({ timelines }) => timelines.posts("1", from) },
  { list: "liked posts", of: ({ likes }) => likes.posts("1", from) },
  { list: "followers", of: ({ follows }) => follows.followers("1", from) },
  { list: "bookmarks", of: ({ bookmarks }) => bookmarks.list("1", from) },
  { list: "reposts", of: ({ reposts }) => reposts.ofMe(from) },
  { list: "lists of a user", of: ({ lists }) => lists.owned("1", from) },
  { list: "messages", of: ({ dms }) => dms.events(from) },
  { list: "connections", of: ({ connections }) => connections.list(from) },
  { list: "subscriptions", of: ({ activitySubscriptions: all }) => all.list(from) },
])(
  "a list that begins at a page's token sends one token with each request: $list",
  async ({ of }) => {
    const inputs: CallInput[] = [];
    const caller: Caller = {
      settings: {
        dialect: "post",
        clock: SYSTEM_CLOCK,
        platformTime: new PlatformClock(() => SYSTEM_CLOCK.now()),
      },
      call: async (_, input) => {
        inputs.push(input);
        const next = inputs.length === 1 ? { next_token: "t2" } : {};
        return {
          endpoint: "",
          status: 200,
          body: { data: [], meta: { result_count: 0, ...next } },
        };
      },
    };
    for await (const page of of(resources(caller)).pages()) expect(page).toBeDefined();

    const tokens = inputs.map((input) =>
      Object.entries(input.query ?? {}).flatMap(([name, value]) =>
        name.endsWith("_token") && value !== undefined ? [value] : [],
      ),
    );
    expect(tokens).toEqual([["t1"], ["t2"]]);
  },
);

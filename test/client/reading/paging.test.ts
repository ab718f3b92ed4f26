import { afterEach, expect, it } from "vitest";
import { createClient } from "../../../src/client/create-client.ts";
import { type Handler, stubServer, type StubServer } from "../support/stub-server.ts";

let server: StubServer;
afterEach(() => server.close());

async function appClient(handle: Handler) {
  server = await stubServer(handle);
  const credentials = { type: "bearer", bearerToken: "token" } as const;
  return createClient({ baseUrl: server.url, credentials, retry: false });
}

const person = (id: number) => ({ id: String(id), name: `P${id}`, username: `p${id}` });

/** Responds with three pages of two items each. */
const pages: Handler = (request) => {
  const token = new URL(request.target, server.url).searchParams.get("pagination_token");
  const page = token === null ? 0 : Number(token.slice(1));
  const data = [person(page * 2), person(page * 2 + 1)];
  const next = page < 2 ? { next_token: `t${page + 1}` } : {};
  return { body: { data, meta: { result_count: 2, ...next } } };
};

it("iterates over every item of every page", async () => {
  const client = await appClient(pages);
  const names = [];
  for await (const user of client.follows.followers("1")) names.push(user.username);
  expect(names).toEqual(["p0", "p1", "p2", "p3", "p4", "p5"]);
  expect(server.seen).toHaveLength(3);
});

it("ends at an empty token or cursor", async () => {
  const client = await appClient(() => ({
    body: { data: [], next_cursor: "", meta: { sent: "", next_token: "" } },
  }));
  const ads = createClient({
    baseUrl: server.url,
    adsBaseUrl: server.url,
    credentials: {
      type: "oauth1",
      consumerKey: "key",
      consumerSecret: "secret",
      accessToken: "token",
      accessTokenSecret: "secret",
    },
    retry: false,
  });
  const counts = [];
  for await (const page of client.filteredStream.rules().pages()) counts.push(page.data.length);
  for await (const page of ads.appLists.list({ accountId: "1" }).pages())
    counts.push(page.data.length);

  expect(counts).toEqual([0, 0]);
  await ads.close();
});

it("requests no page that the loop does not reach", async () => {
  const client = await appClient(pages);
  for await (const user of client.follows.followers("1")) {
    if (user.username === "p2") break;
  }
  expect(server.seen).toHaveLength(2);
});

it("returns the first page when awaited, and iterates from it without requesting it again", async () => {
  const client = await appClient(pages);
  const followers = client.follows.followers("1", { maxResults: 2 });
  expect((await followers).meta).toEqual({ result_count: 2, next_token: "t1" });
  const sizes = [];
  for await (const page of followers.pages()) sizes.push(page.data.length);
  expect(sizes).toEqual([2, 2, 2]);
  expect(server.seen).toHaveLength(3);
  expect(server.seen.every(({ target }) => target.includes("max_results=2"))).toBe(true);
});

it("reports a failing first page to the loop, and nowhere else", async () => {
  const client = await appClient(() => ({ status: 500, body: {} }));
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  const loop = async () => {
    for await (const user of client.follows.followers("1")) return user;
    return undefined;
  };
  await expect(loop()).rejects.toMatchObject({ status: 500 });
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

it("ends with an error if the platform returns a page token twice", async () => {
  const client = await appClient(() => ({
    body: { data: [person(1)], meta: { result_count: 1, next_token: "again" } },
  }));
  const loop = async () => {
    let count = 0;
    for await (const user of client.follows.followers("1")) count += user.id.length;
    return count;
  };
  await expect(loop()).rejects.toThrow("gave the same page token twice");
  expect(server.seen).toHaveLength(2);
});

it("reads a page without data as empty", async () => {
  const client = await appClient(() => ({ body: { meta: { result_count: 0 } } }));
  const page = await client.posts.searchRecent({ query: "a", expansions: ["author_id"] });
  expect(page).toEqual({
    data: [],
    includes: { users: [] },
    errors: [],
    meta: { result_count: 0 },
  });
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { createClient } from "../../../src/client/create-client.ts";
import type { SearchPosition } from "../../../src/runtime/search/positions.ts";
import {
  MAX_POSTS,
  type QueryReading,
  readQuery,
  startReading,
  type StartedReading,
} from "../../../src/runtime/search/read-query.ts";
import { type RunningSandbox, startSandbox } from "../../../src/sandbox/index.ts";

const START = Date.UTC(2026, 5, 15, 12);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let sandbox: RunningSandbox;
let client: Client<"oauth1">;
let ana: string;

beforeEach(() => stage("post"));
afterEach(async () => {
  await client.close();
  await sandbox.close();
});

async function stage(dialect: "post" | "tweet"): Promise<void> {
  sandbox = await startSandbox({
    clock: { now: START, frozen: true },
    settings: { limits: { enabled: false } },
  });
  const { control } = sandbox;
  const app = await control.app({ dialect });
  ana = await control.user("ana");
  const tokens = await control.tokens(await control.user("shop"), app.app_id);
  client = createClient({
    baseUrl: sandbox.url,
    dialect,
    credentials: {
      type: "oauth1",
      consumerKey: app.consumer_key,
      consumerSecret: app.consumer_secret,
      accessToken: tokens.access_token,
      accessTokenSecret: tokens.access_token_secret,
    },
  });
}

async function post(text: string): Promise<string> {
  return (await sandbox.control.act(ana, { type: "post", text })).id;
}

/** Reads the posts that the search "acme" finds after a position (the newest post read so far). */
async function read(position: SearchPosition, overlaps = false): Promise<QueryReading> {
  return readOn(await started(position, overlaps));
}

async function started(position: SearchPosition, overlaps = false): Promise<StartedReading> {
  return startReading({ account: "1", query: "acme", now: await now(), overlaps }, position);
}

const now = async (): Promise<number> => Date.parse((await sandbox.control.health()).now);

const readOn = async (reading: StartedReading) => readQuery(client, reading, await now());

/** Post that the platform lists. Its id is too small to contain a time, so `created_at` is its time. */
const listedPost = (number: number) => ({
  id: `${1_000_000 + number}`,
  text: "acme",
  author_id: AUTHOR.id,
  created_at: new Date(START + number).toISOString(),
  entities: {},
  public_metrics: { repost_count: 0, reply_count: 0, like_count: 0, quote_count: 0 },
  lang: "en",
  possibly_sensitive: false,
  edit_history_post_ids: [`${1_000_000 + number}`],
  conversation_id: `${1_000_000 + number}`,
});

const AUTHOR = {
  id: "200",
  username: "ben",
  name: "Ben",
  created_at: new Date(START).toISOString(),
  description: "",
  protected: false,
  verified: false,
  public_metrics: { followers_count: 0, following_count: 0, post_count: 0, listed_count: 0 },
};

const idsOf = ({ posts }: QueryReading): readonly string[] => posts.map(({ id }) => id);

describe("a reading of a query", () => {
  it("begins after the position, or five minutes before it", async () => {
    const early = await post("acme early");
    await sandbox.control.advance(6 * MINUTE);
    const late = await post("acme late");
    const newest = await post("acme newest");
    const position = (await read({ from: START })).next;
    const fresh = await post("acme fresh");

    expect(position).toMatchObject({ newest: { id: newest } });
    expect(idsOf(await read(position))).toEqual([fresh]);
    expect(idsOf(await read(position, true))).toEqual([fresh, newest, late]);
    expect(idsOf(await read({ from: START }))).toEqual([fresh, newest, late, early]);
  });

  it("leaves out posts from before a position of this moment, which search refuses as a bound", async () => {
    await post("acme before");
    await sandbox.control.advance(5_000);
    const after = await post("acme after");

    expect(idsOf(await read({ from: START + 5_000 }))).toEqual([after]);
  });

  it("costs one more request at most if it overlaps", async () => {
    for (let number = 0; number < 250; number += 1) await post(`acme ${number}`);
    const first = await started({ from: START });
    const { next } = await readOn(first);
    const again = await started(next, true);
    await readOn(again);
    const fresh = await post("acme fresh");
    const last = await started(next, true);
    const after = await readOn(last);

    expect([first, again, last].map(({ requests }) => requests)).toEqual([3, 1, 2]);
    expect(idsOf(after)[0]).toBe(fresh);
    expect(after.posts).toHaveLength(200);
  });

  it("reaches back seven days, and names the time before that as lost", async () => {
    await post("acme lost");
    const { next } = await read({ from: START });
    await sandbox.control.advance(DAY);
    await post("acme lost, too");
    await sandbox.control.advance(3 * DAY);
    const reachable = await post("acme reachable");
    await sandbox.control.advance(5 * DAY);
    const reading = await read(next);

    expect(idsOf(reading)).toEqual([reachable]);
    expect(reading.lost).toEqual({ from: START, to: START + 2 * DAY + MINUTE });
    expect((await read(reading.next)).lost).toBeUndefined();
  });

  it("continues after the reach of search has passed its first posts", async () => {
    await post("acme lost");
    await sandbox.control.advance(DAY);
    for (let number = 0; number < 110; number += 1) await post(`acme ${number}`);
    await sandbox.control.advance(6 * DAY - 2 * MINUTE);
    await sandbox.control.addFault({
      match: { direction: "request", path: "/2/posts/search/recent" },
      fault: { type: "status" },
      when: { every: 2 },
    });
    const reading = await started({ from: START, readAt: START });
    await expect(readOn(reading)).rejects.toThrow("503");
    await sandbox.control.advance(5 * MINUTE);
    const { posts, lost } = await readOn(reading);

    expect(posts).toHaveLength(110);
    expect(lost).toEqual({ from: START, to: START + 4 * MINUTE });
  });

  it("has the oldest posts of a long backlog, and leaves the others to the next search", async () => {
    const all = Array.from({ length: MAX_POSTS + 250 }, (_, number) => listedPost(number));
    const { posts } = client;
    const searchRecent: typeof posts.searchRecent = Object(
      async ({ paginationToken = "0" }: { paginationToken?: string }) => {
        const [start, end] = [Number(paginationToken), Number(paginationToken) + 100];
        const next = end < all.length && { next_token: `${end}` };
        const data = all.toReversed().slice(start, end);
        return { data, includes: { users: [AUTHOR] }, meta: { ...next } };
      },
    );
    const reading = startReading(
      { account: "1", query: "acme", now: START + DAY, overlaps: false },
      { from: START },
    );
    const platform = { rateLimits: client.rateLimits, posts: { ...posts, searchRecent } };
    const { next, isCut, ...result } = await readQuery(platform, reading, START + DAY);

    expect(result.posts).toHaveLength(MAX_POSTS);
    expect(result.posts.at(-1)?.id).toBe("1000000");
    const last = { id: `${1_000_000 + MAX_POSTS - 1}`, at: START + MAX_POSTS - 1 };
    expect(result.posts[0]).toMatchObject(last);
    expect([isCut, next]).toEqual([true, { from: START, newest: last, readAt: last.at }]);
  });

  it("loses nothing if it is read within seven days, or was stored by an older version", async () => {
    await post("acme");
    const { next } = await read({ from: START });
    await sandbox.control.advance(7 * DAY - 2 * MINUTE);
    const { readAt: _, ...older } = next;

    expect((await read(next)).lost).toBeUndefined();
    await sandbox.control.advance(DAY);
    expect((await read(older)).lost).toBeUndefined();
  });

  it("has the same posts in the tweet dialect", async () => {
    await client.close();
    await sandbox.close();
    await stage("tweet");
    const id = await post("acme #shoes");
    const reading = await read({ from: START }, true);

    expect(idsOf(reading)).toEqual([id]);
    expect(reading.posts[0]?.delivery).toMatchObject({
      for_user_id: "1",
      post_create_events: [{ id, text: "acme #shoes", user: { screen_name: "ana" } }],
    });
  });
});

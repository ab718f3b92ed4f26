import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { createClient } from "../../../src/client/create-client.ts";
import type { SearchPosition } from "../../../src/runtime/search/positions.ts";
import { type QueryReading, readQuery } from "../../../src/runtime/search/read-query.ts";
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
  const now = Date.parse((await sandbox.control.health()).now);
  return readQuery(client, { account: "1", query: "acme", now, overlaps }, position);
}

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
    const first = await read({ from: START });
    const again = await read(first.next, true);
    const fresh = await post("acme fresh");
    const after = await read(first.next, true);

    expect(first.requests).toBe(3);
    expect(again.requests).toBe(1);
    expect(after.requests).toBe(2);
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

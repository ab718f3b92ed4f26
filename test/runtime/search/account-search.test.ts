import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { AccountSearch } from "../../../src/runtime/search/account-search.ts";
import { positionName, SearchPositions } from "../../../src/runtime/search/positions.ts";
import type { SearchClient } from "../../../src/runtime/search/read-query.ts";
import { ComeAgain } from "../../../src/runtime/source.ts";
import { type RunningSandbox, startSandbox } from "../../../src/sandbox/index.ts";
import { type HandClock, handClock } from "../../support/hand-clock.ts";

const START = Date.UTC(2026, 5, 15, 12);
const ACCOUNT = "100";
const QUERY = "acme";
const QUERIES = [QUERY, "acme -one", "acme -two"];
const MINUTE = 60_000;
/** Window of the rate limit. */
const WINDOW = 15 * MINUTE;

let sandbox: RunningSandbox;
let client: Client<"oauth1">;
/** Client with which the account searches. */
let searching: SearchClient;
let clock: HandClock;
let positions: SearchPositions;
let search: AccountSearch;
/** Texts of the posts that the journal has stored, in order. */
let stored: string[];
/** Texts of the posts with an undecided event. */
let undecided: Set<string>;

beforeEach(async () => {
  sandbox = await startSandbox({
    clock: { now: START, frozen: true },
    settings: { limits: { enabled: false } },
  });
  const { control } = sandbox;
  const app = await control.app();
  const tokens = await control.tokens(await control.user("shop"), app.app_id);
  client = createClient({
    baseUrl: sandbox.url,
    credentials: {
      type: "oauth1",
      consumerKey: app.consumer_key,
      consumerSecret: app.consumer_secret,
      accessToken: tokens.access_token,
      accessTokenSecret: tokens.access_token_secret,
    },
  });
  searching = client;
  clock = handClock(START);
  const meta = new Map<string, string>();
  positions = new SearchPositions({
    getMeta: async (name) => meta.get(name),
    setMeta: async (name, value) => void meta.set(name, value),
  });
  await positions.open(new Set(QUERIES.map((query) => positionName(ACCOUNT, query))), START);
  stored = [];
  undecided = new Set();
  search = new AccountSearch({
    account: ACCOUNT,
    positions,
    clientOf: () => searching,
    isOwn: () => false,
    append: async (_delivery, raw) => {
      const text = /acme \w+/.exec(raw)?.[0] ?? "";
      if (undecided.has(text)) throw new ComeAgain("an event of the found post is not decided yet");
      return stored.push(text);
    },
    streamedSince: () => undefined,
    clock,
    log: openLog({ level: "silent" }),
    random: () => 0.5,
  });
});
afterEach(async () => {
  await client.close();
  await sandbox.close();
});

it("stores the other posts of a round while an event of one post is undecided", async () => {
  const ana = await sandbox.control.user("ana");
  for (const text of ["acme one", "acme two", "acme three"]) {
    await sandbox.control.act(ana, { type: "post", text });
  }
  undecided.add("acme two");
  await search.turn([QUERY]);
  expect(stored).toEqual(["acme one", "acme three"]);
  expect(positions.get(positionName(ACCOUNT, QUERY))?.newest).toBeUndefined();

  undecided.clear();
  search.hurry();
  await search.turn([QUERY]);
  expect(stored).toEqual(["acme one", "acme three", "acme two"]);
  expect(positions.get(positionName(ACCOUNT, QUERY))?.newest).toBeDefined();
});

describe("a search that is interrupted", () => {
  const NUMBERS = Array.from({ length: 410 }, (_, number) => `acme ${number}`);
  /** Number of search requests so far. */
  let requests: number;
  /** Status with which the platform answers a request, by the request's number. */
  let refusals: ReadonlyMap<number, number>;
  /** Stored posts after each turn, and the requests of that turn. */
  let turns: [posts: number, requests: number][];
  let ana: string;

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    turns = [];
    requests = 0;
    refusals = new Map();
    ana = await sandbox.control.user("ana");
    const { posts } = client;
    const searchRecent: typeof posts.searchRecent = Object(async (...args: unknown[]) => {
      requests += 1;
      const status = refusals.get(requests);
      const match = { direction: "request", path: "/2/posts/search/recent" } as const;
      if (status !== undefined)
        await sandbox.control.addFault({ match, fault: { type: "status", status } });
      return Reflect.apply(posts.searchRecent, posts, args);
    });
    searching = { rateLimits: client.rateLimits, posts: { ...posts, searchRecent } };
  });
  afterEach(() => vi.useRealTimers());

  async function post(texts: readonly string[]): Promise<void> {
    for (const text of texts) await sandbox.control.act(ana, { type: "post", text });
  }

  async function pass(ms: number): Promise<void> {
    await sandbox.control.advance(ms);
    vi.advanceTimersByTime(ms);
    clock.advance(ms);
  }

  async function turn(queries: readonly string[] = [QUERY]): Promise<void> {
    const before = requests;
    await search.turn(queries);
    turns.push([stored.length, requests - before]);
  }

  it("by a rate limit continues in the next window, and then with the queries behind it", async () => {
    await post(NUMBERS);
    await pass(3 * 24 * 60 * MINUTE);
    await post(["acme new"]);
    await sandbox.control.changeSettings({ limits: { enabled: true, scale: 0.01 } });
    for (let windows = 0; windows < 4; windows += 1) {
      await turn([QUERY, "acme -one"]);
      await pass(WINDOW + MINUTE);
    }

    // The fourth request of a window is refused. The fifth page ends the first query.
    expect(turns).toEqual([
      [0, 4],
      [411, 4],
      [411, 4],
      [822, 2],
    ]);
    expect(stored.slice(0, 411)).toEqual([...NUMBERS, "acme new"]);
    await post(["acme newer"]);
    await turn();
    expect(stored.slice(822)).toEqual(["acme newer"]);
  });

  it("by an outage continues after the pages that it has read", async () => {
    await post(NUMBERS.slice(0, 210));
    refusals = new Map([[3, 503]]);
    await turn();
    await post(["acme later"]);
    await pass(MINUTE);
    await turn();
    expect(turns).toEqual([
      [0, 3],
      [210, 1],
    ]);
    await pass(MINUTE);
    await turn();
    expect(stored).toEqual([...NUMBERS.slice(0, 210), "acme later"]);
  });

  it("begins again if the platform refuses to continue it", async () => {
    await post(NUMBERS.slice(0, 110));
    refusals = new Map([
      [2, 503],
      [3, 400],
    ]);
    await turn();
    await pass(MINUTE);
    await turn();
    await pass(MINUTE);
    await turn();

    expect(turns).toEqual([
      [0, 2],
      [0, 1],
      [110, 2],
    ]);
    expect(stored).toEqual(NUMBERS.slice(0, 110));
  });

  it("before its first page lets the other queries go first in the next round", async () => {
    await post(["acme one", "acme two"]);
    refusals = new Map([
      [1, 503],
      [3, 503],
    ]);
    await turn([QUERY, "acme -one"]);
    await pass(MINUTE);
    await turn([QUERY, "acme -one"]);

    expect(turns).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect(stored).toEqual(["acme two"]);
  });
});

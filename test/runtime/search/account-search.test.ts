import { afterEach, beforeEach, expect, it } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { openLog } from "../../../src/runtime/log.ts";
import { AccountSearch } from "../../../src/runtime/search/account-search.ts";
import { positionName, SearchPositions } from "../../../src/runtime/search/positions.ts";
import { ComeAgain } from "../../../src/runtime/source.ts";
import { type RunningSandbox, startSandbox } from "../../../src/sandbox/index.ts";
import { handClock } from "../../support/hand-clock.ts";

const START = Date.UTC(2026, 5, 15, 12);
const ACCOUNT = "100";
const QUERY = "acme";

let sandbox: RunningSandbox;
let client: Client<"oauth1">;
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
  const meta = new Map<string, string>();
  positions = new SearchPositions({
    getMeta: async (name) => meta.get(name),
    setMeta: async (name, value) => void meta.set(name, value),
  });
  await positions.open(new Set([positionName(ACCOUNT, QUERY)]), START);
  stored = [];
  undecided = new Set();
  search = new AccountSearch({
    account: ACCOUNT,
    positions,
    clientOf: () => client,
    isOwn: () => false,
    append: async (_delivery, raw) => {
      const text = /acme \w+/.exec(raw)?.[0] ?? "";
      if (undecided.has(text)) throw new ComeAgain("an event of the found post is not decided yet");
      return stored.push(text);
    },
    streamedSince: () => undefined,
    clock: handClock(START),
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

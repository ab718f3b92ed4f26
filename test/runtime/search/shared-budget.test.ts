import { randomBytes } from "node:crypto";
import pino from "pino";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { type Searches, startSearches } from "../../../src/runtime/search/search-source.ts";
import { type RunningSandbox, startSandbox } from "../../../src/sandbox/index.ts";
import { clientHandClock } from "../../client/streaming/client-hand-clock.ts";
import { rulesetOf } from "../../rules/support/compiling.ts";
import { when } from "../../support/when.ts";

const START = Date.UTC(2026, 5, 15, 12);
const MINUTE = 60_000;
/** Window in which the platform allows each account 300 searches. */
const WINDOW = 15 * MINUTE;
const STEP = 10_000;
const QUERIES = ["acme", "boots", "shoes", "hats"];
const RULES = rulesetOf(`
rules:
${QUERIES.map(
  (query) => `  - id: ${query}
    triggers: [{trigger: post.found, query: ${query}}]
    actions: [{log: found}]`,
).join("\n")}
`);

let sandbox: RunningSandbox;
let searches: Searches;
let now: number;
let unanswered: number;
const clients = new Map<string, Client<"oauth1">>();
/** Statuses of the answers to searches so far, by account. */
const statuses = new Map<string, number[]>();
const warnings: string[] = [];

beforeEach(async () => {
  now = START;
  unanswered = 0;
  for (const all of [clients, statuses]) all.clear();
  warnings.length = 0;
  sandbox = await startSandbox({
    clock: { now: START, frozen: true },
    settings: { limits: { enabled: true } },
  });
  const app = await sandbox.control.app();
  for (const username of ["hello_bot", "other_bot"]) await addAccount(app, username);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(async () => {
  vi.useRealTimers();
  await searches.stop();
  for (const client of clients.values()) await client.close();
  await sandbox.close();
});

/** Creates an account with a client that counts its answers and its unanswered searches. */
async function addAccount(
  app: Awaited<ReturnType<RunningSandbox["control"]["app"]>>,
  username: string,
): Promise<void> {
  const id = await sandbox.control.user(username);
  const { access_token, access_token_secret } = await sandbox.control.tokens(id, app.app_id);
  const client = createClient({
    baseUrl: sandbox.url,
    credentials: {
      type: "oauth1",
      consumerKey: app.consumer_key,
      consumerSecret: app.consumer_secret,
      accessToken: access_token,
      accessTokenSecret: access_token_secret,
    },
    clock: { ...clientHandClock(START), now: () => now },
    retry: false,
    // A step of the clock can pass while a request is open.
    timeoutMs: WINDOW,
    // Each request is signed with a nonce once, and ends once.
    nonce() {
      unanswered += 1;
      return randomBytes(16).toString("hex");
    },
    onAttempt({ status = 0 }) {
      unanswered -= 1;
      statuses.get(id)?.push(status);
    },
  });
  clients.set(id, client);
  statuses.set(id, []);
}

/** Starts to search for both accounts, by recent search only. */
function start(): void {
  const meta = new Map<string, string>();
  const [client] = clients.values();
  searches = startSearches({
    ruleset: () => RULES,
    accounts: () => [...clients.keys()].map((id) => ({ id, username: id })),
    clientOf: (id) => clients.get(id),
    app: Object(client),
    way: "recent",
    append: async () => 1,
    memory: {
      getMeta: async (name) => meta.get(name),
      setMeta: async (name, value) => void meta.set(name, value),
    },
    clock: { now: () => now, onJump: () => () => undefined },
    random: () => 0.5,
    log: pino({ level: "warn" }, { write: (line) => void warnings.push(line) }),
  });
}

/** Moves the clock, and waits until every search that is due has been answered. */
async function pass(ms: number): Promise<void> {
  now += ms;
  await sandbox.control.advance(ms);
  vi.advanceTimersByTime(ms);
  let pauses = 0;
  await when(() => {
    pauses = unanswered === 0 ? pauses + 1 : 0;
    return pauses > 1 ? true : undefined;
  });
}

it("several queries of two accounts stay below the limit, with other searches beside them", async () => {
  const ana = await sandbox.control.user("ana");
  start();
  for (let passed = 0; passed < WINDOW + 4 * MINUTE; passed += STEP) {
    await pass(STEP);
    if (passed % MINUTE !== 0) continue;
    await sandbox.control.act(ana, { type: "post", text: `acme ${passed}` });
    for (const client of clients.values()) await client.posts.searchRecent({ query: "other" });
  }

  expect(warnings).toEqual([]);
  for (const of of statuses.values()) {
    expect(new Set(of)).toEqual(new Set([200]));
    // The searches use most of the limit, so the pace is not slow for another reason.
    expect(of.length).toBeGreaterThan(180);
  }
  expect(searches.status().queries).toHaveLength(2 * QUERIES.length);
});

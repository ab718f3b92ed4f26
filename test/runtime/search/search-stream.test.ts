import pino from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { SearchStream } from "../../../src/runtime/search/search-stream.ts";
import { type RunningSandbox, startSandbox } from "../../../src/sandbox/index.ts";
import { type ClientHandClock, clientHandClock } from "../../client/streaming/client-hand-clock.ts";
import { when } from "../../support/when.ts";

const START = Date.UTC(2026, 5, 15, 12);

let sandbox: RunningSandbox;
let app: Client<"bearer">;
let clock: ClientHandClock;
let stream: SearchStream;
let changes: number;
const texts: string[] = [];

beforeEach(async () => {
  sandbox = await startSandbox({
    clock: { now: START, frozen: true },
    settings: { limits: { enabled: false } },
  });
  const { bearer_token: bearerToken } = await sandbox.control.app();
  clock = clientHandClock(START);
  const credentials = { type: "bearer", bearerToken } as const;
  app = createClient({ baseUrl: sandbox.url, credentials, clock, retry: false });
  const meta = new Map<string, string>();
  changes = 0;
  texts.length = 0;
  stream = new SearchStream({
    way: "stream",
    app,
    memory: {
      getMeta: async (name) => meta.get(name),
      setMeta: async (name, value) => void meta.set(name, value),
    },
    onPost: async ({ post }) => void texts.push(post.text),
    onChange: () => void (changes += 1),
    random: () => 0.5,
    log: pino({ level: "silent" }),
  });
});
afterEach(async () => {
  await stream.stop();
  await app.close();
  await sandbox.close();
});

/** Waits until the filtered stream delivers the posts of the query "acme"; with `false`, until it does not. */
const streamed = (isStreamed: boolean) =>
  when(async () =>
    (stream.streamedSince("acme") !== undefined) === isStreamed ? true : undefined,
  );

it("reconnects if no heartbeat comes for 30 seconds, with another number", async () => {
  stream.want(["acme"]);
  await streamed(true);
  const before = stream.streamedSince("acme") ?? 0;
  await sandbox.control.strikeStreams({ type: "stall" });
  const ana = await sandbox.control.user("ana");
  await sandbox.control.act(ana, { type: "post", text: "acme meanwhile" });
  await when(async () => (clock.due.length > 0 ? true : undefined));
  clock.advance(30_000);
  await when(async () => ((stream.streamedSince("acme") ?? 0) > before ? true : undefined));

  expect(changes).toBeGreaterThan(2);
  await when(async () => (texts.length > 0 ? true : undefined));
  expect(texts).toEqual(["acme meanwhile"]);
});

it("adds and deletes rules without a new connection, and disconnects after the last query", async () => {
  stream.want(["acme", "boots"]);
  await streamed(true);
  const before = (await sandbox.control.streams()).map(({ id }) => id);
  stream.want(["boots", "shoes"]);
  await streamed(false);
  expect(stream.whyNot("acme")).toBe("the filtered stream does not have its rule yet");
  await when(async () => (stream.streamedSince("shoes") === undefined ? undefined : true));
  expect(before).toHaveLength(1);
  expect((await sandbox.control.streams()).map(({ id }) => id)).toEqual(before);

  stream.want([]);
  await when(async () => ((await sandbox.control.streams()).length === 0 ? true : undefined));
  await when(async () => (stream.status().why === "no rule searches" ? true : undefined));
});

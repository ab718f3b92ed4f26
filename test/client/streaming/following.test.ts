import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { createClient } from "../../../src/client/create-client.ts";
import type { StreamBreak, StreamGap } from "../../../src/client/streaming/gap.ts";
import type { StreamParams } from "../../../src/client/streaming/streamed-post.ts";
import { type RunningSandbox, startSandbox } from "../../../src/sandbox/index.ts";
import { type ClientHandClock, clientHandClock } from "./client-hand-clock.ts";

const NOW = Date.UTC(2026, 5, 15, 12);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let sandbox: RunningSandbox;
let clock: ClientHandClock;
let app: Client<"bearer">;
let bearerToken: string;
let ana: string;
const ending = new Set<() => Promise<void>>();

beforeEach(async () => {
  await stage({});
});
afterEach(async () => {
  for (const end of ending) await end();
  ending.clear();
  await app.close();
  await sandbox.close();
});

async function stage({ plan }: { plan?: "pro" }): Promise<void> {
  sandbox = await startSandbox({
    clock: { now: NOW, frozen: true },
    settings: { limits: { enabled: false } },
  });
  const { control } = sandbox;
  const project = plan && { project_id: await control.project({ name: "small", plan }) };
  ({ bearer_token: bearerToken } = await control.app(project));
  clock = clientHandClock(NOW);
  app = newApp();
  ana = await control.user("ana");
}

function newApp(): Client<"bearer"> {
  const credentials = { type: "bearer", bearerToken } as const;
  return createClient({ baseUrl: sandbox.url, credentials, clock, retry: false });
}

/** Moves the clocks of sandbox and client; the client's only after everything that the sandbox has sent has arrived. */
async function advance(ms: number): Promise<void> {
  await sandbox.control.advance(ms);
  await sandbox.control.health();
  clock.advance(ms);
}

async function post(text: string): Promise<string> {
  return (await sandbox.control.act(ana, { type: "post", text })).id;
}

/**
 * Runs pending work until `holds` returns true. The clock advances by `step` milliseconds in each round, by default not
 * at all.
 */
async function until(holds: () => boolean, step = 0): Promise<void> {
  while (!holds()) {
    await new Promise((resolve) => setImmediate(resolve));
    if (step > 0) await advance(step);
  }
}

/** A loop that reads the stream, with everything that it has received. */
interface Follower {
  readonly texts: string[];
  readonly rules: unknown[];
  readonly gaps: StreamGap[];
  readonly breaks: StreamBreak[];
  readonly connections: number;
  /** Time at which the last connection was opened, on the client's clock. */
  readonly connectedAt: number;
  /** Resolves when the loop that reads the stream has ended. */
  readonly over: Promise<void>;
  end(): Promise<void>;
}

async function follow(params: Partial<StreamParams> = {}): Promise<Follower> {
  const abort = new AbortController();
  const texts: string[] = [];
  const rules: unknown[] = [];
  const gaps: StreamGap[] = [];
  const breaks: StreamBreak[] = [];
  let [connections, connectedAt] = [0, 0];
  const run = async (): Promise<void> => {
    const posts = app.filteredStream.posts({
      signal: abort.signal,
      onConnect: () => {
        connections += 1;
        connectedAt = clock.now();
      },
      onDisconnect: (broken) => void breaks.push(broken),
      onGap: (gap) => void gaps.push(gap),
      ...params,
    });
    for await (const { data, matching_rules } of posts) {
      texts.push(data.text);
      rules.push(matching_rules);
    }
  };
  const over = run();
  const end = async (): Promise<void> => {
    abort.abort();
    await over;
  };
  ending.add(end);
  await until(() => connections === 1);
  return {
    texts,
    rules,
    gaps,
    breaks,
    get connections() {
      return connections;
    },
    get connectedAt() {
      return connectedAt;
    },
    over,
    end,
  };
}

/** Makes the sandbox refuse every connection, until the returned function is called. */
async function refuse(status = 503): Promise<() => Promise<unknown>> {
  const id = await sandbox.control.addFault({
    match: { direction: "request", path: "/2/posts/search/stream" },
    fault: { type: "status", status },
    when: { always: true },
  });
  return () => sandbox.control.clearFaults(id);
}

describe("following the filtered stream", () => {
  beforeEach(async () => {
    await app.filteredStream.addRules([{ value: "cat", tag: "cats" }]);
  });

  it("yields every matching post once over connections that end, break and stall at any line", async () => {
    const strike = (type: "end" | "cut" | "cut_after" | "disconnect" | "stall", every: number) =>
      sandbox.control.addFault({
        match: { direction: "stream" },
        fault: { type },
        when: { every },
      });
    await strike("cut", 41);
    await strike("end", 53);
    await strike("disconnect", 67);
    await strike("cut_after", 71);
    await strike("stall", 97);
    const stream = await follow();
    const cats: string[] = [];
    for (let n = 0; n < 400; n += 1) {
      const text = n % 2 === 0 ? `cat ${n}` : `dog ${n}`;
      if (n % 2 === 0) cats.push(text);
      await post(text);
      await advance(n % 40 === 39 ? 15 * SECOND : 1);
    }
    await sandbox.control.clearFaults();
    await until(() => stream.texts.length >= cats.length, 10 * SECOND);
    const isWhole = (): boolean => Number(stream.gaps.at(-1)?.to) >= stream.connectedAt;
    await until(isWhole, 10 * SECOND);

    expect(stream.texts.toSorted()).toEqual(cats.toSorted());
    expect(new Set(stream.texts).size).toBe(cats.length);
    expect(stream.breaks.length).toBeGreaterThan(8);
    expect(stream.gaps.filter(({ filled }) => !filled)).toEqual([]);
  });

  it("fills a gap within backfill, and reports it", async () => {
    const stream = await follow();
    const allow = await refuse();
    await sandbox.control.strikeStreams({ type: "cut" });
    await until(() => stream.breaks.length === 2);
    await advance(2 * MINUTE);
    await post("cat meanwhile");
    await allow();
    await until(() => stream.texts.length === 1, MINUTE);
    await post("cat after");
    await until(() => stream.texts.length === 2);

    expect(stream.texts).toEqual(["cat meanwhile", "cat after"]);
    expect(stream.gaps).toEqual([
      { from: new Date(NOW), to: expect.any(Date), filled: true, by: "backfill" },
    ]);
  });

  it("fills a longer gap by search, with the rules that match", async () => {
    await app.filteredStream.addRules(["cat OR dog"]);
    const stream = await follow();
    const allow = await refuse();
    await sandbox.control.strikeStreams({ type: "end" });
    await until(() => stream.breaks.length === 2);
    await post("a cat at once");
    await advance(MINUTE);
    await post("a dog soon");
    await post("a bird");
    await advance(60 * MINUTE);
    await allow();
    await post("a cat at last");
    await until(() => stream.texts.length === 3, MINUTE);
    await until(() => stream.gaps.length === 2, 20 * SECOND);

    expect(stream.texts).toEqual(["a cat at once", "a dog soon", "a cat at last"]);
    expect(stream.rules).toMatchObject([[{ tag: "cats" }, {}], [{}], [{ tag: "cats" }, {}]]);
    expect(stream.gaps).toMatchObject([
      { from: new Date(NOW), filled: true, by: "search" },
      { filled: true, by: "backfill" },
    ]);
  });

  it("leaves a longer gap unfilled if search is off", async () => {
    const stream = await follow({ searchGaps: false });
    const allow = await refuse();
    await sandbox.control.strikeStreams({ type: "end" });
    await until(() => stream.breaks.length === 2);
    await post("a lost cat");
    await advance(60 * MINUTE);
    await allow();
    await until(() => stream.gaps.length >= 1, MINUTE);

    expect(stream.gaps[0]).toEqual({
      from: new Date(NOW),
      to: expect.any(Date),
      filled: false,
      why: "it is longer than backfill reaches",
    });
    expect(stream.texts).toEqual([]);
  });

  it("connects again after 30 seconds without data, not even an empty line", async () => {
    const stream = await follow();
    await sandbox.control.strikeStreams({ type: "stall" });
    await post("a cat in the silence");
    await until(() => stream.texts.length === 1, 10 * SECOND);

    expect(stream.breaks).toEqual([
      { why: "nothing came for 30000 ms, not even that it is alive", retryInMs: 0 },
    ]);
    expect(stream.texts).toEqual(["a cat in the silence"]);
  });

  it("stays connected while empty lines arrive, also if the clock jumps", async () => {
    const stream = await follow();
    for (let n = 0; n < 6; n += 1) await advance(20 * SECOND);
    await advance(60 * MINUTE);
    await advance(20 * SECOND);
    await post("cat");
    await until(() => stream.texts.length === 1);

    expect([stream.connections, stream.breaks]).toEqual([1, []]);
  });

  it("reports why the platform ended it, and waits longer after each refusal", async () => {
    const stream = await follow();
    const allow = await refuse();
    await sandbox.control.strikeStreams({ type: "disconnect" });
    await until(() => stream.breaks.length === 2);
    await advance(5 * SECOND);
    await until(() => stream.breaks.length === 3);
    await allow();
    await advance(10 * SECOND);
    await until(() => stream.connections === 2);

    expect(stream.breaks).toEqual([
      {
        why: "This stream has been disconnected upstream for operational reasons.",
        disconnectType: "UpstreamOperationalDisconnect",
        retryInMs: 0,
      },
      { why: expect.stringContaining("was refused with 503"), retryInMs: 5 * SECOND },
      { why: expect.stringContaining("was refused with 503"), retryInMs: 10 * SECOND },
    ]);
  });

  it("waits longer each time the platform ends a connection that has brought nothing", async () => {
    const stream = await follow();
    for (let ended = 1; ended <= 3; ended += 1) {
      await sandbox.control.strikeStreams({ type: "disconnect" });
      await until(() => stream.breaks.length === ended);
      await until(() => stream.connections === ended + 1, 250);
    }
    await advance(20 * SECOND);
    await sandbox.control.strikeStreams({ type: "disconnect" });
    await until(() => stream.breaks.length === 4);

    expect(stream.breaks.map(({ retryInMs }) => retryInMs)).toEqual([0, 250, 500, 0]);
  });

  it("begins with backfill on request", async () => {
    await post("an early cat");
    await advance(MINUTE);
    const stream = await follow({ backfillMinutes: 2 });
    await until(() => stream.texts.length === 1);

    expect([stream.texts, stream.gaps]).toEqual([["an early cat"], []]);
  });

  it("pauses the stream while the loop does not read, and loses nothing", async () => {
    const posts = app.filteredStream.posts({ backfillMinutes: 1, postFields: ["author_id"] });
    ending.add(async () => void (await posts.return()));
    const text = `cat ${"w".repeat(8_000)}`;
    for (let n = 0; n < 300; n += 1) await post(`${text} ${n}`);
    const ends: string[] = [];
    for await (const { data } of posts) {
      ends.push(data.author_id);
      if (ends.length === 300) break;
    }

    expect(ends).toEqual(Array.from({ length: 300 }, () => ana));
  });

  it("ends with its signal, with the client, and with the loop that reads it", async () => {
    const stream = await follow();
    await stream.end();
    const other = await follow();
    const closed = app;
    app = newApp();
    await closed.close();
    await other.over;
    await streamsAre(0);

    expect([stream.breaks, other.breaks]).toEqual([[], []]);
  });

  it("leaves no open connection if the loop ends during the search for a gap", async () => {
    const abort = new AbortController();
    const posts = app.filteredStream.posts({ signal: abort.signal });
    ending.add(async () => void (await posts.return()));
    const first = posts.next();
    while ((await sandbox.control.streams()).length === 0);
    const allow = await refuse();
    await sandbox.control.strikeStreams({ type: "end" });
    for (const text of ["one cat", "another cat"]) await post(text);
    await advance(60 * MINUTE);
    await allow();
    let match: string | undefined;
    void first.then(({ value }) => (match = value?.data.text));
    await until(() => match === "one cat", MINUTE);

    expect(await posts.return()).toEqual({ done: true, value: undefined });
    await streamsAre(0);
  });

  it("throws errors that a retry would not change", async () => {
    const stranger = app.as({ type: "bearer", bearerToken: "nobody's" });
    await expect(stranger.filteredStream.posts().next()).rejects.toMatchObject({ status: 401 });
    await app.filteredStream.deleteRules("all");
    await expect(app.filteredStream.posts().next()).rejects.toMatchObject({ status: 409 });
  });
});

it("reports a gap that could not be searched, and the rule that prevents it", async () => {
  await app.close();
  await sandbox.close();
  await stage({ plan: "pro" });
  const long = `cat ${Array.from({ length: 90 }, (_, n) => `-word${n}`).join(" ")}`;
  await app.filteredStream.addRules([{ value: long }, { value: "dog" }]);
  const stream = await follow();
  const allow = await refuse();
  await sandbox.control.strikeStreams({ type: "end" });
  await until(() => stream.breaks.length === 2);
  await post("a lost cat");
  await post("a found dog");
  await advance(60 * MINUTE);
  await allow();
  await until(() => stream.gaps.length >= 1, MINUTE);

  expect(stream.texts).toEqual(["a found dog"]);
  expect(stream.gaps[0]).toMatchObject({
    filled: false,
    why: expect.stringMatching(/^the rule "cat -word0 .* can't be searched for: /),
  });
});

async function streamsAre(count: number): Promise<void> {
  while ((await sandbox.control.streams()).length !== count);
}

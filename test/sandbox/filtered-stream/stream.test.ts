import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import {
  DIALECT_WORDS,
  startDataSandbox,
  type DataSandbox,
  idsOf,
} from "../support/data-sandbox.ts";
import { openStream, type StreamReader } from "./stream-reader.ts";

const NOW = Date.UTC(2026, 5, 15, 12);
const MINUTE = 60_000;

let fixture: DataSandbox;
const readers: StreamReader[] = [];
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.close();
  await fixture.close();
});

async function begin(dialect: "post" | "tweet" = "post", plan = "enterprise"): Promise<void> {
  fixture = await startDataSandbox({ clock: { now: NOW, frozen: true } }, { dialect });
  if (plan === "enterprise") return;
  const { control } = fixture.sandbox;
  const project = await control.project({ name: "small", plan: "pro" });
  await control.changeApp(fixture.app.app_id, { project_id: project });
}

async function rule(value: string, tag?: string): Promise<unknown> {
  const { body } = await fixture.asApp("POST", "/2/posts/search/stream/rules", {
    add: [{ value, tag }],
  });
  return Object(body)["data"][0]["id"];
}

async function read(query = "", path = "/2/posts"): Promise<StreamReader> {
  const url = `${fixture.sandbox.url}${path}/search/stream${query}`;
  const reader = await openStream(url, fixture.app.bearer_token);
  readers.push(reader);
  return reader;
}

const idsIn = (objects: readonly Record<string, unknown>[]): unknown[] =>
  objects.map(({ data }) => Object(data)["id"]);

describe.each(DIALECT_WORDS)("GET $path/search/stream", ({ dialect, path, fields, posts }) => {
  beforeEach(() => begin(dialect));

  it("sends each new post that matches, with the rules that it matches", async () => {
    const cats = await rule("cat", "cats");
    const pets = await rule("cat OR dog");
    const stream = await read("", path);
    const one = await fixture.post(fixture.person, "my cat");
    await fixture.post(fixture.person, "my bird");
    const two = await fixture.post(fixture.bot, "my dog");

    const objects = await stream.objectsAre(2);
    const history = (id: string): object => ({ [`edit_history_${dialect}_ids`]: [id] });
    expect([stream.status, stream.type]).toEqual([200, "application/json; charset=utf-8"]);
    expect(objects).toEqual([
      {
        data: { id: one, text: "my cat", ...history(one) },
        matching_rules: [{ id: cats, tag: "cats" }, { id: pets }],
      },
      { data: { id: two, text: "my dog", ...history(two) }, matching_rules: [{ id: pets }] },
    ]);
  });

  it("takes fields and expansions", async () => {
    await rule("cat");
    const reference = dialect === "post" ? "referenced_posts" : "referenced_tweets";
    const stream = await read(
      `?${fields}=created_at&expansions=author_id,${reference}.id&user.fields=username`,
      path,
    );
    const first = await fixture.post(fixture.bot, "a bird");
    await fixture.post(fixture.person, "no, a cat", { reply: { in_reply_to_tweet_id: first } });

    expect(await stream.objectsAre(1)).toMatchObject([
      {
        data: { created_at: "2026-06-15T12:00:00.000Z", author_id: fixture.person },
        includes: { users: [{ username: "alice" }], [posts]: [{ id: first }] },
      },
    ]);
  });
});

describe("the filtered stream", () => {
  beforeEach(() => begin());

  it("has posts created by the platform's interface or by the sandbox's control", async () => {
    await rule("cat");
    const stream = await read();
    const { control } = fixture.sandbox;
    const first = await fixture.post(fixture.person, "a cat");
    const { id: second } = await control.act(fixture.bot, { type: "post", text: "cat, again" });
    const third = await fixture.post(fixture.bot, "the cat", { quote_post_id: first });

    expect(idsIn(await stream.objectsAre(3))).toEqual([first, second, third]);
  });

  it("uses the rules at the time of a post", async () => {
    const id = await rule("cat");
    const stream = await read();
    await fixture.asApp("POST", "/2/posts/search/stream/rules", { delete: { ids: [id] } });
    await fixture.post(fixture.person, "a cat");
    await rule("dog");
    const dog = await fixture.post(fixture.person, "a dog");

    expect(idsIn(await stream.objectsAre(1))).toEqual([dog]);
  });

  it("leaves out protected posts", async () => {
    await rule("cat");
    await fixture.sandbox.control.changeUser(fixture.person, { protected: true });
    const stream = await read();
    await fixture.post(fixture.person, "a secret cat");
    const open = await fixture.post(fixture.bot, "an open cat");

    expect(idsIn(await stream.objectsAre(1))).toEqual([open]);
  });

  it("sends an empty line whenever there was nothing for 20 seconds", async () => {
    await rule("cat");
    const stream = await read();
    const { control } = fixture.sandbox;
    await control.advance(19_999);
    expect(stream.lines).toEqual([]);
    await control.advance(1);
    await stream.keepAlivesAre(1);
    await control.advance(15_000);
    await fixture.post(fixture.person, "a cat");
    await stream.objectsAre(1);
    await control.advance(19_999);
    expect(stream.lines).toHaveLength(2);
    await control.advance(1);
    await stream.keepAlivesAre(2);
  });

  it("sends one empty line if the clock is moved by a year", async () => {
    await rule("cat");
    const stream = await read();
    await fixture.sandbox.control.advance(365 * 24 * 60 * MINUTE);
    await stream.keepAlivesAre(1);

    expect(stream.lines).toEqual([""]);
  });

  it("begins with matches of the last minutes, oldest first", async () => {
    await rule("cat");
    const ids: string[] = [];
    for (let minute = 6; minute > 0; minute -= 1) {
      ids.push(await fixture.post(fixture.person, `cat ${minute} minutes ago`));
      await fixture.sandbox.control.advance(MINUTE);
    }
    const stream = await read("?backfill_minutes=3");
    const next = await fixture.post(fixture.person, "another cat");

    expect(idsIn(await stream.objectsAre(4))).toEqual([...ids.slice(3), next]);
  });

  it("is between start_time and end_time if they are set", async () => {
    await rule("cat");
    const early = await fixture.post(fixture.person, "an early cat");
    await fixture.sandbox.control.advance(30 * MINUTE);
    const end = new Date(NOW + 31 * MINUTE).toISOString();
    const stream = await read(`?start_time=${new Date(NOW).toISOString()}&end_time=${end}`);
    const late = await fixture.post(fixture.person, "a late cat");
    await fixture.sandbox.control.advance(MINUTE);

    expect(await stream.ended).toEqual({ how: "end", rest: "" });
    expect(idsIn(stream.objects)).toEqual([early, late]);
  });

  it("repeats a past time and ends", async () => {
    await rule("cat");
    const early = await fixture.post(fixture.person, "an early cat");
    await fixture.sandbox.control.advance(MINUTE);
    await fixture.post(fixture.person, "a late cat");
    const end = new Date(NOW + MINUTE).toISOString();
    const stream = await read(`?start_time=${new Date(NOW).toISOString()}&end_time=${end}`);

    expect(await stream.ended).toEqual({ how: "end", rest: "" });
    expect(idsIn(stream.objects)).toEqual([early]);
  });

  it("is refused without rules", async () => {
    const { status, objects } = await read();

    expect([status, objects[0]]).toEqual([
      409,
      expect.objectContaining({
        title: "ConnectionException",
        connection_issue: "RuleConfigurationIssue",
      }),
    ]);
  });

  it("may be open twice on the enterprise plan, and again once one is closed", async () => {
    await rule("cat");
    const [first] = [await read(), await read()];
    const third = await read();
    first.close();
    await streamsAre(1);
    const fourth = await read();

    expect([third.status, third.objects[0], fourth.status]).toEqual([
      429,
      {
        title: "ConnectionException",
        detail: "This stream is currently at the maximum allowed connection limit.",
        connection_issue: "TooManyConnections",
        type: `${fixture.sandbox.url}/2/problems/streaming-connection`,
        status: 429,
      },
      200,
    ]);
  });

  it("has a head that ends at once", async () => {
    await rule("cat");
    const { status, body } = await fetch(`${fixture.sandbox.url}/2/posts/search/stream`, {
      method: "HEAD",
      headers: { authorization: `Bearer ${fixture.app.bearer_token}` },
    });

    expect([status, body]).toEqual([200, null]);
    await streamsAre(0);
  });

  it("ends when its world is replaced", async () => {
    await rule("cat");
    const stream = await read();
    await fixture.sandbox.reset();

    expect(await stream.ended).toEqual({ how: "end", rest: "" });
  });

  it("shows among the open streams", async () => {
    await rule("cat");
    await read();

    expect(await fixture.sandbox.control.streams()).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        kind: "filtered",
        path: "/2/posts/search/stream",
        app_id: fixture.app.app_id,
        opened_at: "2026-06-15T12:00:00.000Z",
        lines: 0,
      },
    ]);
  });

  test.each([
    { query: "backfill_minutes=6", says: "is not between 0 and 5" },
    { query: "start_time=2026-06-01T00:00:00Z", says: "within the last 24 hours" },
    { query: "end_time=2026-06-15T11:00:00Z", says: "must be in the future" },
    {
      query: "start_time=2026-06-15T11:00:00Z&end_time=2026-06-15T11:00:00Z",
      says: "'end_time' must be after 'start_time'.",
    },
    { query: "max_results=10", says: "is not one of" },
  ])("refuses $query", async ({ query, says }) => {
    const { status, errors } = await fixture.get(`/2/posts/search/stream?${query}`);

    expect([status, errors[0]?.["message"]]).toEqual([400, expect.stringContaining(says)]);
  });

  it("is for the app alone", async () => {
    expect((await fixture.get("/2/posts/search/stream", fixture.bot)).status).toBe(403);
  });
});

it("may be open once on other plans", async () => {
  await begin("post", "pro");
  await rule("cat");

  expect([(await read()).status, (await read()).status]).toEqual([200, 429]);
});

/** Waits until the sandbox has `count` open streams. */
async function streamsAre(count: number): Promise<void> {
  for (;;) {
    if ((await fixture.sandbox.control.streams()).length === count) return;
  }
}

describe("a fault of streams", () => {
  beforeEach(async () => {
    await begin();
    await rule("cat");
  });

  const strike = (fault: object, match: object = {}): Promise<unknown> =>
    fixture.sandbox.control.post("/faults", { match: { direction: "stream", ...match }, fault });
  const post = (text: string): Promise<string> => fixture.post(fixture.person, text);

  it("drop: a post is lost", async () => {
    const stream = await read();
    await strike({ type: "drop" });
    await post("lost cat");
    const match = await post("found cat");

    expect(idsIn(await stream.objectsAre(1))).toEqual([match]);
    const met = { direction: "stream", event: "post", fault_type: "drop" };
    expect(await fixture.sandbox.control.exchanges({ fault: "any" })).toMatchObject([met]);
  });

  it("duplicate: a post comes twice", async () => {
    const stream = await read();
    await strike({ type: "duplicate" });
    const id = await post("cat");

    expect(idsIn(await stream.objectsAre(2))).toEqual([id, id]);
  });

  it("end: the response ends before the post", async () => {
    const stream = await read();
    await post("first cat");
    await strike({ type: "end" });
    await post("second cat");

    expect(await stream.ended).toEqual({ how: "end", rest: "" });
    expect(stream.objects).toHaveLength(1);
  });

  it("cut: the connection breaks within the line of the post", async () => {
    const stream = await read();
    await strike({ type: "cut" });
    await post("cut cat");

    expect(await stream.ended).toEqual({ how: "cut", rest: expect.stringMatching(/^\{"data"/) });
    expect(stream.objects).toEqual([]);
  });

  it("disconnect: the stream reports why it ends", async () => {
    const stream = await read();
    await strike({ type: "disconnect" });
    await post("cat");

    expect(await stream.ended).toEqual({ how: "end", rest: "" });
    expect(stream.objects).toEqual([
      {
        errors: [
          {
            title: "operational-disconnect",
            disconnect_type: "UpstreamOperationalDisconnect",
            detail: "This stream has been disconnected upstream for operational reasons.",
            type: `${fixture.sandbox.url}/2/problems/operational-disconnect`,
          },
        ],
      },
    ]);
  });

  it("stall: nothing arrives for a time, not even an empty line; then everything", async () => {
    const stream = await read();
    await strike({ type: "stall", ms: 5 * MINUTE });
    const first = await post("first cat");
    await fixture.sandbox.control.advance(4 * MINUTE);
    const second = await post("second cat");
    expect(stream.lines).toEqual([]);
    await fixture.sandbox.control.advance(MINUTE);

    expect(idsIn(await stream.objectsAre(2))).toEqual([first, second]);
  });

  it("delay: a second one, which is shorter, does not end the first one", async () => {
    const stream = await read();
    for (const ms of [5 * MINUTE, MINUTE]) {
      await fixture.sandbox.control.addFault({
        match: { direction: "stream" },
        fault: { type: "delay", ms },
        when: { next: 1 },
      });
    }
    const ids = [await post("first cat"), await post("second cat")];
    await fixture.sandbox.control.advance(4 * MINUTE);
    expect(stream.lines).toEqual([]);
    await fixture.sandbox.control.advance(MINUTE);

    expect(idsIn(await stream.objectsAre(2))).toEqual(ids);
  });

  it("affects empty lines only if it names them", async () => {
    const stream = await read();
    await strike({ type: "end" }, { event: "keep_alive" });
    await post("cat");
    await stream.objectsAre(1);
    await fixture.sandbox.control.advance(20_000);

    expect(await stream.ended).toEqual({ how: "end", rest: "" });
  });

  test.each([
    { fault: { type: "status" }, direction: "stream", says: "status does not strike streams" },
    { fault: { type: "stall" }, direction: "delivery", says: "stall strikes streams only" },
    { fault: { type: "status", status: 103 }, direction: "request", says: "write 200 to 599" },
  ])("is refused: $says", async ({ fault, direction, says }) => {
    await expect(strike(fault, { direction })).rejects.toThrow(says);
  });

  test.each(["end", "cut", "disconnect"] as const)("happens at once, too: %s", async (type) => {
    const stream = await read();
    expect(await fixture.sandbox.control.strikeStreams({ type })).toBe(1);
    expect((await stream.ended).how).toBe(type === "cut" ? "cut" : "end");
  });
});

describe("the stored data of a sandbox", () => {
  it("has the rules of streams", async () => {
    await begin();
    const id = await rule("cat", "cats");
    const world = await fixture.sandbox.control.saveWorld();
    await fixture.sandbox.reset();
    await fixture.sandbox.control.restoreWorld(world);

    expect(idsOf(await fixture.get("/2/posts/search/stream/rules"))).toEqual([id]);
  });
});

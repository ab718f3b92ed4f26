import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStream, type StreamReader } from "../filtered-stream/stream-reader.ts";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

const NOW = Date.UTC(2026, 5, 15, 12);
const MINUTE = 60_000;

let fixture: TestSandbox;
const readers: StreamReader[] = [];
beforeEach(async () => {
  fixture = await startTestSandbox({ clock: { now: NOW, frozen: true } });
});
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.close();
  await fixture.close();
});

const subscribe = (event_type: string, more: Record<string, string> = {}) =>
  fixture.asBot("POST", "/2/activity/subscriptions", {
    event_type,
    filter: { user_id: fixture.bot },
    ...more,
  });
const say = (text: string) =>
  fixture.sandbox.control.act(fixture.person, { type: "dm", to: fixture.bot, text });

async function read(query = ""): Promise<StreamReader> {
  const url = `${fixture.sandbox.url}/2/activity/stream${query}`;
  const reader = await openStream(url, fixture.app.bearer_token);
  readers.push(reader);
  return reader;
}

const textsIn = (objects: readonly Record<string, unknown>[]): unknown[] =>
  objects.map((one) => /"text":"([^"]*)"/.exec(JSON.stringify(one))?.[1]);

describe("GET /2/activity/stream", () => {
  it("sends a line for each event of each subscription, with a webhook or without", async () => {
    await subscribe("dm.received", { tag: "mail" });
    await subscribe("post.mention.create");
    const stream = await read();
    await say("hello");
    await fixture.sandbox.control.act(fixture.person, { type: "post", text: "@hello_bot hi" });
    await fixture.sandbox.control.act(fixture.person, { type: "post", text: "nobody" });

    const objects = await stream.objectsAre(2);
    expect([stream.status, stream.type]).toEqual([200, "application/json; charset=utf-8"]);
    expect(objects).toMatchObject([
      {
        data: {
          event_type: "dm.received",
          event_uuid: expect.stringMatching(/^\d{1,19}$/),
          filter: { user_id: fixture.bot },
          tag: "mail",
          payload: { direct_message_events: [{ type: "message_create" }] },
        },
      },
      {
        data: {
          event_type: "post.mention.create",
          payload: { text: "@hello_bot hi", author_id: fixture.person },
          includes: { users: [{ username: "alice" }] },
        },
      },
    ]);
  });

  it("is empty of other apps' subscriptions, and for the app's own token only", async () => {
    await subscribe("dm.received");
    const other = await fixture.sandbox.control.app();
    const theirs = await openStream(`${fixture.sandbox.url}/2/activity/stream`, other.bearer_token);
    readers.push(theirs);
    const ours = await read();
    await say("hello");
    await ours.objectsAre(1);
    expect(theirs.objects).toEqual([]);
    expect((await fixture.asBot("GET", "/2/activity/stream")).status).toBe(403);
  });

  it("has no messages while the app's permission level excludes them, but other events", async () => {
    await subscribe("dm.received");
    await subscribe("dm.indicate_typing");
    await subscribe("post.mention.create");
    const { control } = fixture.sandbox;
    const stream = await read();
    await control.changeApp(fixture.app.app_id, { permission_level: "read-write" });
    await control.act(fixture.person, { type: "typing", to: fixture.bot });
    await say("kept back");
    await control.act(fixture.person, { type: "post", text: "@hello_bot hi" });
    expect(textsIn(await stream.objectsAre(1))).toEqual(["@hello_bot hi"]);

    await control.changeApp(fixture.app.app_id, { permission_level: "read-write-directmessages" });
    await say("hello");
    expect(textsIn(await stream.objectsAre(2))).toEqual(["@hello_bot hi", "hello"]);
  });

  it("shows by an empty line every 20 seconds of the sandbox's clock that it is alive", async () => {
    const stream = await read();
    await fixture.sandbox.control.advance(20_000);
    await stream.keepAlivesAre(1);
    expect(stream.objects).toEqual([]);
  });

  it("sends events of the last minutes first, oldest first, if backfill is requested", async () => {
    await subscribe("dm.received");
    const { control } = fixture.sandbox;
    await say("long ago");
    await control.advance(4 * MINUTE);
    await say("first");
    await control.advance(MINUTE);
    await say("second");
    const stream = await read("?backfill_minutes=2");
    await say("now");
    expect(textsIn(await stream.objectsAre(3))).toEqual(["first", "second", "now"]);
  });

  it("gives a stretch of time, and ends with it", async () => {
    await subscribe("dm.received");
    const { control } = fixture.sandbox;
    await say("before");
    await control.advance(MINUTE);
    await say("within");
    await control.advance(MINUTE);
    const at = (ms: number) => new Date(NOW + ms).toISOString();
    const stream = await read(`?start_time=${at(MINUTE / 2)}&end_time=${at(3 * MINUTE)}`);
    await say("still within");
    await control.advance(2 * MINUTE);
    expect(await stream.ended).toEqual({ how: "end", rest: "" });
    expect(textsIn(stream.objects)).toEqual(["within", "still within"]);
  });

  it("repeats a past stretch of time, and ends", async () => {
    await subscribe("dm.received");
    await say("within");
    await fixture.sandbox.control.advance(MINUTE);
    await say("after");
    const at = (ms: number) => new Date(NOW + ms).toISOString();
    const stream = await read(`?start_time=${at(0)}&end_time=${at(MINUTE)}`);

    expect(await stream.ended).toEqual({ how: "end", rest: "" });
    expect(textsIn(stream.objects)).toEqual(["within"]);
  });

  it.each([
    { query: "?backfill_minutes=6", says: "backfill_minutes", why: "five minutes at most" },
    { query: "?start_time=yesterday", says: "start_time", why: "no time" },
    { query: "?end_time=2026-06-15T11:00:00Z", says: "in the future", why: "it is over" },
    { query: "?start_time=2026-06-14T11:00:00Z", says: "24 hours", why: "a day at most" },
    {
      query: "?start_time=2026-06-15T11:00:00Z&end_time=2026-06-15T11:00:00Z",
      says: "after 'start_time'",
      why: "no time between them",
    },
    { query: "?colour=red", says: "colour", why: "nobody knows it" },
  ])("refuses $query: $why", async ({ query, says }) => {
    const refused = await read(query);
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.objects)).toContain(says);
  });

  it("refuses a third stream of an app", async () => {
    await read();
    await read();
    const third = await read();
    expect([third.status, third.objects]).toMatchObject([
      429,
      [{ title: "ConnectionException", connection_issue: "TooManyConnections" }],
    ]);
  });

  it("is struck by faults of streams", async () => {
    await subscribe("dm.received");
    await fixture.sandbox.control.addFault({
      match: { direction: "stream", event: "dm.received" },
      fault: { type: "cut" },
    });
    const stream = await read();
    await say("hello");
    expect(await stream.ended).toMatchObject({ how: "cut" });
  });
});

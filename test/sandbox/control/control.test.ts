import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { readyLine } from "../../../src/sandbox/index.ts";
import { send, signed, startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

let fixture: TestSandbox;
beforeAll(async () => {
  fixture = await startTestSandbox();
});
afterAll(() => fixture.close());

it("finds the deliveries of an event by its key in either dialect", async () => {
  const own = await startTestSandbox({}, { dialect: "tweet" });
  await own.subscribed();
  await own.sandbox.control.act(own.person, { type: "post", text: "@hello_bot hi" });
  await own.idle();
  const names = ["tweet_create_events", "post_create_events", "tweet_delete_events"];
  const deliveries = await Promise.all(
    names.map((name) => own.sandbox.control.deliveries(0, name)),
  );
  await own.close();

  expect(own.received[0]?.body).toHaveProperty("tweet_create_events");
  expect(deliveries.map(({ length }) => length)).toEqual([1, 1, 0]);
});

describe("the control interface", () => {
  it("accepts only the control token", async () => {
    const { status, body } = await send(
      "GET",
      `${fixture.sandbox.control.url}/health`,
      "Bearer no",
    );

    expect([status, body]).toEqual([
      401,
      { error: { code: "unauthorized", message: expect.any(String) } },
    ]);
  });

  it("returns its health and its ready line", async () => {
    expect(await fixture.sandbox.control.get("/health")).toMatchObject({
      status: "ok",
      version: expect.any(String),
    });
    expect(JSON.parse(readyLine(fixture.sandbox))).toEqual({
      event: "ready",
      base_url: fixture.sandbox.url,
      ads_base_url: `${fixture.sandbox.url}/ads`,
      control_url: `${fixture.sandbox.url}/_sandbox`,
      control_token: fixture.sandbox.control.token,
    });
  });

  test.each([
    {
      method: "POST",
      path: "/users",
      body: { username: "not a name", name: "x" },
      says: "username: write 1 to 15",
    },
    {
      method: "POST",
      path: "/users",
      body: { username: "alice", name: "x" },
      says: "already a user @alice",
    },
    { method: "POST", path: "/clock", body: { advance_ms: -1 }, says: "" },
    { method: "POST", path: "/faults", body: { match: {} }, says: "match.direction" },
    { method: "PATCH", path: "/settings", body: { limit: 1 }, says: "limit" },
    {
      method: "PUT",
      path: "/hosts/a.example",
      body: { target: "https://elsewhere.example" },
      says: "loopback",
    },
    { method: "GET", path: "/deliveries?after=x", body: undefined, says: "after" },
  ])("answers 400 to $method $path with $body", async ({ method, path, body, says }) => {
    await expect(fixture.sandbox.control.call(method, path, body)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(says),
    });
  });

  it("streams events, and resumes after an id", async () => {
    await fixture.sandbox.control.user("streamed");
    await fixture.sandbox.control.act(fixture.person, { type: "post", text: "for the stream" });
    const abort = new AbortController();
    const answer = await fetch(`${fixture.sandbox.control.url}/events`, {
      headers: { authorization: `Bearer ${fixture.sandbox.control.token}`, "last-event-id": "0" },
      signal: abort.signal,
    });
    let text = "";
    for await (const chunk of answer.body ?? []) {
      text += new TextDecoder().decode(chunk);
      if (text.includes("event: activity")) break;
    }
    abort.abort();

    expect(text).toMatch(/id: \d+\nevent: activity\ndata: \{"seq":\d+,"at":".*","type":"activity"/);
  });
});

describe("the clock", () => {
  it("moves forward and back, and can be paused", async () => {
    const frozen = await fixture.sandbox.control.post<{ now: string }>("/clock", { frozen: true });
    expect(await fixture.sandbox.control.get("/clock")).toEqual(
      expect.objectContaining({ now: frozen.now, frozen: true }),
    );
    const set = "2026-05-01T12:00:00.000Z";
    expect(await fixture.sandbox.control.post("/clock", { set })).toMatchObject({ now: set });
    expect(await fixture.sandbox.control.advance(1_500)).toMatchObject({
      now: "2026-05-01T12:00:01.500Z",
    });
    expect(await fixture.sandbox.control.post("/clock", { frozen: false })).toMatchObject({
      frozen: false,
    });
  });

  it("accepts signatures with the machine's time even if its own clock differs", async () => {
    await fixture.sandbox.control.advance(86_400_000);

    expect((await fixture.asBot("GET", "/2/users/me")).status).toBe(200);
  });
});

describe("a request to the platform", () => {
  it.each([
    "GET /2/nothing",
    "GET /2/users/personalized_trends",
    "GET /2/tweets/analytics",
    "GET /2/posts/analytics",
    "POST /2/media/subtitles",
    "DELETE /2/media/subtitles",
    "GET /2/media/analytics",
  ])("is a 404 problem on %s, which it does not serve", async (endpoint) => {
    const [method = "", path = ""] = endpoint.split(" ");
    expect(await fixture.asApp(method, path)).toMatchObject({
      status: 404,
      body: { title: "Not Found", type: "about:blank", status: 404 },
    });
  });

  it.each([
    { method: "GET", path: "/2/media/metadata", allow: "POST" },
    { method: "DELETE", path: "/2/webhooks/replay", allow: "POST" },
    { method: "DELETE", path: "/2/users/123/bookmarks/folders", allow: "GET, POST" },
  ])("is a 405 problem on $method $path, served for $allow", async ({ method, path, allow }) => {
    const { status, headers } = await fixture.asApp(method, path);

    expect([status, headers.get("allow")]).toEqual([405, allow]);
  });

  it("is a 401 problem on /2 and code 32 on /1.1 when the signature is wrong", async () => {
    const tokens = { access_token: "x", access_token_secret: "y" };
    const url = `${fixture.sandbox.url}/2/users/me`;

    expect(await send("GET", url, signed(fixture.app, tokens, "GET", url))).toMatchObject({
      status: 401,
      body: { title: "Unauthorized", type: "about:blank", status: 401, detail: "Unauthorized" },
    });
  });

  it("carries the access level and the rate limit, and is refused past it", async () => {
    const path = `/2/dm_conversations/with/${fixture.person}/messages`;
    const first = await fixture.asBot("POST", path, { text: "1" });
    expect(first.headers.get("x-access-level")).toBe("read-write-directmessages");
    expect(first.headers.get("x-rate-limit-limit")).toBe("15");
    expect(first.headers.get("x-rate-limit-remaining")).toBe("14");
    for (let count = 2; count <= 15; count += 1)
      await fixture.asBot("POST", path, { text: String(count) });

    const over = await fixture.asBot("POST", path, { text: "16" });
    expect([over.status, over.body]).toEqual([
      429,
      expect.objectContaining({ title: "Too Many Requests" }),
    ]);

    await fixture.sandbox.control.call("PATCH", "/settings", { limits: { enabled: false } });
    expect((await fixture.asBot("POST", path, { text: "17" })).status).toBe(201);
  });

  it("needs the level that the endpoint needs, and a token issued with it", async () => {
    const reader = await fixture.sandbox.control.app({ permission_level: "read" });
    const tokens = await fixture.sandbox.control.tokens(fixture.bot, reader.app_id);
    const url = `${fixture.sandbox.url}/2/posts`;
    const post = (): ReturnType<typeof send> =>
      send("POST", url, signed(reader, tokens, "POST", url), { text: "may I?" });

    const refused = await post();
    expect(refused.status).toBe(403);
    expect(refused.body["type"]).toMatch(/oauth1-permissions$/);
    expect(refused.headers.get("x-access-level")).toBe("read");

    await fixture.sandbox.control.call("PATCH", `/apps/${reader.app_id}`, {
      permission_level: "read-write",
    });
    expect((await post()).status).toBe(401);
    const fresh = await fixture.sandbox.control.tokens(fixture.bot, reader.app_id);
    expect(
      (await send("POST", url, signed(reader, fresh, "POST", url), { text: "may I?" })).status,
    ).toBe(201);
  });

  it("works under both spellings of a path and answers in the words of the parameters", async () => {
    const posts = await fixture.asBot("POST", "/2/posts", { text: "in the post dialect" });
    const tweets = await fixture.asBot("POST", "/2/tweets?tweet.fields=id", {
      text: "in the tweet dialect",
    });

    expect(posts.body["data"]).toHaveProperty("edit_history_post_ids");
    expect(tweets.body["data"]).toHaveProperty("edit_history_tweet_ids");
  });

  test.each([
    { body: "{", type: "application/json", why: "broken JSON" },
    { body: "x", type: "multipart/form-data", why: "multipart without a boundary" },
    { body: "[1]", type: "application/json", why: "JSON that is no object" },
    { body: "%", type: "application/x-www-form-urlencoded", why: "broken form" },
  ])("with $why is a 4xx with a JSON body", async ({ body, type }) => {
    const url = `${fixture.sandbox.url}/2/webhooks`;
    const headers = { authorization: `Bearer ${fixture.app.bearer_token}`, "content-type": type };
    const answer = await fetch(url, { method: "POST", headers, body });

    expect(answer.status).toBe(400);
    expect(await answer.json()).toHaveProperty("title");
  });
});

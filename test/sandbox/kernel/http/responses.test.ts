import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type ApiResponse,
  send,
  signed,
  startTestSandbox,
  type TestSandbox,
} from "../../support/test-sandbox.ts";

let fixture: TestSandbox;
beforeEach(async () => {
  fixture = await startTestSandbox();
});
afterEach(() => fixture.close());

const numeric = expect.stringMatching(/^\d+$/) as unknown;

describe("App permission levels: every answer to an authenticated caller names the level in use", () => {
  it.each([
    { path: "/2/users/me", status: 200, why: "a good answer" },
    { path: "/2/users/me?nonsense=1", status: 400, why: "a wrong parameter" },
    { path: "/2/webhooks", status: 403, why: "a route that takes the app alone" },
    { path: "/2/nowhere", status: 404, why: "a path that is not there" },
    { path: "/2/users/me/", status: 200, why: "a slash at the end" },
  ])("GET $path is $status: $why", async ({ path, status }) => {
    const response = await fixture.asBot("GET", path);

    expect(response.status).toBe(status);
    expect(response.headers.get("x-access-level")).toBe("read-write-directmessages");
    expect(response.headers.get("x-rate-limit-limit")).toEqual(numeric);
    expect(response.headers.get("x-rate-limit-remaining")).toEqual(numeric);
    expect(response.headers.get("x-rate-limit-reset")).toEqual(numeric);
  });
});

describe("x-access-level", () => {
  const levels = async (answers: readonly Promise<ApiResponse>[]): Promise<unknown[]> =>
    (await Promise.all(answers)).map(({ status, headers }) => [
      status,
      headers.get("x-access-level"),
    ]);
  const bot = "read-write-directmessages";

  it("is on the answer to a path that is not there, in each family", async () => {
    const paths = ["/2/nowhere", "/1.1/nowhere.json", "/ads/12/nowhere"];
    expect(await levels(paths.map((path) => fixture.asBot("GET", path)))).toEqual(
      paths.map(() => [404, bot]),
    );
    expect(await levels([fixture.asApp("GET", "/1.1/nowhere.json")])).toEqual([[404, "read"]]);
  });

  it("is on the answer to a signed form for a path that is not there", async () => {
    const { sandbox, app } = fixture;
    const tokens = await sandbox.control.tokens(fixture.bot, app.app_id);
    const url = `${sandbox.url}/1.1/statuses/nowhere.json`;
    const fields = { status: "hello" };
    const response = await fetch(url, {
      method: "POST",
      headers: { authorization: signed(app, tokens, "POST", url, fields) },
      body: new URLSearchParams(fields),
    });

    expect([response.status, response.headers.get("x-access-level")]).toEqual([404, bot]);
  });

  it("is on the answer to a method that the path does not have", async () => {
    expect(await levels([fixture.asBot("DELETE", "/1.1/statuses/update.json")])).toEqual([
      [405, bot],
    ]);
  });

  it("is on the answer to a body that is too long", async () => {
    const text = "x".repeat(1_100_000);
    expect(await levels([fixture.asBot("POST", "/2/posts", { text })])).toEqual([[413, bot]]);
  });

  it("is on the answer to an app that gets its token with key and secret", async () => {
    const { consumer_key, consumer_secret } = fixture.app;
    const pair = Buffer.from(`${consumer_key}:${consumer_secret}`).toString("base64");
    const response = await fetch(`${fixture.sandbox.url}/oauth2/token`, {
      method: "POST",
      headers: { authorization: `Basic ${pair}` },
      body: new URLSearchParams({ grant_type: "client_credentials" }),
    });

    expect([response.status, response.headers.get("x-access-level")]).toEqual([200, "read"]);
  });
});

describe("Errors: answers before authentication", () => {
  it.each([
    { path: "/2/users/me", authorization: "", status: 401, why: "no credentials" },
    { path: "/2/users/me", authorization: "Bearer nobody's", status: 401, why: "a wrong token" },
    { path: "/2/nowhere", authorization: "", status: 404, why: "a path that is not there" },
    { path: "/2/nowhere", authorization: "Bearer nobody's", status: 404, why: "the same, badly" },
  ])("$path with $why is $status, as JSON with rate headers", async ({ path, ...expected }) => {
    const response = await send("GET", fixture.sandbox.url + path, expected.authorization);

    expect(response.status).toBe(expected.status);
    expect(response.body).toMatchObject({ status: expected.status, type: "about:blank" });
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(response.headers.get("x-rate-limit-limit")).toEqual(numeric);
    expect(response.headers.get("x-access-level")).toBeNull();
  });

  it("returns a stranger nothing about a body that is not JSON", async () => {
    const answer = await fetch(`${fixture.sandbox.url}/2/posts`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{",
    });

    expect(answer.status).toBe(401);
  });

  it("does not count a call against a caller's budget if the route requires other callers", async () => {
    await fixture.asBot("GET", "/2/webhooks");

    const response = await fixture.asApp("GET", "/2/webhooks");

    expect(response.headers.get("x-rate-limit-remaining")).toBe("449");
  });
});

describe("Errors of version 1.1 and of the log-in flow", () => {
  it("have the live service's message for their code", async () => {
    const bot = await fixture.asBot("GET", "/1.1/nowhere.json");
    const app = await fixture.asApp("GET", "/1.1/account/verify_credentials.json");

    expect([bot.status, bot.body]).toEqual([
      404,
      { errors: [{ code: 34, message: "Sorry, that page does not exist." }] },
    ]);
    expect([app.status, app.body]).toEqual([
      403,
      {
        errors: [{ code: 220, message: "Your credentials do not allow access to this resource." }],
      },
    ]);
  });
});

describe("Direct message endpoints", () => {
  it("takes POST /2/dm_conversations/ with the slash that the interface writes", async () => {
    const third = await fixture.sandbox.control.user("third");
    const response = await fixture.asBot("POST", "/2/dm_conversations/", {
      conversation_type: "Group",
      participant_ids: [fixture.person, third],
      message: { text: "hello" },
    });

    expect(response.status).toBe(201);
  });
});

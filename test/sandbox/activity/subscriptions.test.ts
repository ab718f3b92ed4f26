import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import {
  send,
  signed,
  startTestSandbox,
  type TestSandbox,
  type ApiResponse,
} from "../support/test-sandbox.ts";

let fixture: TestSandbox;
let webhook: string;
beforeEach(async () => {
  fixture = await startTestSandbox({ settings: { delays: { replay_least_ms: 0 } } });
  const response = await fixture.asApp("POST", "/2/webhooks", { url: "https://bot.example/hook" });
  webhook = (response.body["data"] as { id: string }).id;
});
afterEach(() => fixture.close());

const all = (id = webhook): string => `/2/account_activity/webhooks/${id}/subscriptions/all`;
const one = (user: string, id = webhook): string =>
  `/2/account_activity/webhooks/${id}/subscriptions/${user}/all`;
const replay = (id = webhook): string =>
  `/2/account_activity/replay/webhooks/${id}/subscriptions/all`;

/** Returns the status, and the first error's message up to its first colon. */
function reasonOf({ status, body }: ApiResponse): unknown {
  const { errors } = body as { errors?: { message: string }[] };
  return [status, errors?.[0]?.message.split(": ")[0]];
}

describe("a subscription", () => {
  it("is made by its user, read by its user, and ended by the app", async () => {
    expect((await fixture.asBot("GET", all())).body).toEqual({ data: { subscribed: false } });
    const response = await fixture.asBot("POST", all());
    expect([response.status, response.body]).toEqual([200, { data: { subscribed: true } }]);
    expect((await fixture.asBot("GET", all())).body).toEqual({ data: { subscribed: true } });
    expect((await fixture.asUser(fixture.person, "GET", all())).body).toEqual({
      data: { subscribed: false },
    });

    const ended = await fixture.asApp("DELETE", one(fixture.bot));
    expect([ended.status, ended.body]).toEqual([200, { data: { subscribed: false } }]);
    expect((await fixture.asBot("GET", all())).body).toEqual({ data: { subscribed: false } });
  });

  it("brings no messages while the app's permission level excludes them, but other events", async () => {
    await fixture.asBot("POST", all());
    const { control } = fixture.sandbox;
    const { bot, person, app, received } = fixture;
    const tell = async (): Promise<unknown> => {
      received.splice(0);
      await control.act(person, { type: "dm", to: bot, text: "hi" });
      await control.act(person, { type: "follow", user_id: bot });
      await control.act(person, { type: "unfollow", user_id: bot });
      await control.advance(60_000);
      return received.flatMap(({ body }) =>
        Object.keys(body).filter((key) => key.endsWith("_events")),
      );
    };
    const others = ["follow_events", "follow_events"];

    expect(await tell()).toEqual(["direct_message_events", ...others]);
    await control.changeApp(app.app_id, { permission_level: "read-write" });
    expect(await tell()).toEqual(others);
    await control.changeApp(app.app_id, { permission_level: "read-write-directmessages" });
    expect(await tell()).toEqual(["direct_message_events", ...others]);
  });

  it("is in the list with app, webhook and URL", async () => {
    await fixture.asBot("POST", all());
    await fixture.asUser(fixture.person, "POST", all());

    expect((await fixture.asApp("GET", `${all()}/list`)).body).toEqual({
      data: {
        application_id: fixture.app.app_id,
        webhook_id: webhook,
        webhook_url: "https://bot.example/hook",
        subscriptions: [{ user_id: fixture.bot }, { user_id: fixture.person }],
      },
    });
  });

  it("is counted in four texts", async () => {
    await fixture.asBot("POST", all());

    expect((await fixture.asApp("GET", "/2/account_activity/subscriptions/count")).body).toEqual({
      data: {
        account_name: expect.any(String),
        provisioned_count: "5000",
        subscriptions_count_all: "1",
        subscriptions_count_direct_messages: "0",
      },
    });
  });

  it("is refused a second time on the same webhook", async () => {
    await fixture.asBot("POST", all());

    expect(reasonOf(await fixture.asBot("POST", all()))).toEqual([
      400,
      "DuplicateSubscriptionFailed",
    ]);
  });

  it("is one for the whole account on the pro plan", async () => {
    const { project_id } = await fixture.sandbox.control.post<{ project_id: string }>("/projects", {
      name: "pro",
      plan: "pro",
    });
    const app = await fixture.sandbox.control.app({ project_id });
    const pro = fixture.callersFor(app, fixture.bot);
    fixture.answers.secret = app.consumer_secret;
    await pro.subscribed();
    const { data } = (await pro.asApp("GET", "/2/webhooks")).body as { data: { id: string }[] };

    expect(reasonOf(await pro.asUser(fixture.person, "POST", all(data[0]?.id)))).toEqual([
      400,
      "SubscriptionLimitExceeded",
    ]);
    expect(
      reasonOf(await pro.asApp("POST", "/2/webhooks", { url: "https://bot.example/2" })),
    ).toEqual([400, "WebhookLimitExceeded"]);
  });

  it("that does not exist can't be ended", async () => {
    expect(reasonOf(await fixture.asApp("DELETE", one(fixture.person)))).toEqual([
      400,
      "SubscriptionNotFound",
    ]);
  });

  it("delivers its first events after the configured delay, ten seconds at most", async () => {
    await fixture.sandbox.control.call("PATCH", "/settings", {
      delays: { first_events_ms: 10_000 },
    });
    await fixture.asBot("POST", all());
    await fixture.sandbox.control.act(fixture.person, {
      type: "dm",
      to: fixture.bot,
      text: "early",
    });
    await fixture.sandbox.control.advance(9_000);
    expect(fixture.received).toHaveLength(0);

    await fixture.sandbox.control.advance(1_000);

    expect(fixture.received).toHaveLength(1);
  });

  it("of two apps to one URL brings each event twice", async () => {
    await fixture.asBot("POST", all());
    const second = await fixture.sandbox.control.app();
    fixture.answers.secret = second.consumer_secret;
    await fixture.callersFor(second, fixture.bot).subscribed();
    await fixture.sandbox.control.act(fixture.person, {
      type: "dm",
      to: fixture.bot,
      text: "to both",
    });
    await fixture.idle();

    expect(fixture.received.map(({ body }) => body["for_user_id"])).toEqual([
      fixture.bot,
      fixture.bot,
    ]);
  });

  it("reports no posts that are only in the home timeline", async () => {
    await fixture.sandbox.control.act(fixture.bot, { type: "follow", user_id: fixture.person });
    await fixture.asBot("POST", all());
    await fixture.sandbox.control.act(fixture.person, { type: "post", text: "to my followers" });
    await fixture.idle();

    expect(fixture.received).toEqual([]);
  });
});

describe("the endpoints of account activity", () => {
  test.each([
    { method: "POST", path: all, as: "bot" },
    { method: "GET", path: all, as: "bot" },
    { method: "DELETE", path: (id: string) => one("1", id), as: "app" },
    { method: "GET", path: (id: string) => `${all(id)}/list`, as: "app" },
    { method: "POST", path: replay, as: "app" },
  ] as const)("refuse another app's webhook id: $method $path", async ({ method, path, as }) => {
    const other = await fixture.sandbox.control.app();
    const stranger = fixture.callersFor(other, fixture.bot);
    for (const id of [webhook, "123", "no-id"]) {
      const reply =
        as === "app"
          ? await stranger.asApp(method, path(id))
          : await stranger.asBot(method, path(id));
      expect(reasonOf(reply)).toEqual([400, "WebhookIdInvalid"]);
    }
  });

  test.each([
    { method: "POST", path: () => all(), takes: "oauth1" },
    { method: "GET", path: () => all(), takes: "oauth1" },
    { method: "DELETE", path: () => one(fixture.bot), takes: "bearer" },
    { method: "GET", path: () => `${all()}/list`, takes: "bearer" },
    { method: "GET", path: () => "/2/account_activity/subscriptions/count", takes: "bearer" },
    { method: "POST", path: () => replay(), takes: "bearer" },
  ])("take $takes only: $method, case %#", async ({ method, path, takes }) => {
    const reply =
      takes === "bearer" ? fixture.asBot(method, path()) : fixture.asApp(method, path());

    expect(await reply).toMatchObject({
      status: 403,
      body: { title: "Unsupported Authentication" },
    });
  });

  it("need the direct-message permission level of the subscribing app", async () => {
    const app = await fixture.sandbox.control.app({ permission_level: "read-write" });
    const tokens = await fixture.sandbox.control.tokens(fixture.bot, app.app_id);
    const url = fixture.sandbox.url + all();

    expect((await send("POST", url, signed(app, tokens, "POST", url))).status).toBe(403);
  });
});

/** Tomorrow, for the clock and for replay dates: near, since the sandbox sends a challenge for each skipped hour. */
const DAY = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
const DIGITS = DAY.replaceAll("-", "");

describe("a replay's window", () => {
  it("includes from_date and leaves to_date out, by the minute", async () => {
    await fixture.asBot("POST", all());
    await fixture.sandbox.control.post("/clock", { frozen: true });
    for (const minute of ["00", "01", "02", "03"]) {
      await fixture.sandbox.control.post("/clock", { set: `${DAY}T10:${minute}:00.000Z` });
      await fixture.sandbox.control.act(fixture.person, {
        type: "dm",
        to: fixture.bot,
        text: `at ${minute}`,
      });
    }
    await fixture.sandbox.control.post("/clock", { set: `${DAY}T11:00:00.000Z` });
    fixture.received.length = 0;

    const query = `from_date=${DIGITS}1001&to_date=${DIGITS}1003`;
    expect((await fixture.asApp("POST", `${replay()}?${query}`)).status).toBe(200);
    await fixture.idle();

    const texts = fixture.received.map(({ raw }) => /"text":"([^"]*)"/.exec(raw)?.[1]);
    expect(texts).toEqual(["at 01", "at 02", undefined]);
  });

  test.each([
    { query: "", why: "no dates" },
    { query: "from_date=2030-01-01&to_date=203001011003", why: "a date of another form" },
    { query: "from_date=203013011001&to_date=203001011003", why: "a thirteenth month" },
    { query: "from_date=203001011001", why: "no to_date" },
    { query: "from_date=203001011001&to_date=203001011003", why: "from_date in the future" },
  ])("is refused with $why", async ({ query }) => {
    expect(reasonOf(await fixture.asApp("POST", `${replay()}?${query}`))).toEqual([
      400,
      "QueryParamInvalid",
    ]);
  });

  it("is not opened when the URL fails its challenge", async () => {
    await fixture.sandbox.control.post("/clock", { set: `${DAY}T11:00:00.000Z` });
    fixture.answers.secret = "another";
    const query = `from_date=${DIGITS}1001&to_date=${DIGITS}1003`;

    expect(reasonOf(await fixture.asApp("POST", `${replay()}?${query}`))).toEqual([
      400,
      "CrcValidationFailed",
    ]);
    const { body } = await fixture.asApp("GET", "/2/webhooks");
    expect(body).toMatchObject({ data: [{ valid: false }] });
  });
});

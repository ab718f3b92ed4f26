import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { send, signed, stage, type Stage, type Told } from "../support/stage.ts";

let at: Stage;
let webhook: string;
beforeEach(async () => {
  at = await stage({ settings: { delays: { replay_least_ms: 0 } } });
  const made = await at.asApp("POST", "/2/webhooks", { url: "https://bot.example/hook" });
  webhook = (made.body["data"] as { id: string }).id;
});
afterEach(() => at.close());

const all = (id = webhook): string => `/2/account_activity/webhooks/${id}/subscriptions/all`;
const one = (user: string, id = webhook): string =>
  `/2/account_activity/webhooks/${id}/subscriptions/${user}/all`;
const replay = (id = webhook): string =>
  `/2/account_activity/replay/webhooks/${id}/subscriptions/all`;

/** The reason before the colon of the first error. */
function reasonOf({ status, body }: Told): unknown {
  const { errors } = body as { errors?: { message: string }[] };
  return [status, errors?.[0]?.message.split(": ")[0]];
}

describe("a subscription", () => {
  it("is made by its user, told by its user, and ended by the app", async () => {
    expect((await at.asBot("GET", all())).body).toEqual({ data: { subscribed: false } });
    const made = await at.asBot("POST", all());
    expect([made.status, made.body]).toEqual([200, { data: { subscribed: true } }]);
    expect((await at.asBot("GET", all())).body).toEqual({ data: { subscribed: true } });
    expect((await at.asUser(at.person, "GET", all())).body).toEqual({
      data: { subscribed: false },
    });

    const ended = await at.asApp("DELETE", one(at.bot));
    expect([ended.status, ended.body]).toEqual([200, { data: { subscribed: false } }]);
    expect((await at.asBot("GET", all())).body).toEqual({ data: { subscribed: false } });
  });

  it("stands in the list with app, webhook and URL", async () => {
    await at.asBot("POST", all());
    await at.asUser(at.person, "POST", all());

    expect((await at.asApp("GET", `${all()}/list`)).body).toEqual({
      data: {
        application_id: at.app.app_id,
        webhook_id: webhook,
        webhook_url: "https://bot.example/hook",
        subscriptions: [{ user_id: at.bot }, { user_id: at.person }],
      },
    });
  });

  it("is counted in four texts", async () => {
    await at.asBot("POST", all());

    expect((await at.asApp("GET", "/2/account_activity/subscriptions/count")).body).toEqual({
      data: {
        account_name: expect.any(String),
        provisioned_count: "5000",
        subscriptions_count_all: "1",
        subscriptions_count_direct_messages: "0",
      },
    });
  });

  it("is refused a second time on the same webhook", async () => {
    await at.asBot("POST", all());

    expect(reasonOf(await at.asBot("POST", all()))).toEqual([400, "DuplicateSubscriptionFailed"]);
  });

  it("is one for the whole account on the pro plan", async () => {
    const { project_id } = await at.sandbox.control.post<{ project_id: string }>("/projects", {
      name: "pro",
      plan: "pro",
    });
    const app = await at.sandbox.control.app({ project_id });
    const pro = at.speakFor(app, at.bot);
    at.answers.secret = app.consumer_secret;
    await pro.subscribed();
    const { data } = (await pro.asApp("GET", "/2/webhooks")).body as { data: { id: string }[] };

    expect(reasonOf(await pro.asUser(at.person, "POST", all(data[0]?.id)))).toEqual([
      400,
      "SubscriptionLimitExceeded",
    ]);
    expect(
      reasonOf(await pro.asApp("POST", "/2/webhooks", { url: "https://bot.example/2" })),
    ).toEqual([400, "WebhookLimitExceeded"]);
  });

  it("that is not there cannot be ended", async () => {
    expect(reasonOf(await at.asApp("DELETE", one(at.person)))).toEqual([
      400,
      "SubscriptionNotFound",
    ]);
  });

  it("brings its first events after the delay that is set, ten seconds at most", async () => {
    await at.sandbox.control.call("PATCH", "/settings", { delays: { first_events_ms: 10_000 } });
    await at.asBot("POST", all());
    await at.sandbox.control.act(at.person, { type: "dm", to: at.bot, text: "early" });
    await at.sandbox.control.advance(9_000);
    expect(at.received).toHaveLength(0);

    await at.sandbox.control.advance(1_000);

    expect(at.received).toHaveLength(1);
  });

  it("of two apps to one URL brings each event twice", async () => {
    await at.asBot("POST", all());
    const second = await at.sandbox.control.app();
    at.answers.secret = second.consumer_secret;
    await at.speakFor(second, at.bot).subscribed();
    await at.sandbox.control.act(at.person, { type: "dm", to: at.bot, text: "to both" });
    await at.settled();

    expect(at.received.map(({ body }) => body["for_user_id"])).toEqual([at.bot, at.bot]);
  });

  it("tells nothing of what only stands in the home timeline", async () => {
    await at.sandbox.control.act(at.bot, { type: "follow", user_id: at.person });
    await at.asBot("POST", all());
    await at.sandbox.control.act(at.person, { type: "post", text: "to my followers" });
    await at.settled();

    expect(at.received).toEqual([]);
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
    const other = await at.sandbox.control.app();
    const stranger = at.speakFor(other, at.bot);
    for (const id of [webhook, "123", "no-id"]) {
      const said =
        as === "app"
          ? await stranger.asApp(method, path(id))
          : await stranger.asBot(method, path(id));
      expect(reasonOf(said)).toEqual([400, "WebhookIdInvalid"]);
    }
  });

  test.each([
    { method: "POST", path: () => all(), takes: "oauth1" },
    { method: "GET", path: () => all(), takes: "oauth1" },
    { method: "DELETE", path: () => one(at.bot), takes: "bearer" },
    { method: "GET", path: () => `${all()}/list`, takes: "bearer" },
    { method: "GET", path: () => "/2/account_activity/subscriptions/count", takes: "bearer" },
    { method: "POST", path: () => replay(), takes: "bearer" },
  ])("take $takes only: $method, case %#", async ({ method, path, takes }) => {
    const said = takes === "bearer" ? at.asBot(method, path()) : at.asApp(method, path());

    expect(await said).toMatchObject({
      status: 403,
      body: { title: "Unsupported Authentication" },
    });
  });

  it("need the direct-message permission level of who subscribes", async () => {
    const app = await at.sandbox.control.app({ permission_level: "read-write" });
    const tokens = await at.sandbox.control.tokens(at.bot, app.app_id);
    const url = at.sandbox.url + all();

    expect((await send("POST", url, signed(app, tokens, "POST", url))).status).toBe(403);
  });
});

/** Tomorrow, as clocks and as replay dates are written: near, so that few hourly checks fall due. */
const DAY = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
const DIGITS = DAY.replaceAll("-", "");

describe("a replay's window", () => {
  it("includes from_date and leaves to_date out, by the minute", async () => {
    await at.asBot("POST", all());
    await at.sandbox.control.post("/clock", { frozen: true });
    for (const minute of ["00", "01", "02", "03"]) {
      await at.sandbox.control.post("/clock", { set: `${DAY}T10:${minute}:00.000Z` });
      await at.sandbox.control.act(at.person, { type: "dm", to: at.bot, text: `at ${minute}` });
    }
    await at.sandbox.control.post("/clock", { set: `${DAY}T11:00:00.000Z` });
    at.received.length = 0;

    const query = `from_date=${DIGITS}1001&to_date=${DIGITS}1003`;
    expect((await at.asApp("POST", `${replay()}?${query}`)).status).toBe(200);
    await at.settled();

    const texts = at.received.map(({ raw }) => /"text":"([^"]*)"/.exec(raw)?.[1]);
    expect(texts).toEqual(["at 01", "at 02", undefined]);
  });

  test.each([
    { query: "", why: "no dates" },
    { query: "from_date=2030-01-01&to_date=203001011003", why: "a date of another form" },
    { query: "from_date=203013011001&to_date=203001011003", why: "a thirteenth month" },
    { query: "from_date=203001011001", why: "no to_date" },
    { query: "from_date=203001011001&to_date=203001011003", why: "from_date in the future" },
  ])("is refused with $why", async ({ query }) => {
    expect(reasonOf(await at.asApp("POST", `${replay()}?${query}`))).toEqual([
      400,
      "QueryParamInvalid",
    ]);
  });

  it("is not opened when the URL fails its challenge", async () => {
    await at.sandbox.control.post("/clock", { set: `${DAY}T11:00:00.000Z` });
    at.answers.secret = "another";
    const query = `from_date=${DIGITS}1001&to_date=${DIGITS}1003`;

    expect(reasonOf(await at.asApp("POST", `${replay()}?${query}`))).toEqual([
      400,
      "CrcValidationFailed",
    ]);
  });
});

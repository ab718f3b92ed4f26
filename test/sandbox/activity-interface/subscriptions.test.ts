import * as z from "zod";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type ApiResponse,
  send,
  startTestSandbox,
  type TestSandbox,
} from "../support/test-sandbox.ts";

let fixture: TestSandbox;
let webhook: string;
beforeEach(async () => {
  fixture = await startTestSandbox();
  const response = await fixture.asApp("POST", "/2/webhooks", { url: "https://bot.example/hook" });
  webhook = String(Object(response.body["data"]).id);
});
afterEach(() => fixture.close());

const PATH = "/2/activity/subscriptions";

const subscribe = (eventType: string, more: Record<string, unknown> = {}): Promise<ApiResponse> =>
  fixture.asBot("POST", PATH, {
    event_type: eventType,
    filter: { user_id: fixture.bot, ...Object(more["filter"]) },
    ...(more["tag"] === undefined ? {} : { tag: more["tag"] }),
    ...(more["webhook_id"] === undefined ? {} : { webhook_id: more["webhook_id"] }),
  });
const idOf = ({ body }: ApiResponse): string =>
  String(Object(Object(body["data"]).subscription).subscription_id);
const messageOf = ({ body }: ApiResponse): string =>
  String(Object(Object(body["errors"])[0]).message ?? body["detail"]);

describe("a subscription of the activity interface", () => {
  it("is made, listed, changed and deleted", async () => {
    const response = await subscribe("dm.received", { tag: "mail", webhook_id: webhook });
    const subscription = {
      subscription_id: expect.stringMatching(/^\d{1,19}$/),
      event_type: "dm.received",
      filter: { user_id: fixture.bot },
      tag: "mail",
      webhook_id: webhook,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    };
    expect([response.status, response.body]).toEqual([
      200,
      { data: { subscription }, meta: { total_subscriptions: 1 } },
    ]);

    const listed = await fixture.asApp("GET", PATH);
    expect(listed.body).toEqual({ data: [subscription], meta: { result_count: 1 } });

    const changed = await fixture.asApp("PUT", `${PATH}/${idOf(response)}`, { tag: "post" });
    expect(changed.body).toEqual({
      data: { subscription: { ...subscription, tag: "post" }, total_subscriptions: 1 },
    });

    const gone = await fixture.asApp("DELETE", `${PATH}/${idOf(response)}`);
    expect(gone.body).toEqual({ data: { deleted: true }, meta: { total_subscriptions: 0 } });
    const again = await fixture.asApp("DELETE", `${PATH}/${idOf(response)}`);
    expect([again.status, messageOf(again)]).toEqual([
      400,
      expect.stringMatching(/^SubscriptionNotFound: /),
    ]);
  });

  it("is deleted with others; missing ones are reported beside them", async () => {
    const ids = [idOf(await subscribe("dm.received")), idOf(await subscribe("dm.sent"))];
    const gone = await fixture.asApp("DELETE", `${PATH}?ids=${ids[0]},7,${ids[1]}`);
    expect(gone.body).toEqual({
      data: ids.map((subscription_id) => ({ subscription_id, deleted: true })),
      errors: [
        { subscription_id: "7", reason: "SubscriptionNotFound", message: expect.any(String) },
      ],
      meta: { total_subscriptions: 0 },
    });
  });

  it("leaves out `data` if there is none to list, or none was deleted", async () => {
    const listed = await fixture.asApp("GET", PATH);
    const gone = await fixture.asApp("DELETE", `${PATH}?ids=7`);

    expect(listed.body).toEqual({ meta: { result_count: 0 } });
    expect(gone.body).toEqual({
      errors: [expect.objectContaining({ subscription_id: "7" })],
      meta: { total_subscriptions: 0 },
    });
  });

  it("is listed in pages, newest first", async () => {
    for (const type of ["dm.received", "dm.sent", "post.create"]) await subscribe(type);
    const first = await fixture.asApp("GET", `${PATH}?max_results=2`);
    const types = ({ body }: ApiResponse): unknown[] =>
      Array.from(Object(body["data"]), (row) => Object(row).event_type);
    expect(types(first)).toEqual(["post.create", "dm.sent"]);
    const token = String(Object(first.body["meta"]).next_token);
    const second = await fixture.asApp("GET", `${PATH}?max_results=2&pagination_token=${token}`);
    expect(types(second)).toEqual(["dm.received"]);
  });

  it("answers with the current name of a renamed event type", async () => {
    const subscription = await subscribe("chat.conversation_join");
    expect(subscription.body).toMatchObject({
      data: { subscription: { event_type: "chat.conversation.join" } },
    });
  });

  it.each([
    { type: "dm.guessed", more: {}, says: "$.event_type: ", why: "no such event type" },
    {
      type: "post.create",
      more: { filter: { user_id: "abc" } },
      says: "$.filter.user_id: ",
      why: "no id",
    },
    {
      type: "post.create",
      more: { filter: { user_id: "99" } },
      says: "$.filter.user_id: ",
      why: "no such user",
    },
    {
      type: "post.create",
      more: { filter: { user_id: undefined } },
      says: "$.filter.user_id: ",
      why: "of whom",
    },
    {
      type: "post.create",
      more: { filter: { colour: "red" } },
      says: "$.filter.colour: ",
      why: "unknown key",
    },
    {
      type: "mute.mute",
      more: { filter: { direction: "inbound" } },
      says: "$.filter.direction: ",
      why: "own doing only",
    },
    {
      type: "dm.received",
      more: { filter: { keyword: "hi" } },
      says: "$.filter.keyword: ",
      why: "posts only",
    },
    { type: "news.new", more: {}, says: "$.filter.keyword: ", why: "news about what" },
    { type: "post.create", more: { tag: "" }, says: "$.tag: ", why: "an empty tag" },
    {
      type: "post.create",
      more: { webhook_id: "5" },
      says: "WebhookIdInvalid: ",
      why: "not the app's",
    },
  ])("is refused for $why ($type)", async ({ type, more, says }) => {
    const answer = await subscribe(type, more);
    expect([answer.status, messageOf(answer)]).toEqual([400, expect.stringContaining(says)]);
  });

  it("is refused a second time, but for another filter or webhook", async () => {
    await subscribe("post.mention.create");
    expect(messageOf(await subscribe("post.mention.create"))).toMatch(
      /^DuplicateSubscriptionFailed/,
    );
    const others = [{ filter: { keyword: "tea" } }, { webhook_id: webhook }];
    for (const more of others) {
      expect((await subscribe("post.mention.create", more)).status).toBe(200);
    }
  });

  it("can't be moved to a webhook at which the same one is, but back to its own", async () => {
    const there = idOf(await subscribe("post.create", { webhook_id: webhook }));
    const other = idOf(await subscribe("post.create"));
    const move = (id: string, more = {}): Promise<ApiResponse> =>
      fixture.asApp("PUT", `${PATH}/${id}`, { webhook_id: webhook, ...more });

    const moved = await move(other, { tag: "moved" });

    expect([moved.status, messageOf(moved)]).toEqual([
      400,
      "DuplicateSubscriptionFailed: Subscription already exists",
    ]);
    expect(JSON.stringify((await fixture.asApp("GET", PATH)).body)).not.toContain("moved");
    expect((await move(there)).status).toBe(200);
    expect((await fixture.asApp("PUT", `${PATH}/${other}`, { tag: "b" })).status).toBe(200);
  });

  it("ends with its webhook where the same one without a webhook is", async () => {
    await subscribe("post.create", { webhook_id: webhook });
    await subscribe("dm.received", { webhook_id: webhook });
    const other = idOf(await subscribe("post.create"));

    await fixture.asApp("DELETE", `/2/webhooks/${webhook}`);

    const { body } = await fixture.asApp("GET", PATH);
    expect(body["data"]).toEqual([
      expect.objectContaining({ subscription_id: other, event_type: "post.create" }),
      expect.objectContaining({ event_type: "dm.received" }),
    ]);
    expect(body["data"]).not.toContainEqual(expect.objectContaining({ webhook_id: webhook }));
  });

  it("is refused above the plan's limit", async () => {
    const { control } = fixture.sandbox;
    const project_id = await control.project({ name: "small", plan: "pay-per-use" });
    const app = await control.app({ project_id });
    const callers = fixture.callersFor(app, fixture.bot);
    const body = (event_type: string) => ({ event_type, filter: { user_id: fixture.bot } });
    for (const type of ["dm.received", "dm.sent", "post.create"]) {
      expect((await callers.asBot("POST", PATH, body(type))).status).toBe(200);
    }
    const fourth = await callers.asBot("POST", PATH, body("like.create"));
    expect([fourth.status, messageOf(fourth)]).toEqual([
      400,
      "SubscriptionLimitExceeded: The plan allows 3 subscriptions.",
    ]);
  });
});

describe("who may subscribe", () => {
  const body = (type: string, user = fixture.bot) => ({
    event_type: type,
    filter: { user_id: user },
  });

  it("may be any user for public events", async () => {
    expect((await fixture.asApp("POST", PATH, body("post.create", fixture.person))).status).toBe(
      200,
    );
    expect(
      (await fixture.asBot("POST", PATH, body("profile.update.bio", fixture.person))).status,
    ).toBe(200);
  });

  it.each(["dm.received", "chat.received", "like.create", "mute.mute", "block.block"])(
    "is the user alone for %s",
    async (type) => {
      expect((await fixture.asApp("POST", PATH, body(type))).status).toBe(403);
      expect((await fixture.asBot("POST", PATH, body(type, fixture.person))).status).toBe(403);
      expect((await fixture.asBot("POST", PATH, body(type))).status).toBe(200);
    },
  );

  it("needs the scope of the event type by OAuth 2.0, and the level for messages by OAuth 1.0a", async () => {
    const { control, url } = fixture.sandbox;
    const token = {
      token: "a-users-token",
      appId: fixture.app.app_id,
      userId: fixture.bot,
      scopes: ["tweet.read", "users.read", "like.read"],
      expiresAt: 8e15,
    };
    const world = z
      .looseObject({ tables: z.record(z.string(), z.array(z.unknown())) })
      .parse(await control.saveWorld());
    await control.restoreWorld({ ...world, tables: { ...world.tables, user_tokens: [token] } });
    const as2 = (type: string) => send("POST", url + PATH, `Bearer ${token.token}`, body(type));
    expect((await as2("like.create")).status).toBe(200);
    expect((await as2("dm.received")).status).toBe(403);

    const app = await control.app({ permission_level: "read" });
    const callers = fixture.callersFor(app, fixture.bot);
    expect((await callers.asBot("POST", PATH, body("dm.received"))).status).toBe(403);
    expect((await callers.asBot("POST", PATH, body("post.create"))).status).toBe(200);
  });

  it("ends for private events once the user has revoked the authorization", async () => {
    await fixture.asBot("POST", PATH, body("dm.received"));
    await fixture.asBot("POST", PATH, body("post.create"));
    await fixture.sandbox.control.revoke(fixture.bot, fixture.app.app_id);
    const { body: listed } = await fixture.asApp("GET", PATH);
    expect(listed["data"]).toMatchObject([{ event_type: "post.create" }]);
  });
});

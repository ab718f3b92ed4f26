import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { DIALECT_WORDS } from "../support/data-sandbox.ts";
import { openStream, type StreamReader } from "../filtered-stream/stream-reader.ts";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

const NOW = Date.UTC(2026, 5, 20, 12);
const DAY_MS = 86_400_000;
const TO_JULY_MS = Date.UTC(2026, 6, 1) - NOW;
const CAPPED = {
  title: "UsageCapExceeded",
  detail: "Usage cap exceeded: Monthly product cap",
  type: expect.stringMatching(/\/2\/problems\/usage-capped$/),
  period: "Monthly",
  scope: "Product",
};

async function capped(
  posts_per_month: number,
  { dialect = "post", enabled = true }: { dialect?: string; enabled?: boolean } = {},
): Promise<TestSandbox> {
  return startTestSandbox(
    { clock: { now: NOW }, settings: { limits: { posts_per_month, enabled } } },
    { dialect },
  );
}

let fixture: TestSandbox;
afterEach(() => fixture.close());

const write = async (text: string): Promise<void> => {
  const { status } = await fixture.asUser(fixture.person, "POST", "/2/posts", { text });
  expect(status).toBe(201);
};
const search = (): ReturnType<TestSandbox["asApp"]> =>
  fixture.asApp("GET", "/2/posts/search/recent?query=cat");
const usage = async (query = ""): Promise<Record<string, unknown>> => {
  const { status, body } = await fixture.asApp("GET", `/2/usage/tweets${query}`);
  expect(status).toBe(200);
  return Object(body["data"]);
};

describe("the monthly post cap", () => {
  it("refuses reading with 429 once it is reached, and no longer in the new month", async () => {
    fixture = await capped(2);
    await write("cat one");
    await write("cat two");

    expect((await search()).status).toBe(200);
    const refused = await search();
    expect(refused).toMatchObject({ status: 429, body: CAPPED });
    expect(refused.headers.get("x-rate-limit-remaining")).not.toBe("0");
    await fixture.sandbox.control.advance(TO_JULY_MS - 60_000);
    expect((await search()).status).toBe(429);

    await fixture.sandbox.control.advance(120_000);
    await write("cat three");
    expect((await search()).status).toBe(200);
    expect(await usage()).toMatchObject({ project_usage: "1", cap_reset_day: 31 });
  });

  it("refuses neither writing nor reading people and messages", async () => {
    fixture = await capped(0);

    expect((await fixture.asBot("GET", "/2/users/me")).status).toBe(200);
    expect((await fixture.asBot("GET", "/2/dm_events")).status).toBe(200);
    expect((await fixture.asBot("POST", "/2/posts", { text: "cat" })).status).toBe(201);
    expect((await fixture.asBot("GET", `/2/users/${fixture.bot}/mentions`)).status).toBe(429);
  });

  it("is not enforced while limits are off, though posts are counted", async () => {
    fixture = await capped(1, { enabled: false });
    await write("cat one");

    expect([(await search()).status, (await search()).status]).toEqual([200, 200]);
    expect(await usage()).toMatchObject({ project_usage: "2", project_cap: "1" });
  });

  it("is changed by the settings, and its count stays", async () => {
    fixture = await capped(1);
    await write("cat one");
    await search();
    expect((await search()).status).toBe(429);

    await fixture.sandbox.control.changeSettings({ limits: { posts_per_month: 3 } });
    expect((await search()).status).toBe(200);
    expect(await usage()).toMatchObject({ project_usage: "2", project_cap: "3" });
  });

  it("is one for the apps of a project, and another for other projects", async () => {
    fixture = await capped(1);
    const { control } = fixture.sandbox;
    const apps = await control.apps();
    const project = apps.find(({ app_id: id }) => id === fixture.app.app_id)?.project_id;
    const sibling = await control.app({ name: "sibling", project_id: String(project) });
    const stranger = await control.app({ name: "stranger" });
    await write("cat one");
    await search();

    const statusOf = async (app: TestSandbox["app"]): Promise<number> => {
      const callers = fixture.callersFor(app, fixture.bot);
      return (await callers.asApp("GET", "/2/posts/search/recent?query=cat")).status;
    };
    expect([await statusOf(sibling), await statusOf(stranger)]).toEqual([429, 200]);
  });
});

describe("deliveries to a webhook", () => {
  it("count posts, and bring none at the cap, but messages", async () => {
    fixture = await capped(1);
    const { control } = fixture.sandbox;
    await fixture.subscribed();
    await write("@hello_bot one");
    await fixture.idle();
    await write("@hello_bot two");
    await fixture.asUser(
      fixture.person,
      "POST",
      `/2/dm_conversations/with/${fixture.bot}/messages`,
      {
        text: "hi",
      },
    );
    await control.advance(3_600_000);

    const keys = ["post_create_events", "direct_message_events"];
    expect(fixture.received.map(({ body }) => keys.filter((key) => key in body))).toEqual([
      ["post_create_events"],
      ["direct_message_events"],
    ]);
    const posts = await control.deliveries(0, "post_create_events");
    expect(new Set(posts.map(({ outcome }) => outcome))).toEqual(
      new Set(["delivered", "post_cap_reached"]),
    );
    expect(await usage()).toMatchObject({ project_usage: "1" });
  });
});

describe("the streams", () => {
  const readers: StreamReader[] = [];
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });
  const open = async (path: string): Promise<StreamReader> => {
    const reader = await openStream(`${fixture.sandbox.url}${path}`, fixture.app.bearer_token);
    readers.push(reader);
    return reader;
  };

  test.each([
    {
      path: "/2/posts/search/stream",
      begin: () =>
        fixture.asApp("POST", "/2/posts/search/stream/rules", { add: [{ value: "cat" }] }),
    },
    {
      path: "/2/activity/stream",
      begin: () =>
        fixture.asBot("POST", "/2/activity/subscriptions", {
          event_type: "post.create",
          filter: { user_id: fixture.person },
        }),
    },
  ])("at $path count each post, end at the cap, and are refused then", async ({ path, begin }) => {
    fixture = await capped(1);
    expect((await begin()).status).toBeLessThan(300);
    const reader = await open(path);
    await write("cat one");
    await reader.objectsAre(1);
    await write("cat two");

    expect(await reader.ended).toMatchObject({ how: "end" });
    expect(reader.objects).toHaveLength(1);
    expect(await usage()).toMatchObject({ project_usage: "1" });
    const again = await open("/2/posts/search/stream");
    expect(again).toMatchObject({ status: 429, objects: [CAPPED] });
  });
});

describe.each(DIALECT_WORDS)("GET /2/usage/$posts", ({ dialect, posts: resource }) => {
  beforeEach(async () => {
    fixture = await capped(100, { dialect });
    await write("cat one");
    await search();
    await fixture.sandbox.control.advance(DAY_MS);
    await search();
    await search();
  });
  const number = (value: number): unknown => (dialect === "post" ? String(value) : value);

  it("has the month so far, the cap, and the days until it ends", async () => {
    const { body } = await fixture.asApp("GET", `/2/usage/${resource}`);

    expect(body).toEqual({
      data: {
        cap_reset_day: 10,
        project_cap: number(100),
        project_id: expect.stringMatching(/^\d+$/),
        project_usage: number(3),
      },
    });
  });

  it("has the days of the project and its apps by request", async () => {
    const { body } = await fixture.asApp(
      "GET",
      `/2/usage/${resource}?days=3&usage.fields=daily_client_app_usage,daily_project_usage`,
    );
    const days = [
      { date: "2026-06-19T00:00:00.000Z", usage: number(0) },
      { date: "2026-06-20T00:00:00.000Z", usage: number(1) },
      { date: "2026-06-21T00:00:00.000Z", usage: number(2) },
    ];

    expect(body["data"]).toMatchObject({
      daily_client_app_usage: [
        { client_app_id: fixture.app.app_id, usage: days, usage_result_count: 3 },
      ],
      daily_project_usage: { usage: days },
    });
  });

  test.each([
    { query: "days=0", why: "fewer than a day" },
    { query: "days=91", why: "more than 90 days" },
    { query: "usage.fields=nonsense", why: "an unknown field" },
  ])("refuses $query: $why", async ({ query }) => {
    expect((await fixture.asApp("GET", `/2/usage/${resource}?${query}`)).status).toBe(400);
  });

  it("takes the app's own token only", async () => {
    expect((await fixture.asBot("GET", `/2/usage/${resource}`)).status).toBe(403);
  });
});

describe("the portal's page of an app", () => {
  it("shows the posts of the month and the cap", async () => {
    fixture = await capped(10);
    await write("cat one");
    await search();

    expect((await fixture.sandbox.control.usage(fixture.app.app_id)).posts).toEqual({
      used: 1,
      cap: 10,
      resets_at: "2026-07-01T00:00:00.000Z",
    });
  });
});

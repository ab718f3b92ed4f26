import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

let fixture: TestSandbox;
let webhook: string;
beforeEach(async () => {
  fixture = await startTestSandbox({ settings: { delays: { replay_least_ms: 0 } } });
  webhook = await fixture.subscribed();
});
afterEach(() => fixture.close());

interface Attempt {
  readonly event: string;
  readonly attempt: number;
  readonly status: number;
  readonly outcome: string;
  readonly replayed: boolean;
}

const message = (text: string): Promise<{ id: string }> =>
  fixture.sandbox.control.act(fixture.person, { type: "dm", to: fixture.bot, text });

async function attempts(): Promise<Attempt[]> {
  const { deliveries } = await fixture.sandbox.control.get<{ deliveries: Attempt[] }>(
    "/deliveries",
  );
  return deliveries.filter(({ event }) => event !== "crc");
}

const texts = (): string[] =>
  fixture.received.map(({ raw }) => /"text":"([^"]*)"/.exec(raw)?.[1] ?? "");

describe("a delivery that is not answered with 200", () => {
  it("is tried again after 3, 27 and 242 seconds, then dropped", async () => {
    fixture.answers.statuses = [500, 404, 301, 503];
    await message("hello");
    await fixture.idle();
    expect(await attempts()).toHaveLength(1);

    for (const [seconds, count] of [
      [3, 2],
      [27, 3],
      [242, 4],
      [3_000, 4],
    ] as const) {
      await fixture.sandbox.control.advance(seconds * 1_000);
      expect(await attempts()).toHaveLength(count);
    }
    expect(fixture.received).toEqual([]);
  });

  it("has the same event id when it is tried again, even if the like was removed meanwhile", async () => {
    const { control } = fixture.sandbox;
    const { id } = await control.act(fixture.bot, { type: "post", text: "like me" });
    const match = { direction: "delivery", event: "favorite_events" } as const;
    await control.addFault({ match, fault: { type: "cut_after" } });
    await control.act(fixture.person, { type: "like", post_id: id });
    await fixture.idle();
    await fixture.asUser(fixture.person, "DELETE", `/2/users/${fixture.person}/likes/${id}`);
    await control.advance(3_000);

    const ids = fixture.received.flatMap(
      ({ raw }) => /"favorite_events":\[\{"id":"([^"]*)"/.exec(raw)?.[1] ?? [],
    );
    expect(ids).toEqual([ids[0], ids[0]]);
  });

  it("holds back later deliveries of the same account, to keep their order", async () => {
    fixture.answers.statuses = [500];
    await message("first");
    await message("second");
    await fixture.idle();
    expect(texts()).toEqual([]);

    await fixture.sandbox.control.advance(3_000);

    expect(texts()).toEqual(["first", "second"]);
  });
});

describe("a clock that was set back", () => {
  const DAY = 86_400_000;

  it("delays no delivery of a subscription whose creation time is in the future again", async () => {
    const { control } = fixture.sandbox;
    const { now } = await control.advance(DAY);
    await fixture.asApp("DELETE", `/2/webhooks/${webhook}`);
    webhook = await fixture.subscribed();
    await control.post("/clock", { set: new Date(Date.parse(now) - DAY).toISOString() });

    await message("hello");
    await fixture.idle();

    expect(texts()).toEqual(["hello"]);
  });

  it("holds up no delivery that waits for its turn, or for another try", async () => {
    const { control } = fixture.sandbox;
    const { now } = await control.advance(DAY);
    fixture.answers.statuses = [500];
    await message("first");
    await message("second");
    await fixture.idle();
    await control.post("/clock", { set: new Date(Date.parse(now) - DAY).toISOString() });

    await control.advance(3_000);

    expect(texts()).toEqual(["first", "second"]);
  });
});

describe("a fault", () => {
  test.each([
    { type: "drop", sees: ["two"], why: "the event is never sent" },
    { type: "duplicate", sees: ["one", "one", "two"], why: "it is sent twice" },
    { type: "reorder", sees: ["two", "one"], why: "the next one overtakes it" },
    {
      type: "cut_after",
      sees: ["one", "one", "two"],
      why: "the answer is lost, so it is tried again",
    },
    { type: "status", sees: ["one", "two"], why: "the receiver is not reached until the retry" },
  ])("$type: $why", async ({ type, sees }) => {
    await fixture.sandbox.control.post("/faults", {
      match: { direction: "delivery", event: "direct_message_events", account: fixture.bot },
      fault: { type },
      when: { next: 1 },
    });
    await message("one");
    await message("two");
    await fixture.sandbox.control.advance(3_000);

    expect(texts()).toEqual(sees);
  });

  test.each([
    { fault: { type: "status", status: 502 }, status: 502 },
    { fault: { type: "limit" }, status: 429 },
    { fault: { type: "skew" }, status: 401 },
  ])("answers a request: $fault.type", async ({ fault, status }) => {
    await fixture.sandbox.control.post("/faults", {
      match: { direction: "request", method: "GET", path: "/2/users/*" },
      fault,
      when: { next: 1 },
    });

    expect((await fixture.asBot("GET", "/2/users/me")).status).toBe(status);
    expect((await fixture.asBot("GET", "/2/users/me")).status).toBe(200);
  });

  test.each([
    { path: "/2/posts", requested: "/2/tweets" },
    { path: "/2/tweets*", requested: "/2/posts" },
  ])("strikes $requested if it names $path", async ({ path, requested }) => {
    const match = { direction: "request", path } as const;
    await fixture.sandbox.control.addFault({ match, fault: { type: "status" } });

    expect((await fixture.asBot("POST", requested, { text: "hello" })).status).toBe(503);
  });

  it("cuts the connection before or after the work", async () => {
    for (const type of ["cut", "cut_after"]) {
      const match = { direction: "request", method: "POST", path: "/2/posts" };
      await fixture.sandbox.control.post("/faults", { match, fault: { type } });
      await expect(fixture.asBot("POST", "/2/posts", { text: type })).rejects.toThrow(
        "fetch failed",
      );
    }

    const { tables } = await fixture.sandbox.control.get<{ tables: { posts: { text: string }[] } }>(
      "/state",
    );
    expect(tables.posts.map(({ text }) => text)).toEqual(["cut_after"]);
  });

  it("fails a challenge", async () => {
    await fixture.sandbox.control.post("/faults", {
      match: { direction: "challenge" },
      fault: { type: "timeout" },
    });

    expect((await fixture.asApp("PUT", `/2/webhooks/${webhook}`)).status).toBe(400);
    expect((await fixture.asApp("PUT", `/2/webhooks/${webhook}`)).status).toBe(200);
  });
});

describe("a replay", () => {
  /** Returns the date `minutes` before the sandbox's time, in the format of the platform's API. */
  async function ago(minutes: number): Promise<string> {
    const { now } = await fixture.sandbox.control.get<{ now: string }>("/clock");
    const then = new Date(Date.parse(now) - minutes * 60_000).toISOString();
    return then.replace(/[-T:]/g, "").slice(0, 12);
  }

  const path = (from: string, to: string): string =>
    `/2/account_activity/replay/webhooks/${webhook}/subscriptions/all?from_date=${from}&to_date=${to}`;

  it("delivers the events of its window again, then its completion event", async () => {
    await message("missed");
    await fixture.sandbox.control.advance(40 * 60_000);
    fixture.received.length = 0;

    const { status, body } = await fixture.asApp("POST", path(await ago(60), await ago(20)));
    await fixture.idle();

    expect([status, body]).toEqual([
      200,
      {
        for_user_id: fixture.bot,
        replay_event: {
          job_id: expect.any(String),
          created_at: expect.stringMatching(/\.\d{3}Z$/),
        },
      },
    ]);
    const { job_id } = body["replay_event"] as { job_id: string };
    expect(texts()[0]).toBe("missed");
    expect(fixture.received.at(-1)?.body).toMatchObject({
      replay_job_status: { webhook_id: webhook, job_state: "Complete", job_id },
    });
  });

  it("ends as Incomplete if an event is refused, without a retry", async () => {
    await message("missed");
    await fixture.sandbox.control.advance(40 * 60_000);
    fixture.answers.statuses = [500];

    await fixture.asApp("POST", path(await ago(60), await ago(20)));
    await fixture.sandbox.control.advance(3_000);

    expect(fixture.received.at(-1)?.body).toMatchObject({
      replay_job_status: { job_state: "Incomplete" },
    });
    expect((await attempts()).filter(({ replayed }) => replayed)).toHaveLength(1);
    expect((await fixture.asApp("POST", path(await ago(60), await ago(20)))).status).toBe(200);
  });

  it("ends, and the clock goes on, though a fault delays the word of its end", async () => {
    await fixture.sandbox.control.call("PATCH", "/settings", { delays: { replay_ms: 5_000 } });
    await fixture.sandbox.control.post("/faults", {
      match: { direction: "delivery", event: "replay_job_status" },
      fault: { type: "delay", ms: 50 },
    });

    await fixture.asApp("POST", path(await ago(60), await ago(20)));
    await fixture.sandbox.control.advance(10_000);

    expect(fixture.received.at(-1)?.body).toMatchObject({
      replay_job_status: { job_state: "Complete" },
    });
  });

  test.each([
    { from: 24 * 60 + 1, to: 20, why: "it starts before the last 24 hours" },
    { from: 29, to: 20, why: "it starts less than 31 minutes ago" },
    { from: 60, to: 8, why: "it ends less than 10 minutes ago" },
    { from: 40, to: 50, why: "it starts after its end" },
    { from: 40, to: -5, why: "it ends in the future" },
  ])("is refused when $why", async ({ from, to }) => {
    const { status, body } = await fixture.asApp("POST", path(await ago(from), await ago(to)));

    expect([status, JSON.stringify(body)]).toEqual([
      400,
      expect.stringContaining("QueryParamInvalid: "),
    ]);
  });

  it("may start exactly 24 hours ago", async () => {
    expect((await fixture.asApp("POST", path(await ago(24 * 60), await ago(20)))).status).toBe(200);
  });

  it("refuses a second job while one runs", async () => {
    await fixture.sandbox.control.call("PATCH", "/settings", { delays: { replay_ms: 5_000 } });
    const dates = { webhook_id: webhook, from_date: await ago(60), to_date: await ago(20) };

    const first = await fixture.asApp("POST", "/2/webhooks/replay", dates);
    const second = await fixture.asApp("POST", "/2/webhooks/replay", dates);

    expect(first.body).toMatchObject({ data: { job_id: expect.any(String) } });
    expect(JSON.stringify(second.body)).toContain("ReplayConflictError: ");
    await fixture.sandbox.control.advance(5_000);
    expect((await fixture.asApp("POST", "/2/webhooks/replay", dates)).status).toBe(200);
  });
});

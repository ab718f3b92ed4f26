import { afterEach, describe, expect, it } from "vitest";
import { createClient } from "../../../src/client/create-client.ts";
import { readRetryAfter } from "../../../src/client/http/retry-after.ts";
import { instantClock, stubServer, type StubServer } from "../support/stub-server.ts";
import { failureOf } from "../support/world.ts";

const DATE = "Thu, 01 Jan 2026 00:00:00 GMT";
const NOW = Date.UTC(2026, 0, 1);

describe("the header Retry-After", () => {
  const cases = [
    { header: "7", date: DATE, read: { ms: 7_000, at: NOW + 7_000 }, why: "seconds" },
    { header: "7", date: undefined, read: { ms: 7_000, at: undefined }, why: "an undated answer" },
    { header: "0", date: DATE, read: { ms: 0, at: NOW }, why: "at once" },
    {
      header: "Thu, 01 Jan 2026 00:00:30 GMT",
      date: DATE,
      read: { ms: 30_000, at: NOW + 30_000 },
      why: "a date, from the answer's own",
    },
    {
      header: "Wed, 31 Dec 2025 23:59:00 GMT",
      date: DATE,
      read: { ms: 0, at: NOW - 60_000 },
      why: "a date that is past",
    },
    {
      header: "Thu, 01 Jan 2026 00:00:30 GMT",
      date: undefined,
      read: undefined,
      why: "a date in an undated answer tells no wait",
    },
    { header: "soon", date: DATE, read: undefined, why: "no time at all" },
    { header: "-5", date: DATE, read: undefined, why: "less than nothing" },
    { header: "", date: DATE, read: undefined, why: "empty" },
    { header: undefined, date: DATE, read: undefined, why: "none" },
  ];
  it.each(cases)("is read: $why", ({ header, date, read }) => {
    expect(readRetryAfter({ "retry-after": header, date })).toEqual(read);
  });
});

describe("a platform that asks for patience", () => {
  let server: StubServer;
  afterEach(() => server.close());

  const me = { body: { data: { id: "42", name: "Bot", username: "bot" } } };
  const budget = {
    "x-rate-limit-limit": "15",
    "x-rate-limit-remaining": "0",
    "x-rate-limit-reset": String(NOW / 1000 + 50),
  };

  async function waitAfter(status: number, headers: Readonly<Record<string, string>>) {
    server = await stubServer((_request, nth) =>
      nth === 1 ? { status, headers: { date: DATE, ...headers }, body: {} } : me,
    );
    const clock = instantClock();
    const credentials = { type: "oauth2", accessToken: "t", clientId: "c" } as const;
    const client = createClient({ baseUrl: server.url, credentials, clock, random: () => 0 });
    return { clock, client };
  }

  const waits = [
    { status: 429, headers: { "retry-after": "5" }, wait: 5_000, why: "429 without budgets" },
    {
      status: 429,
      headers: { ...budget, "retry-after": "9" },
      wait: 9_000,
      why: "what is asked for goes before the budget's reset",
    },
    {
      status: 429,
      headers: budget,
      wait: 50_000,
      why: "the budget's reset, when nothing is asked",
    },
    { status: 503, headers: { "retry-after": "3" }, wait: 3_000, why: "503 of a read" },
    { status: 503, headers: {}, wait: 0, why: "503 that asks for nothing" },
  ];
  it.each(waits)("gets it: $why", async ({ status, headers, wait }) => {
    const { clock, client } = await waitAfter(status, headers);
    expect((await client.users.me()).data.username).toBe("bot");
    expect(clock.slept).toEqual([wait]);
    await client.close();
  });

  it("for longer than the client waits causes an error with the time of the next attempt", async () => {
    const { clock, client } = await waitAfter(429, { "retry-after": "3600" });
    expect(await failureOf(client.users.me())).toMatchObject({
      name: "RateLimitError",
      resetAt: NOW + 3_600_000,
      refusal: { retryAfterMs: 3_600_000 },
    });
    expect(clock.slept).toEqual([]);
    await client.close();
  });
});

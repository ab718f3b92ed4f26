import { afterEach, describe, expect, it } from "vitest";
import { createClient } from "../../../src/client/create-client.ts";
import { readRateLimits } from "../../../src/client/http/rate-limits.ts";
import { readRetryAfter } from "../../../src/client/http/retry-after.ts";
import { instantClock, stubServer, type StubServer } from "../support/stub-server.ts";
import { failureOf } from "../support/world.ts";

const DATE = "Thu, 01 Jan 2026 00:00:00 GMT";
const NOW = Date.UTC(2026, 0, 1);
const HOUR = 60 * 60_000;

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
    { header: "5, 5", date: DATE, read: undefined, why: "several values" },
    { header: "90000", date: DATE, read: { ms: 25 * HOUR, at: NOW + 25 * HOUR }, why: "a day" },
    { header: "90001", date: DATE, read: undefined, why: "longer than any limit lasts" },
    { header: "999999999", date: undefined, read: undefined, why: "31 years" },
    { header: "Fri, 31 Dec 9999 23:59:59 GMT", date: DATE, read: undefined, why: "a far date" },
    { header: undefined, date: DATE, read: undefined, why: "none" },
  ];
  it.each(cases)("is read: $why", ({ header, date, read }) => {
    expect(readRetryAfter({ "retry-after": header, date })).toEqual(read);
  });
});

describe("the budget of a response", () => {
  const inSeconds = NOW / 1000;
  const cases = [
    { reset: String(inSeconds + 900), read: NOW + 900_000, why: "a window of 15 minutes" },
    { reset: String(inSeconds + 90_000), read: NOW + 25 * HOUR, why: "a window of a day" },
    { reset: String(inSeconds - 5), read: NOW - 5_000, why: "a reset that is past" },
    { reset: String(inSeconds + 90_001), read: undefined, why: "longer than any window" },
    { reset: String(NOW + 900_000), read: undefined, why: "milliseconds in place of seconds" },
    { reset: "1e400", read: undefined, why: "no finite number" },
    { reset: "NaN", read: undefined, why: "no number" },
    { reset: "", read: undefined, why: "empty" },
    { reset: `${inSeconds}, ${inSeconds}`, read: undefined, why: "several values" },
    { reset: DATE, read: undefined, why: "an HTTP date" },
  ];
  it.each(cases)("is read: $why", ({ reset, read }) => {
    const headers = { ...BUDGET, "x-rate-limit-reset": reset };

    expect(readRateLimits("GET /x", headers, NOW)?.window?.resetAt).toBe(read);
  });

  it.each(["0", "-1"])("is none if its limit is %s: the limit would never end", (limit) => {
    const headers = { ...BUDGET, "x-rate-limit-limit": limit };

    expect(readRateLimits("GET /x", headers, NOW)).toBeUndefined();
  });
});

const BUDGET = {
  "x-rate-limit-limit": "15",
  "x-rate-limit-remaining": "0",
  "x-rate-limit-reset": String(NOW / 1000 + 50),
};

describe("a platform that asks for patience", () => {
  let server: StubServer;
  afterEach(() => server.close());

  const me = { body: { data: { id: "42", name: "Bot", username: "bot" } } };

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
      headers: { ...BUDGET, "retry-after": "9" },
      wait: 9_000,
      why: "what is asked for goes before the budget's reset",
    },
    {
      status: 429,
      headers: BUDGET,
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

  it.each([
    { dated: { date: DATE }, why: "by the date of the response" },
    { dated: {}, why: "by the client's clock if the response has no date" },
  ])("for centuries is not believed: $why", async ({ dated }) => {
    const centuries = { ...BUDGET, "x-rate-limit-reset": String(NOW) };
    server = await stubServer(() => ({ status: 429, headers: { ...dated, ...centuries } }));
    const credentials = { type: "oauth2", accessToken: "t", clientId: "c" } as const;
    const client = createClient({ baseUrl: server.url, credentials, clock: instantClock() });

    expect(await failureOf(client.users.me())).toMatchObject({
      name: "RateLimitError",
      resetAt: undefined,
      refusal: { limits: undefined },
    });
    expect(client.rateLimits.all()).toEqual([]);
    await client.close();
  });
});

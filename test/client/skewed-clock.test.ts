import { afterEach, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import {
  type Handler,
  instantClock,
  type SeenRequest,
  type StubAnswer,
  stubServer,
  type StubServer,
} from "./support/stub-server.ts";

const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;
/** Tolerance: a `Date` header is cut to the second, and the exchange takes some time. */
const PRECISION_MS = 2 * SECOND;
const USER = {
  type: "oauth1",
  consumerKey: "ck-1234",
  consumerSecret: "consumer-secret-1234",
  accessToken: "42-token",
  accessTokenSecret: "token-secret-1234",
} as const;
const BEARER = { type: "bearer", bearerToken: "AAAA-bearer" } as const;
const write = { method: "POST", endpoint: "/2/posts", json: { text: "hi" } } as const;
const ME: StubAnswer = { body: { data: { id: "1", name: "Me", username: "me" } } };

let server: StubServer;
afterEach(() => server.close());

/** Starts a platform whose clock is `aheadMs` ahead of the client's; its responses have a `Date` header. */
async function platform(
  aheadMs: number,
  handle: (now: number, request: SeenRequest) => StubAnswer,
) {
  const clock = instantClock();
  const now = (): number => clock.now() + aheadMs;
  const answer: Handler = (request) => {
    const { headers, ...rest } = handle(now(), request);
    return { ...rest, headers: { date: new Date(now()).toUTCString(), ...headers } };
  };
  server = await stubServer(answer);
  const options = { baseUrl: server.url, clock, random: () => 0 };
  return { clock, now, options };
}

function limited(resetAt: number): StubAnswer {
  return {
    status: 429,
    body: { title: "Too Many Requests" },
    headers: {
      "x-rate-limit-limit": "15",
      "x-rate-limit-remaining": "0",
      "x-rate-limit-reset": String(Math.ceil(resetAt / SECOND)),
    },
  };
}

const SKEWS = [
  { skew: "the same time", aheadMs: 0 },
  { skew: "10 s ahead", aheadMs: 10 * SECOND },
  { skew: "10 s behind", aheadMs: -10 * SECOND },
  { skew: "120 s ahead", aheadMs: 120 * SECOND },
  { skew: "120 s behind", aheadMs: -120 * SECOND },
  { skew: "a day ahead", aheadMs: DAY },
  { skew: "a day behind", aheadMs: -DAY },
];

describe.each(SKEWS)("a client of a platform whose clock shows $skew", ({ aheadMs }) => {
  it("waits once for the reset of a limit, by the platform's clock", async () => {
    let endsAt: number | undefined;
    const { clock, options } = await platform(aheadMs, (now) => {
      endsAt ??= now + 10 * SECOND;
      return now < endsAt ? limited(endsAt) : ME;
    });
    const client = createClient({ ...options, credentials: BEARER });
    await client.request({ method: "GET", endpoint: "/2/users/me" });

    expect(server.seen).toHaveLength(2);
    expect(clock.slept).toHaveLength(1);
    expect(clock.slept[0]).toBeGreaterThanOrEqual(10 * SECOND);
    expect(clock.slept[0]).toBeLessThanOrEqual(10 * SECOND + PRECISION_MS);
    await client.close();
  });

  it("waits for the time in Retry-After, in seconds or as a date", async () => {
    const { clock, options } = await platform(aheadMs, (now) => {
      const date = new Date(now + 7 * SECOND).toUTCString();
      const after = ["5", date][server.seen.length - 1];
      return after === undefined ? ME : { status: 429, headers: { "retry-after": after } };
    });
    const client = createClient({ ...options, credentials: BEARER });
    await client.request({ method: "GET", endpoint: "/2/users/me" });

    expect(clock.slept).toEqual([5 * SECOND, 7 * SECOND]);
    await client.close();
  });

  it("signs with the platform's time, at the second attempt if the first is refused", async () => {
    const { options } = await platform(aheadMs, (now, { headers }) => {
      const signedAt = /oauth_timestamp="(\d+)"/.exec(String(headers["authorization"]))?.[1];
      const isFresh = Math.abs(Number(signedAt) * SECOND - now) <= 300 * SECOND;
      return isFresh ? ME : { status: 401, body: { errors: [{ code: 135, message: "Old" }] } };
    });
    const client = createClient({ ...options, credentials: USER, retry: false });
    await client.request(write);
    const first = server.seen.length;
    await client.request(write);

    expect(first).toBe(Math.abs(aheadMs) > 300 * SECOND ? 2 : 1);
    expect(server.seen).toHaveLength(first + 1);
    await client.close();
  });
});

describe("a refused signature", () => {
  it("is not repeated if its time was right", async () => {
    const { options } = await platform(0, () => ({ status: 401 }));
    const client = createClient({ ...options, credentials: USER, retry: false });

    await expect(client.request(write)).rejects.toMatchObject({ status: 401 });
    expect(server.seen).toHaveLength(1);
    await client.close();
  });
});

import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import type { HttpOutcome, HttpRequest } from "../../../src/rules/run/http-request.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { handClock, type HandClock } from "../../support/hand-clock.ts";
import { when } from "../../support/when.ts";
import type { Place } from "../store/contract.ts";
import { folderPlace } from "../store/place.ts";
import { type Life, liveOn, type Said } from "./lives.ts";

const rules = (request: string, beside = "") => `version: 1
rules:
  - id: book
    triggers: [dm.received]
    actions:
      - id: booked
        http: {url: "https://a.example/b", ${request}}
        on_error: [{reply_dm: "\${{ error.code }}: \${{ error.message }}"}, {stop: over}]
        ${beside}
      - reply_dm: booked
`;

let place: Place;
let store: Store;
let clock: HandClock;
let life: Life | undefined;
let platform: Said[];
let requests: HttpRequest[];

beforeEach(async () => {
  place = await folderPlace();
  store = await place.open();
  clock = handClock();
  [platform, requests] = [[], []];
});
afterEach(async () => {
  await life?.end();
  await store.close();
  await place.remove();
});

const ANSWERED: HttpOutcome = { ok: true, status: 200, text: "" };

/** Starts or restarts the bot. Its requests to services are answered, or never end (`hangs`). */
async function begin(text: string, answer: "answers" | "hangs", writes?: number): Promise<Life> {
  await life?.end();
  life = await liveOn({
    store,
    clock,
    platform,
    rules: text,
    ...(writes !== undefined && { writes }),
    request: (request) => {
      requests.push(request);
      return answer === "answers" ? Promise.resolve(ANSWERED) : new Promise(() => {});
    },
  });
  return life;
}

/** Returns the texts of the bot's messages, once there is at least one. */
async function said(): Promise<readonly string[]> {
  return when(async () => {
    clock.advance(1_000);
    life?.wake();
    await life?.sends();
    return platform.length > 0 ? platform.map(({ text }) => text) : undefined;
  });
}

const UNKNOWN =
  "unknown: the process ended while the request was under way: it may have arrived, or not";

describe("a request that the end of the process interrupted", () => {
  test.each([
    { request: "method: POST" },
    { request: "method: PATCH" },
    { request: "method: PUT, repeatable: false" },
  ])("is not repeated, and the step fails: $request", async ({ request }) => {
    await (await begin(rules(request), "hangs")).hears("1", "200", "hello");
    await when(async () => requests[0]);

    await begin(rules(request), "answers");

    expect(await said()).toEqual([UNKNOWN]);
    expect(requests).toHaveLength(1);
  });

  test.each([
    { request: "method: GET" },
    { request: "method: HEAD" },
    { request: "method: PUT" },
    { request: "method: DELETE" },
    { request: "method: POST, repeatable: true" },
    { request: "method: POST, headers: {Idempotency-Key: '${{ event.key }}'}" },
  ])("is repeated unchanged if that does no harm: $request", async ({ request }) => {
    await (await begin(rules(request), "hangs")).hears("1", "200", "hello");
    await when(async () => requests[0]);

    await begin(rules(request), "answers");

    expect(await said()).toEqual(["booked"]);
    expect(requests).toHaveLength(2);
    expect(requests[1]).toEqual(requests[0]);
  });

  it("is a failed attempt if the step has retries", async () => {
    const text = rules("method: POST", "retry: {attempts: 2, backoff: 5s}");
    await (await begin(text, "hangs")).hears("1", "200", "hello");
    await when(async () => requests[0]);

    await begin(text, "answers");

    expect(await said()).toEqual(["booked"]);
    expect(requests[1]?.headers).toEqual(requests[0]?.headers);
  });
});

it("a request that must not be repeated is not, after whichever write the process ends", async () => {
  const text = rules("method: POST");
  const ends: string[] = [];
  for (let writes = 1; writes <= 7; writes += 1) {
    [platform, requests] = [[], []];
    const first = await begin(text, "answers", writes);
    await first.hears(String(writes), "200", "hello").catch(() => {});
    void first.sends().catch(() => {});
    await Promise.race([first.died, said().catch(() => {})]);
    await begin(text, "answers");
    const texts = await said();
    expect(requests.length).toBeLessThanOrEqual(1);
    expect(texts).toHaveLength(1);
    ends.push(texts[0] === UNKNOWN ? "unknown" : String(texts[0]));
  }
  expect(new Set(ends)).toEqual(new Set(["booked", "unknown"]));
});

const SECRET = "sk-Live-0123456789";

test.each([
  { why: "unchanged", text: SECRET },
  { why: "in capital letters", text: SECRET.toUpperCase() },
  { why: "within more", text: `Bearer ${SECRET}, refused` },
])("a secret that a service returns is not in the answer: $why", async ({ text }) => {
  const answer: HttpOutcome = { ok: true, status: 200, text, json: { key: text } };
  life = await liveOn({
    store,
    clock,
    platform,
    secrets: { KEY: SECRET },
    request: () => Promise.resolve(answer),
    rules: `version: 1
rules:
  - id: book
    triggers: [dm.received]
    actions:
      - id: booked
        http: {url: "https://a.example/b", headers: {x-a: "\${{ secrets.KEY }}"}}
      - reply_dm: "\${{ steps.booked.text }} \${{ steps.booked.json.key }}"
`,
  });
  await life.hears("1", "200", "hello");

  const [got = ""] = await said();
  expect(got).toContain("[Redacted]");
  expect(got.toLowerCase()).not.toContain("0123");
});

it("the pause that a service asks for stays a number, although a secret has its digits", async () => {
  const failed: HttpOutcome = {
    ok: false,
    code: "http-status",
    error: "answered with 429",
    status: 429,
    text: "",
    retryAfterMs: 30_000,
  };
  const answers = [failed, ANSWERED];
  life = await liveOn({
    store,
    clock,
    platform,
    secrets: { KEY: "key-30000-key" },
    request: (request) => {
      requests.push(request);
      return Promise.resolve(answers.shift() ?? ANSWERED);
    },
    rules: rules(
      'headers: {x-a: "${{ secrets.KEY.substring(4) }}"}',
      "retry: {attempts: 2, backoff: 1s}",
    ),
  });
  const begun = clock.now();
  await life.hears("1", "200", "hello");

  expect(await said()).toEqual(["booked"]);
  expect(clock.now() - begun).toBeGreaterThanOrEqual(30_000);
});

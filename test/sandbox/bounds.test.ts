import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DataSandbox, startDataSandbox } from "./support/data-sandbox.ts";

let fixture: DataSandbox;
let alice: string;
let bob: string;
let many: string[];
beforeAll(async () => {
  fixture = await startDataSandbox({ clock: { frozen: true } });
  [alice, bob] = [fixture.person, await fixture.user("bob")];
  many = [];
  for (let n = 0; n < 50; n += 1) many.push(await fixture.user(`many${n}`));
});
afterAll(() => fixture.close());

/** A field of a request whose size is limited. `body` creates the request's body with a field of this size. */
interface Bound {
  readonly what: string;
  readonly path: () => string;
  readonly body: (size: number) => unknown;
  readonly least?: number;
  readonly most: number;
  /** Status of a request that exceeds the bound; 400 by default. */
  readonly refused?: number;
}

const letters = (count: number, of = "x") => of.repeat(count);
/** Counter that makes each text different, since the platform refuses the same text twice. */
let drawn = 0;
const fresh = (size: number) => `${(drawn += 1)}`.padEnd(size, "y");
const poll = (over: object) => ({ text: fresh(3), poll: { duration_minutes: 5, ...over } });
const POSTS = () => "/2/posts";
const message = () => `/2/dm_conversations/with/${bob}/messages`;

const BOUNDS: readonly Bound[] = [
  {
    what: "characters of a post",
    path: POSTS,
    body: (n) => ({ text: fresh(n) }),
    most: 280,
    refused: 403,
  },
  {
    what: "emoji of a post",
    path: POSTS,
    body: (n) => ({ text: letters(n, "🎲") }),
    most: 140,
    refused: 403,
  },
  {
    what: "options of a poll",
    path: POSTS,
    body: (n) => poll({ options: ["a", "b", "c", "d", "e"].slice(0, n) }),
    least: 2,
    most: 4,
  },
  {
    what: "characters of a poll's option",
    path: POSTS,
    body: (n) => poll({ options: ["a", letters(n)] }),
    least: 1,
    most: 25,
  },
  {
    what: "minutes of a poll",
    path: POSTS,
    body: (n) => poll({ options: ["a", "b"], duration_minutes: n }),
    least: 5,
    most: 10_080,
  },
  {
    what: "characters of a message",
    path: message,
    body: (n) => ({ text: letters(n) }),
    least: 1,
    most: 10_000,
  },
  {
    what: "people of a group",
    path: () => "/2/dm_conversations",
    body: (n) => ({
      conversation_type: "Group",
      participant_ids: many.slice(0, n),
      message: { text: "hi" },
    }),
    least: 2,
    most: 49,
  },
  {
    what: "characters of a list's name",
    path: () => "/2/lists",
    body: (n) => ({ name: letters(n) }),
    least: 1,
    most: 25,
  },
  {
    what: "characters of a list's description",
    path: () => "/2/lists",
    body: (n) => ({ name: "a", description: letters(n) }),
    most: 100,
  },
];

const CASES = BOUNDS.flatMap(({ least, most, refused = 400, ...bound }) => [
  ...(least === undefined
    ? []
    : [
        { ...bound, size: least, status: "accepted" as const },
        { ...bound, size: least - 1, status: 400 },
      ]),
  { ...bound, size: most, status: "accepted" as const },
  { ...bound, size: most + 1, status: refused },
]);

describe("the number of", () => {
  test.each(CASES)("$what may be $size: $status", async ({ path, body, size, status }) => {
    const answer = await fixture.as(alice, "POST", path(), body(size));
    const isAccepted = answer.status >= 200 && answer.status < 300;
    expect(isAccepted ? "accepted" : answer.status, JSON.stringify(answer.body)).toBe(status);
  });
});

describe("a list of ids in a query", () => {
  const ids = (count: number, first = 1_000) =>
    Array.from({ length: count }, (_, n) => first + n).join(",");

  const names = (count: number) => Array.from({ length: count }, (_, n) => `u${n}`).join(",");

  test.each([
    { path: `/2/posts?ids=${ids(100)}`, status: 200 },
    { path: `/2/posts?ids=${ids(101)}`, status: 400 },
    { path: `/2/users?ids=${ids(100)}`, status: 200 },
    { path: `/2/users?ids=${ids(101)}`, status: 400 },
    { path: `/2/users/by?usernames=${names(100)}`, status: 200 },
    { path: `/2/users/by?usernames=${names(101)}`, status: 400 },
    { path: `/2/users/by?usernames=${"a".repeat(15)}`, status: 200 },
    { path: `/2/users/by?usernames=${"a".repeat(16)}`, status: 400 },
  ])("is answered $status: $path", async ({ path, status }) => {
    expect((await fixture.get(path)).status).toBe(status);
  });
});

describe("the size of a page", () => {
  test.each([
    { path: "/2/dm_events", least: 1, most: 100 },
    { path: "/2/users/:id/posts", least: 5, most: 100 },
    { path: "/2/users/:id/mentions", least: 5, most: 100 },
    { path: "/2/posts/search/recent?query=x", least: 10, most: 100 },
    { path: "/2/users/:id/followers", least: 1, most: 1_000 },
    { path: "/2/users/:id/blocking", least: 1, most: 1_000 },
    { path: "/2/users/:id/liked_posts", least: 5, most: 100 },
  ])("of $path is from $least to $most", async ({ path, least, most }) => {
    const at = `${path.replace(":id", alice)}${path.includes("?") ? "&" : "?"}max_results=`;
    const statuses = [];
    for (const size of [least - 1, least, most, most + 1]) {
      statuses.push((await fixture.get(at + size, alice)).status);
    }
    expect(statuses).toEqual([400, 200, 200, 400]);
  });
});

describe("a setting of the sandbox", () => {
  const set = async (settings: object) =>
    fixture.sandbox.control.call("PATCH", "/settings", settings).then(
      () => "accepted",
      () => "refused",
    );

  test.each([
    {
      why: "the shortest wait for a challenge",
      settings: { timeouts: { challenge_ms: 1 } },
      is: "accepted",
    },
    { why: "none", settings: { timeouts: { challenge_ms: 0 } }, is: "refused" },
    { why: "the longest one", settings: { timeouts: { challenge_ms: 10_000 } }, is: "accepted" },
    { why: "a longer one", settings: { timeouts: { challenge_ms: 10_001 } }, is: "refused" },
    {
      why: "the longest wait for a delivery",
      settings: { timeouts: { delivery_ms: 60_000 } },
      is: "accepted",
    },
    { why: "a longer one of that", settings: { timeouts: { delivery_ms: 60_001 } }, is: "refused" },
    { why: "twenty repeats", settings: { retries_ms: Array(20).fill(1_000) }, is: "accepted" },
    { why: "one more", settings: { retries_ms: Array(21).fill(1_000) }, is: "refused" },
    { why: "no repeat", settings: { retries_ms: [] }, is: "accepted" },
    { why: "a challenge a minute", settings: { challenge_every_ms: 60_000 }, is: "accepted" },
    { why: "more often", settings: { challenge_every_ms: 59_999 }, is: "refused" },
    { why: "a thousandth of the limits", settings: { limits: { scale: 0.001 } }, is: "accepted" },
    { why: "none of the limits", settings: { limits: { scale: 0 } }, is: "refused" },
    {
      why: "a million times the limits",
      settings: { limits: { scale: 1_000_000 } },
      is: "accepted",
    },
    { why: "more of them", settings: { limits: { scale: 1_000_001 } }, is: "refused" },
    { why: "what there isn't", settings: { no_such: 1 }, is: "refused" },
  ])("is $is: $why", async ({ settings, is }) => {
    expect(await set(settings)).toBe(is);
  });
});

import { afterAll, beforeAll, expect, it, test } from "vitest";
import { idsIn, itemsOf, type LegacySandbox, startLegacySandbox } from "./legacy-sandbox.ts";

let fixture: LegacySandbox;
let alice: string;
let bob: string;
let posts: string[];
let reply: string;
let repost: string;
let mention: string;
beforeAll(async () => {
  fixture = await startLegacySandbox();
  [alice, bob] = [fixture.person, await fixture.user("bob")];
  posts = [];
  for (let n = 0; n < 5; n += 1) {
    posts.push(await fixture.create(alice, "statuses/update.json", { status: `thing ${n}` }));
  }
  mention = await fixture.create(bob, "statuses/update.json", { status: "@alice hello" });
  reply = await fixture.create(alice, "statuses/update.json", {
    status: "@bob hi",
    in_reply_to_status_id: mention,
  });
  repost = await fixture.create(alice, `statuses/retweet/${mention}.json`);
  await fixture.create(bob, "friendships/create.json", { screen_name: "alice" });
});
afterAll(() => fixture.close());

const own = (query = ""): ReturnType<LegacySandbox["show"]> =>
  fixture.show(`statuses/user_timeline.json?screen_name=alice${query}`);

test.each([
  { query: "", want: () => [repost, reply, ...posts.toReversed()], why: "all" },
  { query: "&count=2", want: () => [repost, reply], why: "the newest two" },
  { query: "&include_rts=false&count=1", want: () => [reply], why: "no reposts" },
  { query: "&exclude_replies=true&count=2", want: () => [repost, posts[4]], why: "no replies" },
  { query: () => `&since_id=${posts[4]}`, want: () => [repost, reply], why: "after a post" },
  {
    query: () => `&max_id=${posts[1]}`,
    want: () => [posts[1], posts[0]],
    why: "up to a post, with it",
  },
  { query: "&count=x", want: () => [repost, reply, ...posts.toReversed()], why: "any count" },
])("a user's timeline has $why", async ({ query, want }) => {
  expect(idsIn(await own(typeof query === "string" ? query : query()))).toEqual(want());
});

it("is the caller's own unless a user is named, and extended on request", async () => {
  const mine = await fixture.show("statuses/user_timeline.json?count=1&tweet_mode=extended", bob);
  expect(itemsOf(mine)).toMatchObject([{ id_str: mention, full_text: "@alice hello" }]);
  expect((await fixture.show("statuses/user_timeline.json")).body).toEqual({
    errors: [{ code: 25, message: "Query parameters are missing." }],
  });
});

it("of the home has posts of followed people, and that of mentions has posts that mention the user", async () => {
  const home = await fixture.show("statuses/home_timeline.json?count=3", bob);
  expect(idsIn(home)).toEqual([repost, reply, mention]);
  expect(idsIn(await fixture.show("statuses/mentions_timeline.json", bob))).toEqual([reply]);
  expect(idsIn(await fixture.show("statuses/mentions_timeline.json", alice))).toEqual([mention]);
  expect((await fixture.show("statuses/home_timeline.json")).status).toBe(403);
});

it("of a protected user is refused without a code, as by the live service", async () => {
  const carol = await fixture.user("carol");
  await fixture.sandbox.control.call("PATCH", `/users/${carol}`, { protected: true });

  expect(await fixture.show("statuses/user_timeline.json?screen_name=carol", bob)).toMatchObject({
    status: 401,
    body: { request: "/1.1/statuses/user_timeline.json", error: "Not authorized." },
  });
});

it("likes are listed, the latest first", async () => {
  for (const id of [posts[0], posts[3]])
    await fixture.create(bob, "favorites/create.json", { id: id ?? "" });

  expect(idsIn(await fixture.show("favorites/list.json?screen_name=bob"))).toEqual([
    posts[3],
    posts[0],
  ]);
  expect(idsIn(await fixture.show(`favorites/list.json?max_id=${posts[1]}`, bob))).toEqual([
    posts[0],
  ]);
});

it("a search gives statuses and how to go on", async () => {
  const first = await fixture.show("search/tweets.json?q=thing%20from%3Aalice&count=2");
  const metadata = Object(first.body["search_metadata"]);
  expect(first.body).toMatchObject({
    statuses: [{ id_str: posts[4], metadata: { iso_language_code: "en" } }, { id_str: posts[3] }],
    search_metadata: {
      count: 2,
      max_id: BigInt(posts[4] ?? ""),
      max_id_str: posts[4],
      query: "thing+from%3Aalice",
      since_id: 0,
    },
  });
  const second = await fixture.show(`search/tweets.json${metadata.next_results}`);
  expect(Object(second.body["statuses"])).toMatchObject([
    { id_str: posts[2] },
    { id_str: posts[1] },
  ]);
  const newer = await fixture.show(`search/tweets.json${metadata.refresh_url}`);
  expect(newer.body).toMatchObject({ statuses: [] });
});

it("a search finds posts in one language with the parameter lang, on each page", async () => {
  const { control } = fixture.sandbox;
  const cook = await fixture.user("cook");
  const act = async (text: string) => (await control.act(cook, { type: "post", text })).id;
  const older = await act("soup スープ です");
  await act("soup for all");
  const newer = await act("soup スープ");
  const first = await fixture.show("search/tweets.json?q=soup%20OR%20nothing&lang=ja&count=1");
  const { next_results: next } = Object(first.body["search_metadata"]);
  const second = await fixture.show(`search/tweets.json${next}`);

  expect([first, second].map(({ body }) => body["statuses"])).toMatchObject([
    [{ id_str: newer, lang: "ja" }],
    [{ id_str: older, lang: "ja" }],
  ]);
});

it("a search finds posts of an area with the parameter geocode, on each page", async () => {
  const { control } = fixture.sandbox;
  const traveller = await fixture.user("traveller");
  const cities = { paris: [2.3, 48.8, 2.4, 48.9], lyon: [4.8, 45.7, 4.9, 45.8] };
  const ids: unknown[] = [];
  for (const [full_name, bbox] of Object.entries(cities)) {
    const { place } = await control.call<{ place: { id: string } }>("POST", "/places", {
      full_name,
      bbox,
    });
    const geo = { place_id: place.id };
    for (const n of [1, 2])
      ids.push(await fixture.post(traveller, `soup ${n} ${full_name}`, { geo }));
  }
  const find = async (geocode: string) => {
    const first = await fixture.show(`search/tweets.json?q=soup&count=1&geocode=${geocode}`);
    const { next_results: next = "" } = Object(first.body["search_metadata"]);
    const second = await fixture.show(`search/tweets.json${next}`);
    return [first, second].map(({ body }) => Object(body["statuses"])[0]?.id_str);
  };

  expect(await find("48.85,2.35,16km")).toEqual([ids[1], ids[0]]);
  expect(await find("45.75,4.85,200mi")).toEqual([ids[3], ids[2]]);
});

it.each([
  { query: "hi OR hello", want: () => [reply, mention], why: "words" },
  { query: "hi -filter:replies OR hello", want: () => [mention], why: "no replies" },
  { query: "from:alice exclude:retweets exclude:replies", want: () => posts.toReversed() },
  { query: "from:alice filter:retweets", want: () => [repost], why: "reposts only" },
  { query: "thing until:2020-01-01", want: () => [], why: "before a day" },
  { query: "thing since:2020-01-01", want: () => posts.toReversed(), why: "since a day" },
  { query: '"filter:replies"', want: () => [], why: "what is quoted is text" },
])("a search takes the operators of 1.1: $query", async ({ query, want }) => {
  const { body } = await fixture.show(`search/tweets.json?q=${encodeURIComponent(query)}`);
  expect(Object(body["statuses"]).map((one: { id_str: string }) => one.id_str)).toEqual(want());
});

test.each([
  { query: "", code: 25, why: "no query" },
  { query: "?q=(a", code: 195, why: "a query that is not well formed" },
  { query: "?q=a%20filter:nonsense", code: 195, why: "a filter that there is not" },
  { query: "?q=a&geocode=48.85,2.35", code: 195, why: "a circle without a radius" },
  { query: "?q=a&until=today", code: 44, why: "a day that is none" },
])("a search is 400 with code $code for $why", async ({ query, code }) => {
  expect(await fixture.show(`search/tweets.json${query}`)).toMatchObject({
    status: 400,
    body: { errors: [{ code }] },
  });
});

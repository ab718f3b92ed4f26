import { afterAll, beforeAll, expect, it, test } from "vitest";
import {
  idsOf,
  DIALECT_WORDS,
  startDataSandbox,
  type DataSandbox,
} from "../../support/data-sandbox.ts";

let fixture: DataSandbox;
let alice: string;
let bob: string;
let postIds: string[];
let reply: string;
let repost: string;
let quote: string;
beforeAll(async () => {
  fixture = await startDataSandbox();
  [alice, bob] = [fixture.person, await fixture.user("bob")];
  postIds = [];
  for (let n = 1; n <= 7; n += 1) postIds.push(await fixture.post(alice, `number ${n}`));
  reply = await fixture.post(alice, "answer", { reply: { in_reply_to_tweet_id: postIds[0] } });
  const other = await fixture.post(bob, "hello @alice");
  const done = await fixture.as(alice, "POST", `/2/users/${alice}/retweets`, { tweet_id: other });
  repost = String(done.data["id"]);
  quote = await fixture.post(bob, "quoting", { quote_tweet_id: postIds[6] });
  postIds.push(other);
});
afterAll(() => fixture.close());

test.each(DIALECT_WORDS)(
  "a timeline is paged there and back, in the $dialect dialect",
  async ({ posts }) => {
    const path = `/2/users/${alice}/${posts}?max_results=5`;
    const first = await fixture.get(path);
    const second = await fixture.get(
      `${path}&pagination_token=${String(first.meta["next_token"])}`,
    );
    const back = await fixture.get(
      `${path}&pagination_token=${String(second.meta["previous_token"])}`,
    );

    expect(idsOf(first)).toEqual([repost, reply, postIds[6], postIds[5], postIds[4]]);
    expect(first.meta).toEqual({
      newest_id: repost,
      oldest_id: postIds[4],
      result_count: 5,
      next_token: expect.stringMatching(/^\w{16,}$/),
    });
    expect(idsOf(second)).toEqual([postIds[3], postIds[2], postIds[1], postIds[0]]);
    expect(second.meta).not.toHaveProperty("next_token");
    expect(idsOf(back)).toEqual(idsOf(first));
  },
);

it("leaves replies and reposts out on demand", async () => {
  const idsWithout = async (exclude: string): Promise<unknown[]> =>
    idsOf(await fixture.get(`/2/users/${alice}/tweets?exclude=${exclude}&max_results=5`)).slice(
      0,
      2,
    );

  expect(await idsWithout("replies")).toEqual([repost, postIds[6]]);
  expect(await idsWithout("retweets")).toEqual([reply, postIds[6]]);
  expect(await idsWithout("replies,retweets")).toEqual([postIds[6], postIds[5]]);
});

it("bounds a timeline by ids", async () => {
  const response = await fixture.get(
    `/2/users/${alice}/tweets?since_id=${postIds[1]}&until_id=${postIds[4]}`,
  );

  expect(idsOf(response)).toEqual([postIds[3], postIds[2]]);
});

it("lists mentions of a user and replies to them, not their own", async () => {
  expect(idsOf(await fixture.get(`/2/users/${alice}/mentions`))).toEqual([postIds[7]]);
  const answer = await fixture.post(bob, "no name here", {
    reply: { in_reply_to_tweet_id: postIds[2] },
  });
  expect(idsOf(await fixture.get(`/2/users/${alice}/mentions`))).toEqual([answer, postIds[7]]);
});

it("lists the quotes of a post", async () => {
  expect(idsOf(await fixture.get(`/2/tweets/${postIds[6]}/quote_tweets`))).toEqual([quote]);
});

it("names the newest and oldest post only in the meta of timelines", async () => {
  await fixture.as(bob, "POST", `/2/users/${bob}/likes`, { tweet_id: postIds[6] });
  const metaOf = async (path: string): Promise<unknown> => (await fixture.get(path, bob)).meta;

  expect(await metaOf(`/2/tweets/${postIds[6]}/quote_tweets`)).toEqual({ result_count: 1 });
  expect(await metaOf(`/2/users/${bob}/liked_tweets`)).toEqual({ result_count: 1 });
  expect(await metaOf(`/2/posts/${postIds[3]}/reposts`)).not.toHaveProperty("newest_id");
  expect(await metaOf(`/2/users/${alice}/mentions`)).toHaveProperty("newest_id");
});

it("returns one post of the home timeline a page, where other timelines give five or more", async () => {
  const home = await fixture.get(
    `/2/users/${bob}/timelines/reverse_chronological?max_results=1`,
    bob,
  );
  const own = await fixture.get(`/2/users/${bob}/posts?max_results=1`, bob);

  expect(home.data).toHaveLength(1);
  expect(own.status).toBe(400);
});

it("shows in the home timeline posts of the user and of followed people, without muted ones", async () => {
  const home = async (): Promise<unknown[]> =>
    idsOf(await fixture.get(`/2/users/${bob}/timelines/reverse_chronological`, bob));
  await fixture.as(bob, "POST", `/2/users/${bob}/following`, { target_user_id: alice });
  expect(await home()).toContain(postIds[6]);

  await fixture.as(bob, "POST", `/2/users/${bob}/muting`, { target_user_id: alice });
  expect(await home()).not.toContain(postIds[6]);
  expect(await home()).toContain(quote);
});

test.each([
  { path: "tweets?max_results=4", names: "max_results" },
  { path: "mentions?exclude=replies", names: "exclude" },
  { path: "tweets?exclude=quotes", names: "exclude" },
  { path: "tweets?pagination_token=x", names: "pagination_token" },
])("refuses $path", async ({ path, names }) => {
  const { status, errors } = await fixture.get(`/2/users/${alice}/${path}`);

  expect(status).toBe(400);
  expect(errors[0]?.["parameters"]).toHaveProperty(names);
});

it("lists one's own posts that others have reposted", async () => {
  const path = "/2/users/reposts_of_me";
  await fixture.as(bob, "POST", `/2/users/${bob}/retweets`, { tweet_id: postIds[2] });
  const mine = await fixture.get(`${path}?max_results=1`, alice);

  expect(idsOf(mine)).toHaveLength(1);
  expect(idsOf(await fixture.get(path, alice))).toContain(postIds[2]);
  expect((await fixture.get(path)).status).toBe(403);
});

test.each([
  { path: "posts", end: "2026-03-01T00:00:00Z" },
  { path: "mentions", end: "2026-03-02T00:00:00Z" },
  { path: "timelines/reverse_chronological", end: "2026-03-01T00:00:00Z" },
])("$path refuses an end_time of $end, which is not after start_time", async ({ path, end }) => {
  const query = `start_time=2026-03-02T00:00:00Z&end_time=${end}`;
  const { status, errors } = await fixture.get(`/2/users/${alice}/${path}?${query}`, alice);

  expect([status, errors]).toMatchObject([
    400,
    [{ message: expect.stringContaining("'end_time' must be after 'start_time'") }],
  ]);
});

import { afterEach, beforeEach, expect, it } from "vitest";
import { startDataSandbox, type DataSandbox } from "../support/data-sandbox.ts";
import { type ApiResponse, send } from "../support/test-sandbox.ts";
import { userToken } from "../support/user-token.ts";

let fixture: DataSandbox;
let alice: string;
let token: string;
beforeEach(async () => {
  fixture = await startDataSandbox();
  alice = fixture.person;
  token = await userToken(fixture, alice);
});
afterEach(() => fixture.close());

const asAlice = (method: string, path: string, body?: unknown): Promise<ApiResponse> =>
  send(method, `${fixture.sandbox.url}/2/users/${alice}/bookmarks${path}`, `Bearer ${token}`, body);

it("bookmarks are kept once, listed latest first, counted in the post, and removed", async () => {
  const posts = [await fixture.post(fixture.bot, "one"), await fixture.post(fixture.bot, "two")];
  for (const id of [...posts, posts[0]]) {
    const response = await asAlice("POST", "", { tweet_id: id });
    expect(response.body).toEqual({ data: { bookmarked: true } });
  }

  expect((await asAlice("GET", "")).body).toMatchObject({
    data: [{ id: posts[1] }, { id: posts[0] }],
    meta: { result_count: 2 },
  });
  const { data } = await fixture.get(`/2/posts/${posts[0]}?post.fields=public_metrics`);
  expect(data["public_metrics"]).toMatchObject({ bookmark_count: 1 });
  const removed = await asAlice("DELETE", `/${posts[0]}`);
  expect(removed.body).toEqual({ data: { bookmarked: false } });
  expect((await asAlice("GET", "")).body).toMatchObject({ data: [{ id: posts[1] }] });
});

it("a repost is bookmarked as its original, and deleted posts are not listed", async () => {
  const original = await fixture.post(fixture.bot, "one");
  const path = `/2/users/${alice}/retweets`;
  const repost = (await fixture.as(alice, "POST", path, { tweet_id: original })).data["id"];
  await asAlice("POST", "", { tweet_id: repost });

  expect((await asAlice("GET", "")).body).toMatchObject({ data: [{ id: original }] });
  await fixture.as(fixture.bot, "DELETE", `/2/posts/${original}`);
  expect((await asAlice("GET", "")).body).toEqual({ meta: { result_count: 0 } });
});

it("bookmarks may stand in folders, which name their posts by id", async () => {
  const post = await fixture.post(fixture.bot, "one");
  const response = await asAlice("POST", "/folders", { name: "later" });
  const folder = Object(response.body["data"]);
  expect(response).toMatchObject({ status: 201, body: { data: { name: "later" } } });
  await asAlice("POST", "", { tweet_id: post, folder_id: folder.id });

  expect((await asAlice("GET", "/folders")).body).toMatchObject({
    data: [{ id: folder.id, name: "later" }],
  });
  expect((await asAlice("GET", `/folders/${folder.id}`)).body).toMatchObject({
    data: [{ id: post }],
  });
  expect((await asAlice("GET", "")).body).toMatchObject({ data: [{ id: post }] });
  expect((await asAlice("GET", "/folders/5")).status).toBe(404);
  expect((await asAlice("POST", "", { tweet_id: post, folder_id: "5" })).status).toBe(404);
});

it("bookmarks are private, and are written only with OAuth 2.0 and its scope", async () => {
  const id = await fixture.post(fixture.bot, "one");
  const path = `/2/users/${alice}/bookmarks`;

  expect(await fixture.as(alice, "POST", path, { tweet_id: id })).toMatchObject({
    status: 403,
    body: { title: "Unsupported Authentication" },
  });
  expect((await fixture.get(path, alice)).status).toBe(200);
  expect((await fixture.get(path, fixture.bot)).status).toBe(403);
  expect((await fixture.get(path)).status).toBe(403);
  token = await userToken(fixture, alice, ["tweet.read", "users.read", "bookmark.read"]);
  expect((await asAlice("GET", "")).status).toBe(200);
  expect((await asAlice("POST", "", { tweet_id: id })).status).toBe(403);
});

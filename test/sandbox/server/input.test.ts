import { afterAll, beforeAll, expect, test } from "vitest";
import { startDataSandbox, type DataSandbox } from "../support/data-sandbox.ts";

let fixture: DataSandbox;
beforeAll(async () => {
  fixture = await startDataSandbox();
});
afterAll(() => fixture.close());

test.each([
  { path: "/2/users/BOT/likes", body: { tweet_id: 5 }, names: "tweet_id" },
  { path: "/2/users/BOT/likes", body: { post_id: 5 }, names: "post_id" },
  { path: "/2/users/BOT/likes", body: {}, names: "post_id" },
  { path: "/2/users/BOT/likes", body: { tweet_id: "5" }, names: "tweet_id" },
  { path: "/2/posts", body: { text: "x", quote_tweet_id: 5 }, names: "quote_tweet_id" },
  {
    path: "/2/posts",
    body: { text: "x", reply: { in_reply_to_tweet_id: 5 } },
    names: "reply.in_reply_to_tweet_id",
  },
  { path: "/2/users/BOT/muting", body: { target_user_id: "5", tweet_id: "5" }, names: "tweet_id" },
])("an error about $body names $names, as the caller wrote it", async ({ path, body, names }) => {
  const response = await fixture.as(fixture.bot, "POST", path.replace("BOT", fixture.bot), body);
  const [error] = response.errors;

  expect([400, 404]).toContain(response.status);
  expect(`${String(error?.["message"] ?? error?.["detail"])}:`).toMatch(
    new RegExp(`[ .]${names.replace(".", "\\.")}:`),
  );
});

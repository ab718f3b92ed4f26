import { ETwitterStreamEvent } from "twitter-api-v2";
import { afterEach, beforeEach, expect, it } from "vitest";
import { startWithTwitterApi, type TwitterApiSandbox } from "./twitter-api-sandbox.ts";

let fixture: TwitterApiSandbox;
beforeEach(async () => {
  fixture = await startWithTwitterApi();
});
afterEach(() => fixture.close());

it("npm twitter-api-v2 adds rules, streams what matches, and connects again after a break", async () => {
  const { asAppClient: app, sandbox, person } = fixture;
  const { data: rules, meta } = await app.v2.updateStreamRules({
    add: [{ value: "cat", tag: "cats" }],
  });
  const stream = await app.v2.searchStream({ expansions: ["author_id"], backfill_minutes: 1 });
  stream.autoReconnect = true;
  const reconnected = new Promise((resolve) => {
    stream.once(ETwitterStreamEvent.Reconnected, resolve);
  });
  const write = (text: string): Promise<unknown> =>
    sandbox.control.act(person, { type: "post", text });
  await write("a cat");
  const posts = stream[Symbol.asyncIterator]();
  const first = await posts.next();
  await sandbox.control.strikeStreams({ type: "end" });
  await reconnected;
  const { data: listed } = await app.v2.streamRules();
  stream.close();

  expect(meta.summary).toMatchObject({ created: 1, valid: 1 });
  expect(first.value).toMatchObject({
    data: { text: "a cat", author_id: person },
    includes: { users: [{ username: "alice" }] },
    matching_rules: [{ id: rules[0]?.id, tag: "cats" }],
  });
  expect(listed).toEqual(rules);
});

it("npm twitter-api-v2 searches everything and counts", async () => {
  const { asAppClient: app, sandbox, person } = fixture;
  await sandbox.control.act(person, { type: "post", text: "a cat" });
  const results = await app.v2.searchAll("cat", { start_time: "2020-01-01T00:00:00Z" });
  const recent = await app.v2.tweetCountRecent("cat", { granularity: "day" });
  const all = await app.v2.tweetCountAll("cat");

  expect(results.tweets).toMatchObject([{ text: "a cat" }]);
  expect([recent.meta.total_tweet_count, recent.data.at(-1)?.tweet_count]).toEqual([1, 1]);
  expect(all.meta.total_tweet_count).toBe(1);
});

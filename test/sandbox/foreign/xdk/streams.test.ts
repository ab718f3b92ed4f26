import { afterEach, beforeEach, expect, it } from "vitest";
import { startWithXdk, type XdkSandbox } from "./xdk-sandbox.ts";

let fixture: XdkSandbox;
beforeEach(async () => {
  fixture = await startWithXdk();
});
afterEach(() => fixture.close());

it("npm @xdevplatform/xdk adds rules, streams what matches, and ends the connection", async () => {
  const { stream, connections } = fixture.appClient;
  const added = await stream.updateRules({ add: [{ value: "cat", tag: "cats" }] });
  const rules = await stream.getRules();
  const counts = await stream.getRuleCounts();
  const posts = await stream.posts({ expansions: ["author_id"], tweetFields: ["created_at"] });
  const post = new Promise((resolve) => void posts.on("data", resolve));
  // `EventDrivenStream.close` is left out: it releases the stream's reader during a read, which it reports as an error.
  const ended = new Promise((resolve) => void posts.on("close", resolve));
  await fixture.personClient.posts.create({ text: "a dog" });
  await fixture.personClient.posts.create({ text: "a cat" });
  const streamed = await post;
  const open = await connections.getConnectionHistory({ status: "active" });
  const killed = await connections.deleteByEndpoint("filtered_stream");
  await ended;
  const killedAll = await connections.deleteAll();
  const id = Object(rules.data?.[0]).id;
  const removed = await stream.updateRules({ delete: { ids: [id] } });

  expect(added.meta?.summary).toMatchObject({ created: 1, valid: 1 });
  expect(rules.data).toEqual(added.data);
  expect(counts.data).toMatchObject({ capPerClientApp: "1000", projectRulesCount: "1" });
  expect(streamed).toMatchObject({
    data: { text: "a cat", author_id: fixture.person, created_at: expect.any(String) as unknown },
    includes: { users: [{ username: "alice" }] },
    matching_rules: [{ id, tag: "cats" }],
  });
  expect(open.data).toMatchObject([{ endpointName: "filtered_stream", clientIp: "127.0.0.1" }]);
  expect(killed.data).toMatchObject({ successfulKills: 1, failedKills: 0 });
  expect(killedAll.data).toMatchObject({ successfulKills: 0 });
  expect(removed.meta?.summary).toMatchObject({ deleted: 1 });
});

it("npm @xdevplatform/xdk reads how many posts the project has consumed", async () => {
  await fixture.personClient.posts.create({ text: "a cat" });
  await fixture.appClient.posts.searchRecent("cat");
  const { data } = await fixture.appClient.usage.get({ days: 7 });

  expect(data).toMatchObject({ projectUsage: "1" });
});

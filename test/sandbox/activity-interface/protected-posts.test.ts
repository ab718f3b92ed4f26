import { afterEach, beforeEach, expect, it, test } from "vitest";
import type { Act } from "../../../src/sandbox/control/objects.ts";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

let fixture: TestSandbox;
let webhook: string;
let alice: string;
let bob: string;
beforeEach(async () => {
  fixture = await startTestSandbox();
  const response = await fixture.asApp("POST", "/2/webhooks", { url: "https://bot.example/hook" });
  webhook = String(Object(response.body["data"]).id);
  [alice, bob] = [fixture.person, await fixture.sandbox.control.user("bob")];
});
afterEach(() => fixture.close());

/** Subscribes the app, with only its own token, to public events of a user. */
async function subscribe(eventType: string, userId: string): Promise<void> {
  const { status } = await fixture.asApp("POST", "/2/activity/subscriptions", {
    event_type: eventType,
    filter: { user_id: userId },
    webhook_id: webhook,
  });
  expect(status).toBe(200);
}

const act = (by: string, what: Act): ReturnType<TestSandbox["sandbox"]["control"]["act"]> =>
  fixture.sandbox.control.act(by, what);
const protect = (user: string): Promise<unknown> =>
  fixture.sandbox.control.changeUser(user, { protected: true });
/** Authorizes the app, as a log-in of the user does. */
const logIn = (user: string): Promise<unknown> =>
  fixture.sandbox.control.tokens(user, fixture.app.app_id);
async function received(): Promise<unknown[]> {
  await fixture.idle();
  return fixture.received.map(({ body }) => body["data"]);
}

test.each([
  { why: "the app alone gets", logsIn: false, texts: ["public"] },
  { why: "an app that the user has authorized gets", logsIn: true, texts: ["public", "hidden"] },
])("$why $texts of a protected user's posts", async ({ logsIn, texts }) => {
  await subscribe("post.create", alice);
  if (logsIn) await logIn(alice);
  await act(alice, { type: "post", text: "public" });
  await protect(alice);
  await act(alice, { type: "post", text: "hidden" });

  expect(await received()).toMatchObject(texts.map((text) => ({ payload: { text } })));
});

it("the app alone gets no deletion of a protected post", async () => {
  await subscribe("post.delete", alice);
  await protect(alice);
  const { id } = await act(alice, { type: "post", text: "hidden" });
  await act(alice, { type: "delete", post_id: id });

  expect(await received()).toEqual([]);
});

test.each([
  { logsIn: false, count: 0 },
  { logsIn: true, count: 1 },
])(
  "a protected follower's mention of a public user arrives $count times (authorized: $logsIn)",
  async ({ logsIn, count }) => {
    await subscribe("post.mention.create", alice);
    if (logsIn) await logIn(alice);
    await act(alice, { type: "follow", user_id: bob });
    await protect(bob);
    await act(bob, { type: "post", text: "@alice between us" });

    expect(await received()).toHaveLength(count);
  },
);

test.each([
  { logsIn: false, posts: [] },
  { logsIn: true, posts: [{ text: "for followers" }] },
])("shows a quoted protected post only if authorized: $logsIn", async ({ logsIn, posts }) => {
  await subscribe("post.create", alice);
  if (logsIn) await logIn(alice);
  await act(alice, { type: "follow", user_id: bob });
  const { id } = await act(bob, { type: "post", text: "for followers" });
  await protect(bob);
  await act(alice, { type: "post", text: "see", quote_of: id });

  const [event] = await received();
  expect(event).toMatchObject({ payload: { text: expect.stringContaining("see") } });
  const { includes } = event as { includes: { posts?: unknown[] } };
  expect(includes.posts ?? []).toMatchObject(posts);
});

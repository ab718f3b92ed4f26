import { afterEach, beforeEach, expect, it, test } from "vitest";
import type { Act } from "../../../src/sandbox/control/objects.ts";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

let fixture: TestSandbox;
let bot: string;
let alice: string;
let post: string;
beforeEach(async () => {
  fixture = await startTestSandbox();
  ({ bot, person: alice } = fixture);
  await fixture.subscribed();
  ({ id: post } = await act(bot, { type: "post", text: "open until nine" }));
  await fixture.idle();
  fixture.received.length = 0;
});
afterEach(() => fixture.close());

const act = (by: string, what: Act): ReturnType<TestSandbox["sandbox"]["control"]["act"]> =>
  fixture.sandbox.control.act(by, what);
const change = (user: string, fields: object): Promise<unknown> =>
  fixture.sandbox.control.call("PATCH", `/users/${user}`, fields);
/** Returns the keys of the received events. */
async function received(): Promise<string[]> {
  await fixture.idle();
  return fixture.received.flatMap(({ body }) =>
    Object.keys(body).filter((key) => key.endsWith("_events")),
  );
}

const BLOCKED = "@hello_bot has blocked @alice.";
const CASES: readonly { readonly what: () => Act; readonly says: string; readonly on: string }[] = [
  {
    on: "a message",
    what: () => ({ type: "dm", to: bot, text: "hi" }),
    says: `write to @hello_bot: ${BLOCKED}`,
  },
  {
    on: "typing",
    what: () => ({ type: "typing", to: bot }),
    says: `write to @hello_bot: ${BLOCKED}`,
  },
  {
    on: "a like",
    what: () => ({ type: "like", post_id: post }),
    says: `like post ID: ${BLOCKED}`,
  },
  {
    on: "a repost",
    what: () => ({ type: "repost", post_id: post }),
    says: `repost post ID: ${BLOCKED}`,
  },
  {
    on: "a reply",
    what: () => ({ type: "post", text: "really?", in_reply_to: post }),
    says: `reply to post ID: ${BLOCKED}`,
  },
  {
    on: "a quote",
    what: () => ({ type: "post", text: "look", quote_of: post }),
    says: `quote post ID: ${BLOCKED}`,
  },
  {
    on: "a follow",
    what: () => ({ type: "follow", user_id: bot }),
    says: "follow @hello_bot: You have been blocked from following this account",
  },
];

test.each(CASES)("$on by a blocked person is refused and not delivered", async ({ what, says }) => {
  await act(bot, { type: "block", user_id: alice });
  await received();
  fixture.received.length = 0;

  await expect(act(alice, what())).rejects.toMatchObject({
    status: 403,
    code: "forbidden",
    message: expect.stringContaining(`@alice can't ${says.replace("ID", post)}`),
  });
  expect(await received()).toEqual([]);
  await act(bot, { type: "unblock", user_id: alice });
  await expect(act(alice, what())).resolves.toHaveProperty("id");
});

it("a mention by a blocked person is delivered, marked as blocked", async () => {
  await act(bot, { type: "block", user_id: alice });
  await act(alice, { type: "post", text: "@hello_bot hello?" });
  await fixture.idle();

  expect(fixture.received.at(-1)?.body).toMatchObject({
    user_has_blocked: "true",
    is_blocked_by: true,
  });
});

test.each([
  {
    why: "the person has blocked the recipient",
    before: () => act(alice, { type: "block", user_id: bot }),
    says: "@alice has blocked @hello_bot.",
  },
  {
    why: "the recipient has blocked the person's messages",
    before: () => fixture.asBot("POST", `/2/users/${alice}/dm/block`),
    says: "@hello_bot has blocked messages from @alice.",
  },
  {
    why: "the recipient takes no messages",
    before: () => change(bot, { receives_your_dm: false }),
    says: "@hello_bot accepts no messages.",
  },
])("a message is refused if $why", async ({ before, says }) => {
  await before();

  await expect(act(alice, { type: "dm", to: bot, text: "hi" })).rejects.toThrow(
    `@alice can't write to @hello_bot: ${says}`,
  );
});

it("a user may write to themselves", async () => {
  await expect(act(bot, { type: "dm", to: bot, text: "note" })).resolves.toHaveProperty("id");
});

it("the posts of a protected account are out of reach of others, and followers can't repost them", async () => {
  await change(bot, { protected: true });
  await expect(act(alice, { type: "like", post_id: post })).rejects.toThrow(
    `@alice can't like post ${post}: the posts of @hello_bot are protected, and @alice is not a follower.`,
  );
  await act(alice, { type: "follow", user_id: bot });
  await fixture.sandbox.control.answerFollowRequest(bot, alice, true);

  await expect(act(alice, { type: "like", post_id: post })).resolves.toHaveProperty("id");
  await expect(act(alice, { type: "repost", post_id: post })).rejects.toThrow(
    `@alice can't repost post ${post}: You are not permitted to repost a protected post.`,
  );
});

it("a hidden original is out of reach through its repost", async () => {
  const carol = await fixture.sandbox.control.user("carol");
  const { id: repost } = await act(carol, { type: "repost", post_id: post });
  await act(bot, { type: "block", user_id: alice });

  await expect(act(alice, { type: "like", post_id: repost })).rejects.toThrow(BLOCKED);
});

it("a follow of a protected account waits until it is accepted, or is withdrawn", async () => {
  await change(bot, { protected: true });
  const { control } = fixture.sandbox;
  expect(await act(alice, { type: "follow", user_id: bot })).toEqual({
    id: expect.any(String),
    pending_follow: true,
  });
  await act(alice, { type: "unfollow", user_id: bot });
  await expect(control.answerFollowRequest(bot, alice, true)).rejects.toMatchObject({
    code: "no_request",
  });
  await act(alice, { type: "follow", user_id: bot });
  expect(await received()).toEqual([]);

  await control.answerFollowRequest(bot, alice, true);
  expect(await received()).toEqual(["follow_events"]);
});

it("reply settings apply", async () => {
  const answer = await fixture.asBot("POST", "/2/posts", {
    text: "only for those named here",
    reply_settings: "mentionedUsers",
  });
  const { id } = answer.body["data"] as { id: string };

  await expect(act(alice, { type: "post", text: "me", in_reply_to: id })).rejects.toThrow(
    `@alice can't reply to post ${id}: Reply to this conversation is not allowed`,
  );
});

it("an edit of a repost or of a poll is refused", async () => {
  const { id: repost } = await act(alice, { type: "repost", post_id: post });
  const poll = { options: ["tea", "coffee"], duration_minutes: 60 };
  const created = await fixture.asBot("POST", "/2/posts", { text: "tea or coffee?", poll });
  const { id: withPoll } = created.body["data"] as { id: string };
  const refusals = [
    { by: alice, name: "alice", id: repost },
    { by: bot, name: "hello_bot", id: withPoll },
  ];

  for (const { by, name, id } of refusals) {
    await expect(act(by, { type: "edit", post_id: id, text: "mine" })).rejects.toMatchObject({
      status: 403,
      code: "forbidden",
      message: `@${name} can't edit post ${id}: reposts and polls can not be edited.`,
    });
  }
});

it("the sixth edit of a post is refused, and so is an edit after an hour", async () => {
  const edit = (post_id: string): ReturnType<typeof act> =>
    act(bot, { type: "edit", post_id, text: "open until ten" });
  const { id: other } = await act(bot, { type: "post", text: "closed on Sunday" });
  for (let n = 1; n <= 5; n += 1) await edit(post);

  await expect(edit(post)).rejects.toThrow("it was edited 5 times already.");
  await fixture.sandbox.control.advance(60 * 60_000);
  await expect(edit(other)).rejects.toThrow("the time to edit it is over.");
});

import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { send, signed } from "../../support/test-sandbox.ts";
import { idsIn, itemsOf, type LegacySandbox, startLegacySandbox } from "./legacy-sandbox.ts";

let fixture: LegacySandbox;
let alice: string;
let bot: string;
beforeEach(async () => {
  fixture = await startLegacySandbox();
  ({ person: alice, bot } = fixture);
});
afterEach(() => fixture.close());

const say = (userId: string, status: string, more = {}): Promise<string> =>
  fixture.create(userId, "statuses/update.json", { status, ...more });

describe("a status", () => {
  it("is made by a form, with its id as a number with all digits", async () => {
    const { status, body } = await fixture.submit(alice, "statuses/update.json", {
      status: "R&D at https://example.com",
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: BigInt(String(body["id_str"])),
      created_at: expect.stringMatching(/^\w{3} \w{3} \d\d \d\d:\d\d:\d\d \+0000 \d{4}$/),
      text: expect.stringMatching(/^R&amp;D at https:\/\/t\.co\/\w{10}$/),
      truncated: false,
      entities: { urls: [{ expanded_url: "https://example.com" }] },
      user: { id_str: alice, screen_name: "alice", following: false },
      in_reply_to_status_id: null,
      retweet_count: 0,
      favorited: false,
      retweeted: false,
      is_quote_status: false,
    });
    expect(body).not.toHaveProperty("full_text");
    expect(body).not.toHaveProperty("filter_level");
  });

  it("is shown by id in the query or the path, to users and apps", async () => {
    const id = await say(alice, "hello");
    const byQuery = await fixture.show(`statuses/show.json?id=${id}`, bot);
    const byPath = await fixture.show(`statuses/show/${id}.json`);

    expect(byQuery.body).toMatchObject({ id_str: id, text: "hello" });
    expect(byPath.body).toMatchObject({ id_str: id, user: { following: null } });
    expect(byPath.headers.get("x-rate-limit-limit")).toBe("900");
    expect(byQuery.headers.get("x-access-level")).toBe("read-write-directmessages");
  });

  it("has all of its text as full_text in the extended mode", async () => {
    await fixture.sandbox.control.call("PATCH", `/users/${alice}`, {
      subscription_type: "Premium",
    });
    const long = `${"word ".repeat(80)}end`;
    const id = await say(alice, long);
    const plain = (await fixture.show(`statuses/show.json?id=${id}`)).body;
    const whole = (await fixture.show(`statuses/show.json?id=${id}&tweet_mode=extended`)).body;

    expect(plain).toMatchObject({ truncated: true });
    expect(String(plain["text"]).length).toBeLessThanOrEqual(140);
    expect(whole).toMatchObject({
      full_text: long,
      truncated: false,
      display_text_range: [0, long.length],
    });
    expect(whole).not.toHaveProperty("text");
  });

  it("shows the quoted post, and a repost shows its original", async () => {
    const original = await say(alice, "one");
    const quote = await say(bot, "look", {
      attachment_url: `https://platform.example/alice/status/${original}`,
    });
    const { body: repost } = await fixture.submit(alice, `statuses/retweet/${quote}.json`);

    expect(repost).toMatchObject({
      text: expect.stringMatching(/^RT @hello_bot: look/),
      retweeted: true,
      retweet_count: 1,
      retweeted_status: {
        id_str: quote,
        is_quote_status: true,
        quoted_status_id_str: original,
        quoted_status: { id_str: original, text: "one", user: { screen_name: "alice" } },
      },
    });
  });

  it("does not show a quoted post to readers who may not see it", async () => {
    const original = await say(alice, "secret");
    const url = `https://platform.example/alice/status/${original}`;
    const quote = await say(bot, "look", { attachment_url: url });
    await fixture.sandbox.control.call("PATCH", `/users/${alice}`, { protected: true });
    const { body } = await fixture.show(`statuses/show.json?id=${quote}`);

    expect(body).toMatchObject({ is_quote_status: true, quoted_status_id_str: original });
    expect(body).not.toHaveProperty("quoted_status");
  });

  it("can be requested without its author's profile and entities", async () => {
    const id = await say(alice, "hello #tag");
    const { body } = await fixture.show(
      `statuses/show.json?id=${id}&trim_user=true&include_entities=false`,
    );

    expect(body["user"]).toEqual({ id: BigInt(alice), id_str: alice });
    expect(body).not.toHaveProperty("entities");
  });
});

describe("a reply", () => {
  it.each([
    { text: "@alice yes", more: {}, isReply: true, why: "its author is mentioned" },
    { text: "yes", more: {}, isReply: false, why: "its author is not mentioned" },
    {
      text: "yes",
      more: { auto_populate_reply_metadata: "true" },
      isReply: true,
      why: "the mention is to be added",
    },
  ])("is one: $isReply, since $why", async ({ text, more, isReply }) => {
    const question = await say(alice, "open?");
    const id = await say(bot, text, { in_reply_to_status_id: question, ...more });
    const { body } = await fixture.show(`statuses/show.json?id=${id}`);

    expect(body["in_reply_to_status_id_str"]).toBe(isReply ? question : null);
    expect(body["in_reply_to_screen_name"]).toBe(isReply ? "alice" : null);
  });
});

test("statuses are looked up together; missing ones are left out, or null in a map", async () => {
  const ids = [await say(alice, "one"), await say(alice, "two")];
  const idList = `${ids[1]},5,${ids[0]}`;

  expect(idsIn(await fixture.show(`statuses/lookup.json?id=${idList}`))).toEqual([ids[1], ids[0]]);
  const posted = await fixture.submit(bot, "statuses/lookup.json", { id: idList, map: "true" });
  expect(posted.body["id"]).toMatchObject({ [ids[0] ?? ""]: { text: "one" }, "5": null });
});

test("a status is deleted, liked and reposted once, and each of it undone", async () => {
  const id = await say(alice, "hello");
  const like = await fixture.submit(bot, "favorites/create.json", { id });
  expect(like.body).toMatchObject({ id_str: id, favorited: true, favorite_count: 1 });
  await fixture.create(bot, `statuses/retweet/${id}.json`);
  const shown = (await fixture.show(`statuses/show.json?id=${id}`, bot)).body;
  expect(shown).toMatchObject({ retweeted: true, retweet_count: 1, favorited: true });

  const unlike = await fixture.submit(bot, "favorites/destroy.json", { id });
  expect(unlike.body).toMatchObject({ favorited: false, favorite_count: 0 });
  const undone = await fixture.submit(bot, `statuses/unretweet/${id}.json`);
  expect(undone.body).toMatchObject({ id_str: id, retweeted: false, retweet_count: 0 });
  const deleted = await fixture.submit(alice, `statuses/destroy/${id}.json`);
  expect(deleted.body).toMatchObject({ id_str: id, text: "hello" });
  expect((await fixture.show(`statuses/show.json?id=${id}`)).status).toBe(404);
});

test("the reposters of a status are listed, and own statuses that others reposted", async () => {
  const id = await say(alice, "hello");
  const repost = await fixture.create(bot, `statuses/retweet/${id}.json`);

  const reposts = await fixture.show(`statuses/retweets/${id}.json`);
  expect(idsIn(reposts)).toEqual([repost]);
  expect(itemsOf(reposts)).toMatchObject([{ retweeted_status: { id_str: id } }]);
  const { body } = await fixture.show(`statuses/retweeters/ids.json?id=${id}&stringify_ids=true`);
  expect(body).toMatchObject({ ids: [bot], next_cursor: 0 });
  expect(idsIn(await fixture.show("statuses/retweets_of_me.json", alice))).toEqual([id]);
  expect(idsIn(await fixture.show("statuses/retweets_of_me.json", bot))).toEqual([]);
});

const twice = async (userId: string, path: string, fields = {}): Promise<unknown> => {
  await fixture.submit(userId, path, fields);
  return fixture.submit(userId, path, fields);
};

test.each([
  {
    why: "there is none of that id",
    call: () => fixture.show("statuses/show.json?id=5"),
    status: 404,
    error: { code: 144, message: "No status found with that ID." },
  },
  {
    why: "no id is given",
    call: () => fixture.show("statuses/show.json"),
    status: 400,
    error: { code: 25, message: "Query parameters are missing." },
  },
  {
    why: "the id is none",
    call: () => fixture.show("statuses/show.json?id=x"),
    status: 400,
    error: { code: 44, message: "id parameter is invalid." },
  },
  {
    why: "the path's id is none",
    call: () => fixture.show("statuses/show/x.json"),
    status: 404,
    error: { code: 34, message: "Sorry, that page does not exist." },
  },
  {
    why: "the page does not exist",
    call: () => fixture.show("statuses/nothing.json"),
    status: 404,
    error: { code: 34, message: "Sorry, that page does not exist." },
  },
  {
    why: "the text is missing",
    call: () => fixture.submit(bot, "statuses/update.json"),
    status: 403,
    error: { code: 170, message: "Missing required parameter: status." },
  },
  {
    why: "the text was written before",
    call: () => twice(bot, "statuses/update.json", { status: "again" }),
    status: 403,
    error: { code: 187, message: "Status is a duplicate." },
  },
  {
    why: "the text is too long",
    call: () => fixture.submit(bot, "statuses/update.json", { status: "x".repeat(281) }),
    status: 403,
    error: { code: 186, message: "Tweet needs to be a bit shorter." },
  },
  {
    why: "what it replies to is not there",
    call: () =>
      fixture.submit(bot, "statuses/update.json", { status: "a", in_reply_to_status_id: "5" }),
    status: 403,
    error: { code: 385, message: expect.stringContaining("deleted or not visible to you") },
  },
  {
    why: "its media are unknown",
    call: () => fixture.submit(bot, "statuses/update.json", { status: "a", media_ids: "5" }),
    status: 400,
    error: { code: 324, message: "The validation of media ids failed." },
  },
  {
    why: "it has been reposted",
    call: async () => twice(bot, `statuses/retweet/${await say(alice, "a")}.json`),
    status: 403,
    error: { code: 327, message: "You have already retweeted this Tweet." },
  },
  {
    why: "it has been liked",
    call: async () => twice(bot, "favorites/create.json", { id: await say(alice, "a") }),
    status: 403,
    error: { code: 139, message: "You have already favorited this status." },
  },
  {
    why: "it was not liked",
    call: async () => fixture.submit(bot, "favorites/destroy.json", { id: await say(alice, "a") }),
    status: 404,
    error: { code: 144, message: "No status found with that ID." },
  },
  {
    why: "it is somebody else's",
    call: async () => fixture.submit(bot, `statuses/destroy/${await say(alice, "a")}.json`),
    status: 403,
    error: { code: 183, message: expect.any(String) },
  },
  {
    why: "an app alone can't write",
    call: () => fixture.asApp("POST", "/1.1/statuses/update.json?status=a"),
    status: 403,
    error: { code: 220, message: "Your credentials do not allow access to this resource." },
  },
])("is $status with code $error.code where $why", async ({ call, status, error }) => {
  expect(await call()).toMatchObject({ status, body: { errors: [error] } });
});

test("is code 179 if only followers may see it, and 32 for a wrong signature", async () => {
  const id = await say(alice, "secret");
  await fixture.sandbox.control.call("PATCH", `/users/${alice}`, { protected: true });

  expect(await fixture.show(`statuses/show.json?id=${id}`, bot)).toMatchObject({
    status: 403,
    body: { errors: [{ code: 179, message: "Sorry, you are not authorized to see this status." }] },
  });
  const url = `${fixture.sandbox.url}/1.1/statuses/show.json?id=${id}`;
  const tokens = await fixture.sandbox.control.tokens(bot, fixture.app.app_id);
  const wrong = signed(fixture.app, { ...tokens, access_token_secret: "x" }, "GET", url);
  expect((await send("GET", url, wrong)).body).toEqual({
    errors: [{ code: 32, message: "Could not authenticate you." }],
  });
  expect(itemsOf(await fixture.show(`statuses/lookup.json?id=${id}`, bot))).toEqual([]);
});

import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { DIALECT_WORDS, startDataSandbox, type DataSandbox } from "../../support/data-sandbox.ts";

const HOUR = 60 * 60_000;
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

let fixture: DataSandbox;
let alice: string;
let bob: string;
beforeAll(async () => {
  fixture = await startDataSandbox({ clock: { frozen: true } }, { name: "Answering Machine" });
  [alice, bob] = [fixture.person, await fixture.user("bob")];
});
afterAll(() => fixture.close());

const publish = (body: unknown, by = alice): ReturnType<DataSandbox["as"]> =>
  fixture.as(by, "POST", "/2/posts", body);

describe.each(DIALECT_WORDS)("POST $path", ({ dialect, path, history, fields, references }) => {
  it("answers 201 with id, text and the edit history", async () => {
    const own = await startDataSandbox({}, { dialect });
    const { status, body } = await own.as(own.person, "POST", path, { text: "hello" });
    await own.close();

    expect(status).toBe(201);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^\d{15,19}$/),
        text: "hello",
        [history]: expect.any(Array),
      },
    });
  });

  it("replies, in the conversation of the post it answers", async () => {
    const root = await fixture.post(alice, `root in ${dialect}`);
    const reply = await fixture.post(bob, "first", { reply: { in_reply_to_tweet_id: root } });
    const next = await fixture.post(alice, "second", { reply: { in_reply_to_post_id: reply } });
    const { data } = await fixture.get(
      `${path}/${next}?${fields}=conversation_id,in_reply_to_user_id,${references}`,
    );

    expect(data).toMatchObject({
      conversation_id: root,
      in_reply_to_user_id: bob,
      [references]: [{ type: "replied_to", id: reply }],
    });
  });
});

it("names the app as the source of a post", async () => {
  const id = await fixture.post(alice, "where from?");
  const { data } = await fixture.get(`/2/posts/${id}?post.fields=source,lang,reply_settings`);

  expect(data).toMatchObject({
    source: "Answering Machine",
    lang: "en",
    reply_settings: "everyone",
  });
});

test.each([
  { body: {}, says: "One of `text`", why: "there is nothing in it" },
  { body: { quote_tweet_id: "1" }, says: "One of `text`", why: "a quote without text" },
  { body: { text: "x", colour: "red" }, says: "$.colour: is not defined", why: "an unknown key" },
  { body: { text: 5 }, says: "$.text: ", why: "a text that is a number" },
  { body: { reply: {} }, says: "in_reply_to_post_id: is missing", why: "a reply to nothing" },
  { body: { text: "x", quote_tweet_id: "abc" }, says: "quote_tweet_id", why: "no id" },
  { body: { text: "x", quote_tweet_id: "1" }, says: "quote_tweet_id", why: "no such post" },
  { body: { text: "x", media: { media_ids: [] } }, says: "media.media_ids", why: "no media" },
  { body: { text: "x", media: { media_ids: ["1"] } }, says: "media IDs", why: "unknown media" },
  {
    body: { text: "x", poll: { options: ["a"], duration_minutes: 5 } },
    says: "poll.options",
    why: "one option",
  },
  {
    body: { text: "x", poll: { options: ["a", "b"], duration_minutes: 4 } },
    says: "poll.duration_minutes",
    why: "a poll too short",
  },
  {
    body: { text: "x", poll: { options: ["a", "b".repeat(26)], duration_minutes: 5 } },
    says: "poll.options.1",
    why: "an option too long",
  },
  {
    body: { text: "x", reply_settings: "nobody" },
    says: "$.reply_settings",
    why: "no such setting",
  },
  { body: { text: "x", geo: { place_id: "nowhere" } }, says: "geo.place_id", why: "no such place" },
  {
    body: { text: "x", quote_tweet_id: "1", poll: { options: ["a", "b"], duration_minutes: 5 } },
    says: "Only one of",
    why: "a poll with a quote",
  },
])("is 400 for $why", async ({ body, says }) => {
  const { status, errors, body: errorBody } = await publish(body);

  expect([status, errorBody["title"]]).toEqual([400, "Invalid Request"]);
  expect(errors[0]?.["message"]).toContain(says);
});

describe("a post", () => {
  it("is refused when its author wrote the same within a day", async () => {
    await fixture.post(alice, "again and again");
    const { status, body } = await publish({ text: "again and again" });

    expect(status).toBe(403);
    expect(body).toEqual({
      title: "Forbidden",
      detail: "You are not allowed to create a Tweet with duplicate content.",
      type: "about:blank",
      status: 403,
    });
    await fixture.sandbox.control.advance(25 * HOUR);
    expect((await publish({ text: "again and again" })).status).toBe(201);
  });

  it("may pass 280 characters for subscribers only, a link counting 23", async () => {
    const link = `https://a.example/${"x".repeat(300)}`;
    const long = "y".repeat(281);

    expect((await publish({ text: `see ${link}` })).status).toBe(201);
    expect((await publish({ text: long })).status).toBe(403);
    await fixture.sandbox.control.call("PATCH", `/users/${bob}`, { subscription_type: "Premium" });
    expect((await publish({ text: long }, bob)).status).toBe(201);
  });

  it("carries media that its author uploaded, shown when expanded", async () => {
    const upload = await fixture.as(alice, "POST", "/2/media/upload", {
      media: PIXEL,
      media_category: "tweet_image",
      media_type: "image/png",
    });
    const media = { media_ids: [upload.data["id"]] };
    const id = await fixture.post(alice, "a picture", { media });
    const { data, includes } = await fixture.get(
      `/2/posts/${id}?expansions=attachments.media_keys&media.fields=width,height,url`,
    );

    expect(data["attachments"]).toEqual({ media_keys: [upload.data["media_key"]] });
    expect(includes["media"]).toEqual([
      {
        media_key: upload.data["media_key"],
        type: "photo",
        url: `${fixture.sandbox.url}/media/${String(upload.data["media_key"])}.png`,
        width: 1,
        height: 1,
      },
    ]);
    expect((await publish({ text: "stolen", media }, bob)).status).toBe(400);
  });
});

describe("an edit", () => {
  const edit = (id: string, text: string, by = alice): ReturnType<DataSandbox["as"]> =>
    publish({ text, edit_options: { previous_post_id: id } }, by);
  const upload = (): ReturnType<DataSandbox["as"]> =>
    fixture.as(alice, "POST", "/2/media/upload", {
      media: PIXEL,
      media_category: "tweet_image",
      media_type: "image/png",
    });

  it("creates a new version with the whole history, and keeps the counts of the first", async () => {
    const id = await fixture.post(alice, "frist");
    await fixture.as(bob, "POST", `/2/users/${bob}/likes`, { tweet_id: id });
    const { data } = await edit(id, "first");
    const query = "post.fields=edit_controls,public_metrics,edit_history_post_ids";
    const old = await fixture.get(`/2/posts/${id}?${query}`);
    const now = await fixture.get(`/2/posts/${String(data["id"])}?${query}`);

    expect(data["edit_history_post_ids"]).toEqual([id, data["id"]]);
    expect(old.data).toMatchObject({ text: "frist", edit_history_post_ids: [id, data["id"]] });
    expect(now.data).toMatchObject({
      text: "first",
      public_metrics: { like_count: 1 },
      edit_controls: {
        edits_remaining: 4,
        is_edit_eligible: true,
        editable_until: expect.stringMatching(/Z$/),
      },
    });
  });

  it("counts a person once who likes and reposts both versions", async () => {
    const id = await fixture.post(alice, "likde twice");
    const { data } = await edit(id, "liked twice");
    const carol = await fixture.user("carol");
    for (const [person, tweet_id] of [
      [bob, id],
      [bob, String(data["id"])],
      [carol, id],
    ] as const) {
      await fixture.as(person, "POST", `/2/users/${person}/likes`, { tweet_id });
      await fixture.as(person, "POST", `/2/users/${person}/retweets`, { tweet_id });
    }

    const { data: now } = await fixture.get(`/2/posts/${id}?post.fields=public_metrics`);
    expect(now["public_metrics"]).toMatchObject({ like_count: 2, repost_count: 2 });
  });

  it("keeps picture and reply settings, unless the request replaces them", async () => {
    const { control } = fixture.sandbox;
    const dave = await fixture.user("dave");
    const [first, second] = [await upload(), await upload()];
    const id = await fixture.post(alice, "the pictrue", {
      media: { media_ids: [first.data["id"]] },
      reply_settings: "mentionedUsers",
    });
    const corrected = String((await edit(id, "the picture")).data["id"]);
    const query = "post.fields=attachments,reply_settings";
    const shown = async (post: string): Promise<unknown> =>
      (await fixture.get(`/2/posts/${post}?${query}`)).data;
    expect(await shown(corrected)).toMatchObject({
      attachments: { media_keys: [first.data["media_key"]] },
      reply_settings: "mentionedUsers",
    });
    await expect(
      control.act(dave, { type: "post", text: "hi", in_reply_to: corrected }),
    ).rejects.toMatchObject({ status: 403 });

    const changed = await publish({
      text: "another picture of it",
      media: { media_ids: [second.data["id"]] },
      reply_settings: "following",
      edit_options: { previous_post_id: corrected },
    });
    expect(await shown(String(changed.data["id"]))).toMatchObject({
      attachments: { media_keys: [second.data["media_key"]] },
      reply_settings: "following",
    });
    await control.act(alice, { type: "follow", user_id: dave });
    const reply = { text: "hello", reply: { in_reply_to_tweet_id: id } };
    expect((await publish(reply, dave)).status).toBe(201);
  });

  it("keeps the quoted post, which a picture replaces", async () => {
    const quoted = await fixture.post(bob, "quote me");
    const id = await fixture.post(alice, "lok", { quote_tweet_id: quoted });
    const { data } = await edit(id, "look");
    const references = async (post: unknown): Promise<unknown> =>
      (await fixture.get(`/2/posts/${String(post)}?post.fields=referenced_posts`)).data[
        "referenced_posts"
      ];
    expect(await references(data["id"])).toEqual([{ type: "quoted", id: quoted }]);

    const changed = await publish({
      text: "look here",
      media: { media_ids: [(await upload()).data["id"]] },
      edit_options: { previous_post_id: data["id"] },
    });
    expect(await references(changed.data["id"])).toBeUndefined();
  });

  test.each([
    { named: "reply", part: (id: string) => ({ reply: { in_reply_to_tweet_id: id } }) },
    { named: "poll", part: () => ({ poll: { options: ["a", "b"], duration_minutes: 5 } }) },
  ])("can't have a $named", async ({ named, part }) => {
    const id = await fixture.post(alice, `before a ${named}`);
    const other = await fixture.post(bob, `other than a ${named}`);
    const response = await publish({
      text: `after a ${named}`,
      ...part(other),
      edit_options: { previous_post_id: id },
    });

    expect([response.status, response.errors]).toEqual([
      400,
      [{ message: expect.stringContaining(`An edit can't have [${named}]`) }],
    ]);
  });

  it("is over after an hour", async () => {
    const id = await fixture.post(alice, "too late");
    await fixture.sandbox.control.advance(HOUR);

    expect(await edit(id, "in time")).toMatchObject({ status: 403 });
  });

  it("ends after five", async () => {
    let id = await fixture.post(alice, "version 0");
    for (let n = 1; n <= 5; n += 1) id = String((await edit(id, `version ${n}`)).data["id"]);

    const { status, body } = await edit(id, "version 6");
    expect([status, body["detail"]]).toEqual([403, expect.stringContaining("5 times already")]);
  });

  it("is for one's own latest version, and neither replies nor polls", async () => {
    const id = await fixture.post(alice, "mine");
    const reply = await fixture.post(alice, "a reply", { reply: { in_reply_to_post_id: id } });
    await edit(id, "still mine");

    expect((await edit(id, "not the latest")).body["detail"]).toContain("name its latest version");
    expect((await edit(reply, "no replies")).status).toBe(403);
    expect((await edit(reply, "not yours", bob)).body["detail"]).toContain("it is not yours");
    expect((await edit("1", "nothing")).status).toBe(400);
  });
});

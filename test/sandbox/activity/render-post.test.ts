import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { type LegacySandbox, startLegacySandbox } from "../legacy/rest/legacy-sandbox.ts";
import { PNG } from "../media/media-uploader.ts";
import { ownWords } from "../../../src/client/public-text/own-words.ts";

type Wire = Record<string, unknown>;

/** Number of characters of the ellipsis, space and link at the end of a shortened text. */
const TAIL = 25;

let fixture: LegacySandbox;
let bot: string;
let person: string;
beforeAll(async () => {
  fixture = await startLegacySandbox();
  ({ bot, person } = fixture);
  const webhook_id = await fixture.subscribed();
  for (const event_type of ["post.mention.create", "post.quote.create"]) {
    const filter = { user_id: bot };
    const wanted = { event_type, filter, webhook_id };
    await fixture.asBot("POST", "/2/activity/subscriptions", wanted);
  }
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await fixture.idle();
  fixture.received.length = 0;
});

/** Posts delivered to the bot since the test began, by account activity. */
async function delivered(): Promise<Wire[]> {
  await fixture.idle();
  return fixture.received.flatMap(({ body }) => (body["post_create_events"] ?? []) as Wire[]);
}

/** Payloads of the activity interface since the test began, with their includes. */
async function payloads(): Promise<{ payload: Wire; includes: Wire }[]> {
  await fixture.idle();
  return fixture.received.flatMap(({ body }) => (body["data"] ?? []) as never[]);
}

async function deletedIds(): Promise<unknown[]> {
  await fixture.idle();
  return fixture.received.flatMap(({ body }) =>
    ((body["post_delete_events"] ?? []) as Wire[]).map(({ status }) => Object(status).id as string),
  );
}

/** Edits a post as its author; returns the id of the new version. */
const edit = (id: string, text: string): Promise<string> =>
  fixture.post(person, text, { edit_options: { previous_post_id: id } });

describe("an edited post", () => {
  it("is delivered as a new post that names all versions, in both interfaces", async () => {
    const first = await fixture.post(person, "@hello_bot opeing hours");
    const second = await edit(first, "@hello_bot opening hours");

    const until = expect.any(Number) as unknown;
    const versions = (ids: string[], edits_remaining: number): Wire => {
      const history = { initial_post_id: first, edit_post_ids: ids };
      const limits = { edits_remaining, editable_until_ms: until, is_edit_eligible: true };
      return { edit_history: history, edit_controls: { ...history, ...limits } };
    };
    expect(await delivered()).toMatchObject([
      { id_str: first, text: "@hello_bot opeing hours", ...versions([first], 5) },
      { id_str: second, text: "@hello_bot opening hours", ...versions([first, second], 4) },
    ]);
    expect((await payloads()).map(({ payload }) => payload)).toMatchObject([
      { id: first, edit_history_post_ids: [first], edit_controls: { edits_remaining: 5 } },
      { id: second, edit_history_post_ids: [first, second], edit_controls: { edits_remaining: 4 } },
    ]);
    const until_ms = Object((await delivered())[1]?.["edit_controls"]).editable_until_ms;
    const { data } = await fixture.get(`/2/posts/${second}?post.fields=edit_controls`);
    expect(new Date(until_ms as number).toISOString()).toBe(
      Object(data["edit_controls"]).editable_until,
    );
  });

  it("is delivered to a person whom only the new version mentions", async () => {
    const first = await fixture.post(person, "anybody?");
    const second = await edit(first, "@hello_bot anybody?");

    expect(await delivered()).toMatchObject([
      { id_str: second, edit_history: { edit_post_ids: [first, second] } },
    ]);
  });

  it("keeps picture, place and reply settings when the person edits it in the app", async () => {
    const { control } = fixture.sandbox;
    const place_id = await control.place({ full_name: "Paris, France", bbox: [2, 48, 3, 49] });
    const { data: medium } = await fixture.as(person, "POST", "/2/media/upload", {
      media: PNG.toString("base64"),
      media_category: "tweet_image",
    });
    const first = await fixture.post(person, "with a pictur", {
      media: { media_ids: [medium["id"]], tagged_user_ids: [bot] },
      geo: { place_id },
      reply_settings: "following",
    });
    const act = { type: "edit", post_id: first, text: "with a picture" } as const;
    const { id: second } = await control.act(person, act);
    const fields = "post.fields=attachments,geo,reply_settings";
    const [before, after] = await Promise.all(
      [first, second].map((id) => fixture.get(`/2/posts/${id}?${fields}`)),
    );

    expect(after?.data).toMatchObject({
      attachments: before?.data["attachments"],
      geo: { place_id },
      reply_settings: "following",
    });
    expect(await delivered()).toMatchObject([{ id_str: first }, { id_str: second }]);
  });

  it("has no history if it can't be edited", async () => {
    const root = await fixture.post(bot, "a root");
    await fixture.post(person, "a reply", { reply: { in_reply_to_post_id: root } });
    const [, reply] = await delivered();

    expect(reply).toMatchObject({ in_reply_to_status_id_str: root });
    expect(reply).not.toHaveProperty("edit_history");
    expect(reply).not.toHaveProperty("edit_controls");
  });

  it("is liked, answered and quoted in the named version", async () => {
    const first = await fixture.post(bot, "version on");
    await fixture.asBot("POST", "/2/posts", {
      text: "version one",
      edit_options: { previous_post_id: first },
    });
    const { control } = fixture.sandbox;
    await fixture.idle();
    fixture.received.length = 0;
    await control.act(person, { type: "like", post_id: first });
    await control.act(person, { type: "post", text: "what?", in_reply_to: first });
    await control.act(person, { type: "post", text: "look", quote_of: first });
    await fixture.idle();

    expect(fixture.received.map(({ body }) => body)).toContainEqual(
      expect.objectContaining({
        favorite_events: [
          expect.objectContaining({
            favorited_status: expect.objectContaining({ id_str: first, text: "version on" }),
          }),
        ],
      }),
    );
    expect(await delivered()).toMatchObject([
      { in_reply_to_status_id_str: first },
      { quoted_status: { id_str: first, text: "version on" } },
    ]);
  });

  test.each([
    {
      by: "the data interface",
      remove: (id: string) => fixture.as(person, "DELETE", `/2/posts/${id}`),
    },
    {
      by: "version 1.1",
      remove: (id: string) => fixture.submit(person, `statuses/destroy/${id}.json`),
    },
    {
      by: "the control interface",
      remove: (id: string) => fixture.sandbox.control.act(person, { type: "delete", post_id: id }),
    },
  ])("is gone in all versions when one is deleted by $by", async ({ by, remove }) => {
    const first = await fixture.post(person, `@hello_bot gone by ${by}`);
    const second = await edit(first, `@hello_bot all gone by ${by}`);
    const third = await edit(second, `@hello_bot all is gone by ${by}`);
    await remove(second);

    expect(await deletedIds()).toEqual([first, second, third]);
    const { data } = await fixture.get(`/2/posts?ids=${first},${second},${third}`);
    expect(data).toBeUndefined();
  });
});

describe("a quote", () => {
  const quote = async (by: string, of: string): Promise<string> => {
    const { control } = fixture.sandbox;
    const text = "@hello_bot see this";
    return (await control.act(by, { type: "post", text, quote_of: of })).id;
  };
  const closed = [
    {
      why: "its author is protected",
      close: (author: string): Promise<unknown> =>
        fixture.sandbox.control.call("PATCH", `/users/${author}`, { protected: true }),
    },
    {
      why: "its author has blocked the receiver",
      close: (author: string): Promise<unknown> =>
        fixture.sandbox.control.act(author, { type: "block", user_id: bot }),
    },
    {
      why: "its author is suspended",
      close: (author: string): Promise<unknown> =>
        fixture.sandbox.control.call("PATCH", `/users/${author}`, { suspended: true }),
    },
  ];

  test.each(closed)(
    "names a post that the receiver can't see, since $why",
    async ({ close, why }) => {
      const author = await fixture.user(`closed_${closed.findIndex((one) => one.why === why)}`);
      const quoted = await fixture.post(author, "not for everybody");
      fixture.answers.statuses = [503, 503];
      const id = await quote(person, quoted);
      await fixture.idle();
      await close(author);
      await fixture.sandbox.control.advance(3_000);

      const [event = {}] = await delivered();
      const url = /https:\/\/t\.co\/\w{10}$/.exec(String(event["text"]))?.[0];
      expect(event).toMatchObject({
        id_str: id,
        is_quote_status: true,
        quoted_status_id_str: quoted,
        quoted_status_permalink: { url, expanded: expect.stringContaining(`/status/${quoted}`) },
      });
      expect(event).not.toHaveProperty("quoted_status");
      const [activity] = await payloads();
      expect(activity?.payload["referenced_posts"]).toEqual([{ type: "quoted", id: quoted }]);
      expect(activity?.includes).not.toHaveProperty("posts");
    },
  );

  it("contains only the id of a post that is deleted before the quote arrives", async () => {
    const quoted = await fixture.post(person, "deleted soon");
    fixture.answers.statuses = [503, 503];
    const id = await quote(person, quoted);
    await fixture.idle();
    await fixture.sandbox.control.act(person, { type: "delete", post_id: quoted });
    await fixture.sandbox.control.advance(3_000);

    const [event] = await delivered();
    expect(event).toMatchObject({ id_str: id, quoted_status_id_str: quoted });
    expect(event).not.toHaveProperty("quoted_status");
  });

  it("contains the post itself for readers who can see it", async () => {
    const author = await fixture.user("closed_friend");
    const quoted = await fixture.post(author, "for friends");
    for (const follower of [bot, person])
      await fixture.sandbox.control.act(follower, { type: "follow", user_id: author });
    await fixture.sandbox.control.call("PATCH", `/users/${author}`, { protected: true });
    await quote(person, quoted);

    expect(await delivered()).toMatchObject([
      { quoted_status: { id_str: quoted, text: "for friends" } },
    ]);
  });
});

it("is no longform post if only its link is long", async () => {
  const link = `https://shop.example/${"a".repeat(280)}`;
  const id = await fixture.post(person, `@hello_bot is it ${link}`);

  const [event = {}] = await delivered();
  expect(event).toMatchObject({
    id_str: id,
    text: expect.stringMatching(/^@hello_bot is it https:\/\/t\.co\/\w{10}$/),
    truncated: false,
    entities: { urls: [{ expanded_url: link, indices: [17, 40] }] },
  });
  expect(event).not.toHaveProperty("extended_post");
  expect(event).not.toHaveProperty("display_text_range");
});

test.each([
  {
    typed: "example.com/menu?x=1",
    page: "http://example.com/menu?x=1",
    shown: "example.com/menu?x=1",
    why: "the platform adds the scheme",
  },
  {
    typed: "http://example.com/menu",
    page: "http://example.com/menu",
    shown: "example.com/menu",
    why: "the scheme was typed",
  },
  {
    typed: "HTTPS://example.com",
    page: "HTTPS://example.com",
    shown: "example.com",
    why: "schemes have no case",
  },
  {
    typed: `https://${"a".repeat(25)}💩.com`,
    page: `https://${"a".repeat(25)}💩.com`,
    shown: `${"a".repeat(25)}💩…`,
    why: "no letter is cut",
  },
])("the link $typed leads to $page: $why", async ({ typed, page, shown }) => {
  const id = await fixture.post(person, `@hello_bot see ${typed}`);

  const link = { expanded_url: page, display_url: shown };
  const [event] = await delivered();
  expect(event).toMatchObject({ id_str: id, entities: { urls: [link] } });
  const { data } = await fixture.get(
    `/2/posts/${id}?post.fields=entities,display_text_range,in_reply_to_user_id`,
  );
  expect(data).toMatchObject({ entities: { urls: [link] } });
  for (const post of [event ?? {}, data]) expect(ownWords(post)).toBe(`@hello_bot see ${page}`);
});

test.each([
  { typed: "example.com", page: "http://example.com" },
  { typed: "https://example.com", page: "https://example.com" },
])("the link $typed of a profile leads to $page", async ({ typed, page }) => {
  const user = await fixture.user(typed.startsWith("h") ? "with_scheme" : "no_scheme");
  await fixture.sandbox.control.changeUser(user, { url: typed, description: `at ${typed}` });

  const link = { expanded_url: page, display_url: "example.com" };
  const { data } = await fixture.get(`/2/users/${user}?user.fields=entities`);
  expect(data).toMatchObject({
    entities: { url: { urls: [link] }, description: { urls: [link] } },
  });
  const { body } = await fixture.show(`users/show.json?user_id=${user}`);
  expect(body).toMatchObject({ url: typed, entities: { url: { urls: [link] } } });
});

describe("a longform post", () => {
  let novelist: string;
  beforeAll(async () => {
    novelist = await fixture.user("novelist");
    await fixture.user("hello_bo");
    await fixture.sandbox.control.changeUser(novelist, { subscription_type: "Premium" });
  });

  test.each([
    { word: "@hello_botanist", fits: 10, shown: "", why: "half a mention is another person" },
    { word: "@hello_bot@next", fits: 10, shown: "", why: "half of other text is a mention" },
    { word: "https://a.example/b/c", fits: 20, shown: "", why: "half a link is another link" },
    { word: "shop.example.com", fits: 12, shown: "", why: "also without a scheme" },
    { word: "#hello_botany", fits: 6, shown: "#hello", why: "half a tag is no tag" },
    { word: "👨‍👩‍👧‍👦", fits: 3, shown: "", why: "half a family is another one" },
    { word: "e\u0301", fits: 1, shown: "", why: "an accent belongs to its letter" },
    { word: "&", fits: 3, shown: "", why: "an escape has several characters" },
    { word: "@hello_bo", fits: 9, shown: "@hello_bo", why: "a mention that fits is one" },
  ])("is cut around $word: $why", async ({ word, fits, shown }) => {
    /** Text of which `fits` characters of the word are before the cut of a text of `length` characters. */
    const cutInWord = (length: number): string => {
      const start = `@hello_bot ${"x".repeat(length - TAIL - 12 - fits)} `;
      return `${start}${word} ${"word ".repeat(90)}`;
    };
    const expected = (text: string): unknown =>
      expect.stringMatching(
        new RegExp(`^${text.slice(0, text.indexOf("x "))}x ${shown}… https://t\\.co/\\w{10}$`),
      );
    const names = ["hello_bot", ...(shown === "@hello_bo" ? ["hello_bo"] : [])];
    const text = cutInWord(140);
    const id = await fixture.post(novelist, text);
    const more = [{ expanded_url: `https://platform.example/i/web/status/${id}` }];

    const [event] = await delivered();
    expect(event).toMatchObject({
      text: expected(text),
      entities: {
        user_mentions: names.map((screen_name) => ({ screen_name })),
        urls: more,
        hashtags: [],
      },
    });

    const longer = cutInWord(280);
    const second = await fixture.post(novelist, longer);
    const { data } = await fixture.get(`/2/posts/${second}?post.fields=entities`);
    expect(data["text"]).toEqual(expected(longer));
    expect(data["entities"]).toEqual({
      mentions: names.map((username) => expect.objectContaining({ username })),
      urls: [
        expect.objectContaining({
          expanded_url: `https://platform.example/i/web/status/${second}`,
        }),
      ],
    });
  });

  it("may be short, because each link counts as 23 characters", async () => {
    const text = `@hello_bot ${"a.co ".repeat(25)}`.trim();
    await fixture.post(novelist, text);

    const [event] = await delivered();
    expect(text.length).toBeLessThanOrEqual(140);
    expect(event).toMatchObject({
      truncated: true,
      extended_post: { full_text: expect.stringMatching(/( https:\/\/t\.co\/\w{10}){25}$/) },
    });
  });

  it("shows a long link whole where its short address has room", async () => {
    const link = `https://shop.example/${"a".repeat(200)}`;
    await fixture.post(novelist, `@hello_bot ${link} ${"word ".repeat(90)}`);

    expect(await delivered()).toMatchObject([
      {
        text: expect.stringMatching(/^@hello_bot https:\/\/t\.co\/\w{10} (word )+w?o?r?… https:/),
        display_text_range: [0, 140],
        entities: { urls: [{ expanded_url: link, indices: [11, 34] }, { indices: [117, 140] }] },
      },
    ]);
  });
});

it("is delivered to people tagged in its picture, as mentions outside the shown range", async () => {
  const uploaded = await fixture.asUser(person, "POST", "/2/media/upload", {
    media: PNG.toString("base64"),
    media_category: "tweet_image",
  });
  const media_ids = [String(Object(uploaded.body["data"]).id)];
  const id = await fixture.post(person, "us two", {
    media: { media_ids, tagged_user_ids: [bot] },
  });

  expect(await delivered()).toMatchObject([
    {
      id_str: id,
      text: expect.stringMatching(/^us two https:\/\/t\.co\/\w{10}$/),
      display_text_range: [0, 6],
      entities: {
        user_mentions: [{ id_str: bot, screen_name: "hello_bot", indices: [7, 30] }],
        media: [{ id_str: media_ids[0], indices: [7, 30] }],
      },
    },
  ]);
  expect(fixture.received.map(({ body }) => body)).toContainEqual(
    expect.objectContaining({ for_user_id: bot, user_has_blocked: "false" }),
  );
  expect(await payloads()).toMatchObject([
    {
      payload: {
        id,
        display_text_range: [0, 6],
        entities: { mentions: [{ id: bot, start: 7, end: 30 }] },
      },
    },
  ]);
  const reply = await fixture.post(bot, "so it is", { reply: { in_reply_to_post_id: id } });
  expect((await fixture.get(`/2/posts/${reply}`)).data["text"]).toBe("@alice so it is");
});

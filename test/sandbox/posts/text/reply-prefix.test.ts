import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import type { ReadPost } from "../../../../src/events/read/objects.ts";
import { postDelivery } from "../../../../src/events/read/post.ts";
import { translate } from "../../../../src/events/translate.ts";
import { openStream } from "../../filtered-stream/stream-reader.ts";
import {
  idsIn,
  itemsOf,
  type LegacySandbox,
  startLegacySandbox,
} from "../../legacy/rest/legacy-sandbox.ts";
import { PNG } from "../../media/media-uploader.ts";
import { idsOf } from "../../support/data-sandbox.ts";

type Wire = Record<string, unknown>;

let fixture: LegacySandbox;
let bot: string;
/** Id of the webhook that receives the bot's events. */
let webhook: string;
let ana: string;
let ben: string;
beforeAll(async () => {
  fixture = await startLegacySandbox();
  bot = fixture.bot;
  webhook = await fixture.subscribed();
  [ana, ben] = [await fixture.user("ana"), await fixture.user("ben")];
});
afterAll(() => fixture.close());

/** Replies to a post as a user, by version 2 of the API; returns the id. */
const answer = (by: string, parent: string, text: string, reply: Wire = {}): Promise<string> =>
  fixture.post(by, text, { reply: { in_reply_to_post_id: parent, ...reply } });

async function shown(id: string): Promise<Wire> {
  return (await fixture.get(`/2/posts/${id}?post.fields=display_text_range,entities`)).data;
}

/** Creates users `NAME_0`, `NAME_1`, …; returns their handles, each with its `@`. */
async function usersNamed(name: string, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, at) => `${name}_${at}`);
  for (const one of names) await fixture.user(one);
  return names.map((one) => `@${one}`);
}

/** Text of a post, as a look-up shows it. */
const textOf = async (id: string): Promise<unknown> => (await shown(id))["text"];

describe("a reply", () => {
  const TEXT = "@ana @hello_bot thanks, see you there";
  const NAMED = [
    ["ana", 0, 4],
    ["hello_bot", 5, 15],
  ];
  let reply: string;
  let delivered: Wire;
  let streamed: Wire;
  let activity: Wire;

  beforeAll(async () => {
    await fixture.asBot("POST", "/2/activity/subscriptions", {
      event_type: "post.mention.create",
      filter: { user_id: bot },
      webhook_id: webhook,
    });
    const rules = { add: [{ value: "@hello_bot from:ben" }] };
    await fixture.asApp("POST", "/2/posts/search/stream/rules", rules);
    const stream = await openStream(
      `${fixture.sandbox.url}/2/posts/search/stream?post.fields=entities,display_text_range`,
      fixture.app.bearer_token,
    );
    const root = await fixture.post(ana, "@hello_bot where do we meet?");
    await fixture.idle();
    fixture.received.length = 0;
    reply = await answer(ben, root, "thanks, see you there");
    [streamed = {}] = await stream.objectsAre(1);
    stream.close();
    await fixture.idle();
    const bodies = fixture.received.map(({ body }) => body);
    [delivered = {}] = bodies.flatMap((body) => (body["post_create_events"] ?? []) as Wire[]);
    [activity = {}] = bodies.flatMap(({ data }) => Object(data).payload ?? []);
  });

  const mentionsOf = (post: Wire): unknown[] => {
    const { mentions, user_mentions: named } = Object(post["entities"]);
    return (mentions ?? named ?? []).map((one: Wire) => {
      const [from, to] = (one["indices"] ?? [one["start"], one["end"]]) as number[];
      return [one["username"] ?? one["screen_name"], from, to];
    });
  };
  const picked = async (path: string, by?: string): Promise<Wire> => {
    const joint = path.includes("?") ? "&" : "?";
    const fields = "post.fields=display_text_range,entities";
    const { data } = await fixture.get(`${path}${joint}${fields}`, by);
    const posts: Wire[] = Array.isArray(data) ? data : [data];
    return posts.find(({ id }) => id === reply) ?? {};
  };
  const legacy = async (path: string, by?: string): Promise<Wire> => {
    const answered = await fixture.show(path, by);
    return [answered.body, ...itemsOf(answered)].find((one) => one["id_str"] === reply) ?? {};
  };

  const surfaces: readonly { readonly surface: string; readonly read: () => Promise<Wire> }[] = [
    { surface: "a delivery of account activity", read: () => Promise.resolve(delivered) },
    { surface: "a delivery of the activity interface", read: () => Promise.resolve(activity) },
    { surface: "the filtered stream", read: () => Promise.resolve(Object(streamed["data"])) },
    { surface: "a look-up", read: () => picked(`/2/posts/${reply}`) },
    { surface: "several look-ups", read: () => picked(`/2/posts?ids=${reply}`) },
    { surface: "the author's timeline", read: () => picked(`/2/users/${ben}/posts`) },
    {
      surface: "the home timeline",
      read: () => picked(`/2/users/${ben}/timelines/reverse_chronological`, ben),
    },
    { surface: "the mentions", read: () => picked(`/2/users/${bot}/mentions`) },
    {
      surface: "a search for the inherited handle",
      read: () => picked("/2/posts/search/recent?query=%40hello_bot%20from%3Aben"),
    },
    {
      surface: "a search for whom it answers",
      read: () => picked("/2/posts/search/recent?query=to%3Aana"),
    },
    {
      surface: "version 1.1",
      read: () => legacy(`statuses/show.json?id=${reply}&tweet_mode=extended`),
    },
    {
      surface: "the mentions of version 1.1",
      read: () => legacy("statuses/mentions_timeline.json?tweet_mode=extended", bot),
    },
  ];

  test.each(surfaces)("begins with the handles of its thread in $surface", async ({ read }) => {
    const post = await read();

    expect({
      text: post["full_text"] ?? post["text"],
      range: post["display_text_range"],
      mentions: mentionsOf(post),
    }).toEqual({ text: TEXT, range: [16, 37], mentions: NAMED });
  });

  it("has the handles in the text of version 1.1's compatibility mode", async () => {
    expect(await legacy(`statuses/show.json?id=${reply}`)).toMatchObject({ text: TEXT });
  });

  it("has only the fields of a post by default", async () => {
    expect((await fixture.get(`/2/posts/${reply}`)).data).toEqual({
      id: reply,
      text: TEXT,
      edit_history_post_ids: [reply],
    });
  });

  it("has the handles in the answer to the request that makes it", async () => {
    const response = await fixture.as(ben, "POST", "/2/posts", {
      text: "one more thing",
      reply: { in_reply_to_post_id: reply },
    });

    expect(response.data).toMatchObject({ text: "@ana @hello_bot one more thing" });
  });

  it("has the handles after the name in a repost", async () => {
    const { id } = await fixture.sandbox.control.act(ana, { type: "repost", post_id: reply });

    expect(await textOf(id)).toBe(`RT @ben: ${TEXT}`);
  });
});

describe("the handles of a thread", () => {
  it("name the answered author first, then inherited handles, then mentioned ones, each once", async () => {
    const [one, two] = [await fixture.user("chain_one"), await fixture.user("chain_two")];
    const root = await fixture.post(ana, "@chain_one @nobody_here hi");
    const second = await answer(ben, root, "@chain_two @ana look");

    expect(await textOf(second)).toBe("@ana @chain_one @chain_two @ana look");
    expect(await textOf(await answer(bot, second, "so"))).toBe(
      "@ben @ana @chain_one @chain_two so",
    );
    expect(await textOf(await answer(two, second, "me?"))).toBe("@ben @ana @chain_one me?");
    expect(await textOf(await answer(one, second, "me?"))).toBe("@ben @ana @chain_two me?");
  });

  it("name all others, but not the author, in a reply to oneself", async () => {
    const root = await fixture.post(ana, "a thought");
    const second = await answer(ana, root, "another");
    const addressed = await fixture.post(ana, "@ben a question");
    const third = await answer(ana, addressed, "and one more");

    expect(await shown(second)).toMatchObject({ text: "another", display_text_range: [0, 7] });
    expect(await textOf(third)).toBe("@ben and one more");
  });

  it("leave out excluded people, but never the answered author", async () => {
    const root = await fixture.post(ana, "@hello_bot who knows?");
    const exclude_reply_user_ids = [ana, bot, "999"];
    const reply = await answer(ben, root, "I do", { exclude_reply_user_ids });

    expect(await textOf(reply)).toBe("@ana I do");
    expect(await textOf(await answer(ana, reply, "you?"))).toBe("@ben you?");
  });

  it("are 50 at most", async () => {
    const named = await usersNamed("many", 60);
    const { id } = await fixture.sandbox.control.act(ana, { type: "post", text: named.join(" ") });

    const handles = ["@ana", ...named.slice(0, 49)].join(" ");
    expect(await textOf(await answer(ben, id, "all of you"))).toBe(`${handles} all of you`);
  });

  it("stay as they were when the post was made, and when an account is suspended", async () => {
    const late = await fixture.post(ana, "@late_comer hi");
    await fixture.user("late_comer");

    const reply = await answer(ben, late, "hello");
    expect(await textOf(reply)).toBe("@ana @late_comer hello");
    await fixture.sandbox.control.call("PATCH", `/users/${ana}`, { suspended: true });
    const answered = await textOf(reply);
    await fixture.sandbox.control.call("PATCH", `/users/${ana}`, { suspended: false });
    expect(answered).toBe("@ana @late_comer hello");
  });

  it("count neither for the length nor for duplicates nor as longform", async () => {
    const [one, two] = [await fixture.post(ana, "first"), await fixture.post(bot, "second")];
    const text = "a".repeat(280);
    const reply = await answer(ben, one, text);

    expect(await shown(reply)).toMatchObject({
      text: `@ana ${text}`,
      display_text_range: [5, 285],
    });
    expect(await fixture.show(`statuses/show.json?id=${reply}`)).toMatchObject({
      body: { text: `@ana ${text}`, truncated: false },
    });
    expect(await textOf(await answer(ben, two, text))).toBe(`@hello_bot ${text}`);
    await expect(answer(ben, one, text)).rejects.toThrow("duplicate content");
  });

  it("are added even if the author types a handle, too", async () => {
    const root = await fixture.post(ana, "first of all");
    const reply = await answer(ben, root, "@ana 👋 & yes");

    expect(await shown(reply)).toMatchObject({
      text: "@ana @ana 👋 &amp; yes",
      display_text_range: [5, 21],
      entities: {
        mentions: [
          { username: "ana", start: 0, end: 4 },
          { username: "ana", start: 5, end: 9 },
        ],
      },
    });
  });

  it("are found by a search, and are in the mentions of both versions", async () => {
    const carol = await fixture.user("carol");
    const root = await fixture.post(ana, "@carol welcome");
    const reply = await answer(ben, root, "also from me");

    const search = await fixture.get("/2/posts/search/recent?query=%40Carol");
    expect(idsOf(search)).toEqual([reply, root]);
    expect(idsOf(await fixture.get(`/2/users/${carol}/mentions`))).toEqual([reply, root]);
    expect(idsIn(await fixture.show("statuses/mentions_timeline.json", carol))).toEqual([
      reply,
      root,
    ]);
    expect(idsOf(await fixture.get("/2/posts/search/recent?query=to%3Acarol"))).toEqual([]);
  });

  it("let only the named people answer if replies are restricted", async () => {
    const dave = await fixture.user("dave");
    const root = await fixture.post(dave, "a post of dave");
    const limited = await answer(ana, root, "only you", {});
    const closed = await fixture.post(ana, "and this", {
      reply: { in_reply_to_post_id: limited },
      reply_settings: "mentionedUsers",
    });

    expect(await textOf(await answer(dave, closed, "thank you"))).toBe("@ana thank you");
    await expect(answer(ben, closed, "and I?")).rejects.toThrow("not allowed");
  });

  it("are also added for posts by the control interface", async () => {
    const { control } = fixture.sandbox;
    const root = await control.act(ana, { type: "post", text: "@hello_bot hi" });
    const reply = await control.act(ben, { type: "post", text: "hi both", in_reply_to: root.id });

    expect(await textOf(reply.id)).toBe("@ana @hello_bot hi both");
  });

  it("survive saving and restoring the world", async () => {
    const { control } = fixture.sandbox;
    const reply = await answer(ben, await fixture.post(ana, "save this"), "saved");
    await control.restoreWorld(await control.saveWorld());

    expect(await textOf(reply)).toBe("@ana saved");
  });
});

describe("a picture in a reply", () => {
  const picture = async (): Promise<Wire> => {
    const media = PNG.toString("base64");
    const uploaded = await fixture.asUser(ben, "POST", "/2/media/upload", {
      media,
      media_category: "tweet_image",
    });
    return { media_ids: [Object(uploaded.body["data"]).id] };
  };

  test.each([
    { text: "look", range: [5, 9], whole: /^@ana look https:\/\/t\.co\/\w{10}$/ },
    { text: "", range: [5, 5], whole: /^@ana https:\/\/t\.co\/\w{10}$/ },
  ])("stands outside of the range behind “$text”", async ({ text, range, whole }) => {
    const root = await fixture.post(ana, `show me, not “${text}”`);
    const reply = await fixture.as(ben, "POST", "/2/posts", {
      ...(text === "" ? {} : { text }),
      media: await picture(),
      reply: { in_reply_to_post_id: root },
    });
    const post = await shown(String(reply.data["id"]));

    expect(post).toMatchObject({
      text: expect.stringMatching(whole),
      display_text_range: range,
      entities: { urls: [{ start: text === "" ? 5 : 10, end: text === "" ? 28 : 33 }] },
    });
  });
});

describe("a longform reply", () => {
  const long = "long ".repeat(80).trim();
  let author: string;
  beforeAll(async () => {
    author = await fixture.user("novelist");
    await fixture.sandbox.control.call("PATCH", `/users/${author}`, {
      subscription_type: "Premium",
    });
  });

  it("begins with the handles, shortened and whole", async () => {
    const root = await fixture.post(ana, "@hello_bot tell us more");
    await fixture.idle();
    fixture.received.length = 0;
    const reply = await answer(author, root, long);
    await fixture.idle();

    const [event] = fixture.received.flatMap(
      ({ body }) => (body["post_create_events"] ?? []) as Wire[],
    );
    expect(event).toMatchObject({
      text: expect.stringMatching(/^@ana @hello_bot long long.*… https:\/\/t\.co\/\w{10}$/),
      truncated: true,
      display_text_range: [16, 140],
      extended_post: {
        full_text: `@ana @hello_bot ${long}`,
        display_text_range: [16, 16 + long.length],
      },
    });
    const { data } = await fixture.get(
      `/2/posts/${reply}?post.fields=note_post,display_text_range,entities`,
    );
    expect(data).toMatchObject({
      text: expect.stringMatching(/^@ana @hello_bot long .*… https:\/\/t\.co\/\w{10}$/),
      display_text_range: [16, 280],
      note_post: {
        text: `@ana @hello_bot ${long}`,
        entities: { mentions: [{ start: 0, end: 4 }, { start: 5 }] },
      },
    });
    expect(
      (await fixture.show(`statuses/show.json?id=${reply}&tweet_mode=extended`)).body,
    ).toMatchObject({
      full_text: `@ana @hello_bot ${long}`,
      display_text_range: [16, 16 + long.length],
    });
  });

  it("is shortened within the handles if they leave no room for words", async () => {
    const named = await usersNamed("many_in_a_cr", 30);
    const text = `${named.join(" ")} @hello_bot`;
    const { id } = await fixture.sandbox.control.act(ben, { type: "post", text });
    const reply = await answer(author, id, long);
    const { text: classic } = (await fixture.show(`statuses/show.json?id=${reply}`)).body;
    const fields = "note_post,display_text_range,entities,author_id,created_at,in_reply_to_user_id";
    const { data } = await fixture.get(`/2/posts/${reply}?post.fields=${fields}`);

    for (const [short, length] of [
      [String(classic), 140],
      [String(data["text"]), 280],
    ] as const) {
      const [shown = ""] = short.split("…");
      expect(short.length).toBeLessThanOrEqual(length);
      expect(shown).toMatch(/^@ben(?: @many_in_a_cr_\d+)+ ?$/);
      expect(data["note_post"]).toMatchObject({ text: expect.stringContaining(shown) });
    }
    const users = [{ id: author, username: "novelist", name: "Novelist" }];
    const [arrival] = translate(postDelivery(bot, data as unknown as ReadPost, { users }), 0);
    expect(arrival?.event).toMatchObject({ triggers: [], post: { text: long } });
  });
});

describe("version 1.1", () => {
  const update = async (by: string, fields: Record<string, string>): Promise<Wire> => {
    const response = await fixture.submit(by, "statuses/update.json", {
      tweet_mode: "extended",
      ...fields,
    });
    expect(response.status).toBe(200);
    return response.body;
  };

  test.each([
    { why: "both handles are the prefix", typed: "@ana @hello_bot ok then", range: [16, 23] },
    { why: "only handles at the beginning are", typed: "@ana ok @hello_bot", range: [5, 18] },
    { why: "a stranger to the thread ends it", typed: "@ana @alice @hello_bot", range: [5, 22] },
    { why: "the order is the author's", typed: "@Hello_Bot  @ana", range: [16, 16] },
    { why: "there are none at the beginning", typed: "dear @ana and all", range: [0, 17] },
  ])("adds no handles to what the author types: $why", async ({ typed, range }) => {
    const root = await fixture.post(ana, `@hello_bot before “${typed.replaceAll("@", "")}”`);
    const created = await update(ben, { status: typed, in_reply_to_status_id: root });

    expect(created).toMatchObject({
      full_text: typed,
      display_text_range: range,
      in_reply_to_status_id_str: root,
    });
  });

  it("adds the handles on request, without the excluded ones", async () => {
    const root = await fixture.post(ana, "@hello_bot @alice at one table");
    const fields = { in_reply_to_status_id: root, auto_populate_reply_metadata: "true" };

    expect(await update(ben, { ...fields, status: "@ana fine" })).toMatchObject({
      full_text: "@ana @hello_bot @alice @ana fine",
      display_text_range: [23, 32],
    });
    expect(
      await update(ben, { ...fields, status: "good", exclude_reply_user_ids: `${ana},${bot}` }),
    ).toMatchObject({ full_text: "@ana @alice good", display_text_range: [12, 16] });
  });
});

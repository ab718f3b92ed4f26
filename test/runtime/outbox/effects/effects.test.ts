import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { type Action, ACTIONS, knownResult } from "../../../../src/actions/actions.ts";
import type { ActingClient, Effect } from "../../../../src/runtime/outbox/effects/effect.ts";
import { EFFECTS, effectOf } from "../../../../src/runtime/outbox/effects/effects.ts";
import { sendingOf } from "../../../../src/runtime/outbox/perform.ts";
import { resultToStore } from "../../../../src/runtime/outbox/plan.ts";
import { GIF, PNG } from "../../../sandbox/media/media-uploader.ts";
import { world, type World } from "../../../client/support/world.ts";

let town: World;
let bot: ActingClient;
beforeAll(async () => {
  town = await world();
  bot = town.bot;
});
afterAll(() => town.close());

const OPTIONS = { retry: false } as const;
const MINUTE = 60_000;

/** Returns the platform's time. */
async function now(): Promise<number> {
  return Date.parse((await town.sandbox.control.advance(0)).now);
}
/** Returns the time of a minute ago. */
const aMinuteAgo = async (): Promise<number> => (await now()) - MINUTE;
/** Moves the clock until the actions of earlier tests are older than a minute. */
const later = () => town.sandbox.control.advance(2 * MINUTE);
const newPerson = (username: string) => town.sandbox.control.user(username);
const postBy = async (author: string, text: string) =>
  (await town.sandbox.control.act(author, { type: "post", text })).id;
const idsOf = (matches: readonly { readonly platformId: string }[]) =>
  matches.map(({ platformId }) => platformId);

test.each([
  ["a message to", (to: string): Action => ({ type: "reply_dm", to, text: "hello" })],
  ["a like of a post by", (to: string, postId: string): Action => ({ type: "like", to, postId })],
])("%s a suspended person fails, and stops nothing else", async (_, actionOn) => {
  const personId = await newPerson(`gone${(await now()) % 1e9}`);
  const post = await postBy(personId, "bye");
  await town.sandbox.control.call("PATCH", `/users/${personId}`, { suspended: true });
  const action = actionOn(personId, post);
  const outcome = await effectOf(action.type)
    .perform(bot, town.botId, action, OPTIONS)
    .then(String, (error: unknown) => sendingOf(error));

  expect(outcome).toEqual({
    kind: "refused",
    reason: expect.stringContaining("User has been suspended"),
  });
});

test("every action has an effect, and every effect an action", () => {
  expect(Object.keys(EFFECTS)).toEqual(Object.keys(ACTIONS));
});

test.each(Object.entries(EFFECTS))("%s has a budget of whole windows", (_verb, { budget }) => {
  expect(budget.length).toBeGreaterThan(0);
  for (const { limit, windowMs } of budget) {
    expect(limit).toBeGreaterThan(0);
    expect([15 * MINUTE, 24 * 60 * MINUTE]).toContain(windowMs);
  }
});

describe("the platform's answer", () => {
  it("follows from the action and the id, so it need not be stored", async () => {
    const account = town.botId;
    const to = await newPerson("answered_all");
    await town.sandbox.control.act(to, { type: "dm", to: account, text: "hello" });
    const postId = await postBy(to, "hello");
    const own = await bot.posts.create({ text: "to be deleted" });
    const onPost = ["like", "unlike", "repost", "undo_repost"] as const;
    const onPerson = ["unfollow", "block", "unblock", "mute", "unmute"] as const;
    const actions: readonly Action[] = [
      { type: "reply_dm", to, text: "hello" },
      { type: "reply_post", inReplyTo: postId, to, text: "Hello." },
      { type: "create_post", to: account, text: "Hello all." },
      { type: "quote", postId, to, text: "Hello, says somebody." },
      ...onPost.map((type): Action => ({ type, postId, to })),
      { type: "delete_post", postId: own.id, to },
      ...onPerson.map((type): Action => ({ type, to })),
    ];
    for (const action of actions) {
      const done = await effectOf(action.type).perform(bot, account, action, OPTIONS);
      const { platformId } = done;

      expect(done.result).toEqual(knownResult(action, { account, platformId }));
      expect(resultToStore({ action, account }, done)).toEqual({});
    }
  });

  it("is stored if it contains more", () => {
    const account = town.botId;
    const result = { following: false, pending_follow: true };
    const action = { type: "follow", to: "200" } as const;

    expect(resultToStore({ action, account }, { result })).toEqual({ result });
  });
});

describe("a message", () => {
  const effect = EFFECTS.reply_dm;

  it("is sent and found again by its text", async () => {
    await later();
    const to = await newPerson("dm_once");
    const action = { type: "reply_dm", to, text: "Your order & bill <1>" } as const;
    const { platformId: id } = await effect.perform(bot, town.botId, action, OPTIONS);
    await effect.perform(bot, town.botId, { ...action, text: "Your order" }, OPTIONS);

    expect(idsOf(await effect.find(bot, town.botId, action, await aMinuteAgo()))).toEqual([id]);
  });

  it("has two candidates, the older first, when it was sent twice", async () => {
    await later();
    const to = await newPerson("dm_twice");
    const action = { type: "reply_dm", to, text: "hi" } as const;
    const { platformId: first } = await effect.perform(bot, town.botId, action, OPTIONS);
    await town.sandbox.control.advance(1_000);
    const { platformId: second } = await effect.perform(bot, town.botId, action, OPTIONS);
    const matches = await effect.find(bot, town.botId, action, await aMinuteAgo());

    expect(idsOf(matches)).toEqual([first, second]);
  });

  it("does not match the same text by the other person, or to another person", async () => {
    await later();
    const [ben, cleo] = [await newPerson("dm_ben"), await newPerson("dm_cleo")];
    const action = { type: "reply_dm", to: ben, text: "hello" } as const;
    await town.sandbox.control.act(ben, { type: "dm", to: town.botId, text: "hello" });
    await effect.perform(bot, town.botId, { ...action, to: cleo }, OPTIONS);

    expect(await effect.find(bot, town.botId, action, await aMinuteAgo())).toEqual([]);
  });

  it("does not match an earlier message; it matches one with a date in the future", async () => {
    await later();
    const to = await newPerson("dm_earlier");
    const action = { type: "reply_dm", to, text: "now" } as const;
    await effect.perform(bot, town.botId, action, OPTIONS);
    const sentAt = await now();
    const find = (since: number) => effect.find(bot, town.botId, action, since);
    await later();

    expect(await find(await aMinuteAgo())).toEqual([]);
    await town.sandbox.control.setClock(new Date(sentAt - 4 * MINUTE).toISOString());
    expect(await find(await aMinuteAgo())).toHaveLength(1);
    await town.sandbox.control.setClock(new Date(sentAt + 2 * MINUTE).toISOString());
  });
});

it("finds a message behind a later one whose date is earlier, because the clock was set back", async () => {
  await later();
  const to = await newPerson("dm_set_back");
  const action = { type: "reply_dm", to, text: "found" } as const;
  const { platformId: id } = await EFFECTS.reply_dm.perform(bot, town.botId, action, OPTIONS);
  const sentAt = await now();
  await town.sandbox.control.setClock(new Date(sentAt - 10 * MINUTE).toISOString());
  await town.sandbox.control.act(to, { type: "dm", to: town.botId, text: "thank you" });
  await town.sandbox.control.advance(15_000);
  const matches = await EFFECTS.reply_dm.find(bot, town.botId, action, (await now()) - 2_000);
  await town.sandbox.control.setClock(new Date(sentAt + 2 * MINUTE).toISOString());

  expect(idsOf(matches)).toEqual([id]);
});

describe("a reply post", () => {
  const effect = EFFECTS.reply_post;

  it("is published and found again by its text and the post it answers", async () => {
    await later();
    const to = await newPerson("post_once");
    const [openId, other] = [await postBy(to, "open?"), await postBy(to, "shut?")];
    const action = {
      type: "reply_post",
      inReplyTo: openId,
      to,
      text: "Yes, see example.com.",
    } as const;
    const { platformId: id } = await effect.perform(bot, town.botId, action, OPTIONS);
    await effect.perform(
      bot,
      town.botId,
      { ...action, inReplyTo: other, text: "Yes, until six." },
      OPTIONS,
    );
    await town.sandbox.control.act(to, {
      type: "post",
      text: action.text,
      in_reply_to: openId,
    });

    expect(idsOf(await effect.find(bot, town.botId, action, await aMinuteAgo()))).toEqual([id]);
    expect(
      await effect.find(bot, town.botId, { ...action, inReplyTo: other }, await aMinuteAgo()),
    ).toEqual([]);
  });

  it("has two candidates, the older first, when it was published twice, even if it is long", async () => {
    await later();
    const to = await newPerson("post_twice");
    const inReplyTo = await postBy(to, "tell me everything");
    const action = { type: "reply_post", inReplyTo, to, text: "All of it. ".repeat(40) } as const;
    const text = action.text;
    const act = { type: "post", text, in_reply_to: inReplyTo } as const;
    const first = await town.sandbox.control.act(town.botId, act);
    await town.sandbox.control.advance(1_000);
    const second = await town.sandbox.control.act(town.botId, act);

    expect(idsOf(await effect.find(bot, town.botId, action, await aMinuteAgo()))).toEqual([
      first.id,
      second.id,
    ]);
  });

  it("does not match an earlier post", async () => {
    const to = await newPerson("post_earlier");
    const inReplyTo = await postBy(to, "when?");
    const action = { type: "reply_post", inReplyTo, to, text: "Earlier." } as const;
    await effect.perform(bot, town.botId, action, OPTIONS);
    await later();

    expect(await effect.find(bot, town.botId, action, await aMinuteAgo())).toEqual([]);
  });
});

describe("a like", () => {
  const effect = EFFECTS.like;

  it("is found after it was sent, among the account's own likes only", async () => {
    const to = await newPerson("like_once");
    const postId = await postBy(to, "like me");
    const action = { type: "like", postId, to } as const;
    await town.sandbox.control.act(to, { type: "like", post_id: postId });
    const since = await aMinuteAgo();
    const before = await effect.find(bot, town.botId, action, since);
    await effect.perform(bot, town.botId, action, OPTIONS);

    expect(before).toEqual([]);
    expect(await effect.find(bot, town.botId, action, since)).toEqual([{ platformId: postId }]);
  });
});

describe("a follow", () => {
  const effect = EFFECTS.follow;

  test.each([
    {
      why: "a person",
      username: "follow_open",
      profile: {},
      result: { following: true, pending_follow: false },
    },
    {
      why: "a protected person, who has not agreed yet",
      username: "follow_shut",
      profile: { protected: true },
      result: { following: false, pending_follow: true },
    },
  ])("to $why is found once it was sent", async ({ username, profile, result }) => {
    const to = await newPerson(username);
    await town.sandbox.control.call("PATCH", `/users/${to}`, profile);
    await town.sandbox.control.act(to, { type: "follow", user_id: town.botId });
    const action = { type: "follow", to } as const;
    const since = await aMinuteAgo();
    const before = await effect.find(bot, town.botId, action, since);
    const done = await effect.perform(bot, town.botId, action, OPTIONS);

    expect(before).toEqual([]);
    expect(done).toEqual({ result });
    expect(await effect.find(bot, town.botId, action, since)).toMatchObject([
      { platformId: to, result },
    ]);
  });
});

describe("a relationship with a person", () => {
  test.each([{ verb: "block" }, { verb: "mute" }] as const)(
    "is found once it began: $verb",
    async ({ verb }) => {
      const to = await newPerson(`${verb}_once`);
      const effect: Effect<{ readonly to: string }> = EFFECTS[verb];
      const action = { type: verb, to };
      const since = await aMinuteAgo();
      const before = await effect.find(bot, town.botId, action, since);
      await effect.perform(bot, town.botId, action, OPTIONS);

      expect(before).toEqual([]);
      expect(idsOf(await effect.find(bot, town.botId, action, since))).toEqual([to]);
    },
  );

  test.each([
    { verb: "follow", end: "unfollow" },
    { verb: "block", end: "unblock" },
    { verb: "mute", end: "unmute" },
  ] as const)("is found to have ended: $end", async ({ verb, end }) => {
    const to = await newPerson(`${end}_once`);
    const effect: Effect<{ readonly to: string }> = EFFECTS[end];
    const beginning: Effect<{ readonly to: string }> = EFFECTS[verb];
    await beginning.perform(bot, town.botId, { to }, OPTIONS);
    const since = await aMinuteAgo();
    const before = await effect.find(bot, town.botId, { to }, since);
    await effect.perform(bot, town.botId, { to }, OPTIONS);

    expect(before).toEqual([]);
    expect(idsOf(await effect.find(bot, town.botId, { to }, since))).toEqual([to]);
  });
});

describe("an action that takes something back", () => {
  /** Whether the account likes or reposts the post now. */
  const likes = async (postId: string) =>
    (await bot.likes.posts(town.botId)).data.some(({ id }) => id === postId);
  const reposters = async (postId: string) =>
    (await bot.reposts.users(postId)).data.map(({ id }) => id);

  it("removes a like, and a repetition changes nothing", async () => {
    const to = await newPerson("unlike_once");
    const postId = await postBy(to, "like me for a while");
    await EFFECTS.like.perform(bot, town.botId, { type: "like", postId, to }, OPTIONS);
    const before = await likes(postId);
    const action = { type: "unlike", postId, to } as const;
    await EFFECTS.unlike.perform(bot, town.botId, action, OPTIONS);
    await EFFECTS.unlike.perform(bot, town.botId, action, OPTIONS);

    expect([before, await likes(postId)]).toEqual([true, false]);
  });

  it("removes a repost, and a repetition changes nothing", async () => {
    const to = await newPerson("unrepost_once");
    const postId = await postBy(to, "spread me for a while");
    await EFFECTS.repost.perform(bot, town.botId, { type: "repost", postId, to }, OPTIONS);
    const before = await reposters(postId);
    const action = { type: "undo_repost", postId, to } as const;
    await EFFECTS.undo_repost.perform(bot, town.botId, action, OPTIONS);
    await EFFECTS.undo_repost.perform(bot, town.botId, action, OPTIONS);

    expect([before, await reposters(postId)]).toEqual([[town.botId], []]);
  });

  it("deletes a post of the account, and is found by the post's absence", async () => {
    const { id: postId } = await bot.posts.create({ text: "Soon gone." });
    const action = { type: "delete_post", postId, to: town.personId } as const;
    const since = await aMinuteAgo();
    const before = await EFFECTS.delete_post.find(bot, town.botId, action, since);
    await EFFECTS.delete_post.perform(bot, town.botId, action, OPTIONS);

    expect(before).toEqual([]);
    expect(idsOf(await EFFECTS.delete_post.find(bot, town.botId, action, since))).toEqual([postId]);
  });

  it("does not delete another person's post", async () => {
    const postId = await postBy(await newPerson("keeps_it"), "mine");
    const action = { type: "delete_post", postId, to: town.personId } as const;

    await expect(
      EFFECTS.delete_post.perform(bot, town.botId, action, OPTIONS),
    ).rejects.toMatchObject({ status: 403 });
  });

  it("deletes a message, for the account only, and is found by the message's absence", async () => {
    const to = await newPerson("sends_secrets");
    const { id: eventId } = await town.sandbox.control.act(to, {
      type: "dm",
      to: town.botId,
      text: "my secret",
    });
    const action = { type: "delete_message", eventId, to } as const;
    const find = async () => idsOf(await EFFECTS.delete_message.find(bot, town.botId, action, 0));
    const before = await find();
    await EFFECTS.delete_message.perform(bot, town.botId, action, OPTIONS);

    await expect(bot.dms.event(eventId)).rejects.toMatchObject({ status: 404 });
    expect([before, await find()]).toEqual([[], [eventId]]);
  });

  it.each(["hide_reply", "unhide_reply"] as const)(
    "hides or shows a reply in the account's conversation only, also when repeated: %s",
    async (type) => {
      const to = await newPerson(type);
      const replyTo = async (postId: string) =>
        (
          await town.sandbox.control.act(to, {
            type: "post",
            text: "rubbish",
            in_reply_to: postId,
          })
        ).id;
      const own = await bot.posts.create({ text: `What do you think of ${type}?` });
      const doTo = async (postId: string) =>
        EFFECTS[type].perform(bot, town.botId, { type, postId, to }, OPTIONS);

      const reply = await replyTo(own.id);
      const done = { result: { hidden: type === "hide_reply" } };

      expect(await doTo(reply)).toEqual(done);
      expect(await doTo(reply)).toEqual(done);
      await expect(doTo(await replyTo(await postBy(to, "mine")))).rejects.toMatchObject({
        status: 403,
      });
    },
  );
});

describe("a post of the account's own", () => {
  it("is found by its text, unless it is a reply or a quote", async () => {
    await later();
    const to = town.botId;
    const author = await newPerson("quoted_once");
    const postId = await postBy(author, "look at this");
    const text = "News & more <today> https://example.com/a";
    const post = { type: "create_post", to, text } as const;
    const quote = { type: "quote", postId, to: author, text } as const;
    const { platformId: created } = await EFFECTS.create_post.perform(bot, to, post, OPTIONS);
    const { id: quoted } = await town.sandbox.control.act(to, {
      type: "post",
      text,
      quote_of: postId,
    });

    expect(idsOf(await EFFECTS.create_post.find(bot, to, post, await aMinuteAgo()))).toEqual([
      created,
    ]);
    expect(idsOf(await EFFECTS.quote.find(bot, to, quote, await aMinuteAgo()))).toEqual([quoted]);
  });

  it("is one repost, however often it is requested", async () => {
    await later();
    const to = await newPerson("reposted_once");
    const [postId, other] = [await postBy(to, "spread this"), await postBy(to, "not this")];
    const action = { type: "repost", postId, to } as const;
    const effect = EFFECTS.repost;
    const { platformId: first } = await effect.perform(bot, town.botId, action, OPTIONS);
    const { platformId: again } = await effect.perform(bot, town.botId, action, OPTIONS);

    expect(again).toBe(first);
    expect(idsOf(await effect.find(bot, town.botId, action, await aMinuteAgo()))).toEqual([first]);
    const search = effect.find(bot, town.botId, { ...action, postId: other }, await aMinuteAgo());
    expect(await search).toEqual([]);
  });
});

it("is unknown if the platform can't be read", async () => {
  const stranger = await town.credentialsOf(town.personId);
  const effect = EFFECTS.reply_dm;
  const client = bot.as({ ...stranger, accessToken: "wrong" });
  const action = { type: "reply_dm", to: town.personId, text: "hi" } as const;

  await expect(effect.find(client, town.botId, action, 0, OPTIONS)).rejects.toThrow(
    /401|nauthorized/,
  );
});

describe("a conversion", () => {
  it("is recorded under the interface's names, and can't be looked up", async () => {
    const { control } = town.sandbox;
    const { account_id: accountId } = await control.post<{ account_id: string }>("/ads/accounts", {
      user_id: town.botId,
      name: "measured",
    });
    const { data: tag } = await bot.appEventTags.create({
      accountId,
      appStoreIdentifier: "7",
      conversionType: "SIGN_UP",
      osType: "IOS",
      providerAppEventId: "1",
      providerAppEventName: "sign-up",
    });
    const lastTracked = async () => {
      const { data } = await bot.appEventTags.get({ accountId, appEventTagId: tag.id });
      return data.last_tracked_at;
    };
    const before = await lastTracked();
    const { result, ...created } = await EFFECTS.report_conversion.perform(
      bot,
      town.botId,
      {
        type: "report_conversion",
        to: "200",
        app_id: "7",
        conversion_type: "SIGN_UP",
        conversion_time: "2026-03-01T09:00:00.000Z",
        os_type: "IOS",
        hashed_device_id: "a1",
        price_micro: 15_000_000,
        price_currency: "EUR",
      },
      OPTIONS,
    );

    expect(created).toEqual({});
    expect(result).toMatchObject({
      app_id: "7",
      conversion_type: "SIGN_UP",
      click_window: 14,
      view_through_window: 1,
      platform_attribution: null,
    });
    expect(EFFECTS.report_conversion.find).toBeUndefined();
    expect(await lastTracked()).not.toEqual(before);
  });
});

describe("a picture or video", () => {
  let folder: string;
  let [png, gif] = ["", ""];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "media-"));
    [png, gif] = [join(folder, "hours.png"), join(folder, "wave.gif")];
    await writeFile(png, PNG);
    await writeFile(gif, GIF);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it("is uploaded and sent with a message, which is found again", async () => {
    await later();
    const to = await newPerson("dm_media");
    const action = { type: "reply_dm", to, text: "Our hours", media: png } as const;
    const { platformId: id } = await EFFECTS.reply_dm.perform(bot, town.botId, action, OPTIONS);
    const { data } = await bot.dms.event(id ?? "", { dmEventFields: ["attachments", "text"] });

    expect(data.attachments?.media_keys).toHaveLength(1);
    expect(idsOf(await EFFECTS.reply_dm.find(bot, town.botId, action, await aMinuteAgo()))).toEqual(
      [id],
    );
  });

  it("is sent with a reply, and with a post of the account", async () => {
    await later();
    const to = await newPerson("post_media");
    const postId = await postBy(to, "hours?");
    const text = "Here they are";
    const ids = [
      await EFFECTS.reply_post.perform(
        bot,
        town.botId,
        { type: "reply_post", inReplyTo: postId, to, text: `${text}.`, media: png },
        OPTIONS,
      ),
      await EFFECTS.create_post.perform(
        bot,
        town.botId,
        { type: "create_post", to: town.botId, text: `${text}!`, media: png },
        OPTIONS,
      ),
    ];
    const { data } = await bot.posts.lookup(
      ids.map(({ platformId }) => platformId ?? ""),
      { postFields: ["attachments"] },
    );

    expect(data.map(({ attachments }) => attachments?.media_keys?.length)).toEqual([1, 1]);
  });

  it("is uploaded in parts if it moves; the message waits until the platform has processed it", async () => {
    await later();
    const to = await newPerson("dm_gif");
    const action = { type: "reply_dm", to, text: "Hello", media: gif } as const;
    const sent = { yet: false };
    const sending = EFFECTS.reply_dm
      .perform(bot, town.botId, action, OPTIONS)
      .finally(() => (sent.yet = true));
    while (!sent.yet) {
      await town.sandbox.control.advance(5_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { data } = await bot.dms.event((await sending).platformId ?? "", {
      dmEventFields: ["attachments"],
    });

    expect(data.attachments?.media_keys).toHaveLength(1);
  });

  it("fails the send if its file is missing; a failed upload makes the item wait, because nothing was sent", async () => {
    const to = await newPerson("dm_gone");
    const action = { type: "reply_dm", to, text: "Hours" } as const;
    const failed = (media: string) =>
      EFFECTS.reply_dm
        .perform(bot, town.botId, { ...action, media }, OPTIONS)
        .then(String, (error: unknown) => sendingOf(error));
    const gone = await failed(join(folder, "gone.png"));
    await mkdir(join(folder, "folder.png"));
    execFileSync("mkfifo", [join(folder, "pipe.png")]);
    for (const name of ["folder.png", "pipe.png"]) {
      expect(await failed(join(folder, name))).toMatchObject({
        kind: "refused",
        reason: expect.stringContaining(`${name} is no file`),
      });
    }
    const fault = await town.sandbox.control.addFault({
      match: { direction: "request", method: "POST", path: "/2/media/upload" },
      fault: { type: "status", status: 500 },
      when: { always: true },
    });
    const away = await failed(png);
    await town.sandbox.control.clearFaults(fault);

    expect(gone).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("gone.png can't be read"),
    });
    expect(away).toMatchObject({
      kind: "unavailable",
      reason: expect.stringContaining("hours.png was not uploaded"),
    });
  });
});

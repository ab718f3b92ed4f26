import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { idsOf, SPOKEN, town, type Town } from "../support/town.ts";

const DAY = 24 * 60 * 60_000;
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

let at: Town;
let alice: string;
let bob: string;
let carol: string;
beforeEach(async () => {
  at = await town({ clock: { frozen: true } });
  [alice, bob, carol] = [at.person, await at.user("bob"), await at.user("carol")];
});
afterEach(() => at.close());

async function send(from: string, to: string, text: string): Promise<string> {
  const path = `/2/dm_conversations/with/${to}/messages`;
  const told = await at.as(from, "POST", path, { text });
  if (told.status !== 201) throw new Error(String(told.body["detail"]));
  return String(told.data["dm_event_id"]);
}

async function group(by = alice, others = [bob, carol]): Promise<string> {
  const told = await at.as(by, "POST", "/2/dm_conversations", {
    conversation_type: "Group",
    participant_ids: others,
    message: { text: "welcome" },
  });
  return String(told.data["dm_conversation_id"]);
}

describe("POST /2/dm_conversations/with/:participant_id/messages", () => {
  it("answers 201 with the conversation of the two, the lower id first", async () => {
    const path = `/2/dm_conversations/with/${alice}/messages`;
    const { status, body } = await at.as(bob, "POST", path, { text: "hello" });

    expect(status).toBe(201);
    expect(body).toEqual({
      data: { dm_conversation_id: `${alice}-${bob}`, dm_event_id: expect.stringMatching(/^\d+$/) },
    });
  });

  test.each([
    { body: {}, says: "At least one of `text`, `attachments`", why: "nothing in it" },
    { body: { text: "" }, says: "$.text", why: "an empty text" },
    { body: { text: "x", extra: 1 }, says: "$.extra: is not defined", why: "an unknown key" },
    { body: { attachments: [{ media_id: "1" }] }, says: "media IDs", why: "unknown media" },
    {
      body: { attachments: [{ media_id: "1" }, { media_id: "2" }] },
      says: "one attachment at most",
      why: "two attachments",
    },
  ])("is 400 for $why", async ({ body, says }) => {
    const told = await at.as(bob, "POST", `/2/dm_conversations/with/${alice}/messages`, body);

    expect(told.status).toBe(400);
    expect(told.errors[0]?.["message"]).toContain(says);
  });

  it("refuses who is blocked, closed off, oneself, or nobody", async () => {
    const attempt = async (to: string): Promise<unknown> => {
      const path = `/2/dm_conversations/with/${to}/messages`;
      const told = await at.as(bob, "POST", path, { text: "hi" });
      return [told.status, told.body["detail"]];
    };
    const closed = [403, "You do not have permission to DM one or more participants."];
    await at.as(alice, "POST", `/2/users/${alice}/blocking`, { target_user_id: bob });
    await at.sandbox.control.call("PATCH", `/users/${carol}`, { receives_your_dm: false });

    expect(await attempt(alice)).toEqual(closed);
    expect(await attempt(carol)).toEqual(closed);
    expect(await attempt(bob)).toEqual([403, "You cannot send messages to yourself."]);
    expect(await attempt("5")).toEqual([404, "Could not find user with participant_id: [5]."]);
    const seen = await at.get(`/2/users/${alice}?user.fields=receives_your_dm`, bob);
    expect(seen.data).toMatchObject({ receives_your_dm: false });
  });

  it("is closed by dm/block and opened by dm/unblock", async () => {
    await at.as(alice, "POST", `/2/users/${bob}/dm/block`);
    await expect(send(bob, alice, "hi")).rejects.toThrow("permission to DM");
    await at.as(alice, "POST", `/2/users/${bob}/dm/unblock`);
    expect(await send(bob, alice, "hi")).toMatch(/^\d+$/);
  });

  it("needs the direct-message permission level", async () => {
    const other = await town({}, { permission_level: "read-write" });
    const path = `/2/dm_conversations/with/${other.person}/messages`;
    const { status } = await other.as(other.bot, "POST", path, { text: "hi" });
    await other.close();

    expect(status).toBe(403);
  });
});

describe.each(SPOKEN)(
  "message events, in the $dialect dialect",
  ({ fields, posts, references }) => {
    it("carry id, type and text by default, and what is asked for", async () => {
      const id = await send(bob, alice, "hello @carol #tag");
      const [plain, full] = await Promise.all([
        at.get("/2/dm_events", alice),
        at.get(
          `/2/dm_events/${id}?dm_event.fields=sender_id,dm_conversation_id,created_at,entities&expansions=sender_id&user.fields=protected`,
          alice,
        ),
      ]);

      expect(plain.body).toEqual({
        data: [{ id, event_type: "MessageCreate", text: "hello @carol #tag" }],
        meta: { result_count: 1 },
      });
      expect(full.body).toEqual({
        data: {
          id,
          event_type: "MessageCreate",
          text: "hello @carol #tag",
          sender_id: bob,
          dm_conversation_id: `${alice}-${bob}`,
          created_at: expect.stringMatching(/Z$/),
          entities: {
            mentions: [{ start: 6, end: 12, username: "carol", id: carol }],
            hashtags: [{ start: 13, end: 17, tag: "tag" }],
          },
        },
        includes: { users: [{ id: bob, name: "bob", username: "bob", protected: false }] },
      });
    });

    it("show the post that a text links to", async () => {
      const post = await at.post(alice, "worth a look");
      const id = await send(bob, alice, `see https://x.com/alice/status/${post}`);
      const { data, includes } = await at.get(
        `/2/dm_events/${id}?dm_event.fields=${references}&expansions=${references}.id&${fields}=author_id`,
        alice,
      );

      expect(data[references]).toEqual([{ id: post }]);
      expect(includes[posts]).toMatchObject([{ id: post, author_id: alice }]);
    });
  },
);

describe("message events", () => {
  it("show media that the sender attached", async () => {
    const upload = await at.as(bob, "POST", "/2/media/upload", {
      media: PIXEL,
      media_category: "dm_image",
      media_type: "image/png",
    });
    const attachments = [{ media_id: upload.data["id"] }];
    await at.as(bob, "POST", `/2/dm_conversations/with/${alice}/messages`, { attachments });
    const { data, includes } = await at.get(
      "/2/dm_events?expansions=attachments.media_keys",
      alice,
    );

    expect(data[0]).toMatchObject({
      text: "",
      attachments: { media_keys: [upload.data["media_key"]] },
    });
    expect(includes["media"]).toEqual([{ media_key: upload.data["media_key"], type: "photo" }]);
  });

  it("are listed for both sides, by conversation or all together, newest first", async () => {
    const first = await send(bob, alice, "one");
    const other = await send(carol, alice, "two");
    const last = await send(alice, bob, "three");

    expect(idsOf(await at.get("/2/dm_events", alice))).toEqual([last, other, first]);
    expect(idsOf(await at.get("/2/dm_events", bob))).toEqual([last, first]);
    const pair = [last, first];
    expect(idsOf(await at.get(`/2/dm_conversations/with/${bob}/dm_events`, alice))).toEqual(pair);
    expect(idsOf(await at.get(`/2/dm_conversations/${alice}-${bob}/dm_events`, bob))).toEqual(pair);
    expect((await at.get(`/2/dm_conversations/with/${carol}/dm_events`, bob)).body).toEqual({
      meta: { result_count: 0 },
    });
  });

  it("are paged there and back", async () => {
    const sent: string[] = [];
    for (let n = 0; n < 5; n += 1) sent.push(await send(bob, alice, `number ${n}`));
    const path = "/2/dm_events?max_results=2";
    const first = await at.get(path, alice);
    const second = await at.get(
      `${path}&pagination_token=${String(first.meta["next_token"])}`,
      alice,
    );
    const back = await at.get(
      `${path}&pagination_token=${String(second.meta["previous_token"])}`,
      alice,
    );

    expect(first.meta).toEqual({ result_count: 2, next_token: expect.stringMatching(/^\w{16,}$/) });
    expect([...idsOf(first), ...idsOf(second)]).toEqual(sent.slice(1).toReversed());
    expect(idsOf(back)).toEqual(idsOf(first));
  });

  it("leave the lists after thirty days", async () => {
    await send(bob, alice, "old");
    await at.sandbox.control.advance(29 * DAY);
    const recent = await send(bob, alice, "recent");
    await at.sandbox.control.advance(2 * DAY);

    expect(idsOf(await at.get("/2/dm_events", alice))).toEqual([recent]);
  });

  it("leave the lists of the one who deletes them, and of nobody else", async () => {
    const id = await send(bob, alice, "regret");
    const deleted = await at.as(bob, "DELETE", `/2/dm_events/${id}`);

    expect(deleted.body).toEqual({ data: { deleted: true } });
    expect((await at.get(`/2/dm_events/${id}`, bob)).status).toBe(404);
    expect(idsOf(await at.get(`/2/dm_conversations/with/${alice}/dm_events`, bob))).toEqual([]);
    expect(idsOf(await at.get("/2/dm_events", alice))).toEqual([id]);
  });

  it("are for their participants alone", async () => {
    const id = await send(bob, alice, "between us");

    expect((await at.get(`/2/dm_events/${id}`, carol)).status).toBe(404);
    expect((await at.get(`/2/dm_conversations/${alice}-${bob}/dm_events`, carol)).status).toBe(403);
    expect((await at.get("/2/dm_events")).status).toBe(403);
  });

  test.each([
    { path: "dm_events?max_results=0", names: "max_results" },
    { path: "dm_events?max_results=101", names: "max_results" },
    { path: "dm_events?event_types=Typing", names: "event_types" },
    { path: "dm_events?dm_event.fields=subject", names: "dm_event.fields" },
    { path: "dm_events?expansions=author_id", names: "expansions" },
    { path: "dm_events?pagination_token=0123456789abcdef", names: "pagination_token" },
    { path: "dm_conversations/nonsense/dm_events", names: "id" },
  ])("refuses $path", async ({ path, names }) => {
    const { status, errors } = await at.get(`/2/${path}`, alice);

    expect(status).toBe(400);
    expect(errors[0]?.["parameters"]).toHaveProperty([names]);
  });
});

describe("a group", () => {
  it("begins with all joining, and its members write by its id", async () => {
    const id = await group();
    const told = await at.as(carol, "POST", `/2/dm_conversations/${id}/messages`, {
      text: "thanks",
    });
    const list = await at.get(`/2/dm_conversations/${id}/dm_events`, bob);

    expect(id).toMatch(/^\d{15,19}$/);
    expect(told.data["dm_conversation_id"]).toBe(id);
    expect(list.data).toEqual([
      { id: told.data["dm_event_id"], event_type: "MessageCreate", text: "thanks" },
      { id: expect.any(String), event_type: "MessageCreate", text: "welcome" },
      {
        id: expect.any(String),
        event_type: "ParticipantsJoin",
        participant_ids: [alice, bob, carol],
      },
    ]);
  });

  it("tells who leaves, and shows them nothing from then on", async () => {
    const id = await group();
    await at.sandbox.control.post(`/dm_conversations/${id}/participants`, { leave: [carol] });
    await at.as(alice, "POST", `/2/dm_conversations/${id}/messages`, { text: "she left" });
    const told = await at.get(
      `/2/dm_events?event_types=ParticipantsLeave,ParticipantsJoin&expansions=participant_ids`,
      bob,
    );

    expect(told.data).toMatchObject([
      { event_type: "ParticipantsLeave", participant_ids: [carol] },
      { event_type: "ParticipantsJoin" },
    ]);
    expect(told.includes["users"]?.map(({ username }) => username)).toContain("carol");
    const texts = (await at.get("/2/dm_events", carol)).data.map(({ text }) => text);
    expect(texts).toEqual([undefined, "welcome", undefined]);
    const post = await at.as(carol, "POST", `/2/dm_conversations/${id}/messages`, { text: "hey" });
    expect(post.status).toBe(403);
  });

  it("is not told by account activity", async () => {
    await at.subscribed();
    await group(alice, [bob, at.bot]);
    await at.settled();

    expect(at.received).toEqual([]);
  });

  test.each([
    { body: { conversation_type: "Pair" }, says: "$.conversation_type" },
    { body: { participant_ids: ["1"] }, says: "$.participant_ids" },
    { body: { participant_ids: ["1", "2"] }, says: "is not a user" },
    { body: { message: {} }, says: "At least one of" },
  ])("is refused with $says", async ({ body, says }) => {
    const told = await at.as(alice, "POST", "/2/dm_conversations", {
      conversation_type: "Group",
      participant_ids: [bob, carol],
      message: { text: "hi" },
      ...body,
    });

    expect(told.status).toBe(400);
    expect(told.errors.map(({ message }) => message).join()).toContain(says);
  });

  it("is 404 where there is none", async () => {
    const told = await at.as(alice, "POST", "/2/dm_conversations/123456789012345/messages", {
      text: "anybody?",
    });

    expect(told.status).toBe(404);
  });
});

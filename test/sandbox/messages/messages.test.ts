import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import {
  idsOf,
  DIALECT_WORDS,
  startDataSandbox,
  type DataSandbox,
} from "../support/data-sandbox.ts";

const DAY = 24 * 60 * 60_000;
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** Expected page tokens: like the live service, the sandbox sends both even if there are no further pages. */
const bothTokens = {
  next_token: expect.stringMatching(/^\w{16,}$/),
  previous_token: expect.stringMatching(/^\w{16,}$/),
};

let fixture: DataSandbox;
let alice: string;
let bob: string;
let carol: string;
beforeEach(async () => {
  fixture = await startDataSandbox({ clock: { frozen: true } });
  [alice, bob, carol] = [fixture.person, await fixture.user("bob"), await fixture.user("carol")];
});
afterEach(() => fixture.close());

async function send(from: string, to: string, text: string): Promise<string> {
  const path = `/2/dm_conversations/with/${to}/messages`;
  const response = await fixture.as(from, "POST", path, { text });
  if (response.status !== 201) throw new Error(String(response.body["detail"]));
  return String(response.data["dm_event_id"]);
}

async function group(by = alice, others = [bob, carol]): Promise<string> {
  const response = await fixture.as(by, "POST", "/2/dm_conversations", {
    conversation_type: "Group",
    participant_ids: others,
    message: { text: "welcome" },
  });
  return String(response.data["dm_conversation_id"]);
}

describe("POST /2/dm_conversations/with/:participant_id/messages", () => {
  it("answers 201 with the conversation of the two, the lower id first", async () => {
    const path = `/2/dm_conversations/with/${alice}/messages`;
    const { status, body } = await fixture.as(bob, "POST", path, { text: "hello" });

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
    const response = await fixture.as(
      bob,
      "POST",
      `/2/dm_conversations/with/${alice}/messages`,
      body,
    );

    expect(response.status).toBe(400);
    expect(response.errors[0]?.["message"]).toContain(says);
  });

  it("refuses a recipient who blocks, accepts no messages, is the sender, or does not exist", async () => {
    const attempt = async (to: string): Promise<unknown> => {
      const path = `/2/dm_conversations/with/${to}/messages`;
      const response = await fixture.as(bob, "POST", path, { text: "hi" });
      return [response.status, response.body["detail"]];
    };
    const closed = [403, "You do not have permission to DM one or more participants."];
    await fixture.as(alice, "POST", `/2/users/${alice}/blocking`, { target_user_id: bob });
    await fixture.sandbox.control.call("PATCH", `/users/${carol}`, { receives_your_dm: false });

    expect(await attempt(alice)).toEqual(closed);
    expect(await attempt(carol)).toEqual(closed);
    expect(await attempt(bob)).toEqual([403, "You cannot send messages to yourself."]);
    expect(await attempt("5")).toEqual([404, "Could not find user with participant_id: [5]."]);
    const seen = await fixture.get(`/2/users/${alice}?user.fields=receives_your_dm`, bob);
    expect(seen.data).toMatchObject({ receives_your_dm: false });
  });

  it("is closed by dm/block and opened by dm/unblock", async () => {
    await fixture.as(alice, "POST", `/2/users/${bob}/dm/block`);
    await expect(send(bob, alice, "hi")).rejects.toThrow("permission to DM");
    await fixture.as(alice, "POST", `/2/users/${bob}/dm/unblock`);
    expect(await send(bob, alice, "hi")).toMatch(/^\d+$/);
  });

  it("needs the direct-message permission level", async () => {
    const other = await startDataSandbox({}, { permission_level: "read-write" });
    const path = `/2/dm_conversations/with/${other.person}/messages`;
    const { status } = await other.as(other.bot, "POST", path, { text: "hi" });
    await other.close();

    expect(status).toBe(403);
  });
});

describe.each(DIALECT_WORDS)(
  "message events, in the $dialect dialect",
  ({ fields, posts, references }) => {
    it("have id, type and text by default, and requested fields", async () => {
      const id = await send(bob, alice, "hello @carol #tag");
      const [plain, full] = await Promise.all([
        fixture.get("/2/dm_events", alice),
        fixture.get(
          `/2/dm_events/${id}?dm_event.fields=sender_id,dm_conversation_id,created_at,entities&expansions=sender_id&user.fields=protected`,
          alice,
        ),
      ]);

      expect(plain.body).toEqual({
        data: [{ id, event_type: "MessageCreate", text: "hello @carol #tag" }],
        meta: { result_count: 1, ...bothTokens },
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
      const post = await fixture.post(alice, "worth a look");
      const id = await send(bob, alice, `see https://x.com/alice/status/${post}`);
      const { data, includes } = await fixture.get(
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
    const upload = await fixture.as(bob, "POST", "/2/media/upload", {
      media: PIXEL,
      media_category: "dm_image",
      media_type: "image/png",
    });
    const attachments = [{ media_id: upload.data["id"] }];
    await fixture.as(bob, "POST", `/2/dm_conversations/with/${alice}/messages`, { attachments });
    const { data, includes } = await fixture.get(
      "/2/dm_events?expansions=attachments.media_keys",
      alice,
    );

    expect(data[0]).toMatchObject({
      text: expect.stringMatching(/^https:\/\/t\.co\/\w{10}$/),
      attachments: { media_keys: [upload.data["media_key"]] },
    });
    expect(includes["media"]).toEqual([{ media_key: upload.data["media_key"], type: "photo" }]);
  });

  it("are listed for both sides, by conversation or all together, newest first", async () => {
    const first = await send(bob, alice, "one");
    const other = await send(carol, alice, "two");
    const last = await send(alice, bob, "three");

    expect(idsOf(await fixture.get("/2/dm_events", alice))).toEqual([last, other, first]);
    expect(idsOf(await fixture.get("/2/dm_events", bob))).toEqual([last, first]);
    const pair = [last, first];
    expect(idsOf(await fixture.get(`/2/dm_conversations/with/${bob}/dm_events`, alice))).toEqual(
      pair,
    );
    expect(idsOf(await fixture.get(`/2/dm_conversations/${alice}-${bob}/dm_events`, bob))).toEqual(
      pair,
    );
    expect((await fixture.get(`/2/dm_conversations/with/${carol}/dm_events`, bob)).body).toEqual({
      meta: { result_count: 0 },
    });
  });

  it("are paged there and back", async () => {
    const sent: string[] = [];
    for (let n = 0; n < 5; n += 1) sent.push(await send(bob, alice, `number ${n}`));
    const path = "/2/dm_events?max_results=2";
    const first = await fixture.get(path, alice);
    const second = await fixture.get(
      `${path}&pagination_token=${String(first.meta["next_token"])}`,
      alice,
    );
    const back = await fixture.get(
      `${path}&pagination_token=${String(second.meta["previous_token"])}`,
      alice,
    );

    expect(first.meta).toEqual({ result_count: 2, ...bothTokens });
    expect([...idsOf(first), ...idsOf(second)]).toEqual(sent.slice(1).toReversed());
    expect(idsOf(back)).toEqual(idsOf(first));
  });

  it("have both tokens on every page with something on it, and end with an empty one", async () => {
    const id = await send(bob, alice, "the only one");
    const only = await fixture.get("/2/dm_events", alice);
    const at = async (name: string): Promise<unknown> =>
      (await fixture.get(`/2/dm_events?pagination_token=${String(only.meta[name])}`, alice)).body;

    expect(only.meta).toEqual({ result_count: 1, ...bothTokens });
    expect(await at("next_token")).toEqual({ meta: { result_count: 0 } });
    expect(await at("previous_token")).toEqual({ meta: { result_count: 0 } });
    const later = await send(bob, alice, "one more");
    expect(await at("previous_token")).toMatchObject({ data: [{ id: later }] });
    expect(id).not.toBe(later);
  });

  it("leave the lists after thirty days", async () => {
    await send(bob, alice, "old");
    await fixture.sandbox.control.advance(29 * DAY);
    const recent = await send(bob, alice, "recent");
    await fixture.sandbox.control.advance(2 * DAY);

    expect(idsOf(await fixture.get("/2/dm_events", alice))).toEqual([recent]);
  });

  it("disappear only from the lists of the person who deletes them", async () => {
    const id = await send(bob, alice, "regret");
    const deleted = await fixture.as(bob, "DELETE", `/2/dm_events/${id}`);

    expect(deleted.body).toEqual({ data: { deleted: true } });
    expect((await fixture.get(`/2/dm_events/${id}`, bob)).status).toBe(404);
    expect(idsOf(await fixture.get(`/2/dm_conversations/with/${alice}/dm_events`, bob))).toEqual(
      [],
    );
    expect(idsOf(await fixture.get("/2/dm_events", alice))).toEqual([id]);
  });

  it("are for their participants alone", async () => {
    const id = await send(bob, alice, "between us");

    expect((await fixture.get(`/2/dm_events/${id}`, carol)).status).toBe(404);
    expect((await fixture.get(`/2/dm_conversations/${alice}-${bob}/dm_events`, carol)).status).toBe(
      403,
    );
    expect((await fixture.get("/2/dm_events")).status).toBe(403);
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
    const { status, errors } = await fixture.get(`/2/${path}`, alice);

    expect(status).toBe(400);
    expect(errors[0]?.["parameters"]).toHaveProperty([names]);
  });
});

describe("a group", () => {
  it("begins with all joining, and its members write by its id", async () => {
    const id = await group();
    const response = await fixture.as(carol, "POST", `/2/dm_conversations/${id}/messages`, {
      text: "thanks",
    });
    const list = await fixture.get(`/2/dm_conversations/${id}/dm_events`, bob);

    expect(id).toMatch(/^\d{15,19}$/);
    expect(response.data["dm_conversation_id"]).toBe(id);
    expect(list.data).toEqual([
      { id: response.data["dm_event_id"], event_type: "MessageCreate", text: "thanks" },
      { id: expect.any(String), event_type: "MessageCreate", text: "welcome" },
      {
        id: expect.any(String),
        event_type: "ParticipantsJoin",
        participant_ids: [alice, bob, carol],
      },
    ]);
  });

  it("shows who leaves, and is invisible to them from then on", async () => {
    const id = await group();
    await fixture.sandbox.control.post(`/dm_conversations/${id}/participants`, { leave: [carol] });
    await fixture.as(alice, "POST", `/2/dm_conversations/${id}/messages`, { text: "she left" });
    const response = await fixture.get(
      `/2/dm_events?event_types=ParticipantsLeave,ParticipantsJoin&expansions=participant_ids`,
      bob,
    );

    expect(response.data).toMatchObject([
      { event_type: "ParticipantsLeave", participant_ids: [carol] },
      { event_type: "ParticipantsJoin" },
    ]);
    expect(response.includes["users"]?.map(({ username }) => username)).toContain("carol");
    const texts = (await fixture.get("/2/dm_events", carol)).data.map(({ text }) => text);
    expect(texts).toEqual([undefined, "welcome", undefined]);
    const post = await fixture.as(carol, "POST", `/2/dm_conversations/${id}/messages`, {
      text: "hey",
    });
    expect(post.status).toBe(403);
  });

  it("lets only existing users in, and each once", async () => {
    const id = await group();
    const dave = await fixture.user("dave");
    const change = (join: string[]) =>
      fixture.sandbox.control.post(`/dm_conversations/${id}/participants`, { join });

    await expect(change([dave, "999"])).rejects.toThrow("There is no user 999.");
    expect(await change([dave, dave])).toMatchObject({
      participant_ids: [alice, bob, carol, dave],
    });
  });

  it("is delivered to each subscribed participant, with the group and its participants", async () => {
    await fixture.subscribed();
    const id = await group(alice, [bob, fixture.bot]);
    await fixture.as(fixture.bot, "POST", `/2/dm_conversations/${id}/messages`, { text: "hi" });
    await fixture.idle();

    const place = { dm_conversation_id: id, participant_ids: [alice, bob, fixture.bot] };
    expect(fixture.received.map((one) => one.body)).toMatchObject([
      {
        for_user_id: fixture.bot,
        direct_message_events: [
          {
            message_create: {
              sender_id: alice,
              target: { recipient_id: fixture.bot, ...place },
              message_data: { text: "welcome" },
            },
          },
        ],
        users: { [alice]: {}, [bob]: {}, [fixture.bot]: {} },
      },
      { direct_message_events: [{ message_create: { sender_id: fixture.bot, target: place } }] },
    ]);
  });

  test.each([
    { body: { conversation_type: "Pair" }, says: "$.conversation_type" },
    { body: { participant_ids: ["1"] }, says: "$.participant_ids" },
    { body: { participant_ids: ["1", "2"] }, says: "is not a user" },
    { body: { message: {} }, says: "At least one of" },
    { body: { message: { attachments: [{ media_id: "1" }] } }, says: "media IDs are invalid" },
  ])("is refused with $says, and leaves no group behind", async ({ body, says }) => {
    const response = await fixture.as(alice, "POST", "/2/dm_conversations", {
      conversation_type: "Group",
      participant_ids: [bob, carol],
      message: { text: "hi" },
      ...body,
    });

    expect(response.status).toBe(400);
    expect(response.errors.map(({ message }) => message).join()).toContain(says);
    expect((await fixture.as(bob, "GET", "/2/dm_events")).body).not.toHaveProperty("data");
  });

  test.each([
    { why: "its creator and one other person", ids: () => [alice, bob] },
    { why: "one person twice", ids: () => [bob, bob] },
  ])("is refused for $why", async ({ ids }) => {
    const response = await fixture.as(alice, "POST", "/2/dm_conversations", {
      conversation_type: "Group",
      participant_ids: ids(),
      message: { text: "hi" },
    });

    expect(response.status).toBe(400);
    expect(response.errors).toMatchObject([
      { message: expect.stringContaining("at least 2 people besides yourself") },
    ]);
  });

  it("is 404 if there is none", async () => {
    const response = await fixture.as(
      alice,
      "POST",
      "/2/dm_conversations/123456789012345/messages",
      {
        text: "anybody?",
      },
    );

    expect(response.status).toBe(404);
  });
});

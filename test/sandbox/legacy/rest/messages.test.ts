import { afterEach, beforeEach, expect, it, test } from "vitest";
import type { ApiResponse } from "../../support/test-sandbox.ts";
import { type LegacySandbox, startLegacySandbox } from "./legacy-sandbox.ts";

let fixture: LegacySandbox;
let alice: string;
let bot: string;
beforeEach(async () => {
  fixture = await startLegacySandbox();
  ({ person: alice, bot } = fixture);
});
afterEach(() => fixture.close());

const EVENTS = "direct_messages/events";

const send = (recipient: string | bigint, data: object): Promise<ApiResponse> =>
  fixture.asBot("POST", `/1.1/${EVENTS}/new.json`, {
    event: {
      type: "message_create",
      message_create: { target: { recipient_id: recipient }, message_data: data },
    },
  });

async function sent(text: string): Promise<string> {
  const { body } = await send(alice, { text });
  return String(Object(body["event"]).id);
}

it("a message is sent to a recipient, whose id may be a number, and seen in v2", async () => {
  const { status, body } = await send(BigInt(alice), { text: "hi & bye" });

  expect(status).toBe(200);
  expect(body).toEqual({
    event: {
      type: "message_create",
      id: expect.stringMatching(/^\d+$/),
      created_timestamp: expect.stringMatching(/^\d{13}$/),
      message_create: {
        target: { recipient_id: alice },
        sender_id: bot,
        source_app_id: fixture.app.app_id,
        message_data: {
          text: "hi &amp; bye",
          entities: { hashtags: [], symbols: [], user_mentions: [], urls: [] },
        },
      },
    },
  });
  const { id } = Object(body["event"]);
  expect((await fixture.get(`/2/dm_events/${id}`, alice)).data["id"]).toBe(id);
});

it("a message may be for oneself, as recorded of the live service", async () => {
  const { body } = await send(bot, { text: "a note" });
  expect(body["event"]).toMatchObject({
    message_create: { sender_id: bot, target: { recipient_id: bot } },
  });
});

it("messages are listed to both sides, newest first, with the apps, until a page is empty", async () => {
  const ids = [await sent("one"), await sent("two"), await sent("three")];
  const first = await fixture.show(`${EVENTS}/list.json?count=2`, alice);
  expect(first.body).toMatchObject({
    events: [{ id: ids[2] }, { id: ids[1] }],
    apps: { [fixture.app.app_id]: { name: "test app" } },
  });
  const next = String(first.body["next_cursor"]);
  const second = await fixture.show(`${EVENTS}/list.json?count=2&cursor=${next}`, alice);
  expect(second.body).toMatchObject({ events: [{ id: ids[0] }] });
  const last = String(second.body["next_cursor"]);
  const end = await fixture.show(`${EVENTS}/list.json?cursor=${last}`, alice);
  expect(end.body).toEqual({ events: [] });
});

it("a message is shown, and disappears from the lists of the person who deletes it", async () => {
  const id = await sent("one");
  const shown = await fixture.show(`${EVENTS}/show.json?id=${id}`, bot);
  expect(shown.body).toMatchObject({ event: { id }, apps: {} });

  const destroyed = await fixture.asBot("DELETE", `/1.1/${EVENTS}/destroy.json?id=${id}`);
  expect(destroyed.status).toBe(204);
  expect(await fixture.show(`${EVENTS}/show.json?id=${id}`, bot)).toMatchObject({
    status: 404,
    body: { errors: [{ code: 34 }] },
  });
  expect((await fixture.show(`${EVENTS}/show.json?id=${id}`, alice)).status).toBe(200);
});

it("typing and reading are reported to the other person", async () => {
  await fixture.subscribed();
  const message = await fixture.sandbox.control.act(alice, { type: "dm", to: bot, text: "hello" });
  await fixture.idle();
  fixture.received.length = 0;
  const path = "direct_messages";
  const typing = await fixture.submit(alice, `${path}/indicate_typing.json`, { recipient_id: bot });
  const read = await fixture.submit(alice, `${path}/mark_read.json`, {
    recipient_id: bot,
    last_read_event_id: message.id,
  });
  await fixture.idle();

  expect([typing.status, read.status]).toEqual([204, 204]);
  expect(fixture.received.map(({ body }) => body)).toMatchObject([
    { direct_message_indicate_typing_events: [{ sender_id: alice }] },
    { direct_message_mark_read_events: [{ sender_id: alice, last_read_event_id: message.id }] },
  ]);
  expect(
    await fixture.submit(alice, `${path}/mark_read.json`, { recipient_id: bot }),
  ).toMatchObject({ status: 400, body: { errors: [{ code: 25 }] } });
});

test.each([
  { to: "5", data: { text: "a" }, status: 404, code: 108, why: "there is no such person" },
  { to: "ALICE", data: {}, status: 400, code: 44, why: "nothing is in it" },
  {
    to: "ALICE",
    data: { attachment: { type: "media", media: { id: "5" } } },
    status: 400,
    code: 324,
    why: "its medium is unknown",
  },
  { to: "x", data: { text: "a" }, status: 400, code: 214, why: "the recipient's id is none" },
])("is $status with code $code where $why", async ({ to, data, status, code }) => {
  const recipient = to.replace("ALICE", alice);
  expect(await send(recipient, data)).toMatchObject({ status, body: { errors: [{ code }] } });
});

it("is code 349 for a recipient who accepts no messages, and 93 without the permission level", async () => {
  await fixture.sandbox.control.call("PATCH", `/users/${alice}`, { receives_your_dm: false });
  expect(await send(alice, { text: "a" })).toMatchObject({
    status: 403,
    body: { errors: [{ code: 349 }] },
  });
  await fixture.sandbox.control.changeApp(fixture.app.app_id, { permission_level: "read-write" });
  expect(await fixture.show(`${EVENTS}/list.json`, bot)).toMatchObject({
    status: 403,
    body: { errors: [{ code: 93 }] },
  });
});

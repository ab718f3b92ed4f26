import { afterAll, beforeAll, expect, it, test } from "vitest";
import { idsIn, type LegacySandbox, startLegacySandbox } from "./legacy-sandbox.ts";

let fixture: LegacySandbox;
let alice: string;
let bot: string;
let list: string;
let post: string;
beforeAll(async () => {
  fixture = await startLegacySandbox();
  ({ person: alice, bot } = fixture);
  list = await fixture.create(alice, "lists/create.json", { name: "Good People", mode: "public" });
  await fixture.create(alice, "lists/members/create_all.json", {
    slug: "good-people",
    owner_screen_name: "alice",
    screen_name: "hello_bot,nobody",
  });
  await fixture.create(bot, "lists/subscribers/create.json", { list_id: list });
  post = await fixture.create(bot, "statuses/update.json", { status: "hello" });
});
afterAll(() => fixture.close());

it("a list is shown by its id, or by its name in the words of addresses and its owner", async () => {
  const shown = await fixture.show("lists/show.json?slug=good-people&owner_screen_name=alice", bot);
  expect(shown.body).toMatchObject({
    id: BigInt(list),
    name: "Good People",
    slug: "good-people",
    uri: "/alice/lists/good-people",
    full_name: "@alice/good-people",
    mode: "public",
    member_count: 1,
    subscriber_count: 1,
    following: true,
    user: { screen_name: "alice" },
  });
  expect((await fixture.show(`lists/show.json?list_id=${list}`)).body["following"]).toBe(false);
});

test.each([
  { path: "lists/list.json", who: "alice" },
  { path: "lists/list.json", who: "hello_bot" },
])("lists that $who keeps and follows are listed by $path", async ({ path, who }) => {
  expect(idsIn(await fixture.show(`${path}?screen_name=${who}`))).toEqual([list]);
});

test.each([
  { path: "lists/ownerships", who: "alice" },
  { path: "lists/memberships", who: "hello_bot" },
  { path: "lists/subscriptions", who: "hello_bot" },
])("$path of $who come in pages", async ({ path, who }) => {
  expect((await fixture.show(`${path}.json?screen_name=${who}`)).body).toMatchObject({
    lists: [{ id_str: list }],
    next_cursor: 0,
  });
});

test.each(["members", "subscribers"])("%s are listed, and shown one by one", async (word) => {
  const all = await fixture.show(`lists/${word}.json?list_id=${list}`);
  expect(all.body).toMatchObject({ users: [{ screen_name: "hello_bot" }], next_cursor: 0 });
  const one = `lists/${word}/show.json?list_id=${list}&screen_name=`;
  expect((await fixture.show(`${one}hello_bot`)).body).toMatchObject({ id_str: bot });
  expect(await fixture.show(`${one}alice`)).toMatchObject({
    status: 404,
    body: { errors: [{ code: 109 }] },
  });
});

it("statuses of the members are read", async () => {
  expect(idsIn(await fixture.show(`lists/statuses.json?list_id=${list}`))).toEqual([post]);
});

it("a list is left, changed, emptied and deleted", async () => {
  const id = await fixture.create(alice, "lists/create.json", { name: "tmp" });
  await fixture.create(bot, "lists/subscribers/create.json", { list_id: id });
  const unsubscribed = await fixture.submit(bot, "lists/subscribers/destroy.json", { list_id: id });
  expect(unsubscribed.body).toMatchObject({ following: false, subscriber_count: 0 });
  const changed = await fixture.submit(alice, "lists/update.json", {
    list_id: id,
    description: "of mine",
    mode: "private",
  });
  expect(changed.body).toMatchObject({ description: "of mine", mode: "private" });
  await fixture.create(alice, "lists/members/create.json", { list_id: id, user_id: bot });
  const emptied = await fixture.submit(alice, "lists/members/destroy.json", {
    list_id: id,
    screen_name: "hello_bot",
  });
  expect(emptied.body).toMatchObject({ member_count: 0 });
  expect((await fixture.submit(alice, "lists/destroy.json", { list_id: id })).body).toMatchObject({
    id_str: id,
  });
  expect((await fixture.show(`lists/show.json?list_id=${id}`, alice)).status).toBe(404);
});

it("adds all named members, or none if one of them blocks the owner", async () => {
  const blocker = await fixture.user("ben");
  await fixture.sandbox.control.act(blocker, { type: "block", user_id: alice });
  const id = await fixture.create(alice, "lists/create.json", { name: "all or none" });
  const named = { list_id: id, screen_name: "hello_bot,ben" };
  expect(await fixture.submit(alice, "lists/members/create_all.json", named)).toMatchObject({
    status: 403,
    body: { errors: [{ code: 104 }] },
  });
  const shown = await fixture.show(`lists/show.json?list_id=${id}`, alice);
  expect(shown.body).toMatchObject({ member_count: 0 });

  await fixture.sandbox.control.act(blocker, { type: "unblock", user_id: alice });
  const added = await fixture.submit(alice, "lists/members/create_all.json", named);
  expect(added.body).toMatchObject({ member_count: 2 });
  await fixture.submit(alice, "lists/destroy.json", { list_id: id });
});

test.each([
  { path: "lists/show.json?list_id=5", code: 34, why: "there is none" },
  { path: "lists/show.json", code: 112, why: "none is named" },
])("is code $code where $why", async ({ path, code }) => {
  expect(await fixture.show(path)).toMatchObject({ body: { errors: [{ code }] } });
});

it("is code 104 for changing another person's list, and 25 without a name", async () => {
  expect(await fixture.submit(bot, "lists/destroy.json", { list_id: list })).toMatchObject({
    status: 403,
    body: { errors: [{ code: 104 }] },
  });
  expect((await fixture.submit(bot, "lists/create.json")).status).toBe(400);
});

import { afterEach, beforeEach, expect, it, test } from "vitest";
import { idsIn, type LegacySandbox, startLegacySandbox } from "./legacy-sandbox.ts";

let fixture: LegacySandbox;
let alice: string;
let bob: string;
beforeEach(async () => {
  fixture = await startLegacySandbox();
  [alice, bob] = [fixture.person, await fixture.user("bob")];
});
afterEach(() => fixture.close());

it("a person is shown by name or id, with their latest status", async () => {
  const id = await fixture.create(alice, "statuses/update.json", { status: "hello" });
  const byName = await fixture.show("users/show.json?screen_name=@Alice", bob);

  expect(byName.body).toMatchObject({
    id: BigInt(alice),
    id_str: alice,
    screen_name: "alice",
    following: false,
    statuses_count: 1,
    entities: { description: { urls: [] } },
    status: { id_str: id, text: "hello" },
  });
  expect((await fixture.show(`users/show.json?user_id=${alice}`)).body).toMatchObject({
    screen_name: "alice",
    following: null,
  });
});

it("people are looked up by names and ids together, in the requested order", async () => {
  const path = `users/lookup.json?user_id=${bob}&screen_name=nobody,alice`;
  expect(idsIn(await fixture.show(path))).toEqual([bob, alice]);
  const posted = await fixture.submit(alice, "users/lookup.json", { screen_name: "bob" });
  expect(idsIn(posted)).toEqual([bob]);
  expect(await fixture.show("users/lookup.json?screen_name=nobody")).toMatchObject({
    status: 404,
    body: { errors: [{ code: 17, message: "No user matches for specified terms." }] },
  });
});

it("a friendship is made, shown from both sides, and ended", async () => {
  const created = await fixture.submit(bob, "friendships/create.json", { screen_name: "alice" });
  expect(created.body).toMatchObject({ id_str: alice, following: true });
  const { body } = await fixture.show("friendships/show.json?target_screen_name=bob", alice);
  expect(body["relationship"]).toMatchObject({
    source: { id_str: alice, following: false, followed_by: true, can_dm: true, blocking: false },
    target: { id: BigInt(bob), screen_name: "bob", following: true, followed_by: false },
  });
  const ended = await fixture.submit(bob, "friendships/destroy.json", { user_id: alice });
  expect(ended.body).toMatchObject({ following: false });
});

it("followers and followed people are paged, as numbers, texts or objects", async () => {
  const fans: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const fan = await fixture.user(`fan${n}`);
    fans.unshift(fan);
    await fixture.create(fan, "friendships/create.json", { screen_name: "alice" });
  }
  const path = "followers/ids.json?screen_name=alice&count=2";
  const first = (await fixture.show(path)).body;
  expect(first).toEqual({
    ids: fans.slice(0, 2).map(BigInt),
    next_cursor: BigInt(String(first["next_cursor_str"])),
    next_cursor_str: expect.stringMatching(/^\d+$/),
    previous_cursor: 0,
    previous_cursor_str: "0",
    total_count: null,
  });
  const second = await fixture.show(
    `${path}&cursor=${String(first["next_cursor_str"])}&stringify_ids=true`,
  );
  expect(second.body).toMatchObject({ ids: [fans[2]], next_cursor: 0 });
  const back = await fixture.show(`${path}&cursor=${String(second.body["previous_cursor_str"])}`);
  expect(back.body["ids"]).toEqual(fans.slice(0, 2).map(BigInt));
  const people = await fixture.show(path.replace("ids.json", "list.json"));
  expect(people.body).toMatchObject({
    users: [{ id_str: fans[0] }, { screen_name: "fan1" }],
    next_cursor_str: first["next_cursor_str"],
  });
  const some = await fixture.show(`friends/list.json?user_id=${fans[0]}&skip_status=true`);
  expect(some.body).toMatchObject({ users: [{ screen_name: "alice" }], next_cursor: 0 });
  const followed = await fixture.show(`friends/ids.json?user_id=${fans[0]}`);
  expect(followed.body["ids"]).toEqual([BigInt(alice)]);
});

test.each(["blocks", "mutes/users"])("%s are made, listed to oneself, and undone", async (path) => {
  const created = await fixture.submit(bob, `${path}/create.json`, { screen_name: "alice" });
  expect(created.body).toMatchObject({ id_str: alice });

  const ids = await fixture.show(`${path}/ids.json?stringify_ids=true`, bob);
  expect(ids.body).toMatchObject({ ids: [alice], next_cursor: 0 });
  const people = await fixture.show(`${path}/list.json?skip_status=1`, bob);
  expect(people.body).toMatchObject({ users: [{ screen_name: "alice" }] });
  expect((await fixture.show(`${path}/ids.json`, alice)).body["ids"]).toEqual([]);
  expect((await fixture.show(`${path}/ids.json`)).status).toBe(403);
  await fixture.submit(bob, `${path}/destroy.json`, { user_id: alice });
  expect((await fixture.show(`${path}/ids.json`, bob)).body["ids"]).toEqual([]);
});

it("people are found by their names, page by page", async () => {
  for (const name of ["ann", "anna", "annabel"]) await fixture.user(name);

  const first = await fixture.show("users/search.json?q=ann&count=2", alice);
  const second = await fixture.show("users/search.json?q=ann&count=2&page=2", alice);
  expect(idsIn(first)).toHaveLength(2);
  expect(first.body).toMatchObject({ 0: { screen_name: "ann" } });
  expect(idsIn(second)).toHaveLength(1);
  expect((await fixture.show("users/search.json", alice)).status).toBe(400);
});

test.each([
  { path: "users/show.json?screen_name=nobody", status: 404, code: 50 },
  { path: "users/show.json", status: 400, code: 25 },
  { path: "users/show.json?user_id=x", status: 400, code: 44 },
  { path: "friendships/show.json?target_screen_name=nobody", status: 404, code: 50 },
  { path: "followers/ids.json?screen_name=alice&cursor=x", status: 400, code: 44 },
])("$path is $status with code $code", async ({ path, status, code }) => {
  expect(await fixture.show(path, bob)).toMatchObject({ status, body: { errors: [{ code }] } });
});

it("is code 63 for a suspended user, 136 for a blocking one, 158 for oneself, 160 for a repeated request", async () => {
  const { control } = fixture.sandbox;
  await control.call("PATCH", `/users/${alice}`, { protected: true });
  const follow = (name: string): Promise<unknown> =>
    fixture.submit(bob, "friendships/create.json", { screen_name: name });
  const code = (code: number): object => ({ body: { errors: [{ code }] } });

  expect(await follow("alice")).toMatchObject({ body: { follow_request_sent: true } });
  expect(await follow("alice")).toMatchObject(code(160));
  expect(await follow("bob")).toMatchObject(code(158));
  await control.act(alice, { type: "block", user_id: bob });
  expect(await fixture.show("followers/ids.json?screen_name=alice", bob)).toMatchObject(code(136));
  expect(await follow("alice")).toMatchObject(code(162));
  await control.call("PATCH", `/users/${alice}`, { suspended: true });
  expect(await fixture.show("users/show.json?screen_name=alice")).toMatchObject(code(63));
});

it("the user of the credentials has the words of version 1.1 in either dialect of the app", async () => {
  await fixture.create(alice, "statuses/update.json", { status: "hello" });
  const { body } = await fixture.show("account/verify_credentials.json", alice);

  expect(body["status"]).toMatchObject({ text: "hello", retweet_count: 0, retweeted: false });
});

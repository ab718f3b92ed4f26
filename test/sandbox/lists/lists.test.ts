import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import {
  DIALECT_WORDS,
  idsOf,
  startDataSandbox,
  type DataResponse,
  type DataSandbox,
} from "../support/data-sandbox.ts";

let fixture: DataSandbox;
let alice: string;
let bob: string;
beforeEach(async () => {
  fixture = await startDataSandbox();
  [alice, bob] = [fixture.person, await fixture.user("bob")];
});
afterEach(() => fixture.close());

async function listOf(userId: string, more: Record<string, unknown> = {}): Promise<string> {
  const response = await fixture.as(userId, "POST", "/2/lists", { name: "friends", ...more });
  expect(response.status).toBe(201);
  return String(response.data["id"]);
}

const add = (owner: string, list: string, member: string): Promise<DataResponse> =>
  fixture.as(owner, "POST", `/2/lists/${list}/members`, { user_id: member });

describe("a list", () => {
  it("is created, shown with the requested fields, changed and deleted", async () => {
    const response = await fixture.as(alice, "POST", "/2/lists", { name: "friends" });
    const id = String(response.data["id"]);
    expect(response.body).toEqual({ data: { id, name: "friends" } });
    await add(alice, id, bob);

    expect((await fixture.get(`/2/lists/${id}`)).body).toEqual({ data: { id, name: "friends" } });
    const whole =
      "list.fields=created_at,description,follower_count,member_count,owner_id,private&expansions=owner_id";
    expect((await fixture.get(`/2/lists/${id}?${whole}`)).body).toEqual({
      data: {
        id,
        name: "friends",
        created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
        description: "",
        follower_count: 0,
        member_count: 1,
        owner_id: alice,
        private: false,
      },
      includes: { users: [{ id: alice, name: "alice", username: "alice" }] },
    });

    const change = { name: "people", description: "of mine" };
    const changed = await fixture.as(alice, "PUT", `/2/lists/${id}`, change);
    expect(changed.body).toEqual({ data: { updated: true } });
    expect((await fixture.get(`/2/lists/${id}?list.fields=description`)).data).toEqual({
      id,
      ...change,
    });
    const deleted = await fixture.as(alice, "DELETE", `/2/lists/${id}`);
    expect(deleted.body).toEqual({ data: { deleted: true } });
    expect(await fixture.get(`/2/lists/${id}`)).toMatchObject({
      status: 404,
      errors: [{ resource_type: "list", detail: `Could not find list with id: [${id}].` }],
    });
    expect(idsOf(await fixture.get(`/2/users/${bob}/list_memberships`))).toEqual([]);
  });

  test.each([
    { body: {}, says: "$.name: is missing but it is required", why: "it has no name" },
    { body: { name: "" }, says: "$.name", why: "its name is empty" },
    { body: { name: "x".repeat(26) }, says: "$.name", why: "its name has 26 characters" },
    { body: { name: "a", description: "x".repeat(101) }, says: "$.description", why: "of length" },
    { body: { name: "a", owner: "1" }, says: "$.owner: is not defined", why: "a key is unknown" },
  ])("is refused when $why", async ({ body, says }) => {
    const response = await fixture.as(alice, "POST", "/2/lists", body);
    expect(response.status).toBe(400);
    expect(response.errors[0]?.["message"]).toContain(says);
  });

  it("is changed only by its owner, and invisible to others if it is private", async () => {
    const open = await listOf(alice);
    const closed = await listOf(alice, { private: true });

    expect((await fixture.as(bob, "PUT", `/2/lists/${open}`, { name: "x" })).status).toBe(403);
    expect((await fixture.as(bob, "DELETE", `/2/lists/${open}`)).status).toBe(403);
    expect((await add(bob, open, bob)).status).toBe(403);
    expect((await fixture.as(bob, "DELETE", `/2/lists/${closed}`)).status).toBe(404);
    expect((await fixture.get(`/2/lists/${closed}`)).status).toBe(404);
    expect((await fixture.get(`/2/lists/${closed}`, alice)).status).toBe(200);
    expect(idsOf(await fixture.get(`/2/users/${alice}/owned_lists`))).toEqual([open]);
    expect(idsOf(await fixture.get(`/2/users/${alice}/owned_lists`, alice))).toEqual([
      closed,
      open,
    ]);
  });
});

it("a list disappears with a suspended owner", async () => {
  const id = await listOf(alice);
  await add(alice, id, bob);
  await fixture.sandbox.control.call("PATCH", `/users/${alice}`, { suspended: true });

  expect((await fixture.get(`/2/lists/${id}`)).status).toBe(404);
  expect(idsOf(await fixture.get(`/2/users/${bob}/list_memberships`))).toEqual([]);
});

describe("members of a list", () => {
  it("are added once, listed at both ends and counted, and removed", async () => {
    const id = await listOf(alice);
    expect((await add(alice, id, bob)).body).toEqual({ data: { is_member: true } });
    expect((await add(alice, id, bob)).body).toEqual({ data: { is_member: true } });
    await add(alice, id, fixture.bot);

    const members = await fixture.get(`/2/lists/${id}/members`);
    expect(idsOf(members)).toEqual([fixture.bot, bob]);
    expect(members.meta).toEqual({ result_count: 2 });
    expect(idsOf(await fixture.get(`/2/users/${bob}/list_memberships`))).toEqual([id]);
    const { data } = await fixture.get(`/2/users/${bob}?user.fields=public_metrics`);
    expect(data["public_metrics"]).toMatchObject({ listed_count: 1 });

    const removed = await fixture.as(alice, "DELETE", `/2/lists/${id}/members/${bob}`);
    expect(removed.body).toEqual({ data: { is_member: false } });
    expect(idsOf(await fixture.get(`/2/lists/${id}/members`))).toEqual([fixture.bot]);
  });

  it("are paged there and back", async () => {
    const id = await listOf(alice);
    const people: string[] = [];
    for (let n = 0; n < 5; n += 1) people.push(await fixture.user(`fan${n}`));
    for (const one of people) await add(alice, id, one);
    const path = `/2/lists/${id}/members?max_results=2`;
    const first = await fixture.get(path);
    const second = await fixture.get(
      `${path}&pagination_token=${String(first.meta["next_token"])}`,
    );

    expect([...idsOf(first), ...idsOf(second)]).toEqual(people.toReversed().slice(0, 4));
    expect(first.meta).not.toHaveProperty("previous_token");
    const back = String(second.meta["previous_token"]);
    expect(idsOf(await fixture.get(`${path}&pagination_token=${back}`))).toEqual(idsOf(first));
  });

  it("must not be people who block the owner, or missing people", async () => {
    const id = await listOf(alice);
    await fixture.as(bob, "POST", `/2/users/${bob}/blocking`, { target_user_id: alice });

    expect((await add(alice, id, bob)).status).toBe(403);
    expect(await add(alice, id, "5")).toMatchObject({
      status: 404,
      errors: [{ detail: "Could not find user with user_id: [5]." }],
    });
  });
});

test.each(DIALECT_WORDS)(
  "posts of the members are listed and searched, in the $dialect dialect",
  async ({ dialect, fields, posts }) => {
    const id = await listOf(alice);
    await add(alice, id, bob);
    const one = await fixture.post(bob, "one thing");
    const reply = await fixture.post(bob, "and", { reply: { in_reply_to_tweet_id: one } });
    await fixture.post(alice, "another thing");

    const page = await fixture.get(
      `/2/lists/${id}/${posts}?${fields}=author_id&expansions=author_id`,
    );
    expect(idsOf(page)).toEqual([reply, one]);
    expect(page.meta).toEqual({ result_count: 2 });
    expect(page.includes["users"]).toMatchObject([{ id: bob }]);
    expect(page.data[0]).toHaveProperty(
      dialect === "post" ? "edit_history_post_ids" : "edit_history_tweet_ids",
    );
    const results = await fixture.get(`/2/${posts}/search/recent?query=list:${id}`);
    expect(idsOf(results)).toEqual([reply, one]);
    const thing = `/2/${posts}/search/recent?query=thing%20-list:${id}`;
    expect(idsOf(await fixture.get(thing))).toHaveLength(1);
  },
);

it("a search by a private or missing list finds nothing, and a malformed id is refused", async () => {
  const id = await listOf(alice, { private: true });
  await add(alice, id, bob);
  await fixture.post(bob, "hello");
  const search = (list: string): Promise<DataResponse> =>
    fixture.get(`/2/posts/search/recent?query=list:${list}`);

  expect(idsOf(await search(id))).toEqual([]);
  expect(idsOf(await search("5"))).toEqual([]);
  expect((await search("friends")).status).toBe(400);
});

test.each([
  { segment: "followed_lists", word: "following" },
  { segment: "pinned_lists", word: "pinned" },
])("$segment are begun, listed and ended by oneself", async ({ segment, word }) => {
  const id = await listOf(alice);
  const path = `/2/users/${bob}/${segment}`;

  expect((await fixture.as(bob, "POST", path, { list_id: id })).body).toEqual({
    data: { [word]: true },
  });
  expect(await fixture.get(path, bob)).toMatchObject({ data: [{ id }], meta: { result_count: 1 } });
  expect((await fixture.as(alice, "POST", path, { list_id: id })).status).toBe(403);
  expect((await fixture.as(bob, "POST", path, { list_id: "5" })).status).toBe(404);
  expect((await fixture.as(bob, "DELETE", `${path}/${id}`)).body).toEqual({
    data: { [word]: false },
  });
  expect((await fixture.get(path, bob)).body).toEqual({ meta: { result_count: 0 } });
});

it("everyone can list a list's followers; only the owner can list their pinned lists", async () => {
  const id = await listOf(alice);
  await fixture.as(bob, "POST", `/2/users/${bob}/followed_lists`, { list_id: id });
  await fixture.as(bob, "POST", `/2/users/${bob}/pinned_lists`, { list_id: id });

  expect(idsOf(await fixture.get(`/2/lists/${id}/followers`))).toEqual([bob]);
  expect(idsOf(await fixture.get(`/2/users/${bob}/followed_lists`))).toEqual([id]);
  expect((await fixture.get(`/2/users/${bob}/pinned_lists`)).status).toBe(403);
  expect((await fixture.get(`/2/users/${bob}/pinned_lists`, alice)).status).toBe(403);
});

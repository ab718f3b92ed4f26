import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { idsOf, startDataSandbox, type DataSandbox } from "../support/data-sandbox.ts";

let fixture: DataSandbox;
let alice: string;
let bob: string;
beforeEach(async () => {
  fixture = await startDataSandbox();
  [alice, bob] = [fixture.person, await fixture.user("bob")];
});
afterEach(() => fixture.close());

const follow = (by: string, whom: string): ReturnType<DataSandbox["as"]> =>
  fixture.as(by, "POST", `/2/users/${by}/following`, { target_user_id: whom });

describe("following", () => {
  it("is begun, listed at both ends, and ended", async () => {
    expect((await follow(bob, alice)).body).toEqual({
      data: { following: true, pending_follow: false },
    });

    expect(idsOf(await fixture.get(`/2/users/${alice}/followers`))).toEqual([bob]);
    expect(idsOf(await fixture.get(`/2/users/${bob}/following`))).toEqual([alice]);
    const ended = await fixture.as(bob, "DELETE", `/2/users/${bob}/following/${alice}`);
    expect(ended.body).toEqual({ data: { following: false } });
    expect((await fixture.get(`/2/users/${alice}/followers`)).body).toEqual({
      meta: { result_count: 0 },
    });
  });

  it("lists the latest first, page by page and back", async () => {
    const people: string[] = [];
    for (let n = 0; n < 5; n += 1) people.push(await fixture.user(`fan${n}`));
    for (const fan of people) await follow(fan, alice);
    const path = `/2/users/${alice}/followers?max_results=2`;
    const first = await fixture.get(path);
    const second = await fixture.get(
      `${path}&pagination_token=${String(first.meta["next_token"])}`,
    );
    const third = await fixture.get(
      `${path}&pagination_token=${String(second.meta["next_token"])}`,
    );
    const back = await fixture.get(
      `${path}&pagination_token=${String(third.meta["previous_token"])}`,
    );

    expect([first, second, third].flatMap(idsOf)).toEqual(people.toReversed());
    expect(third.meta).not.toHaveProperty("next_token");
    expect(idsOf(back)).toEqual(idsOf(second));
  });

  it("sends a request if posts are protected", async () => {
    await fixture.sandbox.control.call("PATCH", `/users/${alice}`, { protected: true });
    expect((await follow(bob, alice)).data).toEqual({ following: false, pending_follow: true });
    const status = async (): Promise<unknown> =>
      (await fixture.get(`/2/users/${alice}?user.fields=connection_status`, bob)).data[
        "connection_status"
      ];
    expect(await status()).toEqual(["follow_request_sent"]);

    await fixture.sandbox.control.post(`/users/${alice}/follow_requests/${bob}`, { accept: true });

    expect(await status()).toEqual(["following"]);
    await expect(
      fixture.sandbox.control.post(`/users/${alice}/follow_requests/${bob}`, { accept: false }),
    ).rejects.toMatchObject({ code: "no_request" });
  });

  it("ends with a block, and cannot begin under one", async () => {
    await follow(bob, alice);
    const block = await fixture.as(alice, "POST", `/2/users/${alice}/blocking`, {
      target_user_id: bob,
    });

    expect(block.body).toEqual({ data: { blocking: true } });
    expect(idsOf(await fixture.get(`/2/users/${alice}/followers`))).toEqual([]);
    expect((await follow(bob, alice)).status).toBe(403);
    const { status, body } = await follow(alice, bob);
    expect([status, body["detail"]]).toEqual([403, expect.stringContaining("End the block")]);
    const path = `/2/users/${bob}?user.fields=connection_status`;
    expect((await fixture.get(path, alice)).data["connection_status"]).toEqual(["blocking"]);
  });
});

test.each([
  { word: "blocking", by: "block" },
  { word: "muting", by: "mute" },
])("$word is begun, listed to oneself, and ended", async ({ word }) => {
  const path = `/2/users/${alice}/${word}`;
  expect((await fixture.as(alice, "POST", path, { target_user_id: bob })).body).toEqual({
    data: { [word]: true },
  });
  expect(idsOf(await fixture.get(path, alice))).toEqual([bob]);
  expect((await fixture.get(path, bob)).status).toBe(403);
  expect((await fixture.get(path)).status).toBe(403);

  expect((await fixture.as(alice, "DELETE", `${path}/${bob}`)).body).toEqual({
    data: { [word]: false },
  });
  expect(idsOf(await fixture.get(path, alice))).toEqual([]);
});

test.each([
  { body: {}, status: 400, why: "nobody is named" },
  { body: { target_user_id: 5 }, status: 400, why: "an id is a text" },
  { body: { target_user_id: "5" }, status: 404, why: "there is no such user" },
  { body: { target_user_id: "5", because: "x" }, status: 400, why: "a key is unknown" },
])("a relation is refused when $why", async ({ body, status }) => {
  expect((await fixture.as(alice, "POST", `/2/users/${alice}/muting`, body)).status).toBe(status);
});

it("no one can follow, mute or block themselves", async () => {
  for (const word of ["following", "muting", "blocking"]) {
    const response = await fixture.as(alice, "POST", `/2/users/${alice}/${word}`, {
      target_user_id: alice,
    });
    expect(response.status).toBe(403);
  }
});

it("needs write permission", async () => {
  const other = await startDataSandbox({}, { permission_level: "read" });
  const response = await other.as(other.bot, "POST", `/2/users/${other.bot}/muting`, {
    target_user_id: other.person,
  });
  await other.close();

  expect(response.status).toBe(403);
  expect(response.body["type"]).toContain("/2/problems/oauth1-permissions");
});

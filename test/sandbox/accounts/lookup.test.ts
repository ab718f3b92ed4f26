import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import {
  idsOf,
  DIALECT_WORDS,
  startDataSandbox,
  type DataSandbox,
} from "../support/data-sandbox.ts";

let fixture: DataSandbox;
let alice: string;
let bob: string;
beforeAll(async () => {
  fixture = await startDataSandbox(
    {},
    { email: true, terms_url: "https://a.example/t", privacy_url: "https://a.example/p" },
  );
  [alice, bob] = [fixture.person, await fixture.user("bob")];
});
afterAll(() => fixture.close());

describe("a user", () => {
  it.each([{ path: () => `/2/users/${alice}` }, { path: () => "/2/users/by/username/ALICE" }])(
    "has id, name and username by default",
    async ({ path }) => {
      expect((await fixture.get(path())).body).toEqual({
        data: { id: alice, name: "alice", username: "alice" },
      });
    },
  );

  it.each(DIALECT_WORDS)(
    "counts posts in the words of the $dialect dialect",
    async ({ fields, dialect }) => {
      const author = await fixture.user(`${dialect}_author`);
      const id = await fixture.post(author, `counted in ${dialect}`);
      const word = dialect === "post" ? "post" : "tweet";
      const { data, includes } = await fixture.get(
        `/2/users/${author}?user.fields=public_metrics&${fields}=lang&expansions=most_recent_${word}_id`,
      );

      expect(data).toMatchObject({
        [`most_recent_${word}_id`]: id,
        public_metrics: {
          [`${word}_count`]: 1,
          followers_count: 0,
          listed_count: 0,
        },
      });
      expect(includes).toMatchObject({ [`${word}s`]: [{ id, lang: "en" }] });
    },
  );

  it("has neither a pinned nor a latest post that was deleted", async () => {
    const author = await fixture.user("pinner");
    const older = await fixture.post(author, "kept");
    const id = await fixture.post(author, "pinned");
    await fixture.sandbox.control.call("PATCH", `/users/${author}`, {
      pinned_post_id: id,
      most_recent_post_id: id,
    });
    const query = "user.fields=pinned_post_id,most_recent_post_id&expansions=pinned_post_id";
    const before = await fixture.get(`/2/users/${author}?${query}`);
    await fixture.sandbox.control.act(author, { type: "delete", post_id: id });
    const after = await fixture.get(`/2/users/${author}?${query}`);

    expect(before.data).toMatchObject({ pinned_post_id: id, most_recent_post_id: id });
    expect(after.data["most_recent_post_id"]).toBe(older);
    expect(after.data).not.toHaveProperty("pinned_post_id");
    expect(after.body).not.toHaveProperty("errors");
  });

  it("returns its description with entities", async () => {
    await fixture.sandbox.control.call("PATCH", `/users/${alice}`, {
      description: "ask @bob",
      url: "https://a.example/",
    });
    const { data } = await fixture.get(`/2/users/${alice}?user.fields=entities,description,url`);

    expect(data).toMatchObject({
      description: "ask @bob",
      entities: {
        description: { mentions: [{ start: 4, end: 8, username: "bob" }] },
        url: { urls: [{ url: "https://a.example/" }] },
      },
    });
  });

  it("returns its relationship to the viewer", async () => {
    await fixture.as(bob, "POST", `/2/users/${bob}/following`, { target_user_id: alice });
    await fixture.as(bob, "POST", `/2/users/${bob}/muting`, { target_user_id: alice });
    const query = "user.fields=connection_status,receives_your_dm";

    expect((await fixture.get(`/2/users/${alice}?${query}`, bob)).data).toMatchObject({
      connection_status: ["following", "muting"],
      receives_your_dm: true,
    });
    expect((await fixture.get(`/2/users/${bob}?${query}`, alice)).data).toMatchObject({
      connection_status: ["followed_by"],
    });
    expect((await fixture.get(`/2/users/${alice}?${query}`)).data).not.toHaveProperty(
      "connection_status",
    );
  });

  it("shows its email address to itself only", async () => {
    await fixture.sandbox.control.call("PATCH", `/users/${alice}`, { email: "alice@example.com" });
    const query = "user.fields=confirmed_email";

    expect((await fixture.get(`/2/users/me?${query}`, alice)).data).toMatchObject({
      id: alice,
      confirmed_email: "alice@example.com",
    });
    expect((await fixture.get(`/2/users/${alice}?${query}`, bob)).data).not.toHaveProperty(
      "confirmed_email",
    );
  });

  it("has no user for the app alone", async () => {
    expect((await fixture.get("/2/users/me")).status).toBe(403);
  });
});

describe("several users", () => {
  it("are returned in the requested order, with missing ones in errors", async () => {
    const response = await fixture.get(`/2/users?ids=${bob},5,${alice}`);

    expect(idsOf(response)).toEqual([bob, alice]);
    expect(response.errors).toEqual([
      {
        title: "Not Found Error",
        detail: "Could not find user with ids: [5].",
        type: `${fixture.sandbox.url}/2/problems/resource-not-found`,
        resource_type: "user",
        resource_id: "5",
        parameter: "ids",
        value: "5",
      },
    ]);
  });

  it("are found by name in any case", async () => {
    expect(idsOf(await fixture.get("/2/users/by?usernames=Bob,nobody,alice"))).toEqual([
      bob,
      alice,
    ]);
  });

  it("leave out data if none is found", async () => {
    expect(Object.keys((await fixture.get("/2/users?ids=5,6")).body)).toEqual(["errors"]);
  });

  it("leave out suspended users", async () => {
    const gone = await fixture.user("gone");
    await fixture.sandbox.control.call("PATCH", `/users/${gone}`, { suspended: true });

    expect((await fixture.get(`/2/users?ids=${gone}`)).errors).toMatchObject([
      { title: "Forbidden", detail: `User has been suspended: [${gone}].` },
    ]);
    expect((await fixture.get(`/2/users/${gone}`)).status).toBe(403);
  });
});

test.each([
  { path: "/2/users/5", status: 404, says: "Could not find user with id: [5]." },
  {
    path: "/2/users/by/username/nobody",
    status: 404,
    says: "Could not find user with username: [nobody].",
  },
  { path: "/2/users/abc", status: 400, says: "The `id` query parameter value [abc] is not valid" },
  { path: "/2/users/by/username/a-b", status: 400, says: "does not match ^[A-Za-z0-9_]{1,15}$" },
  { path: "/2/users/by?usernames=a-b", status: 400, says: "does not match ^[A-Za-z0-9_]{1,15}$" },
  { path: "/2/users", status: 400, says: "The `ids` query parameter can not be empty" },
  {
    path: "/2/users/by/username/alice?user.fields=karma",
    status: 400,
    says: "[karma] is not one of [",
  },
  {
    path: "/2/users/by/username/alice?expansions=author_id",
    status: 400,
    says: "[author_id] is not one of [",
  },
])("$path is $status", async ({ path, status, says }) => {
  const response = await fixture.get(path);

  expect(response.status).toBe(status);
  expect(JSON.stringify(response.errors)).toContain(says);
});

import { afterAll, beforeAll, expect, it, test } from "vitest";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

let fixture: TestSandbox;
beforeAll(async () => {
  fixture = await startTestSandbox();
});
afterAll(() => fixture.close());

const limitOf = ({ headers }: { headers: Headers }): number =>
  Number(headers.get("x-rate-limit-limit"));

// Maximum numbers of requests in 15 minutes, from the live service's table of limits.
test.each([
  { path: "/2/posts?ids=1", app: 3500, user: 5000 },
  { path: "/2/posts/1", app: 450, user: 900 },
  { path: "/2/posts/search/recent?query=x", app: 450, user: 300 },
  { path: "/2/users/:id/posts", app: 10_000, user: 900 },
  { path: "/2/users/:id/mentions", app: 450, user: 300 },
  { path: "/2/users?ids=1", app: 300, user: 900 },
  { path: "/2/users/:id/followers", app: 300, user: 300 },
  { path: "/2/posts/1/reposted_by", app: 75, user: 75 },
])(
  "$path may be read $app times by the app, $user times by a user",
  async ({ path, ...limits }) => {
    const url = path.replace(":id", fixture.bot);

    expect({
      app: limitOf(await fixture.asApp("GET", url)),
      user: limitOf(await fixture.asBot("GET", url)),
    }).toEqual(limits);
  },
);

test.each([
  { path: "/2/posts/1/liking_users", user: 75 },
  { path: "/2/users/me", user: 75 },
  { path: "/2/users/:id/blocking", user: 15 },
  { path: "/2/users/:id/muting", user: 15 },
  { path: "/2/dm_events", user: 15 },
])("$path may be read $user times by a user", async ({ path, user }) => {
  expect(limitOf(await fixture.asBot("GET", path.replace(":id", fixture.bot)))).toBe(user);
});

it("a bot has fifteen messages in fifteen minutes, and a day's budget", async () => {
  const path = `/2/dm_conversations/with/${fixture.person}/messages`;
  const response = await fixture.asBot("POST", path, { text: "hello" });

  expect(response.headers.get("x-rate-limit-remaining")).toBe("14");
  expect(response.headers.get("x-user-limit-24hour-limit")).toBe("1440");
  expect(response.headers.get("x-app-limit-24hour-limit")).toBe("1440");
  for (let n = 0; n < 14; n += 1) await fixture.asBot("POST", path, { text: `number ${n}` });
  const refused = await fixture.asBot("POST", path, { text: "one too many" });
  expect([refused.status, refused.body["title"]]).toEqual([429, "Too Many Requests"]);
});

it("a request that the limit of 15 minutes refuses does not count towards the day", async () => {
  const unlike = () => fixture.asBot("DELETE", `/2/users/${fixture.bot}/likes/1`);
  for (let n = 0; n < 50; n += 1) await unlike();
  await unlike();
  const refused = await unlike();

  expect(refused.status).toBe(429);
  expect(refused.headers.get("x-rate-limit-remaining")).toBe("0");
  expect(refused.headers.get("x-user-limit-24hour-remaining")).toBe("950");
});

it("a request that the limit of the day refuses does not count towards 15 minutes", async () => {
  const { control } = fixture.sandbox;
  const { app_id: id } = fixture.app;
  const post = () => fixture.asBot("POST", "/2/posts", { text: String(Math.random()) });
  await control.changeUsage(id, { used: "all" });
  await post();
  const refused = await post();
  await control.changeUsage(id, { used: "none" });

  expect(refused.status).toBe(429);
  expect(refused.headers.get("x-app-limit-24hour-remaining")).toBe("0");
  expect(refused.headers.get("x-rate-limit-remaining")).toBe("100");
});

import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type ApiResponse,
  startTestSandbox,
  type TestSandbox,
} from "../../support/test-sandbox.ts";

let fixture: TestSandbox;
beforeAll(async () => {
  fixture = await startTestSandbox({ clock: { frozen: true } });
});
afterAll(() => fixture.close());

/** Reads as a new user, who has used no limit yet. */
async function newReader(username: string): Promise<(path: string) => Promise<ApiResponse>> {
  const id = await fixture.sandbox.control.user(username);
  return (path) => fixture.asUser(id, "GET", path);
}

const STATUS = "/1.1/application/rate_limit_status.json";

it("reports the remaining requests of each limit by family, as the headers do", async () => {
  const get = await newReader("cleo");
  const read = await get("/1.1/statuses/user_timeline.json");
  await get("/1.1/statuses/user_timeline.json");
  await get("/2/tweets/search/recent?query=a");
  const { body } = await get(`${STATUS}?resources=statuses,tweets,application`);
  const resources = Object(body["resources"]);

  expect(Object.keys(resources).toSorted()).toEqual(["application", "statuses", "tweets"]);
  const reset = Number(read.headers.get("x-rate-limit-reset"));
  expect(resources.statuses).toMatchObject({
    "/statuses/user_timeline": { limit: 900, remaining: 898, reset },
    "/statuses/show/:id": { limit: 900, remaining: 900 },
  });
  expect(resources.tweets["/tweets/search/recent"]).toMatchObject({ limit: 300, remaining: 299 });
  expect(resources.application).toEqual({
    "/application/rate_limit_status": { limit: 180, remaining: 179, reset },
  });
});

it("reports an app's own limits to the app, for all families unless some are named", async () => {
  const { body } = await fixture.asApp("GET", STATUS);
  const resources = Object(body["resources"]);

  expect(body["rate_limit_context"]).toEqual({ application: fixture.app.consumer_key });
  expect(resources.statuses["/statuses/user_timeline"]).toMatchObject({ limit: 1_500 });
  expect(resources.statuses).not.toHaveProperty("/statuses/home_timeline");
  expect(resources["webhooks&POST"]).toHaveProperty("/webhooks&POST");
  expect(Object.keys(resources)).not.toContain("_sandbox");
});

it("is 429 with code 88 once a limit is reached", async () => {
  const get = await newReader("dora");
  const path = "/1.1/statuses/home_timeline.json";
  for (let n = 0; n < 15; n += 1) await get(path);

  expect(await get(path)).toMatchObject({
    status: 429,
    body: { errors: [{ code: 88, message: "Rate limit exceeded" }] },
  });
  const { body } = await get(`${STATUS}?resources=statuses`);
  expect(Object(body["resources"]).statuses["/statuses/home_timeline"].remaining).toBe(0);
});

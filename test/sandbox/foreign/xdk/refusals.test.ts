import { ApiError, Client, UserPaginator } from "@xdevplatform/xdk";
import { afterEach, expect, it } from "vitest";
import { page, startWithXdk, type XdkSandbox } from "./xdk-sandbox.ts";

let fixture: XdkSandbox;
afterEach(() => fixture.close());

/** Returns the error that the client throws for a refusal. */
async function refused(request: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await request.catch((error: unknown) => error);
  if (error instanceof ApiError) return error;
  throw new Error("was not refused", { cause: error });
}

it("npm @xdevplatform/xdk distinguishes a bad token, a bad request, a duplicate and a missing post", async () => {
  fixture = await startWithXdk();
  const stranger = new Client({ baseUrl: fixture.sandbox.url, bearerToken: "unknown" });
  await fixture.botClient.posts.create({ text: "once" });

  expect(await refused(stranger.users.getById(fixture.person))).toMatchObject({
    status: 401,
    data: { title: "Unauthorized" },
  });
  expect(await refused(fixture.appClient.posts.searchRecent("("))).toMatchObject({
    status: 400,
    data: { title: "Invalid Request" },
  });
  expect(await refused(fixture.botClient.posts.create({ text: "once" }))).toMatchObject({
    status: 403,
    data: { title: "Forbidden" },
  });
  expect(await refused(fixture.appClient.posts.getById("20"))).toMatchObject({
    status: 404,
    data: { title: "Not Found Error", resource_id: "20" },
  });
});

it("npm @xdevplatform/xdk reads when a rate limit ends, and its paginator stops there", async () => {
  fixture = await startWithXdk({ clock: { now: Date.UTC(2024, 5, 15, 12), frozen: true } });
  const { users } = fixture.botClient;
  const muted = new UserPaginator(async () => page(await users.getMuting(fixture.bot)));
  let error: unknown;
  for (let n = 0; n < 16 && error === undefined; n += 1) {
    muted.reset();
    error = await muted.fetchNext().catch((error: unknown) => error);
  }

  expect(error).toMatchObject({ status: 429, data: { title: "Too Many Requests" } });
  expect(Object(error).headers.get("x-rate-limit-reset")).toBe(
    String(Date.UTC(2024, 5, 15, 12, 15) / 1000),
  );
  expect(Number(Object(error).headers.get("x-rate-limit-remaining"))).toBe(0);
  expect([muted.rateLimited, muted.done]).toEqual([true, true]);
});

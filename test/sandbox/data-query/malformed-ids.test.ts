import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

let fixture: TestSandbox;
beforeAll(async () => {
  fixture = await startTestSandbox();
});
afterAll(() => fixture.close());

describe("a malformed id in a path", () => {
  it.each([
    ["DELETE", "/2/dm_events/12x", "event_id"],
    ["DELETE", "/2/posts/12x", "id"],
    ["DELETE", "/2/users/BOT/following/12x", "target_user_id"],
    ["DELETE", "/2/users/BOT/muting/12x", "target_user_id"],
    ["DELETE", "/2/users/BOT/blocking/12x", "target_user_id"],
    ["DELETE", "/2/users/BOT/likes/12x", "post_id"],
    ["DELETE", "/2/users/BOT/reposts/12x", "post_id"],
    ["DELETE", "/2/users/BOT/reposts/12345678901234567890", "post_id"],
    ["DELETE", "/2/users/12x/likes/1", "id"],
    ["GET", "/2/dm_conversations/with/12x/dm_events", "user_id"],
    ["GET", "/2/dm_events/12x", "event_id"],
    ["GET", "/2/users/12x", "id"],
    ["POST", "/2/users/12x/following", "id"],
    ["POST", "/2/users/12x/dm/block", "id"],
    ["POST", "/2/users/12x/dm/unblock", "id"],
    ["POST", "/2/dm_conversations/with/12x/messages", "participant_id"],
    ["POST", "/2/media/upload/12x/finalize", "id"],
    ["PUT", "/2/posts/12x/hidden", "id"],
  ])("is refused in %s %s", async (method, path, parameter) => {
    const body = method === "POST" || method === "PUT" ? {} : undefined;
    const response = await fixture.asBot(method, path.replace("BOT", fixture.bot), body);

    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      title: "Invalid Request",
      errors: [{ message: expect.stringContaining(`\`${parameter}\``) }],
    });
  });
});

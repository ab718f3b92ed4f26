import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startDataSandbox, type DataSandbox } from "../support/data-sandbox.ts";

let fixture: DataSandbox;
beforeAll(async () => {
  fixture = await startDataSandbox({}, { dialect: "tweet" });
});
afterAll(() => fixture.close());

const messagesOf = async (method: string, path: string, body?: unknown): Promise<unknown[]> => {
  const { errors } = await fixture.as(fixture.bot, method, path.replace("BOT", fixture.bot), body);
  return errors.map(({ message, detail }) => message ?? detail);
};

describe("the same mistake has the same words wherever it is made", () => {
  it("names a post as the dialect's callers write it, in bodies, paths and problems", async () => {
    expect(await messagesOf("POST", "/2/users/BOT/likes", { tweet_id: "x" })).toEqual([
      "$.tweet_id: does not match ^[0-9]{1,19}$",
    ]);
    expect(await messagesOf("DELETE", "/2/users/BOT/likes/x")).toEqual([
      "The `tweet_id` query parameter value [x] is not valid",
    ]);
    expect(await messagesOf("POST", "/2/users/BOT/likes", { tweet_id: "5" })).toEqual([
      "Could not find tweet with tweet_id: [5].",
    ]);
  });

  it("names the other side of a conversation alike, whether the id is malformed or unknown", async () => {
    const path = (id: string): string => `/2/dm_conversations/with/${id}/dm_events`;
    expect(await messagesOf("GET", path("x"))).toEqual([
      "The `user_id` query parameter value [x] is not valid",
    ]);
    expect(await messagesOf("GET", path("5"))).toEqual(["Could not find user with user_id: [5]."]);
  });

  it.each([
    { path: "/2/media/upload/initialize", name: "media_type" },
    { path: "/2/media/metadata", name: "id" },
    { path: "/2/media/upload", name: "media_category" },
    { path: "/2/media/upload?command=FINALIZE", name: "media_id" },
  ])("says of $path that the $name is required", async ({ path, name }) => {
    expect(await messagesOf("POST", path, {})).toContain(`The \`${name}\` field is required.`);
  });

  it.each([
    { path: "/2/media/upload/x/finalize", body: {}, why: "in a path" },
    { path: "/2/media/upload?command=FINALIZE", body: { media_id: "x" }, why: "in a field" },
    { path: "/2/media/metadata", body: { id: "x" }, why: "in a description" },
  ])("says of the id of a medium that it is not valid, $why", async ({ path, body }) => {
    expect(await messagesOf("POST", path, body)).toEqual([
      expect.stringMatching(/^The `(media_)?id` (field|query parameter) value \[x\] is not valid$/),
    ]);
  });
});

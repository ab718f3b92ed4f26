import { ApiResponseError, TwitterApi } from "twitter-api-v2";
import { afterEach, describe, expect, it } from "vitest";
import { LeadingAgent } from "../../support/leading-agent.ts";
import { type TwitterApiSandbox, startWithTwitterApi } from "./twitter-api-sandbox.ts";

let fixture: TwitterApiSandbox;
afterEach(() => fixture.close());

/** Returns the error that the client throws for a refusal. */
async function refused(asking: Promise<unknown>): Promise<ApiResponseError> {
  try {
    await asking;
  } catch (error) {
    if (error instanceof ApiResponseError) return error;
    throw error;
  }
  throw new Error("was not refused");
}

describe("npm twitter-api-v2, unmodified: Errors", () => {
  it("knows a bad token, a bad request, a duplicate and a missing post apart", async () => {
    fixture = await startWithTwitterApi();
    const agent = new LeadingAgent(fixture.sandbox.url);
    const stranger = new TwitterApi("nobody's", { httpAgent: agent });
    await fixture.asBotClient.v2.tweet("once");
    const unauthorized = await refused(stranger.v2.user(fixture.person));
    const invalid = await refused(fixture.asAppClient.v2.search("("));
    const duplicate = await refused(fixture.asBotClient.v2.tweet("once"));
    const missing = await refused(fixture.asAppClient.v2.singleTweet("20"));
    const forbidden = await refused(fixture.asAppClient.v2.me());
    agent.destroy();

    expect(unauthorized).toMatchObject({ code: 401, isAuthError: true });
    expect(invalid).toMatchObject({ code: 400, data: { title: "Invalid Request" } });
    expect(duplicate).toMatchObject({ code: 403, isAuthError: false });
    expect(missing).toMatchObject({ code: 404, data: { title: "Not Found Error" } });
    expect(forbidden).toMatchObject({ code: 403, data: { title: "Unsupported Authentication" } });
  });

  it("recognizes an app whose level forbids writing", async () => {
    fixture = await startWithTwitterApi({}, { permission_level: "read" });
    const { code, data, headers } = await refused(fixture.asBotClient.v2.tweet("may I?"));

    expect(code).toBe(403);
    expect(data.detail).toContain("oauth1 app permissions");
    expect(headers["x-access-level"]).toBe("read");
  });

  it("recognizes version 1.1's code for a token whose user removed the app", async () => {
    fixture = await startWithTwitterApi();
    await fixture.sandbox.control.call(
      "DELETE",
      `/users/${fixture.bot}/apps/${fixture.app.app_id}`,
    );
    const error = await refused(fixture.asBotClient.v1.verifyCredentials());

    expect(error.code).toBe(401);
    expect(error.hasErrorCode(89)).toBe(true);
  });
});

describe("npm twitter-api-v2, unmodified: Limits", () => {
  it("reads the rate limit of a good answer and of 429", async () => {
    fixture = await startWithTwitterApi({ settings: { limits: { enabled: true, scale: 0.02 } } });
    const results = await fixture.asBotClient.v2.search("anything");
    const rest = results.rateLimit.remaining;
    for (let n = 0; n < rest; n += 1) await fixture.asBotClient.v2.search("anything");
    const error = await refused(fixture.asBotClient.v2.search("anything"));

    expect(results.rateLimit).toMatchObject({ limit: 6, remaining: 5 });
    expect(error).toMatchObject({ code: 429, rateLimitError: true });
    expect(error.rateLimit).toMatchObject({ limit: 6, remaining: 0 });
    expect(error.rateLimit?.reset).toBe(results.rateLimit.reset);
  });
});

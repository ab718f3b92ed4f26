import { TwitterApi } from "twitter-api-v2";
import { LeadingAgent } from "../../support/leading-agent.ts";
import type { SandboxOptions } from "../../../src/sandbox/index.ts";
import { startTestSandbox, type TestSandbox } from "../support/test-sandbox.ts";

/** A test sandbox whose people all use the npm package `twitter-api-v2`, unmodified. */
export interface TwitterApiSandbox extends TestSandbox {
  readonly asBotClient: TwitterApi;
  readonly asPersonClient: TwitterApi;
  /** Client of the app alone. */
  readonly asAppClient: TwitterApi;
  /** Returns a client of another user of the app. */
  client(userId: string): Promise<TwitterApi>;
}

export async function startWithTwitterApi(
  options: SandboxOptions = { settings: { limits: { enabled: false } } },
  appSpec: Readonly<Record<string, unknown>> = {},
): Promise<TwitterApiSandbox> {
  const fixture = await startTestSandbox(options, { dialect: "tweet", ...appSpec });
  const settings = { httpAgent: new LeadingAgent(fixture.sandbox.url) };
  const client: TwitterApiSandbox["client"] = async (userId) => {
    const tokens = await fixture.sandbox.control.tokens(userId, fixture.app.app_id);
    return new TwitterApi(
      {
        appKey: fixture.app.consumer_key,
        appSecret: fixture.app.consumer_secret,
        accessToken: tokens.access_token,
        accessSecret: tokens.access_token_secret,
      },
      settings,
    );
  };
  return {
    ...fixture,
    client,
    asBotClient: await client(fixture.bot),
    asPersonClient: await client(fixture.person),
    asAppClient: new TwitterApi(fixture.app.bearer_token, settings),
    async close() {
      settings.httpAgent.destroy();
      await fixture.close();
    },
  };
}

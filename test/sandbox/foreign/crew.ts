import { TwitterApi } from "twitter-api-v2";
import { LeadingAgent } from "../../support/leading-agent.ts";
import type { SandboxOptions } from "../../../src/sandbox/index.ts";
import { stage, type Stage } from "../support/stage.ts";

/** A stage whose people all use npm twitter-api-v2, unmodified. */
export interface Crew extends Stage {
  readonly asBotClient: TwitterApi;
  readonly asPersonClient: TwitterApi;
  /** The app alone. */
  readonly asAppClient: TwitterApi;
  /** The client of another user of the app. */
  client(userId: string): Promise<TwitterApi>;
}

export async function crew(
  options: SandboxOptions = { settings: { limits: { enabled: false } } },
  appSpec: Readonly<Record<string, unknown>> = {},
): Promise<Crew> {
  const at = await stage(options, { dialect: "tweet", ...appSpec });
  const settings = { httpAgent: new LeadingAgent(at.sandbox.url) };
  const client: Crew["client"] = async (userId) => {
    const tokens = await at.sandbox.control.tokens(userId, at.app.app_id);
    return new TwitterApi(
      {
        appKey: at.app.consumer_key,
        appSecret: at.app.consumer_secret,
        accessToken: tokens.access_token,
        accessSecret: tokens.access_token_secret,
      },
      settings,
    );
  };
  return {
    ...at,
    client,
    asBotClient: await client(at.bot),
    asPersonClient: await client(at.person),
    asAppClient: new TwitterApi(at.app.bearer_token, settings),
    async close() {
      settings.httpAgent.destroy();
      await at.close();
    },
  };
}

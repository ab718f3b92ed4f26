import { Client, OAuth1 } from "@xdevplatform/xdk";
import type { SandboxOptions } from "../../../../src/sandbox/index.ts";
import { startTestSandbox, type TestSandbox } from "../../support/test-sandbox.ts";
import { userToken } from "../../support/user-token.ts";

/**
 * A test sandbox whose people use the platform's own npm package `@xdevplatform/xdk`, unmodified.
 *
 * Tests call no operation that the sandbox does not serve, such as encrypted chat, broadcasts, articles, communities,
 * community notes, compliance, news, trends, analytics, subtitles, and streams of all posts.
 */
export interface XdkSandbox extends TestSandbox {
  /** Client of the app alone, with its bearer token. */
  readonly appClient: Client;
  /** Client of the bot, which signs by OAuth 1.0a. */
  readonly botClient: Client;
  /** Client of the person, with an OAuth 2.0 token. */
  readonly personClient: Client;
}

export async function startWithXdk(
  options: SandboxOptions = { settings: { limits: { enabled: false } } },
): Promise<XdkSandbox> {
  const fixture = await startTestSandbox(options);
  const { url: baseUrl, control } = fixture.sandbox;
  const tokens = await control.tokens(fixture.bot, fixture.app.app_id);
  const oauth1 = new OAuth1({
    apiKey: fixture.app.consumer_key,
    apiSecret: fixture.app.consumer_secret,
    callback: "oob",
    accessToken: tokens.access_token,
    accessTokenSecret: tokens.access_token_secret,
  });
  return {
    ...fixture,
    appClient: new Client({ baseUrl, bearerToken: fixture.app.bearer_token }),
    // The form `new Client(oauth1)` of the manual is left out: it ignores `baseUrl`.
    botClient: new Client({ baseUrl, oauth1 }),
    personClient: new Client({ baseUrl, accessToken: await userToken(fixture, fixture.person) }),
  };
}

/**
 * Returns a member of a response.
 *
 * @throws {Error} if the response does not have the member, which the package's types declare as optional.
 */
export function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("the response lacks a member that the test needs");
  return value;
}

/** Converts a response to the form that the package's paginators accept, as in its manual: `data` is never absent. */
export function page<Item, Rest>(
  response: Rest & { readonly data?: Item[] },
): Rest & { data: Item[] } {
  return { ...response, data: response.data ?? [] };
}

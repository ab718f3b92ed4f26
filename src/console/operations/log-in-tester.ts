import * as z from "zod";
import { createOAuth1Login, type OAuth1Login } from "../../client/login/oauth1.ts";
import { messageOf } from "../../system/error-message.ts";
import type { ConsoleNeeds } from "../console-needs.ts";
import { operation, OperationError } from "./operation.ts";

/** Result of the first step of an OAuth 1.0a log-in: a request token. */
export interface LogInBegun {
  /** Address on the platform at which the person approves the log-in. */
  readonly url: string;
  readonly requestToken: string;
}

/** Result of the last step of an OAuth 1.0a log-in: the account that the access token belongs to. */
export interface LogInDone {
  readonly appId: string;
  readonly userId: string;
  readonly username: string;
  /** The last 6 characters of the access token. */
  readonly hint: string;
}

interface PendingTest {
  readonly appId: string;
  readonly keys: AppKeys;
  readonly requestTokenSecret: string;
}

interface AppKeys {
  readonly consumerKey: string;
  readonly consumerSecret: string;
}

const MAX_PENDING_TESTS = 100;
const HINT = 6;
/** Unfinished log-ins by request token. The token secrets stay on the server. */
const pending = new Map<string, PendingTest>();

/** First step of an OAuth 1.0a log-in: gets a request token from the sandbox. */
export const beginLogIn = operation(
  z.strictObject({
    appId: z.string().min(1),
    callback: z.string().min(1),
    /**
     * Keys of the app; needed for an app other than the bot's. The portal shows keys only once, when they are created.
     */
    keys: z
      .strictObject({ consumerKey: z.string().min(1), consumerSecret: z.string().min(1) })
      .exactOptional(),
  }),
  async (needs, { appId, callback, keys: enteredKeys }): Promise<LogInBegun> => {
    const own = needs.sandbox?.app;
    const keys = enteredKeys ?? (own?.id === appId ? own : undefined);
    if (keys === undefined) {
      throw new OperationError("the console does not know this app's secret: give key and secret");
    }
    const begunLogin = await withLogin(needs, keys, (login) =>
      login.begin(callback, { alwaysAsk: true }),
    );
    const { url, requestToken, requestTokenSecret } = begunLogin;
    pending.set(requestToken, { appId, keys, requestTokenSecret });
    const [oldest] = pending.keys();
    if (pending.size > MAX_PENDING_TESTS && oldest !== undefined) pending.delete(oldest);
    return { url, requestToken };
  },
);

/** Last step of an OAuth 1.0a log-in: exchanges the verifier in the callback's query for an access token. */
export const completeLogIn = operation(
  z.strictObject({ query: z.string() }),
  async (needs, request): Promise<LogInDone> => {
    const query = new URLSearchParams(request.query);
    const requestToken = query.get("oauth_token") ?? query.get("denied") ?? "";
    const held = pending.get(requestToken);
    if (held === undefined) {
      throw new OperationError("the log-in began elsewhere, or has ended: start it again", 404);
    }
    pending.delete(requestToken);
    const { appId, keys, requestTokenSecret } = held;
    const { credentials, userId, username } = await withLogin(needs, keys, (login) =>
      login.complete(query, { requestToken, requestTokenSecret }),
    );
    return {
      appId,
      userId: userId ?? "",
      username: username ?? "",
      hint: credentials.accessToken.slice(-HINT),
    };
  },
);

async function withLogin<T>(
  { sandbox }: ConsoleNeeds,
  { consumerKey, consumerSecret }: AppKeys,
  ask: (login: OAuth1Login) => Promise<T>,
): Promise<T> {
  if (sandbox === undefined) throw new OperationError("there is no sandbox here", 404);
  try {
    const { baseUrl } = sandbox;
    const login = createOAuth1Login({ baseUrl, consumerKey, consumerSecret });
    try {
      return await ask(login);
    } finally {
      await login.close();
    }
  } catch (error) {
    throw new OperationError(messageOf(error));
  }
}

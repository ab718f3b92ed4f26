import type { Client } from "../../client/client.ts";
import { SYSTEM_CLOCK } from "../../client/clock.ts";
import type { TriedRequest } from "../../client/client.ts";
import { createClient } from "../../client/create-client.ts";
import type { LinkedAccount } from "../accounts/linked-account.ts";
import type { Clock } from "../clock/clock.ts";

/** Credentials of the app, and addresses of the platform. */
export interface PlatformAccess {
  readonly baseUrl: string;
  readonly adsBaseUrl?: string;
  readonly dialect: "post" | "tweet";
  readonly consumerKey: string;
  readonly consumerSecret: string;
  /** Previous secret, while deliveries may still be signed with it. */
  readonly previousConsumerSecret?: string;
  readonly bearerToken: string;
  /** URL of the webhook; empty if events are polled and the settings name no webhook. */
  readonly webhookUrl: string;
}

/** Time limit of one request to the platform, in milliseconds. A lease must last longer. */
export const REQUEST_TIMEOUT_MS = 5_000;

/** API clients: the app's own, and one for each account. */
export interface Clients {
  readonly app: Client<"bearer">;
  /** Returns the client of an account with its current tokens; undefined if the account is not linked, or revoked. */
  readonly of: (account: string) => Client<"oauth1"> | undefined;
  /** Waits for current calls, and closes all connections. */
  stop(): Promise<void>;
}

/**
 * Creates clients that share one connection pool.
 *
 * @param accountOf Returns the account of a user id. It is called each time a client is asked for, so that new tokens
 * apply at once.
 * @param onAttempt Called after each attempt of a request.
 */
export function clientsFor(
  platform: PlatformAccess,
  accountOf: (id: string) => LinkedAccount | undefined,
  clock: Clock,
  onAttempt?: (tried: TriedRequest) => void,
): Clients {
  const { baseUrl, adsBaseUrl, dialect, consumerKey, consumerSecret, bearerToken } = platform;
  const app = createClient({
    baseUrl,
    adsBaseUrl,
    dialect,
    timeoutMs: REQUEST_TIMEOUT_MS,
    onAttempt,
    clock: { ...SYSTEM_CLOCK, now: () => clock.now() },
    platformTime: {
      now: () => clock.now(),
      learn: (headers, tookMs) => clock.learn?.(headers, tookMs),
    },
    credentials: { type: "bearer", bearerToken },
  });
  const clients = new Map<string, { readonly account: LinkedAccount; client: Client<"oauth1"> }>();
  return {
    app,
    of(id) {
      const account = accountOf(id);
      // A process with the role receiver has no encryption key, so its accounts have no tokens.
      if (account === undefined || account.revoked !== undefined || account.accessToken === "") {
        clients.delete(id);
        return undefined;
      }
      const entry = clients.get(id);
      if (entry?.account === account) return entry.client;
      const { accessToken, accessTokenSecret } = account;
      const tokens = { accessToken, accessTokenSecret };
      const client = app.as({ type: "oauth1", consumerKey, consumerSecret, ...tokens });
      clients.set(id, { account, client });
      return client;
    },
    stop: () => app.close(),
  };
}

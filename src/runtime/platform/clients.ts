import type { Client } from "../../client/client.ts";
import { SYSTEM_CLOCK } from "../../client/clock.ts";
import type { TriedRequest } from "../../client/client.ts";
import { createClient } from "../../client/create-client.ts";
import type { LinkedAccount } from "../accounts/linked-account.ts";
import type { Clock } from "../clock/clock.ts";

/** App credentials and addresses of the platform, complete. */
export interface PlatformAccess {
  readonly baseUrl: string;
  readonly adsBaseUrl?: string;
  readonly dialect: "post" | "tweet";
  readonly consumerKey: string;
  readonly consumerSecret: string;
  /** The secret before the current one, while deliveries may still be signed with it. */
  readonly previousConsumerSecret?: string;
  readonly bearerToken: string;
  /** Empty where events are polled and no webhook is named. */
  readonly webhookUrl: string;
}

/** Longest time of one request to the platform in milliseconds; a lease must outlive it. */
export const REQUEST_TIMEOUT_MS = 5_000;

/** Who calls the platform: the app itself, and each account. */
export interface Clients {
  readonly app: Client<"bearer">;
  /** The client of an account with its tokens of now; undefined when it is not linked, or revoked. */
  readonly of: (account: string) => Client<"oauth1"> | undefined;
  /** Waits for calls under way and closes the connections of all of them. */
  stop(): Promise<void>;
}

/**
 * Clients over one connection pool.
 *
 * @param accountOf The account of a user id, as of now: asked for at every call, so that a client is
 *   never older than its tokens.
 * @param onAttempt Told of each try of a request.
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
  const made = new Map<string, { readonly account: LinkedAccount; client: Client<"oauth1"> }>();
  return {
    app,
    of(id) {
      const account = accountOf(id);
      if (account === undefined || account.revoked !== undefined) {
        made.delete(id);
        return undefined;
      }
      const known = made.get(id);
      if (known?.account === account) return known.client;
      const { accessToken, accessTokenSecret } = account;
      const tokens = { accessToken, accessTokenSecret };
      const client = app.as({ type: "oauth1", consumerKey, consumerSecret, ...tokens });
      made.set(id, { account, client });
      return client;
    },
    stop: () => app.close(),
  };
}

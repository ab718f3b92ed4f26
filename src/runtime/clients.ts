import type { Client } from "../client/client.ts";
import { SYSTEM_CLOCK } from "../client/clock.ts";
import { createClient } from "../client/create-client.ts";
import type { LinkedAccount } from "./accounts/registry.ts";
import type { Clock } from "./clock.ts";

/** App credentials and addresses of the platform, complete. */
export interface PlatformAccess {
  readonly baseUrl: string;
  readonly adsBaseUrl?: string;
  readonly dialect: "post" | "tweet";
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly bearerToken: string;
  readonly webhookUrl: string;
}

/** Longest time of one request to the platform in milliseconds; a lease must outlive it. */
export const REQUEST_TIMEOUT_MS = 5_000;

/** Who calls the platform: the app itself, and each account. */
export interface Clients {
  readonly app: Client<"bearer">;
  readonly of: (account: string) => Client<"oauth1"> | undefined;
}

/** One connection pool for all of them; closing the app's client closes it. */
export function clientsFor(
  platform: PlatformAccess,
  linked: readonly LinkedAccount[],
  clock: Clock,
): Clients {
  const { baseUrl, adsBaseUrl, dialect, consumerKey, consumerSecret, bearerToken } = platform;
  const app = createClient({
    baseUrl,
    adsBaseUrl,
    dialect,
    timeoutMs: REQUEST_TIMEOUT_MS,
    clock: { ...SYSTEM_CLOCK, now: () => clock.now() },
    credentials: { type: "bearer", bearerToken },
  });
  const byAccount = new Map(
    linked.map(({ id, accessToken, accessTokenSecret }) => [
      id,
      app.as({ type: "oauth1", consumerKey, consumerSecret, accessToken, accessTokenSecret }),
    ]),
  );
  return { app, of: (account) => byAccount.get(account) };
}

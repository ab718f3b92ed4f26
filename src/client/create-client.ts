import { authorizerFor } from "./auth/authorizer-for.ts";
import { ApiCaller } from "./http/api-caller.ts";
import { type Client, resources } from "./client.ts";
import { checkCredentials } from "./auth/check-credentials.ts";
import type { Credentials } from "./auth/credentials.ts";
import { RateLimitTracker } from "./http/rate-limits.ts";
import { type ConnectionOptions, resolveSettings, type ClientSettings } from "./settings.ts";

/** Credentials and connection settings of a client. */
export interface ClientOptions<Given extends Credentials = Credentials> extends ConnectionOptions {
  readonly credentials: Given;
}

/**
 * Creates a client of the platform.
 *
 * @throws UsageError if a base URL or the time limit is invalid.
 * @throws CredentialError if a credential is empty or garbled, or if a sandbox issued it and a base URL is on another
 *   machine.
 *
 * @example
 * const client = createClient({
 *   baseUrl: "https://api.example.com",
 *   credentials: { type: "bearer", bearerToken: "…" },
 * });
 * for await (const post of client.posts.searchRecent({ query: "answerback", postFields: ["created_at"] })) {
 *   console.log(post.created_at, post.text);
 * }
 */
export function createClient<const Given extends Credentials>(
  options: ClientOptions<Given>,
): Client<Given["type"]>;
export function createClient(options: ClientOptions): Client {
  return clientOf(options.credentials, resolveSettings(options));
}

function clientOf(credentials: Credentials, settings: ClientSettings): Client {
  const hosts = [settings.baseUrl, settings.adsBaseUrl].filter((url) => url !== undefined);
  checkCredentials(credentials, hosts);
  const limits = new RateLimitTracker();
  const caller = new ApiCaller(settings, authorizerFor(credentials, settings), limits);
  function as<const Other extends Credentials>(other: Other): Client<Other["type"]>;
  function as(other: Credentials): Client {
    return clientOf(other, settings);
  }
  return {
    ...resources(caller),
    rateLimits: limits,
    get accessLevel() {
      return caller.accessLevel;
    },
    get adsNotice() {
      return caller.adsNotice;
    },
    request: ({ method, endpoint, ads, ...input }, options) => {
      const target = { method, path: endpoint, takes: [credentials.type] };
      return caller.call(ads === undefined ? target : { ...target, ads }, input, options);
    },
    as,
    close: settings.close,
  };
}

import type { Authorizer } from "../http/authorizer.ts";
import { type Credentials, secretsOf } from "./credentials.ts";
import { OAuth2Session } from "./oauth2-session.ts";
import type { ClientSettings } from "../settings.ts";
import { signOAuth1 } from "./sign.ts";

/** Creates the authorizer that signs requests with these credentials, or adds their token to requests. */
export function authorizerFor(credentials: Credentials, settings: ClientSettings): Authorizer {
  switch (credentials.type) {
    case "oauth1": {
      const { consumerKey, consumerSecret, accessToken, accessTokenSecret } = credentials;
      const token = { key: accessToken, secret: accessTokenSecret };
      const now = (): number => settings.platformTime.now();
      const sources = { now, nonce: settings.nonce };
      return {
        ...fixedCredentials(credentials),
        renew: async (used) => isSignedLongFrom(now(), used),
        header: (request) => signOAuth1(request, { consumerKey, consumerSecret, token }, sources),
      };
    }
    case "bearer":
      return {
        ...fixedCredentials(credentials),
        header: () => `Bearer ${credentials.bearerToken}`,
      };
    case "oauth2":
      return new OAuth2Session(credentials, settings);
  }
}

function fixedCredentials(credentials: Credentials): Omit<Authorizer, "header"> {
  const secrets = secretsOf(credentials);
  return { kind: credentials.type, renew: async () => false, secrets: () => secrets };
}

/**
 * Clock error, in milliseconds, above which a refused request is signed again with a new timestamp. The value exceeds
 * the time that a signed request waits in the queue, and is below the clock error that the platform tolerates.
 */
const RESIGN_FROM_MS = 60_000;

/**
 * Whether the signature's timestamp is more than {@link RESIGN_FROM_MS} away from `now`, the platform's time. The
 * `Date` header of the refusal has already corrected `now`.
 */
function isSignedLongFrom(now: number, authorization: string): boolean {
  const signedAt = Number(/oauth_timestamp="(\d+)"/.exec(authorization)?.[1]) * 1_000;
  return Math.abs(now - signedAt) > RESIGN_FROM_MS;
}

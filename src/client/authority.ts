import type { Credentials } from "./credentials.ts";
import { secretsOf } from "./credentials.ts";
import type { Settings } from "./settings.ts";
import { type Signable, signOAuth1 } from "./sign.ts";
import { OAuth2Session } from "./oauth2-session.ts";

/** Puts one set of credentials on requests. */
export interface Authority {
  readonly kind: Credentials["type"];
  /** Value of the `Authorization` header. */
  header(request: Signable): string | Promise<string>;
  /**
   * After a 401: whether new credentials were had, so that the request may be sent once more.
   * `used` is the header that was refused.
   */
  renew(used: string): Promise<boolean>;
  /** As they are now; never to stand in a message. */
  secrets(): readonly string[];
}

/** The authority that these credentials make. */
export function authorityFor(credentials: Credentials, settings: Settings): Authority {
  switch (credentials.type) {
    case "oauth1": {
      const { consumerKey, consumerSecret, accessToken, accessTokenSecret } = credentials;
      const token = { key: accessToken, secret: accessTokenSecret };
      const sources = { now: () => settings.clock.now(), nonce: settings.nonce };
      return {
        ...fixed(credentials),
        header: (request) => signOAuth1(request, { consumerKey, consumerSecret, token }, sources),
      };
    }
    case "bearer":
      return { ...fixed(credentials), header: () => `Bearer ${credentials.bearerToken}` };
    case "oauth2":
      return new OAuth2Session(credentials, settings);
  }
}

function fixed(credentials: Credentials): Omit<Authority, "header"> {
  const secrets = secretsOf(credentials);
  return { kind: credentials.type, renew: async () => false, secrets: () => secrets };
}

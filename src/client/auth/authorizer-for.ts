import type { Authorizer } from "./authorizer.ts";
import { type Credentials, secretsOf } from "./credentials.ts";
import { OAuth2Session } from "./oauth2-session.ts";
import type { ClientSettings } from "../settings.ts";
import { signOAuth1 } from "./sign.ts";

/** The authority that these credentials make. */
export function authorizerFor(credentials: Credentials, settings: ClientSettings): Authorizer {
  switch (credentials.type) {
    case "oauth1": {
      const { consumerKey, consumerSecret, accessToken, accessTokenSecret } = credentials;
      const token = { key: accessToken, secret: accessTokenSecret };
      const sources = { now: () => settings.clock.now(), nonce: settings.nonce };
      return {
        ...fixedCredentials(credentials),
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

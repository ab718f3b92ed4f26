import { createHmac, randomUUID } from "node:crypto";
import OAuth from "oauth-1.0a";
import type { Signable } from "../http/authorizer.ts";

/** Keys that sign a request: the app's keys, and a token's keys. Only step 1 of a log-in has no token yet. */
export interface SigningKeys {
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly token?: { readonly key: string; readonly secret: string } | undefined;
}

/** Sources of a signature's nonce and timestamp. */
export interface SigningSources {
  /** Returns the time for the timestamp, in milliseconds since 1970. */
  readonly now: () => number;
  /** Returns ASCII letters and digits, a different text at each call. */
  readonly nonce: () => string;
}

/** Returns a random nonce of 32 hexadecimal digits. */
export function randomNonce(): string {
  return randomUUID().replaceAll("-", "");
}

/** Characters that stay unchanged when a text is percent-encoded. */
const UNRESERVED = /^[\w.~-]*$/;

/** Signer of the package. Most texts of a signature have nothing to encode, so they skip the package's encoding. */
class Signer extends OAuth {
  override percentEncode(text: string): string {
    return UNRESERVED.test(text) ? text : super.percentEncode(text);
  }
}

/**
 * Returns the `Authorization` header of an OAuth 1.0a request, signed with HMAC-SHA1.
 *
 * `oauth_…` parameters of the log-in flow are in `params` of {@link Signable} if the query or a form contains them, and
 * in `extra` if the header does. The signed URL has no query, because the library `oauth-1.0a` cuts query values at an
 * equals sign.
 */
export function signOAuth1(
  request: Signable,
  keys: SigningKeys,
  sources: SigningSources,
  extra: Readonly<Record<string, string>> = {},
): string {
  const oauth = new Signer({
    consumer: { key: keys.consumerKey, secret: keys.consumerSecret },
    signature_method: "HMAC-SHA1",
    hash_function: (base, key) => createHmac("sha1", key).update(base).digest("base64"),
  });
  oauth.getNonce = sources.nonce;
  oauth.getTimeStamp = () => Math.floor(sources.now() / 1000);
  const data = { ...request.params, ...extra };
  const url = request.url.origin + request.url.pathname;
  const signed = oauth.authorize({ method: request.method, url, data }, keys.token);
  return oauth.toHeader({ ...signed, ...extra }).Authorization;
}

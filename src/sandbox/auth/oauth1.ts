import { constantTimeEqual } from "../../system/constant-time-equal.ts";
import { ApiError } from "../kernel/http/api-error.ts";
import type { Nonces } from "./nonces.ts";
import { baseString, sign } from "./signature.ts";

/** Parts of a signed request. */
export interface SignedRequest {
  readonly method: string;
  /** Path as sent, without the query. */
  readonly path: string;
  /** Origins of this server, such as `http://127.0.0.1:8000`. */
  readonly origins: readonly string[];
  readonly header: readonly (readonly [string, string])[];
  readonly query: readonly (readonly [string, string])[];
  /** Parameters of a form body; empty for other bodies. */
  readonly form: readonly (readonly [string, string])[];
}

export interface SigningSecrets {
  readonly consumerSecret: string;
  readonly tokenSecret: string;
}

/** Maximum difference between a request's timestamp and the clock, in seconds. */
const SKEW_SECONDS = 300;

/** Origins of the live service. Unmodified clients sign for them even when they send to the sandbox. */
const LIVE_ORIGINS = [
  "https://api.x.com",
  "https://api.twitter.com",
  "https://upload.x.com",
  "https://upload.twitter.com",
];
const LIVE_ADS_ORIGINS = ["https://ads-api.x.com", "https://ads-api.twitter.com"];

/** Merges the OAuth parameters of header, query and body; the header wins. */
export function oauthParams(request: SignedRequest): Map<string, string> {
  const oauth = new Map<string, string>();
  for (const [name, value] of [...request.form, ...request.query, ...request.header]) {
    if (name.startsWith("oauth_") || name.startsWith("x_auth_")) oauth.set(name, value);
  }
  return oauth;
}

/**
 * Checks method, version, timestamp and nonce of a signed request.
 *
 * @param clocks Times in milliseconds; the timestamp must be within 300 s of one of the times.
 * @throws {ApiError} 401.
 */
export function checkFreshness(
  oauth: ReadonlyMap<string, string>,
  clocks: readonly number[],
  nonces: Nonces,
): void {
  if (oauth.get("oauth_signature_method") !== "HMAC-SHA1") throw ApiError.unauthorized();
  // Some published clients send the version `1.0A`.
  if (!/^1\.0a?$/i.test(oauth.get("oauth_version") ?? "1.0")) throw ApiError.unauthorized();
  const timestamp = oauth.get("oauth_timestamp") ?? "";
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!clocks.some((clock) => Math.abs(clock / 1000 - seconds) <= SKEW_SECONDS)) {
    throw ApiError.unauthorized(135, "Timestamp out of bounds.");
  }
  const nonce = oauth.get("oauth_nonce") ?? "";
  if (!/^[\x21-\x7e]{1,256}$/.test(nonce)) throw ApiError.unauthorized();
  const key = [oauth.get("oauth_consumer_key"), oauth.get("oauth_token"), timestamp, nonce].join(
    " ",
  );
  if (!nonces.claim(key)) throw ApiError.unauthorized();
}

/** Returns whether the signature is valid for one of the possible origins, with repeated parameters signed or not. */
export function isSignatureValid(request: SignedRequest, secrets: SigningSecrets): boolean {
  const allParams = request.header.concat(request.query, request.form);
  const signature = allParams.find(([name]) => name === "oauth_signature")?.[1] ?? "";
  const params = allParams.filter(([name]) => name !== "oauth_signature" && name !== "realm");
  const readings = [params, withoutRepeats(params)];
  return urls(request).some((url) =>
    readings.some((reading) =>
      constantTimeEqual(
        sign(baseString(request.method, url, reading), secrets.consumerSecret, secrets.tokenSecret),
        signature,
      ),
    ),
  );
}

/** Signature that the sandbox expects for a request, and whether the received one matches. */
export interface ExplainedSignature {
  /** Base string that gives the received signature; if there is none, the base string for the server's own address. */
  readonly base: string;
  readonly wanted: string;
  readonly matches: boolean;
}

/**
 * Computes the expected signature and its base string, for display to people.
 *
 * @param shown Returns the parameter to display in place of a real one. The signature is computed from the real
 * parameters.
 */
export function explainSignature(
  request: SignedRequest,
  { consumerSecret, tokenSecret }: SigningSecrets,
  shown: (param: readonly [string, string]) => readonly [string, string],
): ExplainedSignature {
  const allParams = request.header.concat(request.query, request.form);
  const signature = allParams.find(([name]) => name === "oauth_signature")?.[1] ?? "";
  const params = allParams.filter(([name]) => name !== "oauth_signature" && name !== "realm");
  let first: ExplainedSignature | undefined;
  for (const reading of [params, withoutRepeats(params)]) {
    for (const url of urls(request)) {
      const real = baseString(request.method, url, reading);
      const wanted = sign(real, consumerSecret, tokenSecret);
      const matches = constantTimeEqual(wanted, signature);
      if (!matches && first !== undefined) continue;
      first = { base: baseString(request.method, url, reading.map(shown)), wanted, matches };
      if (matches) return first;
    }
  }
  return first ?? { base: "", wanted: "", matches: false };
}

/** Drops repeated parameters: clients send `oauth_token` in the header and the body but sign it once. */
function withoutRepeats(
  params: readonly (readonly [string, string])[],
): (readonly [string, string])[] {
  const seen = new Set<string>();
  return params.filter(([name, value]) => {
    const key = `${name}=${value}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function urls({ origins, path }: SignedRequest): string[] {
  const own = [...origins, ...LIVE_ORIGINS].map((origin) => origin + path);
  if (!path.startsWith("/ads/")) return own;
  const bare = path.slice("/ads".length);
  return [...own, ...[...LIVE_ADS_ORIGINS, ...origins].map((origin) => origin + bare)];
}

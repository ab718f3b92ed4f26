import { isSigned, signatureOf } from "./signature.ts";

export type ChallengeAnswer =
  | { readonly ok: true; readonly body: { readonly response_token: string } }
  | { readonly ok: false; readonly message: string };

/**
 * The answer to the platform's challenge.
 *
 * Anybody may ask, and the answer is a signature of the token. So a token is refused whose signature
 * would be that of something else: of a delivery, which is a JSON object, or of a challenge's query.
 */
export function answerChallenge(token: string | null, consumerSecret: string): ChallengeAnswer {
  if (token === null || token === "") {
    return { ok: false, message: "a challenge carries the query parameter crc_token" };
  }
  if (/^\s*[{[]/.test(token)) {
    return { ok: false, message: "crc_token reads as JSON: it could be a delivery to be signed" };
  }
  if (isChallengeQuery(token)) {
    return { ok: false, message: "crc_token reads as a challenge's query to be signed" };
  }
  return { ok: true, body: { response_token: signatureOf(token, consumerSecret) } };
}

/** `true` when the platform itself asks: it signs the query of its challenges, as it signs a delivery's body. */
export function isFromPlatform(
  query: string,
  signature: string | undefined,
  secrets: readonly string[],
): boolean {
  return signature !== undefined && isChallengeQuery(query) && isSigned(query, signature, secrets);
}

/** The webhook's URL may have a query of its own: then that comes first. */
function isChallengeQuery(text: string): boolean {
  return new URLSearchParams(text).has("crc_token");
}

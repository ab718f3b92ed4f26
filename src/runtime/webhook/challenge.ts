import { isSigned, signatureOf } from "./signature.ts";

export type ChallengeAnswer =
  | { readonly ok: true; readonly body: { readonly response_token: string } }
  | { readonly ok: false; readonly message: string };

/**
 * Answers a challenge of the platform.
 *
 * Anyone can send a challenge, and the response contains a signature of its token. So a token that reads as a delivery
 * (JSON) or as a challenge's query is refused: with that signature, a stranger could send a forged request.
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

/** Whether the platform itself sent the challenge: it signs the query of a challenge like the body of a delivery. */
export function isFromPlatform(
  query: string,
  signature: string | undefined,
  secrets: readonly string[],
): boolean {
  return signature !== undefined && isChallengeQuery(query) && isSigned(query, signature, secrets);
}

/** Whether a text is a challenge's query. Parameters of the webhook's own URL may stand before `crc_token`. */
export function isChallengeQuery(text: string): boolean {
  return new URLSearchParams(text).has("crc_token");
}

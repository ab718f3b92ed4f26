import { isSigned, signatureOf } from "./signature.ts";

export type ChallengeAnswer =
  | { readonly ok: true; readonly body: { readonly response_token: string } }
  | { readonly ok: false; readonly message: string };

/**
 * Answers a challenge of the platform.
 *
 * Anyone can send a challenge, and the answer is a signature of its token. Tokens are therefore refused if their signature
 * would be valid for a delivery, which is a JSON object, or for a challenge's query.
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

/** Whether a text is a challenge's query, which may begin with the query of the webhook's own URL. */
export function isChallengeQuery(text: string): boolean {
  return new URLSearchParams(text).has("crc_token");
}

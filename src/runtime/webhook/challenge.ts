import { signatureOf } from "./signature.ts";

export type ChallengeAnswer =
  | { readonly ok: true; readonly body: { readonly response_token: string } }
  | { readonly ok: false; readonly message: string };

/**
 * The answer to the platform's challenge.
 *
 * A token that reads as a JSON object is refused: its answer would be a valid signature of that text
 * as a delivery, so anybody could have deliveries signed by asking.
 */
export function answerChallenge(token: string | null, consumerSecret: string): ChallengeAnswer {
  if (token === null || token === "") {
    return { ok: false, message: "a challenge carries the query parameter crc_token" };
  }
  if (/^\s*[{[]/.test(token)) {
    return { ok: false, message: "crc_token reads as JSON: it could be a delivery to be signed" };
  }
  return { ok: true, body: { response_token: signatureOf(token, consumerSecret) } };
}

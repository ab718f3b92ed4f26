import { createHmac } from "node:crypto";

/** What a server is asked before it is told anything: `GET /identity?nonce=…`, without a token. */
export const IDENTITY = { path: "/identity", nonce: /^[0-9a-f]{32}$/ } as const;

/**
 * The proof that a server knows the token of `run.json`, which does not tell the token.
 *
 * @param nonce Drawn by whoever asks, so that no earlier proof serves again.
 */
export function proofOf(token: string, nonce: string): string {
  return createHmac("sha256", token).update(`control server of a bot: ${nonce}`).digest("hex");
}

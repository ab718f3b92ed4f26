import { createHmac } from "node:crypto";

/** Request by which a server proves its identity before it receives the token: `GET /identity?nonce=…`. */
export const IDENTITY = { path: "/identity", nonce: /^[0-9a-f]{32}$/ } as const;

/**
 * Computes the proof that a server knows the token of `run.json`, without revealing the token.
 *
 * @param nonce Drawn by the client, so that an earlier proof cannot be replayed.
 */
export function proofOf(token: string, nonce: string): string {
  return createHmac("sha256", token).update(`control server of a bot: ${nonce}`).digest("hex");
}

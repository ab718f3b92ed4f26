import { createHmac } from "node:crypto";

/**
 * Returns the hash that remains of an event's key after the event's person was forgotten.
 *
 * @param secret The store's id. Without it, a guessed key can't be compared with the hash.
 */
export function forgottenHash(secret: string, key: string, account: string): string {
  return createHmac("sha256", secret).update(`${account} ${key}`).digest("base64url");
}

import { createHmac } from "node:crypto";

/**
 * Returns the hash that stays of an event's key after its person was forgotten.
 *
 * @param secret The store's id. Without the store, keys cannot be found by trying.
 */
export function forgottenHash(secret: string, key: string, account: string): string {
  return createHmac("sha256", secret).update(`${account} ${key}`).digest("base64url");
}

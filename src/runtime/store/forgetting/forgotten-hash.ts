import { createHmac } from "node:crypto";

/**
 * What is left of the key of an event of a person who was forgotten.
 *
 * @param secret The store's id: so nobody finds a key by trying without the store.
 */
export function forgottenHash(secret: string, key: string, account: string): string {
  return createHmac("sha256", secret).update(`${account} ${key}`).digest("base64url");
}

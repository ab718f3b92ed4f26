import { createHmac } from "node:crypto";

/** Returns the event keys that the echo of a sent item may have. The platform's id is of a message or a post. */
export function echoKeys(platformId: string): readonly string[] {
  return [`message:${platformId}`, `post:${platformId}`];
}

/**
 * Returns the hash that replaces an event's key when the event's person is forgotten.
 *
 * @param secret The store's id. It keeps others from testing guessed keys against the hash.
 */
export function forgottenHash(secret: string, key: string, account: string): string {
  return createHmac("sha256", secret).update(`${account} ${key}`).digest("base64url");
}

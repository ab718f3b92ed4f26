import { isLoopback } from "../http/base-url.ts";
import type { Credentials } from "./credentials.ts";
import { CredentialError } from "../errors.ts";

/** Prefix of keys and tokens issued by a sandbox. The client never sends them to another machine. */
const SANDBOX_PREFIX = "sandbox-";

/** Keys and tokens are visible ASCII. Other characters come from copying, such as a file's line break. */
const UNPRINTABLE = /[^\x21-\x7e]/;

/**
 * Throws if a key or token is empty or garbled, or if one that a sandbox issued would be sent to another machine.
 *
 * @throws CredentialError
 */
export function checkCredentials(credentials: Credentials, hosts: readonly URL[]): void {
  checkKeys(`the ${credentials.type} credentials`, credentials, hosts);
}

/**
 * Like {@link checkCredentials}, for any object of keys and secrets, such as an app's. Messages name the object by
 * `whose`.
 */
export function checkKeys(whose: string, keys: object, hosts: readonly URL[]): void {
  const parts = Object.entries(keys).filter(([, value]) => typeof value === "string");
  const empty = parts.find(([, value]) => value === "");
  if (empty !== undefined) {
    throw new CredentialError(`${whose} have an empty ${empty[0]}`);
  }
  const garbled = parts.find(([, value]) => UNPRINTABLE.test(String(value)));
  if (garbled !== undefined) {
    throw new CredentialError(
      `${whose} have a ${garbled[0]} with a blank or an unprintable character`,
      { hint: "look for a space or a line break at its end" },
    );
  }
  const foreign = hosts.find((host) => !isLoopback(host));
  const sandboxed = parts.find(([, value]) => String(value).startsWith(SANDBOX_PREFIX));
  if (foreign !== undefined && sandboxed !== undefined) {
    throw new CredentialError(
      `${sandboxed[0]} was issued by a sandbox and would be sent to ${foreign.host}`,
      { hint: "use the keys of your app on the live service, or a base URL on this machine" },
    );
  }
}

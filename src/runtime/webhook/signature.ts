import { createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { SIGNATURE_HEADERS } from "../../protocol/dialects.ts";
import { constantTimeEqual } from "../../system/constant-time-equal.ts";

/**
 * Returns `sha256=` and the base64 HMAC-SHA256 of `bytes`: the signature in a delivery and in a challenge's response.
 */
export function signatureOf(bytes: string | Buffer, consumerSecret: string): string {
  return `sha256=${createHmac("sha256", consumerSecret).update(bytes).digest("base64")}`;
}

const WELL_FORMED = /^sha256=[A-Za-z0-9+/]{43}=$/;

/** Returns the signature of a request, from the header of either dialect; undefined if it is missing or malformed. */
export function signatureIn({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
  const value = headers[SIGNATURE_HEADERS.post] ?? headers[SIGNATURE_HEADERS.tweet];
  if (typeof value !== "string") return undefined;
  // Node joins repeated headers with a comma and a space. A proxy may repeat the signature.
  const [signature = "", ...others] = value.split(", ");
  const isOne = others.every((other) => other === signature);
  return isOne && WELL_FORMED.test(signature) ? signature : undefined;
}

/** Whether `signature` is the signature of `raw` with one of the secrets. Each comparison takes constant time. */
export function isSigned(
  raw: string | Buffer,
  signature: string,
  secrets: readonly string[],
): boolean {
  return secrets.some((secret) => constantTimeEqual(signature, signatureOf(raw, secret)));
}

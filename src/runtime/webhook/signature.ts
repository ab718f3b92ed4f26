import { createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { SIGNATURE_HEADERS } from "../../protocol/dialects.ts";
import { constantTimeEqual } from "../../system/constant-time-equal.ts";

/** `sha256=` and the base64 HMAC-SHA256 of `bytes`: a challenge's answer and a delivery's signature alike. */
export function signatureOf(bytes: string | Buffer, consumerSecret: string): string {
  return `sha256=${createHmac("sha256", consumerSecret).update(bytes).digest("base64")}`;
}

const WELL_FORMED = /^sha256=[A-Za-z0-9+/]{43}=$/;

/**
 * The signature that a request carries, in either dialect's header; undefined where there is none, or what is
 * there can't be one.
 */
export function signatureIn({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
  const value = headers[SIGNATURE_HEADERS.post] ?? headers[SIGNATURE_HEADERS.tweet];
  return typeof value === "string" && WELL_FORMED.test(value) ? value : undefined;
}

/**
 * `true` when `signature` is that of `raw` under one of the secrets. For each of them it takes the same
 * time whatever differs.
 */
export function isSigned(
  raw: string | Buffer,
  signature: string,
  secrets: readonly string[],
): boolean {
  return secrets.some((secret) => constantTimeEqual(signature, signatureOf(raw, secret)));
}

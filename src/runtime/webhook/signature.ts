import { createHmac } from "node:crypto";
import { constantTimeEqual } from "../../system/constant-time-equal.ts";

/** `sha256=` and the base64 HMAC-SHA256 of `bytes`: a challenge's answer and a delivery's signature alike. */
export function signatureOf(bytes: string | Buffer, consumerSecret: string): string {
  return `sha256=${createHmac("sha256", consumerSecret).update(bytes).digest("base64")}`;
}

/** `true` when `header` is the signature of `raw`. Takes the same time whatever differs. */
export function isSigned(raw: Buffer, header: string | undefined, consumerSecret: string): boolean {
  return header !== undefined && constantTimeEqual(header, signatureOf(raw, consumerSecret));
}

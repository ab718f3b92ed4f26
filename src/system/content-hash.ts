import { hash } from "node:crypto";

/** SHA-256 of a text in UTF-8; default encoding base64url. */
export function contentHash(text: string, encoding: "base64url" | "hex" = "base64url"): string {
  return hash("sha256", text, encoding);
}

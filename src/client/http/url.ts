import { UsageError } from "../../errors.ts";

/**
 * Percent-encodes as RFC 3986 has it, which is what signatures are computed over.
 *
 * @throws UsageError for text that UTF-8 can't carry (half of a surrogate pair).
 */
export function percentEncode(text: string): string {
  let encoded: string;
  try {
    encoded = encodeURIComponent(text);
  } catch (cause) {
    throw new UsageError("a parameter holds half of a surrogate pair", {
      cause,
      hint: "cut texts between characters, not between UTF-16 units",
    });
  }
  return encoded.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Parameters as a query or a form. */
export function encodeParams(params: Readonly<Record<string, string>>): string {
  return Object.entries(params)
    .map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
    .join("&");
}

/** Joins a path to a base URL that may have a prefix of its own. */
export function endpointUrl(base: URL, path: string): URL {
  return new URL(base.origin + base.pathname.replace(/\/$/, "") + path);
}

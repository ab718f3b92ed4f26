import { UsageError } from "../../errors.ts";

/**
 * Percent-encodes by RFC 3986, as signatures require.
 *
 * @throws UsageError if UTF-8 can't carry the text (half of a surrogate pair).
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

/** Encodes parameters as a query or a form. */
export function encodeParams(params: Readonly<Record<string, string>>): string {
  return Object.entries(params)
    .map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
    .join("&");
}

/** Joins a path to a base URL, which may have its own path prefix. */
export function endpointUrl(base: URL, path: string): URL {
  return new URL(base.origin + base.pathname.replace(/\/$/, "") + path);
}

import { createHmac } from "node:crypto";

/** Percent-encodes as RFC 5849, 3.6: everything but letters, digits and `-._~`. */
export function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Returns the signature base string of RFC 5849, 3.4.1. `params` are decoded and in any order. */
export function baseString(
  method: string,
  url: string,
  params: readonly (readonly [string, string])[],
): string {
  const pairs = params
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a, x], [b, y]) => order(a, b) || order(x, y))
    .map(([name, value]) => `${name}=${value}`);
  return [method.toUpperCase(), encode(url), encode(pairs.join("&"))].join("&");
}

/** Returns the HMAC-SHA1 signature, base64. Source: RFC 5849, 3.4.2. */
export function sign(base: string, consumerSecret: string, tokenSecret: string): string {
  return createHmac("sha1", `${encode(consumerSecret)}&${encode(tokenSecret)}`)
    .update(base)
    .digest("base64");
}

/** Returns the decoded parameters of an `Authorization: OAuth …` header; `undefined` for another header. */
export function parseHeader(header: string): [string, string][] | undefined {
  if (!/^oauth\s/i.test(header)) return undefined;
  const params: [string, string][] = [];
  for (const part of header.slice(6).split(",")) {
    // No regular expression: with several unbounded repeats, white space alone caused excessive backtracking.
    const equals = part.indexOf("=");
    const name = part.slice(0, Math.max(0, equals)).trim();
    const value = unquoted(part.slice(equals + 1).trim());
    if (name === "" || /\s/.test(name) || value === undefined) continue;
    try {
      params.push([decodeURIComponent(name), decodeURIComponent(value)]);
    } catch {
      return undefined;
    }
  }
  return params;
}

/** Returns `text` without enclosing quotes; `undefined` if there are quotes inside it. */
function unquoted(text: string): string | undefined {
  const from = text.startsWith('"') ? 1 : 0;
  const to = text.length > from && text.endsWith('"') ? text.length - 1 : text.length;
  const inner = text.slice(from, to);
  return inner.includes('"') ? undefined : inner;
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

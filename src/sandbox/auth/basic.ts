/** A name and a secret of an `Authorization: Basic` header. */
export interface BasicPair {
  readonly name: string;
  readonly secret: string;
}

/**
 * Reads a Basic header both literally and with both parts percent-decoded.
 *
 * Clients of the token endpoints send either form: RFC 6749, 2.3.1, requires percent-encoding, RFC 7617 does not.
 *
 * @returns up to two readings, or none when the header is not Basic.
 */
export function basicPairs(authorization: string): readonly BasicPair[] {
  const encoded = /^basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(authorization)?.[1];
  if (encoded === undefined) return [];
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 0) return [];
  const plain = { name: text.slice(0, colon), secret: text.slice(colon + 1) };
  const decoded = { name: percentDecoded(plain.name), secret: percentDecoded(plain.secret) };
  return decoded.name === plain.name && decoded.secret === plain.secret
    ? [plain]
    : [plain, decoded];
}

/** Percent-decodes `text`; returns it unchanged if its encoding is invalid. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

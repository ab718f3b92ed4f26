/** Decodes the percent-encoding of a text, such as a part of an address. Returns text that is not encoded unchanged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

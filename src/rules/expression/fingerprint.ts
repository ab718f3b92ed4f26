/**
 * Hashes a text to 14 hexadecimal digits.
 *
 * The hash has 53 bits: two different texts have the same hash only by accident. It protects against mistakes, not
 * against an attacker.
 *
 * @see Source: cyrb53, https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js
 */
export function fingerprint(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  const number = 4294967296 * (2097151 & low) + (high >>> 0);
  return number.toString(16).padStart(14, "0");
}

/** Draws a number in [0, 1) that depends only on the seed. */
export function drawn(seed: string): number {
  return Number.parseInt(fingerprint(seed), 16) / 2 ** 53;
}

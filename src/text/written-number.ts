const MINUS = /^[\u2010-\u2015\u2212\ufe63\uff0d]/u;
const LARGEST = 2n ** 63n - 1n;

/**
 * Reads a whole number as a person writes it, in digits of any script. A number beyond 64 bits becomes the largest or
 * smallest 64-bit number.
 *
 * @throws {Error} if the text contains no number.
 */
export function wholeNumber(text: string): bigint {
  const plain = asciiNumber(text);
  if (!/^[+-]?\d+$/.test(plain)) throw new Error(`"${text}" is no whole number`);
  const value = BigInt(plain.replace("+", ""));
  return value > LARGEST ? LARGEST : value < -LARGEST ? -LARGEST : value;
}

/**
 * Reads a decimal number with a point, in digits of any script.
 *
 * @throws {Error} if the text contains no number.
 */
export function decimalNumber(text: string): number {
  const plain = asciiNumber(text).replace("\u066b", ".");
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(plain)) throw new Error(`"${text}" is no number`);
  return Number(plain);
}

function asciiNumber(text: string): string {
  return text
    .trim()
    .replace(MINUS, "-")
    .replaceAll(/\p{Nd}/gu, (digit) => String(digitValue(digit)));
}

/** Returns the value of a digit. Each script has ten consecutive digits, and such sequences may be adjacent. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return (code - first) % 10;
}

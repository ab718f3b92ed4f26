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

/** Superscripts, subscripts and fractions: their plain digits would be another number, `52` for `5²`. */
const RAISED = /[\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u209f\u2150-\u215f]/;
/** Parts of a keycap such as `7️⃣` beside its digit. */
const KEYCAP = /[\ufe0f\u20e3]/g;

function asciiNumber(text: string): string {
  return (RAISED.test(text) ? text : text.normalize("NFKC").replaceAll(KEYCAP, ""))
    .trim()
    .replace(MINUS, "-")
    .replaceAll(/\p{Nd}/gu, (digit) => String(digitValue(digit)));
}

/** Returns the value of a digit. Each script has ten consecutive digits, and such sequences may be adjacent. */
export function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (/^\p{Nd}$/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return (code - first) % 10;
}

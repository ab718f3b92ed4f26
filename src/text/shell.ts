/** Words without special characters of any shell. Excludes a leading dash, tilde or equals sign. */
const PLAIN = /^[\p{L}\p{N}_./@:+][\p{L}\p{N}_./@:+,-]*$/u;
/** Characters to escape in print: line breaks, other control characters, and direction marks. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * Quotes a word for a POSIX shell if necessary.
 *
 * A word with line breaks or control characters is written with `printf` and octal escapes, so that the command stays
 * on one line. Shells drop line breaks at the end of such a word.
 * Example: `/home/me/my bots` becomes `'/home/me/my bots'`.
 */
export function shellWord(word: string | number): string {
  const text = String(word);
  if (PLAIN.test(text)) return text;
  if (!UNSEEN.test(text)) return quoted(text);
  const format = Array.from(text, (sign) => {
    if (UNSEEN.test(sign)) return octal(sign);
    return sign === "%" ? "%%" : sign === "\\" ? String.raw`\\` : sign;
  });
  return `"$(printf -- ${quoted(format.join(""))})"`;
}

/** Protects a relative path with a leading dash from being read as an option of a command. */
export function operand(path: string): string {
  return path.startsWith("-") ? `./${path}` : path;
}

/** Quotes a text for a shell, in double quotes if they suffice. */
export function shellText(text: string): string {
  return /^[^"$`\\!]*$/.test(text) && !UNSEEN.test(text) ? `"${text}"` : shellWord(text);
}

/** A shell command for people, as a template such as ``shell`rm ${file}` ``: each value is quoted as one word. */
export function shell(
  parts: TemplateStringsArray,
  ...values: readonly (string | number)[]
): string {
  return parts.reduce((command, part, at) => command + shellWord(values[at - 1] ?? "") + part);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function octal(sign: string): string {
  return Array.from(
    new TextEncoder().encode(sign),
    (byte) => `\\${byte.toString(8).padStart(3, "0")}`,
  ).join("");
}

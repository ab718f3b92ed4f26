/** Words that no shell reads as anything but themselves. A leading dash, tilde or equals sign is not among them. */
const PLAIN = /^[\p{L}\p{N}_./@:+][\p{L}\p{N}_./@:+,-]*$/u;
/** Characters that are not printed unchanged: line breaks, other control characters, and those that turn the direction. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/**
 * One word of a command for a POSIX shell, quoted only where it has to be.
 *
 * A word with line breaks or control characters is written with `printf` and octal escapes, so that the command stays
 * on one line. A shell drops line breaks at the end of such a word.
 * `/home/me/my bots` becomes `'/home/me/my bots'`.
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

/** A relative path as an operand of a command: one that begins with a dash is read as a path, not as an option. */
export function operand(path: string): string {
  return path.startsWith("-") ? `./${path}` : path;
}

/** A text of a command that people write between double quotes, where that is enough. */
export function shellText(text: string): string {
  return /^[^"$`\\!]*$/.test(text) && !UNSEEN.test(text) ? `"${text}"` : shellWord(text);
}

/** A command for people to run, as a template such as ``shell`rm ${file}` ``: every value becomes one word. */
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

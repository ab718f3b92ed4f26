import { UsageError } from "../../errors.ts";

/**
 * Parses settings from the words of a command line: `name=value`, with commas in lists.
 *
 * @throws {UsageError} for a word without an equals sign.
 */
export function appSettings(words: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    words.map((word) => {
      const equals = word.indexOf("=");
      if (equals <= 0) {
        throw new UsageError(`"${word}" is not a setting`, {
          hint: "write name=value, as in: permission_level=read callback_urls=https://a.example/,https://b.example/",
        });
      }
      const name = word.slice(0, equals);
      return [name, valueOf(name, word.slice(equals + 1))];
    }),
  );
}

function valueOf(name: string, text: string): unknown {
  if (name === "callback_urls") return text.split(",").filter((url) => url !== "");
  if (text === "true") return true;
  if (text === "false") return false;
  if (text === "null") return null;
  return text;
}

import { MESSAGE_CODES } from "../../../src/rules/message-codes.ts";
import { table } from "../markdown.ts";

/** Every code of a message of `check`. */
export function messageCodes(): string {
  const rows = Object.entries(MESSAGE_CODES)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, meaning]) => [`\`${code}\``, meaning]);
  return table(["Code", "What is wrong"], rows);
}

import { formatJsonError } from "../output/error-text.ts";
import { type CapturedOutput, PLAIN } from "./capture.ts";

/** Lines that a command printed on stderr. An error in JSON form becomes text. */
export function messagesOf({ err }: CapturedOutput): readonly string[] {
  return err
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => formatJsonError(line, PLAIN) ?? line);
}

import type { Command } from "commander";

const EXAMPLES = new WeakMap<Command, readonly string[]>();

/**
 * Adds examples to the end of a command's help. A test runs each of them as written.
 *
 * @param lines Command lines. Values that the reader fills in are shell variables, such as `"$POST_ID"`.
 */
export function withExamples(command: Command, lines: readonly string[], after = ""): Command {
  EXAMPLES.set(command, lines);
  const text = lines.map((line) => `  ${line}\n`).join("");
  return command.addHelpText("after", `\nExamples:\n${text}${after === "" ? "" : `\n${after}\n`}`);
}

/** The examples of a command's help. */
export function examplesOf(command: Command): readonly string[] {
  return EXAMPLES.get(command) ?? [];
}

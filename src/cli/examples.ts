import type { Command } from "commander";

const EXAMPLES = new WeakMap<Command, readonly string[]>();

/**
 * Ends a command's help with examples. A test runs each of them, so they work as they stand.
 *
 * @param lines Command lines; what a person has to fill in is a shell variable, as `"$POST_ID"`.
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

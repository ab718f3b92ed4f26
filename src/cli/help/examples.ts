import type { Command } from "commander";

const EXAMPLES = new WeakMap<Command, readonly string[]>();

/**
 * Adds examples to the end of a command's help. A test runs each of them as written.
 *
 * @param lines Command lines. Values that the reader fills in are shell variables, such as `"$POST_ID"`.
 */
export function withExamples(command: Command, lines: readonly string[], after = ""): Command {
  EXAMPLES.set(command, lines);
  return showExamples(command, lines, after);
}

/** The examples of a command's help. */
export function examplesOf(command: Command): readonly string[] {
  return EXAMPLES.get(command) ?? [];
}

/**
 * Adds the subcommand that runs if none is named. Help and completion of the group also show its options, and the help
 * shows its examples.
 */
export function withDefault(group: Command, subcommand: Command): Command {
  const createHelp = group.createHelp.bind(group);
  group.createHelp = () => {
    const help = createHelp();
    const visibleOptions = help.visibleOptions.bind(help);
    help.visibleOptions = (command) =>
      command === group
        ? [...subcommand.options.filter(({ hidden }) => !hidden), ...visibleOptions(group)]
        : visibleOptions(command);
    return help;
  };
  return showExamples(group.addCommand(subcommand, { isDefault: true }), examplesOf(subcommand));
}

function showExamples(command: Command, lines: readonly string[], after = ""): Command {
  const text = lines.map((line) => `  ${line}\n`).join("");
  return command.addHelpText("after", `\nExamples:\n${text}${after === "" ? "" : `\n${after}\n`}`);
}

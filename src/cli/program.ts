import { Command } from "commander";
import { COMMANDS } from "./commands.ts";
import { FRONT_PAGE_END, frontPage } from "./help/front-page.ts";
import type { Io } from "./io.ts";

/**
 * Builds the tree of commands.
 *
 * @param args Command line. If it names a command, only this command is loaded.
 */
export async function programOf(
  io: Io,
  version: string,
  args: readonly string[] = [],
): Promise<Command> {
  const program = new Command("answerback")
    .version(version)
    .option("--no-color", "never print colours; the variable NO_COLOR does the same")
    .exitOverride()
    .addHelpText("after", FRONT_PAGE_END);
  for (const { heading, load } of commandsFor(args)) {
    const command = await load();
    program.addCommand(command(io).helpGroup(heading));
  }
  for (const command of program.commands) inherit(command, program);
  program.helpInformation = () => frontPage(io.width);
  return program;
}

function commandsFor(args: readonly string[]) {
  const all = Object.entries(COMMANDS).flatMap(([heading, group]) =>
    Object.entries(group).map(([name, load]) => ({ heading, name, load })),
  );
  const first = args.find((arg) => !arg.startsWith("-"));
  // the completion script needs all commands
  if (first === "completion") return all;
  const named = all.filter(({ name }) => name === first);
  return named.length > 0 ? named : all;
}

function inherit(command: Command, parent: Command): void {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inherit(child, command);
}

/** Every command below `command`, at any depth. */
export function everyCommand(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...everyCommand(child)]);
}

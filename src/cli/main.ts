import { Command, CommanderError } from "commander";
import { AnswerbackError } from "../errors.ts";
import { COMMANDS } from "./commands.ts";
import { Ended, EXIT, exitCodeOf, type ExitCode } from "./exit-codes.ts";
import type { Io } from "./io.ts";

/**
 * Runs one command line.
 *
 * @param args Without `node` and the script's name.
 * @returns The exit code; everything there is to say has been said through `io`.
 */
export async function main(args: readonly string[], io: Io, version: string): Promise<ExitCode> {
  const program = new Command("answerback")
    .description(
      "Bots that answer: rules in YAML, bots in TypeScript, and the platform on this machine.",
    )
    .version(version)
    .configureOutput({ writeOut: (text) => io.out(text), writeErr: (text) => io.err(text) })
    .exitOverride()
    .addHelpText("after", HELP_END);
  for (const command of COMMANDS) program.addCommand(command(io));
  for (const command of program.commands) inherit(command, program);
  try {
    await program.parseAsync(args, { from: "user" });
    return EXIT.ok;
  } catch (error) {
    return told(error, io);
  }
}

const HELP_END = `
Examples:
  answerback dev                                   sandbox and bot on this machine
  answerback send @ana "what are your hours?"      speak to the bot as a person

Exit codes: 0 ok, 1 failure, 2 bad usage, 3 ran and found problems, 4 not authorized,
5 nothing answers, 130 interrupted.`;

function inherit(command: Command, parent: Command): void {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inherit(child, command);
}

function told(error: unknown, io: Io): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof Ended) return error.exitCode;
  if (error instanceof AnswerbackError) {
    io.err(`${io.colors.red("error:")} ${error.message}\n`);
    if (error.hint !== undefined) io.err(`${io.colors.dim("  help:")} ${error.hint}\n`);
  } else {
    io.err(`${io.colors.red("bug:")} ${error instanceof Error ? error.stack : String(error)}\n`);
  }
  return exitCodeOf(error);
}

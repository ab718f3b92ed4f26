import { Command, CommanderError } from "commander";
import { AnswerbackError } from "../errors.ts";
import { COMMANDS } from "./commands.ts";
import { endsItself } from "./ending.ts";
import { Ended, EXIT, exitCodeOf, type ExitCode } from "./exit-codes.ts";
import { errorText, type JsonError } from "./output/error-text.ts";
import { ended, type Io, withoutColors } from "./io.ts";

/**
 * Runs one command line.
 *
 * @param args Without `node` and the script's name.
 * @returns The exit code; everything there is to say has been said through `io`.
 */
export async function main(
  args: readonly string[],
  terminal: Io,
  version: string,
): Promise<ExitCode> {
  const flags = args.slice(0, args.indexOf("--") === -1 ? args.length : args.indexOf("--"));
  const io = flags.includes("--no-color") ? withoutColors(terminal) : terminal;
  const json = flags.includes("--json");
  const program = programOf(io, version);
  let refusal = "";
  const tell = (text: string): void => void (refusal += text);
  for (const command of [program, ...everyCommand(program)]) {
    command.configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) => io.err(text),
      outputError: (text, write) => (json ? tell(text) : write(text)),
    });
  }
  const dropped = new Promise<ExitCode>((resolve) => {
    program.hook("preAction", (_, command) => {
      if (!endsItself(command)) void ended(io).then(() => resolve(EXIT.interrupted));
    });
  });
  try {
    const parsed = program.parseAsync(args, { from: "user" }).then(() => EXIT.ok);
    return await Promise.race([parsed, dropped]);
  } catch (error) {
    if (refusal !== "") io.err(`${JSON.stringify(usageOf(refusal))}\n`);
    return told(error, io, json);
  }
}

/** The tree of commands. */
export function programOf(io: Io, version: string): Command {
  const program = new Command("answerback")
    .description(
      "Bots that answer: rules in YAML, bots in TypeScript, and the platform on this machine.",
    )
    .version(version)
    .option("--no-color", "no colours, wherever it writes to; NO_COLOR does the same")
    .exitOverride()
    .addHelpText("after", HELP_END);
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    for (const command of commands) program.addCommand(command(io).helpGroup(heading));
  }
  for (const command of program.commands) inherit(command, program);
  return program;
}

const HELP_END = `
Examples:
  answerback dev                                   sandbox and bot on this machine
  answerback send @ana "what are your hours?"      speak to the bot as a person
  answerback doctor                                what is wrong, and what mends it

Data goes to stdout, messages to stderr. --json gives one JSON object a line, errors too.

Exit codes: 0 ok, 1 failure, 2 bad usage, 3 ran and found problems, 4 not authorized,
5 nothing answers, 130 interrupted.`;

function inherit(command: Command, parent: Command): void {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inherit(child, command);
}

/** Every command below `command`. */
export function everyCommand(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...everyCommand(child)]);
}

function told(error: unknown, io: Io, json: boolean): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof Ended) return error.exitCode;
  if (json) {
    io.err(`${JSON.stringify(asJson(error))}\n`);
  } else if (error instanceof AnswerbackError) {
    io.err(`${errorText(error, io.colors)}\n`);
  } else {
    io.err(`${io.colors.red("bug:")} ${error instanceof Error ? error.stack : String(error)}\n`);
  }
  return exitCodeOf(error);
}

function asJson(error: unknown): JsonError {
  if (error instanceof AnswerbackError) {
    return { code: error.code, message: error.message, hint: error.hint };
  }
  return { code: "E_BUG", message: error instanceof Error ? String(error.stack) : String(error) };
}

/** The parser's refusal, its guess as the hint. */
function usageOf(refusal: string): JsonError {
  const [first = "", ...more] = refusal.trim().split("\n");
  const hint = more.join(" ").replaceAll(/^\(|\)$/g, "");
  const message = first.replace(/^error: /, "");
  return { code: "E_USAGE", message, ...(hint === "" ? {} : { hint }) };
}

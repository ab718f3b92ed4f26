import { type Command, CommanderError } from "commander";
import { AnswerbackError, UsageError } from "../errors.ts";
import { UnsafeFileError } from "../system/files/own-file.ts";
import { stopsGracefully } from "./graceful-stop.ts";
import { ExitError, EXIT, exitCodeOf, type ExitCode } from "./exit-codes.ts";
import { errorFor, formatError, type JsonError } from "./output/error-text.ts";
import type { SettingsFlags } from "./arguments/settings-flags.ts";
import { diskError } from "./output/disk-error.ts";
import { envFilesFor, withEnvFiles } from "./env-file.ts";
import { interrupted, type Io, withoutColors } from "./io.ts";
import { visibleLines } from "../text/unseen.ts";
import { everyCommand, programOf } from "./program.ts";

/**
 * Runs any command line, except the help's front page.
 *
 * @param args Arguments without `node` and the script's name.
 * @returns The exit code. All output has been printed through `terminal`.
 */
export async function runCommand(
  args: readonly string[],
  terminal: Io,
  version: string,
): Promise<ExitCode> {
  const flags = args.slice(0, args.indexOf("--") === -1 ? args.length : args.indexOf("--"));
  const painted = flags.includes("--no-color") ? withoutColors(terminal) : terminal;
  const json = flags.includes("--json");
  let io = painted;
  try {
    const envFiles = envFilesFor(flags, painted);
    io = withEnvFiles(painted, envFiles);
    // bot modules read the environment of this process
    if (painted.env === process.env)
      Object.assign(process.env, ...envFiles.map((one) => one.values));
  } catch (error) {
    return reportError(error, painted, { json, settings: {} });
  }
  const program = await programOf(io, version, flags);
  let refusal = "";
  const collectRefusal = (text: string): void => void (refusal += text);
  for (const command of [program, ...everyCommand(program)]) {
    command.configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) => io.err(text),
      outputError: (text, write) => (json ? collectRefusal(text) : write(text)),
    });
    if (!json) command.showHelpAfterError(`  help: examples are in: ${pathOf(command)} --help`);
  }
  let settings: SettingsFlags = {};
  const abandoned = new Promise<ExitCode>((resolve) => {
    program.hook("preAction", (_, command) => {
      settings = command.opts<SettingsFlags>();
      if (!stopsGracefully(command)) void interrupted(io).then(() => resolve(EXIT.interrupted));
    });
  });
  try {
    const parsed = program.parseAsync(args, { from: "user" }).then(() => EXIT.ok);
    return await Promise.race([parsed, abandoned]);
  } catch (error) {
    if (refusal !== "") io.err(`${JSON.stringify(usageError(refusal))}\n`);
    return reportError(diskError(error) ?? error, io, { json, settings });
  }
}

/** Returns a command with its parent commands, such as `answerback fault add`. */
function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`;
}

interface Reporting {
  readonly json: boolean;
  /** Flags of the command that failed. */
  readonly settings: SettingsFlags;
}

function reportError(caught: unknown, io: Io, { json, settings }: Reporting): ExitCode {
  const error = caught instanceof UnsafeFileError ? new UsageError(caught.message, caught) : caught;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof ExitError) return error.exitCode;
  if (json) {
    io.err(`${JSON.stringify(jsonError(error, settings))}\n`);
  } else if (error instanceof AnswerbackError) {
    io.err(`${formatError(errorFor(error, settings), io.colors)}\n`);
  } else {
    const what = error instanceof Error ? String(error.stack) : String(error);
    io.err(`${io.colors.red("bug:")} ${visibleLines(what)}\n`);
  }
  return exitCodeOf(error);
}

function jsonError(error: unknown, settings: SettingsFlags): JsonError {
  if (error instanceof AnswerbackError) return errorFor(error, settings);
  return { code: "bug", message: error instanceof Error ? String(error.stack) : String(error) };
}

/** Converts an error message of the argument parser (commander). The parser's suggestion becomes the hint. */
function usageError(refusal: string): JsonError {
  const [first = "", ...more] = refusal.trim().split("\n");
  const hint = more.join(" ").replaceAll(/^\(|\)$/g, "");
  const message = first.replace(/^error: /, "");
  return { code: "usage", message, ...(hint === "" ? {} : { hint }) };
}

import type { Command } from "commander";
import pc from "picocolors";
import { EXIT, ExitError, type ExitCode } from "../exit-codes.ts";
import type { Input, Io } from "../io.ts";
import { diskError } from "../output/disk-error.ts";
import { printable } from "../../text/unseen.ts";

/** Creates a command that uses the passed Io. */
export type ServedCommand = (io: Io) => Command;

/** Output of a command that ran in this process. */
export interface CapturedOutput {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
}

/** Colours that leave texts unchanged. */
export const PLAIN = pc.createColors(false);

/** An empty input for commands: stdin carries the Model Context Protocol. */
const NO_INPUT: Input = {
  isTerminal: false,
  async *lines() {},
  text: async () => "",
};

/**
 * Runs a command in this process with the caller's arguments, and captures its output without colours.
 *
 * @throws errors of the command, except {@link ExitError}: its code is returned.
 */
export async function capture(
  maker: ServedCommand,
  args: readonly string[],
  io: Io,
): Promise<CapturedOutput> {
  let out = "";
  let err = "";
  const writeOut = (text: string): void => void (out += printable(text, false));
  const writeErr = (text: string): void => void (err += printable(text, false));
  const captured: Io = {
    ...io,
    out: writeOut,
    err: writeErr,
    input: NO_INPUT,
    interactive: false,
    colors: PLAIN,
    dataColors: PLAIN,
    width: undefined,
  };
  const command = maker(captured).exitOverride();
  // commander also throws its error messages, so they are not printed here
  command.configureOutput({ writeOut, writeErr, outputError: () => undefined });
  try {
    await command.parseAsync(args, { from: "user" });
    return { code: EXIT.ok, out, err };
  } catch (error) {
    if (error instanceof ExitError) return { code: error.exitCode, out, err };
    throw diskError(error) ?? error;
  }
}

/**
 * Parses text with one JSON value per line. Invisible characters in the values become visible escapes, as in a
 * terminal.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what the command prints
export function jsonLines<T>(text: string): readonly T[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): T => JSON.parse(line, withVisibleText));
}

function withVisibleText(_: string, value: unknown): unknown {
  return typeof value === "string" ? printable(value, false) : value;
}

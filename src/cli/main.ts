import { EXIT, type ExitCode } from "./exit-codes.ts";
import { FRONT_PAGE_END, frontPage } from "./help/front-page.ts";
import { type Io, printing } from "./io.ts";

const FOR_FRONT_PAGE = ["--help", "-h", "help"];

/**
 * Runs one command line, and prints its output through `terminal`.
 *
 * @param args Arguments without `node` and the script's name.
 * @returns The exit code. All output has been printed.
 */
export async function main(
  args: readonly string[],
  terminal: Io,
  version: () => string,
): Promise<ExitCode> {
  const io = printing(terminal);
  // fast path: the front page needs no commands to be loaded
  if (args.length === 1 && FOR_FRONT_PAGE.includes(args[0] ?? "")) {
    io.out(`${frontPage(io.width)}${FRONT_PAGE_END}\n`);
    return EXIT.ok;
  }
  const { runCommand } = await import("./run-command.ts");
  return runCommand(args, io, version());
}

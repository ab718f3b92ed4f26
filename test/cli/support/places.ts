import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { begin, type Ran } from "../../support/command-line.ts";
import { botOnSandbox } from "../../support/bot-on-sandbox.ts";
import type { CommandLine } from "./shell-line.ts";

/** Runs a command from the help or from a documentation page in a folder. */
export function runLine({ args, input, inputFile }: CommandLine, cwd: string): Promise<Ran> {
  const piped = inputFile === undefined ? input : readFile(join(cwd, inputFile), "utf8");
  return begin(piped === undefined ? { cwd } : { cwd, input: piped }, args).ended;
}

/** A folder in which a command can run. */
export interface Place {
  readonly cwd: string;
  /** Address at which the sandbox expects the bot's webhook. */
  readonly listen?: string;
  leave(): Promise<void>;
}

/**
 * Returns a folder in which a command can run. This is the shared folder, in which `dev` is running, unless the command
 * needs one of its own.
 *
 * @param shared Folder of the `dev` that most commands share.
 */
export async function placeFor(line: string, shared: string): Promise<Place> {
  if (line.startsWith("answerback run ")) {
    const bot = await botOnSandbox({});
    const { hosts } = await bot.sandbox.control.get<{ hosts: { target: string }[] }>("/hosts");
    const listen = new URL(hosts[0]?.target ?? "").host;
    return { cwd: bot.folder, listen, leave: () => bot.close() };
  }
  if (line.startsWith("answerback restore")) {
    const bot = await botOnSandbox({});
    await bot.start();
    await bot.stop();
    const backup = { args: ["backup", "--to", "nightly.backup"] };
    const { code, err } = await runLine(backup, bot.folder);
    if (code !== 0) throw new Error(err);
    return { cwd: bot.folder, leave: () => bot.close() };
  }
  if (!/^answerback (dev|sandbox)/.test(line)) {
    return { cwd: shared, leave: () => Promise.resolve() };
  }
  const cwd = await mkdtemp(join(tmpdir(), "answerback-example-"));
  return { cwd, leave: () => rm(cwd, { recursive: true, force: true }) };
}

import type { Command } from "commander";
import { withSettings, type SettingsFlags, wholeHandle } from "../arguments/settings-flags.ts";
import type { Io } from "../io.ts";
import type { PlatformTarget } from "./target.ts";

/** Flags of commands that call the platform as an account. */
export interface ActingFlags extends SettingsFlags {
  readonly as?: string;
}

/** Adds `--config`, `--data` and `--as`. */
export function withActor(command: Command): Command {
  return withSettings(command).option(
    "--as <handle>",
    "account to act as: a linked one, or any sandbox user (default: the only linked one)",
    wholeHandle,
  );
}

/** Loads the connection to the platform, and runs `work` with it. */
export async function withTarget<T>(
  io: Io,
  flags: SettingsFlags,
  work: (target: PlatformTarget) => Promise<T>,
): Promise<T> {
  return (await import("./target.ts")).connected(io, flags, work);
}

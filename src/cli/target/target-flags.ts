import type { Command } from "commander";
import { withSettings, type SettingsFlags } from "../arguments/settings-flags.ts";

/** Flags of commands that speak to the platform for an account. */
export interface ActingFlags extends SettingsFlags {
  readonly as?: string;
}

/** Adds `--config`, `--data` and `--as`. */
export function withActor(command: Command): Command {
  return withSettings(command).option(
    "--as <handle>",
    "account to act as: a linked one, or any sandbox user (default: the only linked one)",
  );
}

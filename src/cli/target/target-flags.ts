import type { Command } from "commander";
import { withSettings, type SettingsFlags } from "../settings-flags.ts";

/** Flags of commands that speak to the platform for an account. */
export interface ActingFlags extends SettingsFlags {
  readonly as?: string;
}

/** Adds `--config`, `--data` and `--as`. */
export function withActor(command: Command): Command {
  return withSettings(command).option(
    "--as <handle>",
    "account that acts: a linked one, or anybody of the sandbox (default: the only one linked)",
  );
}

import type { Command } from "commander";
import { loadSettings } from "../config/load-settings.ts";
import type { Settings } from "../config/settings.ts";
import type { Io } from "./io.ts";

/** Flags of every command that reads the settings. */
export interface SettingsFlags {
  readonly config?: string;
  readonly data?: string;
}

/** Adds `--config` and `--data`. */
export function withSettings(command: Command): Command {
  return command
    .option("-c, --config <file>", "settings file (default: config/answerback.yaml)")
    .option("-d, --data <folder>", "folder for the store and what goes with it");
}

/** The settings of one command line: file, then environment, then flags. */
export function settingsFor(io: Io, flags: SettingsFlags): Promise<Settings> {
  const { config, data } = flags;
  return loadSettings({
    cwd: io.cwd,
    environment: io.env,
    ...(config === undefined ? {} : { file: config }),
    flags: { store: data === undefined ? undefined : `file:${data}` },
  });
}

/** The folder of a file store: everything on this machine lives there. */
export function dataFolder({ store }: Settings): string {
  return store.engine === "file" ? store.folder : "data";
}

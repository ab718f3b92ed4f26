import { access } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import type { Settings } from "../config/settings.ts";
import type { Io } from "./io.ts";

/** Flags of every command that reads the settings. */
export interface SettingsFlags {
  readonly config?: string;
  readonly data?: string;
}

/** Flags of a command whose data a program may want. */
export interface JsonFlag {
  readonly json?: boolean;
}

/** Adds `--config` and `--data`. */
export function withSettings(command: Command): Command {
  return command
    .option("-c, --config <file>", "settings file (default: config/answerback.yaml)")
    .option("-d, --data <folder>", "folder for the store and what goes with it");
}

/** Adds `--json`. */
export function withJson(command: Command, what = "as JSON, one object a line"): Command {
  return command.option("--json", what);
}

/** The settings of one command line: file, then environment, then flags. */
export async function settingsFor(io: Io, flags: SettingsFlags): Promise<Settings> {
  const { config, data } = flags;
  const { loadSettings } = await import("../config/load-settings.ts");
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

/** Whether `name` is in `folder`. */
export function has(folder: string, name: string): Promise<boolean> {
  return access(join(folder, name)).then(
    () => true,
    () => false,
  );
}

import { access } from "node:fs/promises";
import { join } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { LIVE_SETTINGS_FILE } from "../../config/file-names.ts";
import type { Settings } from "../../config/settings.ts";
import { envFileToFill } from "../env-file.ts";
import type { Io } from "../io.ts";
import { shell } from "../../text/shell.ts";

/** Flags of every command that reads the settings. */
export interface SettingsFlags {
  readonly config?: string;
  readonly data?: string;
  readonly role?: string;
  readonly processName?: string;
}

/** Flags of a command that prints data. */
export interface JsonFlag {
  readonly json?: boolean;
}

/** Adds the flags `--config` and `--live` to a command. */
export function withSettingsFile(command: Command): Command {
  return command
    .option("-c, --config <file>", "settings file (default: config/answerback.yaml)", wholePath)
    .addOption(
      new Option(
        "--live",
        `the live bot's settings: ${shell`--config ${LIVE_SETTINGS_FILE}`}`,
      ).implies({
        config: LIVE_SETTINGS_FILE,
      }),
    );
}

/** Adds `--config`, `--live` and `--data`. */
export function withSettings(command: Command): Command {
  return withSettingsFile(command).option(
    "-d, --data <folder>",
    "folder of the bot's data (default: store: or data: of the settings)",
    wholePath,
  );
}

/**
 * Refuses an empty path, which a script passes for an unset variable and which would name the current folder. Refuses a
 * path with a `~` that the shell has not replaced, as in `--data=~/bot`, which would name a folder `~`.
 */
export function wholePath(text: string): string {
  const path = whole("path")(text);
  if (!/^~(\/|$)/.test(path)) return path;
  throw new InvalidArgumentError('The shell has not replaced "~": write the whole path.');
}

/**
 * Returns a parser that refuses an empty value, which a script passes for an unset variable.
 *
 * @param what The value as a noun, such as `id`.
 */
export function whole(what: string): (text: string) => string {
  return (text) => {
    if (text.trim() !== "") return text;
    throw new InvalidArgumentError(
      `The ${what} is empty. If it comes from a variable, set the variable.`,
    );
  };
}

/** Like {@link whole}; also refuses a bare at-sign, and converts a full-width one, which some keyboards type. */
function named(what: string): (text: string) => string {
  return (text) => {
    const name = text.replace(/^\uff20/, "@");
    return whole(what)(name === "@" ? "" : name);
  };
}

/** Parses a handle, with or without `@`, or a user id. */
export const wholeHandle = named("handle");

/** Parses the name of an event: its number or key, or the handle of a person. */
export const wholeEvent = named("event");

/** Adds the flag `--json` to a command. */
export function withJson(command: Command, what = "print JSON, one object per line"): Command {
  return command.option("--json", what);
}

/** Flags of a command that reads the settings and prints data. */
export interface CommonFlags extends SettingsFlags, JsonFlag {}

/** Adds `--config`, `--live`, `--data` and `--json`. */
export function withCommonFlags(command: Command, json?: string): Command {
  return withJson(withSettings(command), json);
}

/** Loads the settings for a command. Flags override environment variables, which override the settings file. */
export async function settingsFor(io: Io, flags: SettingsFlags): Promise<Settings> {
  const { config, data, role, processName } = flags;
  const { loadSettings } = await import("../../config/load-settings.ts");
  return loadSettings({
    cwd: io.cwd,
    environment: io.env,
    envFile: envFileToFill(io),
    ...(config === undefined ? {} : { file: config }),
    data,
    flags: {
      role,
      process_name: processName,
    },
  });
}

/** Hint for a command that needs a running bot; `dev` refuses the live platform. */
export function startHint({ target }: Pick<Settings, "target">): string {
  if (target === "live") return "start it with: answerback run";
  return "start one with: answerback run, or answerback dev for sandbox and bot together";
}

/** Command that starts the bot of these settings. */
export function startCommand({ target }: Pick<Settings, "target">): string {
  return target === "sandbox" ? "answerback dev" : "answerback run";
}

/** Folder with all of a bot's data on this machine, including a `file:` store. */
export function dataFolder({ store }: Pick<Settings, "store">): string {
  return store.folder;
}

/** Whether a folder contains a file or folder with this name. */
export function exists(folder: string, name: string): Promise<boolean> {
  return access(join(folder, name)).then(
    () => true,
    () => false,
  );
}

import { readYaml } from "./yaml-document.ts";
import { variablesIn } from "./environment/substitute-environment.ts";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { UsageError } from "../errors.ts";
import { messageOf } from "../system/error-message.ts";
import { isMissingFile } from "../system/files/missing-file.ts";
import { DEFAULT_SETTINGS_FILE, LIVE_SETTINGS_FILE } from "./file-names.ts";
import { overridesFrom, type Override } from "./override-settings.ts";
import { valueAt } from "./check-value.ts";
import { ConfigError } from "./problem.ts";
import { readSettings } from "./read-settings.ts";
import { type Settings, toSettings } from "./settings.ts";
import { folderMistake, tildeMistake } from "./schema/store-schema.ts";
import { unknownVariables } from "./environment/unknown-variables.ts";

export interface LoadOptions {
  /** The current folder. Relative paths in flags and in the environment refer to it. */
  readonly cwd: string;
  /** Settings file named by the operator; default `config/answerback.yaml`, if it exists. */
  readonly file?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The `.env` file to name in the help for a missing variable; undefined if no such file is read. */
  readonly envFile?: string | undefined;
  /** Values by setting path: `{"platform.base_url": "http://…"}`. They take precedence over the environment. */
  readonly flags?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Values by setting path for settings that neither the file, the environment nor the flags name. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Replaces the data folder of the settings, including that of a `file:` store. */
  readonly data?: string | undefined;
}

/**
 * Reads the settings. Precedence, lowest first: file, environment, flags.
 *
 * @throws {UsageError} if a named file can't be read.
 * @throws {ConfigError} with one problem per mistake.
 */
export async function loadSettings(options: LoadOptions): Promise<Settings> {
  const { cwd, environment, flags = {}, data } = options;
  const file = path.resolve(cwd, options.file ?? DEFAULT_SETTINGS_FILE);
  const text = await readIfThere(file, options.file);
  const document = readYaml(text ?? "", file);
  const unknown = unknownVariables(environment, document);
  const overrides = overridesFrom(environment, flags).map((one) => fromFolder(cwd, one));
  const isNamed = (setting: string): boolean =>
    valueAt(document.value, setting.split(".")) !== undefined ||
    overrides.some((one) => one.path === setting);
  for (const [setting, value] of Object.entries(options.defaults ?? {})) {
    if (!isNamed(setting)) overrides.push({ path: setting, value, source: "the default" });
  }
  const { value, problems } = readSettings({
    file: path.relative(cwd, file) || file,
    text: text ?? "version: 1\n",
    environment,
    envFile: options.envFile,
    overrides,
  });
  if (!value || unknown.length > 0) throw new ConfigError([...problems, ...unknown]);
  const folder = path.dirname(file);
  return toSettings(value, {
    absolute: (one) => path.resolve(folder, one),
    source: text === undefined ? undefined : file,
    data: data === undefined ? undefined : path.resolve(cwd, data),
    password: environment["PGPASSWORD"],
    usedVariables: variablesIn(document),
  });
}

/**
 * Resolves a path from a flag or the environment against the current folder, not against the settings file's folder.
 */
function fromFolder(cwd: string, override: Override): Override {
  const { path: setting, value } = override;
  if (setting === "store" && typeof value === "string" && value.startsWith("file:")) {
    if (folderMistake(value) !== undefined) return override;
    return { ...override, value: `file:${path.resolve(cwd, value.slice("file:".length))}` };
  }
  if (setting === "data" && typeof value === "string") {
    if (tildeMistake(value) !== undefined) return override;
    return { ...override, value: path.resolve(cwd, value) };
  }
  if ((setting !== "rules" && setting !== "bots") || !Array.isArray(value)) return override;
  return { ...override, value: value.map((glob) => path.resolve(cwd, glob)) };
}

async function readIfThere(file: string, named: string | undefined): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    if (named === undefined && isMissingFile(cause)) return undefined;
    const reason = isMissingFile(cause) ? "no such file" : messageOf(cause);
    throw new UsageError(`can't read the settings file ${file}: ${reason}`, {
      cause,
      hint:
        named === LIVE_SETTINGS_FILE
          ? "make it with: answerback init --live   or name another with --config"
          : `name another with --config, or leave it out to use ${DEFAULT_SETTINGS_FILE}`,
    });
  }
}

import { settingsFile } from "./settings-schema.ts";
import { innermost, knownKeys } from "./known-keys.ts";
import { UNSUPPORTED_VARIABLES } from "./unsupported-settings.ts";

/** A setting that can be given from outside the file. */
export interface SettingName {
  /** As in the file: `platform.base_url`. */
  readonly path: string;
  /** As in the environment: `ANSWERBACK_PLATFORM_BASE_URL`. */
  readonly variable: string;
  /** Lists are given with commas. */
  readonly isList: boolean;
  /** A number or a flag. */
  readonly isTyped: boolean;
}

/** Every setting that the environment and flags may give: all of the file but its version and its maps. */
export const SETTING_NAMES: readonly SettingName[] = leaves([]).flatMap((path) => {
  const name = path.join(".");
  const { type } = innermost(settingsFile, path);
  // no single text can give a map
  if (name === "version" || type === "record") return [];
  const variable = `ANSWERBACK_${path.join("_").toUpperCase()}`;
  return {
    path: name,
    variable,
    isList: type === "array",
    isTyped: type === "number" || type === "boolean",
  };
});

function leaves(path: readonly string[]): (readonly string[])[] {
  return knownKeys(settingsFile, path).flatMap((key) => {
    const inner = leaves([...path, key]);
    return inner.length > 0 ? inner : [[...path, key]];
  });
}

/** A setting from outside the file, and where it came from. */
export interface Override {
  readonly path: string;
  readonly value: string | number | boolean | readonly string[];
  /** As the operator wrote it: `ANSWERBACK_TARGET` or `--target`. */
  readonly source: string;
}

/**
 * The overrides in force: those of `flags` before those of the environment. Settings that this
 * version does not support are among them, so that they are refused and not silently ignored.
 *
 * @param flags By setting path: `{"platform.base_url": "http://…"}`.
 */
export function overridesFrom(
  environment: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Record<string, string | readonly string[] | undefined>>,
): Override[] {
  const unsupported = [...UNSUPPORTED_VARIABLES].map(([path, variable]) => ({
    path,
    variable,
    isList: false,
    isTyped: false,
  }));
  return [...SETTING_NAMES, ...unsupported].flatMap((setting) => {
    const { path, variable } = setting;
    const flag = flags[path];
    const given = flag ?? environment[variable];
    if (given === undefined || given === "") return [];
    const source = flag === undefined ? variable : `--${path.replaceAll(/[._]/g, "-")}`;
    return [{ path, value: typeof given === "string" ? valueOf(given, setting) : given, source }];
  });
}

function valueOf(
  given: string,
  { isList, isTyped }: Pick<SettingName, "isList" | "isTyped">,
): Override["value"] {
  if (isList) return splitList(given);
  if (!isTyped) return given;
  if (given === "true" || given === "false") return given === "true";
  return /^\d+(\.\d+)?$/.test(given) ? Number(given) : given;
}

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** A copy of `value` with every override in its place. */
export function withOverrides(value: unknown, overrides: readonly Override[]): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const { path, value: given } of overrides) {
    const [first = "", second] = path.split(".");
    if (second === undefined) {
      copy[first] = given;
    } else {
      const inner = copy[first];
      copy[first] = { ...(typeof inner === "object" ? inner : undefined), [second]: given };
    }
  }
  return copy;
}

import { settingsFile } from "./schema/settings-schema.ts";
import { innermost, knownKeys } from "./known-keys.ts";
import { splitList } from "./split-list.ts";
import { UNSUPPORTED_VARIABLES } from "./wrong-settings/unsupported-settings.ts";

/** A setting that the environment or a flag can override. */
export interface SettingName {
  /** Path in the file, such as `platform.base_url`. */
  readonly path: string;
  /** Environment variable, such as `ANSWERBACK_PLATFORM_BASE_URL`. */
  readonly variable: string;
  /** Whether the setting is a list, written with commas. */
  readonly isList: boolean;
  /** Whether the setting is a number or a boolean. */
  readonly isTyped: boolean;
}

/** All settings that the environment and flags can override: all but the file's version and its maps. */
export const SETTING_NAMES: readonly SettingName[] = leaves([]).flatMap((path) => {
  const name = path.join(".");
  const { type } = innermost(settingsFile, path);
  // a single text can't express a map
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

/** An overridden setting and its source. */
export interface Override {
  readonly path: string;
  readonly value: string | number | boolean | readonly string[];
  /** Name of the variable or flag: `ANSWERBACK_TARGET` or `--target`. */
  readonly source: string;
}

/**
 * Collects the overrides from flags and environment; flags take precedence. Includes settings that this version does
 * not support, so that they are refused instead of ignored.
 *
 * @param flags Values by setting path: `{"platform.base_url": "http://…"}`.
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
    const rawValue = flag ?? environment[variable];
    if (rawValue === undefined || String(rawValue).trim() === "") return [];
    const source = flag === undefined ? variable : `--${path.replaceAll(/[._]/g, "-")}`;
    return [
      { path, value: typeof rawValue === "string" ? valueOf(rawValue, setting) : rawValue, source },
    ];
  });
}

function valueOf(
  rawText: string,
  { isList, isTyped }: Pick<SettingName, "isList" | "isTyped">,
): Override["value"] {
  // a text without items is left to the schema, which expects a list
  if (isList) return splitList(rawText).length > 0 ? splitList(rawText) : rawText;
  if (!isTyped) return rawText;
  if (rawText === "true" || rawText === "false") return rawText === "true";
  return /^\d+(\.\d+)?$/.test(rawText) ? Number(rawText) : rawText;
}

/** Returns a copy of `value` with all overrides applied. */
export function withOverrides(value: unknown, overrides: readonly Override[]): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const { path, value: overrideValue } of overrides) {
    const [first = "", second] = path.split(".");
    if (second === undefined) {
      copy[first] = overrideValue;
    } else {
      const inner = copy[first];
      copy[first] = { ...(typeof inner === "object" ? inner : undefined), [second]: overrideValue };
    }
  }
  return copy;
}

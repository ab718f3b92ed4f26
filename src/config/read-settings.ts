import { checkValue, type CheckOptions, valueAt } from "./check-value.ts";
import { type Override, SETTING_NAMES, withOverrides } from "./override-settings.ts";
import { hasErrors, type Mistake, type Problem } from "./problem.ts";
import { settingsFile, type SettingsFile } from "./schema/settings-schema.ts";
import { formOfSetting, meantSetting } from "./wrong-settings/other-settings.ts";
import { settingMeant } from "./wrong-settings/wrong-values.ts";
import { unsupportedSetting } from "./wrong-settings/unsupported-settings.ts";
import { substituteEnvironment } from "./environment/substitute-environment.ts";
import { isPostgresUrl } from "../system/postgres-url.ts";
import { shell } from "../text/shell.ts";
import { starPasswordOf, starPasswords } from "../text/star-passwords.ts";
import { takesValue } from "./known-keys.ts";
import { CUT_TEXT } from "./yaml/torn-text.ts";
import { type Path, readYaml, type YamlDocument } from "./yaml-document.ts";

/** Text of a settings file, environment and overrides. */
export interface SettingsSource {
  /** Name of the settings file in problems. */
  readonly file: string;
  readonly text: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly overrides: readonly Override[];
  /** The `.env` file to name in the help for a missing variable; undefined if no such file is read. */
  readonly envFile?: string | undefined;
}

interface ReadSettings {
  readonly value: SettingsFile | undefined;
  readonly problems: readonly Problem[];
}

/** Reads settings: returns the value, or problems with their positions. */
export function readSettings(source: SettingsSource): ReadSettings {
  const { value, problems } = withPasswords(source);
  return { value, problems: problems.map((problem) => withoutPasswords(problem)) };
}

function withPasswords(source: SettingsSource): ReadSettings {
  const document = readYaml(source.text, source.file, isComment);
  if (hasErrors(document.problems)) {
    return { value: undefined, problems: document.problems.map((problem) => withBlank(problem)) };
  }
  const { overrides, environment, envFile } = source;
  const overridden = new Set(overrides.map((override) => override.path));
  const substituted = substituteEnvironment(document, environment, overridden, envFile);
  const value = withOverrides(substituted.value ?? { version: 1 }, overrides);
  const attributed = { ...attributing(document, overrides), value };
  const { value: checked, problems } = checkValue(settingsFile, attributed, CHECK_OPTIONS);
  if (substituted.problems.length > 0) {
    // a text whose variable could not be replaced has no further problem
    const others = problems.filter(
      (one) => !substituted.problems.some((cause) => covers(one, cause)),
    );
    return {
      value: undefined,
      problems: [...substituted.problems, ...others, ...missingForLive(value, document)],
    };
  }
  if (!checked) return { value: undefined, problems };
  const remainingProblems = [
    ...missingForLive(checked, document),
    ...needlessData(checked, document, overrides),
  ];
  return {
    value: remainingProblems.length > 0 ? undefined : checked,
    problems: remainingProblems,
  };
}

/** Whether only the value before the `#` fits its setting. A free text may contain the `#`, such as a key. */
function isComment(path: Path, value: unknown, whole: string): boolean {
  const fits = (one: unknown) => takesValue(settingsFile, path, one);
  return (
    !fits(whole) && (fits(value) || fits(String(value)) || /^\$\{\{.*\}\}$/.test(String(value)))
  );
}

/** Adds to the help for a value with a `#` how a comment begins. */
function withBlank(problem: Problem): Problem {
  if (problem.code !== CUT_TEXT || problem.help === undefined) return problem;
  return { ...problem, help: `${problem.help}; if it is a comment, write a blank after the #` };
}

const CHECK_OPTIONS: CheckOptions = {
  mayBeLeftOut: "any",
  reserved: (key, path) => unsupportedSetting([...path, key].join(".")),
  meant: (key, path) => meantSetting([...path, key].join(".")),
  form: (key, path, value) => formOfSetting([...path, key].join("."), value),
  value: settingMeant,
};

/** Whether a problem concerns a text that contains the place of another problem. */
function covers({ line, column, length }: Problem, inner: Problem): boolean {
  return line === inner.line && column <= inner.column && inner.column <= column + length;
}

/** Masks the passwords of URLs in a problem, so that the problem can be shown. */
function withoutPasswords({ message, help, sourceLine, ...problem }: Problem): Problem {
  const starred = (text: string | undefined) => text && starPasswords(text);
  return {
    ...problem,
    message: starPasswords(message),
    help: starred(help),
    sourceLine: starred(
      sourceLine?.replace(STORE, (_, key: string, url: string) => key + starPasswordOf(url)),
    ),
  };
}

/** Line of a settings file with a store that is no folder. */
const STORE = /(\bstore["']?\s*:\s*)(?!["']?file:)(.*)/;

/**
 * Returns a document whose problems have the name of the environment variable or flag from which the invalid value came,
 * in place of a position.
 */
function attributing(document: YamlDocument, overrides: readonly Override[]): YamlDocument {
  return {
    ...document,
    problemAt(path, mistake, part) {
      const name = `${path.join(".")}.`;
      const around = path.slice(0, -1);
      const isAlone = around.length > 0 && valueAt(document.value, around) === undefined;
      const override =
        overrides.find((one) => name.startsWith(`${one.path}.`)) ??
        // a key that is missing beside an overridden one
        (isAlone
          ? overrides.find((one) => one.path.startsWith(`${around.join(".")}.`))
          : undefined);
      return override === undefined
        ? document.problemAt(
            path,
            { ...mistake, help: helpForText(document, path) ?? mistake.help },
            part,
          )
        : problemOf(override.source, { ...mistake, help: helpBeside(override, mistake) });
    },
  };
}

/** Help for a number or boolean that is written as `${{ env.NAME }}`, which is always a text; undefined for other values. */
function helpForText(document: YamlDocument, path: Path): string | undefined {
  const setting = SETTING_NAMES.find((one) => one.path === path.join(".") && one.isTyped);
  const isText = /\$\{\{/.test(document.sourceAt(path) ?? "");
  return setting && isText ? `remove it, and set the variable ${setting.variable}` : undefined;
}

/** Problem of a variable or flag. */
function problemOf(source: string, mistake: Mistake): Problem {
  const message = `${source}: ${mistake.message}`;
  const problem = readYaml("version: 1\n", source).problemAt([], { ...mistake, message });
  return { ...problem, sourceLine: undefined };
}

/** Help for a problem of an overridden setting. For a missing setting beside it, names that setting's variable. */
function helpBeside(
  { path, value }: Override,
  { code, message, help }: Mistake,
): string | undefined {
  const isList = SETTING_NAMES.some((one) => one.path === path && one.isList);
  if (isList && typeof value === "string") return "unset it, or write a list with commas: A,B";
  const [, missing] = /^"(\w+)" is missing/.exec(message) ?? [];
  if (code !== "missing-key" || missing === undefined) return help;
  const part = path.slice(0, path.lastIndexOf("."));
  const setting = SETTING_NAMES.find((one) => one.path === `${part}.${missing}`);
  return (
    setting && `set ${setting.variable} too, or add ${missing}: under ${part}: in the settings`
  );
}

const REQUIRED_FOR_LIVE = [
  ["platform", "base_url", "the live platform's address"],
  ["app", "consumer_key", "the app's API key"],
  ["app", "consumer_secret", "the app's API secret"],
  ["app", "bearer_token", "the app's bearer token"],
] as const;

/** Returns problems for missing settings that only the live platform requires. */
function missingForLive(value: unknown, document: YamlDocument): Problem[] {
  if (valueIn(value, "target") !== "live") return [];
  return REQUIRED_FOR_LIVE.flatMap(([part, key, meaning]) => {
    if (valueIn(valueIn(value, part), key) !== undefined) return [];
    const variable = `ANSWERBACK_${part}_${key}`.toUpperCase();
    // points at `target` if the file has this key, because its value `live` requires the missing setting
    const at = document.sourceAt(["target"]) === undefined ? [part, key] : ["target"];
    return [
      document.problemAt(at, {
        code: "live-needs",
        message: `target "live" needs ${part}.${key}, ${meaning}`,
        help: `add it under ${part}:, or set ${variable}`,
      }),
    ];
  });
}

/**
 * Returns a problem if `data` is set beside a `file:` store, which is the data folder itself. No problem if an override
 * replaces the store of the file that has `data`.
 */
function needlessData(
  { store, data }: SettingsFile,
  document: YamlDocument,
  overrides: readonly Override[],
): Problem[] {
  const sourceOf = (path: string): string | undefined =>
    overrides.find((one) => one.path === path)?.source;
  const source = sourceOf("data");
  const isReplaced = source === undefined && sourceOf("store") !== undefined;
  if (data === undefined || isPostgresUrl(store) || isReplaced) return [];
  const code = "invalid-value";
  const message = "a file: store is in the folder of the data itself";
  if (source === undefined) {
    const help = 'remove data:, and name the folder in store: "file:../data"';
    return [document.problemAt(["data"], { code, message, help })];
  }
  const help = `unset it, or set ${shell`ANSWERBACK_STORE=${`file:${data}`}`}`;
  return [problemOf(source, { code, message, help })];
}

function valueIn(map: unknown, key: string): unknown {
  const isMap = typeof map === "object" && map !== null;
  return isMap ? new Map(Object.entries(map)).get(key) : undefined;
}

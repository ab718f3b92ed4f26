import { readFile } from "node:fs/promises";
import { basename, dirname, extname, relative, resolve } from "node:path";
import { weightedLength } from "../../protocol/public-text/length.ts";
import { DEFAULT_SETTINGS_FILE } from "../../config/file-names.ts";
import { INIT_GLOBS } from "../../config/schema/settings-schema.ts";
import { isTestFile, listFiles } from "../../config/find-files.ts";
import { SETTING_NAMES } from "../../config/override-settings.ts";
import { valueAt } from "../../config/value-at.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { type Mistake, type Problem, withoutIgnored } from "../../config/problem.ts";
import type { Settings } from "../../config/settings.ts";
import { readYaml, type YamlDocument } from "../../config/yaml-document.ts";
import { raiseTo, suffices } from "../../events/needed-level.ts";
import { POST_LENGTH } from "../../protocol/limits.ts";
import { splitGlob } from "../../system/files/glob-folder.ts";
import type { Io } from "../io.ts";
import { levelOfSource } from "./level-of.ts";

/** Finds settings that are valid but do not have the intended effect. */
export async function settingsLook(
  io: Pick<Io, "cwd" | "env">,
  settings: Settings,
): Promise<readonly Problem[]> {
  const settingsSource = await sourceOf(io, settings);
  return [
    ...(await globsWithoutFiles("rules", settings, settingsSource)),
    ...(await globsWithoutFiles("bots", settings, settingsSource)),
    ...(await notLoaded(settings, settingsSource)),
    ...longTexts(settings, settingsSource),
    ...withoutAddress(settings, settingsSource),
    ...ofNoAccount("limits", settings.limits.accounts, settings, settingsSource),
    ...ofNoAccount("quiet_hours", settings.quietHours.accounts, settings, settingsSource),
    ...withoutTimes(settings, settingsSource),
    ...sourceBeyondLevel(settings, settingsSource),
  ];
}

/** Finds rule files and bot modules of the project that no glob of the settings matches. */
export async function filesNotLoaded(
  io: Pick<Io, "cwd" | "env">,
  settings: Settings,
): Promise<readonly Problem[]> {
  return withoutIgnored(await notLoaded(settings, await sourceOf(io, settings)));
}

async function notLoaded(settings: Settings, source: Given): Promise<readonly Problem[]> {
  return [
    ...(await otherEndings(settings, source)),
    ...(await otherFolders("rules", settings, source)),
    ...(await otherFolders("bots", settings, source)),
  ];
}

async function sourceOf({ cwd, env }: Pick<Io, "cwd" | "env">, { file }: Settings): Promise<Given> {
  const text = file === undefined ? "version: 1\n" : await readFile(file, "utf8");
  const document = readYaml(text, file === undefined ? "settings" : relative(cwd, file) || file);
  return { document, env, cwd };
}

/** Reports a missing webhook address. Commands that only call the platform don't need it, but the bot does. */
function withoutAddress(
  { target, source, webhook }: Settings,
  { document }: Given,
): readonly Problem[] {
  if (target !== "live" || source === "polling" || webhook.url !== undefined) return [];
  const at = document.sourceAt(["target"]) === undefined ? ["webhook", "url"] : ["target"];
  return [
    document.problemAt(at, {
      code: "live-needs",
      message: 'target "live" needs webhook.url, the public address under which the platform calls',
      help: "add it under webhook:, or set source: polling, which needs none",
    }),
  ];
}

/** Reports `source: webhook` or `both` if the app's permission level is too low for account activity. */
function sourceBeyondLevel({ app, source }: Settings, { document }: Given): readonly Problem[] {
  const { permissionLevel: level } = app;
  const needed = levelOfSource(source);
  if (level === undefined || suffices(level, needed)) return [];
  return [
    document.problemAt(["app", "permission_level"], {
      code: "permission-level",
      message: `"source: ${source}" needs the permission level ${needed}, and the app's is ${level}`,
      help: `write  source: activity  or  source: polling; or ${raiseTo(needed)}`,
    }),
  ];
}

/** Reports limits and quiet hours of accounts that the setting `accounts` does not list. */
function ofNoAccount(
  setting: "limits" | "quiet_hours",
  byHandle: ReadonlyMap<string, unknown>,
  { accounts }: Settings,
  { document }: Given,
): readonly Problem[] {
  const listed = new Set(accounts.map((handle) => handle.toLowerCase()));
  // An account may be listed by its user id, and its handle is then unknown here.
  if (listed.size === 0 || accounts.some((one) => /^\d+$/.test(one))) return [];
  return [...byHandle.keys()].flatMap((handle) => {
    if (listed.has(handle)) return [];
    const path = [setting, "accounts"];
    const written = Object.keys(Object(valueAt(document.value, path))).find(
      (key) => key.replace(/^@/, "").toLowerCase() === handle,
    );
    const guess = didYouMean(handle, accounts);
    return [
      document.problemAt(
        [...path, written ?? handle],
        {
          code: "setting-without-effect",
          severity: "warning",
          message: `no account of accounts: is called ${handle}`,
          help:
            guess === undefined ? `write one of: ${accounts.join(", ")}` : `did you mean ${guess}?`,
        },
        "key",
      ),
    ];
  });
}

/** Reports quiet hours without times, neither for all accounts nor for one. */
function withoutTimes({ quietHours }: Settings, { document }: Given): readonly Problem[] {
  const isWritten = document.sourceAt(["quiet_hours", "zone"]) !== undefined;
  if (!isWritten || quietHours.all !== undefined || quietHours.accounts.size > 0) return [];
  return [
    document.problemAt(["quiet_hours"], {
      code: "setting-without-effect",
      severity: "warning",
      message: "quiet_hours: has no times, so there are no quiet hours",
      help: 'add  times: ["22:00-07:00"]',
    }),
  ];
}

interface Given {
  readonly document: YamlDocument;
  readonly env: Io["env"];
  readonly cwd: string;
}

/**
 * Reports globs that match no file, if the author set them. The default globs may match nothing, and so may those that
 * `init` writes for a folder that does not exist yet.
 */
async function globsWithoutFiles(
  setting: "rules" | "bots",
  settings: Settings,
  { document, env, cwd }: Given,
): Promise<readonly Problem[]> {
  const variable = variableOf(setting, env);
  if (variable === undefined && document.sourceAt([setting, 0]) === undefined) return [];
  const globMatches = await Promise.all(
    settings[setting].map(async (glob, at) => ({ glob, at, files: await listFiles([glob]) })),
  );
  const ofInit = resolve(folderOf(settings, cwd), INIT_GLOBS[setting]);
  return globMatches.flatMap(({ glob, at, files }) => {
    if (files.length > 0) return [];
    if (glob === ofInit && splitGlob(glob).folder !== dirname(glob)) return [];
    const mistake = {
      code: "glob-without-files",
      severity: "warning",
      message: `${setting}: no file matches ${glob}`,
      help: `globs start from ${variable === undefined ? "the settings file's folder" : "the current folder"}; write  ${setting}: []  if there are none`,
    } as const;
    return [problemOf(document, [setting, at], variable, mistake)];
  });
}

/** Reports rule files that no glob matches only because of their ending: `faq.yml` beside `*.yaml`. */
async function otherEndings(
  { rules }: Settings,
  { document, env }: Given,
): Promise<readonly Problem[]> {
  const loaded = new Set(await listFiles(rules));
  const problems = rules.map(async (glob, at): Promise<readonly Problem[]> => {
    const [, ending] = /\*\.(ya?ml)$/.exec(glob) ?? [];
    if (ending === undefined) return [];
    const other = ending === "yaml" ? "yml" : "yaml";
    const files = await listFiles([glob.slice(0, -ending.length) + other]);
    const [first] = files.filter((file) => !loaded.has(file) && !isTestFile(file));
    if (first === undefined) return [];
    const mistake = {
      code: "file-not-loaded",
      severity: "warning",
      message: `rules: ${basename(first)} is not loaded, because its name does not end with .${ending}`,
      help: `rename it, or write the end of the glob as  *.{yaml,yml}  in quotes`,
    } as const;
    const variable = variableOf("rules", env);
    return [problemOf(document, ["rules", at], variable, mistake)];
  });
  return (await Promise.all(problems)).flat();
}

/** Patterns by which a text is recognized as a rule file or a bot module. */
const OF_SETTING = { rules: /^\s*rules\s*:/m, bots: /\bexport\s+default\b|\bas\s+default\b/ };

/**
 * Reports files in the folders `rules` and `bots` of the project if no glob leads into the folder. A glob that leads there
 * has left out the other files on purpose.
 */
async function otherFolders(
  setting: "rules" | "bots",
  settings: Settings,
  { document, env, cwd }: Given,
): Promise<readonly Problem[]> {
  const folder = folderOf(settings, cwd);
  const variable = variableOf(setting, env);
  const globs = settings[setting];
  const loaded = new Set([...globs, ...(await listFiles(globs))].map((one) => dirname(one)));
  // the folder above another one than `config` may hold other projects
  const parents = basename(folder) === dirname(DEFAULT_SETTINGS_FILE) ? [".", ".."] : ["."];
  const problems = parents.map(async (parent): Promise<readonly Problem[]> => {
    const place = resolve(folder, parent, setting);
    if (loaded.has(place)) return [];
    const files = await listFiles([`${place}/*.${setting === "rules" ? "{yaml,yml}" : "ts"}`]);
    const first = await firstOf(files, OF_SETTING[setting]);
    if (first === undefined) return [];
    const glob = `${relative(variable === undefined ? folder : cwd, place)}/*${extname(first)}`;
    const mistake = {
      code: "file-not-loaded",
      severity: "warning",
      message: `${setting}: ${relative(cwd, first)} is not loaded, because no glob leads into its folder`,
      help: `add "${glob}" to ${variable ?? `${setting}:`}`,
    } as const;
    return [problemOf(document, [setting], variable, mistake)];
  });
  return (await Promise.all(problems)).flat();
}

/** Returns the first of these files, without tests of rules, whose text matches. */
async function firstOf(files: readonly string[], wanted: RegExp): Promise<string | undefined> {
  for (const file of files) {
    if (!isTestFile(file) && wanted.test(await readFile(file, "utf8"))) return file;
  }
  return undefined;
}

/** Absolute folder of the settings file; without one, of the default settings file. */
function folderOf({ file }: Settings, cwd: string): string {
  return dirname(file ?? resolve(cwd, DEFAULT_SETTINGS_FILE));
}

/**
 * Reports confirmations of opting out or back in that are too long for a post. A person who opts out under a post gets
 * the confirmation as a post.
 */
function longTexts({ optOut, posts }: Settings, { document, env }: Given): readonly Problem[] {
  if (posts.long !== "fail" || posts.longform) return [];
  const texts = [
    { key: "text", text: optOut?.text },
    { key: "back_text", text: optOut?.backText },
  ];
  return texts.flatMap(({ key, text = "" }) => {
    const length = weightedLength(text);
    if (length <= POST_LENGTH) return [];
    const mistake = {
      code: "post-too-long",
      severity: "warning",
      message: `a person who writes this under a post gets no reply: as a post, the text has ${length} weighted characters (limit ${POST_LENGTH})`,
      help: `shorten it by ${length - POST_LENGTH}`,
    } as const;
    const variable = variableOf(`opt_out.${key}`, env);
    return [problemOf(document, ["opt_out", key], variable, mistake)];
  });
}

/** Name of the environment variable that sets a setting; undefined if it is not set. */
function variableOf(path: string, env: Io["env"]): string | undefined {
  const variable = SETTING_NAMES.find((one) => one.path === path)?.variable;
  return variable !== undefined && (env[variable] ?? "") !== "" ? variable : undefined;
}

/** Places the mistake of a setting: at its path in the settings file, or in the variable that sets it. */
function problemOf(
  document: YamlDocument,
  path: readonly (string | number)[],
  variable: string | undefined,
  mistake: Mistake & Pick<Problem, "severity">,
): Problem {
  if (variable === undefined) return document.problemAt(path, mistake);
  return { file: variable, line: 1, column: 1, length: 1, ...mistake };
}

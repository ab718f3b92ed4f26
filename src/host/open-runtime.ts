import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { readEnvFile } from "../config/environment/env-file.ts";
import { findRuleFiles } from "../config/find-files.ts";
import { loadSettings } from "../config/load-settings.ts";
import type { Settings } from "../config/settings.ts";
import { UsageError } from "../errors.ts";
import {
  type SourceFile,
  withNamedFiles,
  MAX_NAMED_FILE,
  type RuleText,
  sourceFiles,
} from "../rules/compile.ts";
import { projectFolders } from "../system/project-file.ts";
import { namedFileReader } from "../system/read-named-file.ts";
import type { RunningSandbox } from "../sandbox/index.ts";
import { openLog, type Log } from "../runtime/log.ts";
import { openFromSettings, type Runtime } from "./open.ts";
import type { SettledOptions } from "./opening/settled-options.ts";
import { readSandboxFile, writeSandboxFile } from "../runtime/platform/sandbox-file.ts";
import { leadWebhook, seedSandbox } from "../runtime/platform/seed-sandbox.ts";
import { secretMask } from "../system/secrets/secret-mask.ts";
import { settingsFrom, type RuntimeSettings } from "./runtime-settings.ts";

/** How to open a runtime; every part may be left out. */
export interface RuntimeOptions {
  /**
   * Settings, or the path of a settings file, over which the environment's `ANSWERBACK_…` stand as they
   * do on the command line. Without them everything is as in an empty settings file.
   */
  readonly settings?: RuntimeSettings | string;
  /**
   * A sandbox of this program to stand on. What a bot needs there is made where it is missing: an
   * app, the bot's accounts (`hello_bot` unless the settings name others) and the way to the webhook,
   * which listens on a free port unless the settings name one.
   */
  readonly sandbox?: Pick<RunningSandbox, "url" | "adsUrl" | "control">;
  /**
   * Folder of the linked accounts, `run.json` and, unless the settings say otherwise, the store; made
   * where it is missing. `data` unless said; with a settings file the folder of its `store:`.
   */
  readonly data?: string;
  /** Rules: texts, and globs of rule files. They take the place of those that a settings file names. */
  readonly rules?: readonly (RuleText | string)[];
  /** Values of `secrets.NAME` in rules, by name; the environment unless given. */
  readonly secrets?: Readonly<Record<string, string | undefined>>;
  /** The process's environment unless given. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /**
   * File of `NAME=value` lines, such as `.env`, for what the environment does not have. None is read unless named:
   * the command line looks for one by itself, a program says so. The environment of the process stays as it is.
   */
  readonly envFile?: string;
  /** Folder that relative paths start from; the working folder unless given. */
  readonly cwd?: string;
  /** Gets the runtime's log; without it warnings and errors go to stderr, as lines of JSON. */
  readonly log?: Log;
}

/**
 * Opens a bot in this program: takes events in, decides by the rules, answers.
 *
 * Resolves once the platform delivers to it. One runtime at a time may hold a data folder.
 *
 * @throws {ConfigError} when the settings can't be used; mistakes in rules are logged, and stop only their rule.
 * @throws {UsageError} when something that the target needs is not set, a port is taken, or `envFile` can't be read.
 * @throws {StoreError} when the store can't be opened.
 *
 * @example
 * const sandbox = await startSandbox();
 * const runtime = await openRuntime({ sandbox, rules: ["rules/*.yaml"] });
 * runtime.events.on("item-settled", ({ data }) => console.log(data.status));
 */
export function openRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  return openRuntimeOver(options, {});
}

/** Somebody who stands between a runtime and what it keeps and says. */
interface Between extends Pick<SettledOptions, "openStore"> {
  readonly logThrough?: (log: Log) => Log;
}

/** The same, for somebody who stands between. */
export async function openRuntimeOver(
  options: RuntimeOptions,
  { logThrough = (log) => log, ...between }: Between,
): Promise<Runtime> {
  const mask = secretMask();
  const { sandbox, log = openLog({ level: "warn", destination: STDERR, mask }) } = options;
  const base = path.resolve(options.cwd ?? ".");
  const environment = environmentOf(options, base);
  const { settings, folder } = await settled(options, base, environment);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (sandbox !== undefined) await seeded(sandbox, settings, folder, environment);
  return openFromSettings({
    ...between,
    settings,
    folder,
    base,
    readRules: () => rulesOf(options, settings, base),
    environment,
    secrets: options.secrets ?? environment,
    log: logThrough(log),
    mask,
    ...(sandbox === undefined
      ? {}
      : { onListening: (at) => leadWebhook(sandbox, webhookUrl(settings), at) }),
  });
}

const STDERR = { write: (line: string) => void process.stderr.write(line) };
const SANDBOX_WEBHOOK = "https://bot.example/webhook";

type Environment = Readonly<Record<string, string | undefined>>;

function environmentOf(
  { environment = process.env, envFile }: RuntimeOptions,
  base: string,
): Environment {
  if (envFile === undefined) return environment;
  const file = path.resolve(base, envFile);
  const values = readEnvFile(file, environment);
  if (values !== undefined) return { ...environment, ...values };
  throw new UsageError(`there is no file ${file}`, { hint: "leave envFile out, or name one" });
}

async function settled(
  { settings, data, sandbox }: RuntimeOptions,
  base: string,
  environment: Environment,
): Promise<{ readonly settings: Settings; readonly folder: string }> {
  if (typeof settings !== "string") {
    const folder = path.resolve(base, data ?? "data");
    const onFreePort = { ...settings, webhook: { listen: "127.0.0.1:0", ...settings?.webhook } };
    const given = sandbox === undefined ? (settings ?? {}) : onFreePort;
    return { folder, settings: settingsFrom(given, base, folder) };
  }
  const read = await loadSettings({ cwd: base, file: settings, environment, data });
  return { folder: read.store.folder, settings: read };
}

function webhookUrl({ webhook }: Settings): string {
  return webhook.url ?? SANDBOX_WEBHOOK;
}

/** Makes what is missing on the sandbox; the file lets the command line find it, too. */
async function seeded(
  sandbox: NonNullable<RuntimeOptions["sandbox"]>,
  settings: Settings,
  folder: string,
  env: Environment,
): Promise<void> {
  const before = await readSandboxFile(folder);
  const url = webhookUrl(settings);
  const known = { ...settings, webhook: { ...settings.webhook, url } };
  const file = await seedSandbox({ settings: known, sandbox, folder, before, people: [], env });
  await writeSandboxFile(folder, file);
}

/** The rules given, or the files that the settings name, with paths as a person would write them. */
async function rulesOf(
  { rules }: RuntimeOptions,
  settings: Settings,
  base: string,
): Promise<readonly SourceFile[]> {
  const globs = rules?.filter((rule) => typeof rule === "string");
  const texts = rules?.filter((rule) => typeof rule !== "string") ?? [];
  const wanted = globs?.map((glob) => path.resolve(base, glob)) ?? settings.rules;
  const folders = projectFolders(base, [settings.file, ...wanted]);
  return withNamedFiles(
    [...(await ruleTexts(wanted, base)), ...sourceFiles(texts)],
    namedFileReader({ base, folders, most: MAX_NAMED_FILE }),
  );
}

/**
 * The files of globs with their texts, and with the files that they name.
 *
 * @param globs Absolute.
 * @param base Folder that the paths shown start from.
 * @param settingsFile The settings that name the globs: their project is the rules', too.
 */
export async function readRuleFiles(
  globs: readonly string[],
  base: string,
  settingsFile?: string,
): Promise<readonly SourceFile[]> {
  const folders = projectFolders(base, [settingsFile, ...globs]);
  const read = namedFileReader({ base, folders, most: MAX_NAMED_FILE });
  return withNamedFiles(await ruleTexts(globs, base), read);
}

async function ruleTexts(globs: readonly string[], base: string): Promise<readonly SourceFile[]> {
  const files = await findRuleFiles(globs, base);
  return Promise.all(
    files.map(async (file) => ({
      path: path.relative(base, file),
      text: await readFile(file, "utf8"),
    })),
  );
}

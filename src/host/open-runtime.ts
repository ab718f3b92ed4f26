import { readFile } from "node:fs/promises";
import path from "node:path";
import { readEnvFile } from "../config/environment/env-file.ts";
import { findRuleFiles } from "../config/find-files.ts";
import { loadSettings } from "../config/load-settings.ts";
import type { Settings } from "../config/settings.ts";
import { tildeMistake } from "../config/schema/store-schema.ts";
import { UsageError } from "../errors.ts";
import {
  type SourceFile,
  withNamedFiles,
  MAX_NAMED_FILE,
  type RuleText,
  sourceFiles,
} from "../rules/compile.ts";
import { projectFolders } from "../system/files/project-file.ts";
import { namedFileReader } from "../system/files/read-named-file.ts";
import type { RunningSandbox } from "../sandbox/index.ts";
import { openLog, type Log } from "../runtime/log.ts";
import { openFromSettings, type Runtime } from "./open.ts";
import {
  ALL_BOTS_PATIENCE_MS,
  refuseFaulty,
  refuseUnmatched,
} from "./opening/refuse-incomplete.ts";
import type { SettledOptions } from "./opening/settled-options.ts";
import { readSandboxFile, writeSandboxFile } from "../runtime/platform/sandbox-file.ts";
import { leadWebhook, seedSandbox } from "../runtime/platform/seed-sandbox.ts";
import type { WebhookRouter } from "../runtime/webhook/router.ts";
import { secretMask } from "../system/secrets/secret-mask.ts";
import { settingsFrom, type RuntimeSettings } from "./runtime-settings.ts";
import { makeOwnFolder } from "../system/files/created-folder.ts";

/** Options of a runtime; each is optional. */
export interface RuntimeOptions {
  /**
   * Settings, or the path of a settings file; `ANSWERBACK_…` variables of the environment override the file, as on the
   * command line. Default: the settings of an empty settings file.
   */
  readonly settings?: RuntimeSettings | string;
  /**
   * A sandbox of this program, against which the bot runs. Missing parts of the bot are created in the sandbox: an app,
   * the bot's accounts (`hello_bot` unless the settings name others) and the route to the webhook. The webhook listens
   * on a free port unless the settings name a port.
   */
  readonly sandbox?: Pick<RunningSandbox, "url" | "adsUrl" | "control">;
  /**
   * Data folder: holds the linked accounts, `run.json` and, unless the settings name another place, the store. Created
   * if missing. Default: `data`; with a settings file, the folder that its `store:` names.
   */
  readonly data?: string;
  /** Rules: texts, and globs of rule files. They replace the rules that a settings file names. */
  readonly rules?: readonly (RuleText | string)[];
  /** Values of `secrets.NAME` in rules, by name. Default: the environment. */
  readonly secrets?: Readonly<Record<string, string | undefined>>;
  /** Environment variables. Default: the environment of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /**
   * File of `NAME=value` lines, such as `.env`, for variables that the environment lacks. Default: no file, unlike the
   * command line, which looks for one. The environment of the process stays unchanged.
   */
  readonly envFile?: string;
  /** Base folder of relative paths. Default: the working folder. */
  readonly cwd?: string;
  /**
   * Router of `webhookRouter()` in a server of this program; the runtime then opens no server for the webhook. Start
   * the server first, because the platform calls it. With `sandbox`, `webhook.listen` has to be the server's address.
   */
  readonly webhook?: WebhookRouter;
  /** Receives the runtime's log. Default: warnings and errors go to stderr as lines of JSON. */
  readonly log?: Log;
}

/**
 * Opens a bot in this program: it accepts events, decides by the rules, and answers.
 *
 * Resolves once the platform delivers events to the bot. It does not wait for an unreachable platform: the status then
 * lists what is missing. Only one runtime at a time may use a data folder.
 *
 * @throws {ConfigError} when the settings can't be used; a faulty rule is logged and disabled, the others run.
 * @throws {UsageError} when a setting that the target needs is missing, a port is taken, or `envFile` can't be read.
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

/** Hooks of a caller that wraps the store and the log of a runtime. */
interface Between extends Pick<SettledOptions, "openStore" | "watch" | "leaseMs"> {
  /** Rejects unless all rules and bots work, and each glob matches a file. Waits longer for bots that load slowly. */
  readonly isComplete?: boolean;
  readonly logThrough?: (log: Log) => Log;
}

/** Opens a bot as {@link openRuntime} does, with the store and the log wrapped by the caller's hooks. */
export async function openRuntimeOver(
  options: RuntimeOptions,
  { logThrough = (log) => log, isComplete = false, ...between }: Between,
): Promise<Runtime> {
  const mask = secretMask();
  const { sandbox, log = openLog({ level: "warn", destination: STDERR, mask }) } = options;
  const base = path.resolve(options.cwd ?? ".");
  const environment = environmentOf(options, base);
  const { settings, folder } = await settled(options, base, environment);
  if (isComplete) await refuseUnmatched(wantedRules(options, settings, base), settings);
  await makeOwnFolder(folder);
  if (sandbox !== undefined && options.webhook !== undefined) checkListen(settings);
  if (sandbox !== undefined) await seeded(sandbox, settings, folder, environment);
  const runtime = await openFromSettings({
    ...between,
    ...(isComplete && { botPatienceMs: ALL_BOTS_PATIENCE_MS }),
    settings,
    folder,
    base,
    readRules: () => rulesOf(options, settings, base),
    environment,
    secrets: options.secrets ?? environment,
    log: logThrough(log),
    mask,
    webhook: options.webhook,
    ...(sandbox === undefined
      ? {}
      : { onListening: (at) => leadWebhook(sandbox, webhookUrl(settings), at) }),
  });
  if (!isComplete) return runtime;
  try {
    refuseFaulty(await runtime.status());
    return runtime;
  } catch (error) {
    await runtime.stop();
    throw error;
  }
}

const STDERR = { write: (line: string) => void process.stderr.write(line) };
const FREE_PORT = "127.0.0.1:0";
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
  { settings, data, sandbox, envFile, webhook }: RuntimeOptions,
  base: string,
  environment: Environment,
): Promise<{ readonly settings: Settings; readonly folder: string }> {
  const mistake = tildeMistake(data ?? "");
  if (mistake !== undefined) throw new UsageError(mistake.message, { hint: mistake.help });
  if (data === "") {
    throw new UsageError("the option data is an empty path", {
      hint: "leave data out, or name a folder",
    });
  }
  if (typeof settings !== "string") {
    const folder = path.resolve(base, data ?? "data");
    const onFreePort = { ...settings, webhook: { listen: FREE_PORT, ...settings?.webhook } };
    const rawSettings = sandbox === undefined ? (settings ?? {}) : onFreePort;
    return { folder, settings: settingsFrom(rawSettings, base, folder) };
  }
  // A server of the program has the address that the settings name.
  const isFree = sandbox !== undefined && webhook === undefined;
  const defaults = isFree ? { "webhook.listen": FREE_PORT } : {};
  const read = await loadSettings({
    cwd: base,
    file: settings,
    environment,
    envFile,
    data,
    defaults,
  });
  return { folder: read.store.folder, settings: read };
}

/**
 * Checks that `webhook.listen` names a port: the sandbox calls the program's server there.
 *
 * @throws {UsageError} if not.
 */
function checkListen({ webhook: { listen } }: Settings): void {
  if (listen.port !== 0) return;
  throw new UsageError("webhook.listen names no port, so the sandbox cannot call your server", {
    hint: "set webhook.listen to the address of your server, such as 127.0.0.1:3000",
  });
}

function webhookUrl({ webhook }: Settings): string {
  return webhook.url ?? SANDBOX_WEBHOOK;
}

/**
 * Creates the bot's missing parts in the sandbox, and writes `sandbox.json`, so that the command line finds the
 * sandbox.
 */
async function seeded(
  sandbox: NonNullable<RuntimeOptions["sandbox"]>,
  settings: Settings,
  folder: string,
  env: Environment,
): Promise<void> {
  const before = await readSandboxFile(folder);
  const url = webhookUrl(settings);
  const withUrl = { ...settings, webhook: { ...settings.webhook, url } };
  const file = await seedSandbox({ settings: withUrl, sandbox, folder, before, people: [], env });
  await writeSandboxFile(folder, file);
}

/** Returns the absolute globs of rule files from the options or else the settings, and the texts from the options. */
function wantedRules(
  { rules }: RuntimeOptions,
  settings: Settings,
  base: string,
): { readonly globs: readonly string[]; readonly texts: readonly RuleText[] } {
  if (rules !== undefined && !Array.isArray(rules)) {
    throw new UsageError(`rules is no list: ${JSON.stringify(rules)}`, {
      hint: 'give a list of globs and texts, as ["rules/*.yaml"]',
    });
  }
  const globs = rules?.filter((rule) => typeof rule === "string");
  const texts = rules?.filter((rule) => typeof rule !== "string") ?? [];
  return { globs: globs?.map((glob) => path.resolve(base, glob)) ?? settings.rules, texts };
}

/** Reads the rules, with paths relative to the base folder. */
async function rulesOf(
  options: RuntimeOptions,
  settings: Settings,
  base: string,
): Promise<readonly SourceFile[]> {
  const { globs, texts } = wantedRules(options, settings, base);
  const folders = projectFolders(base, [settings.file, ...globs]);
  return withNamedFiles(
    [...(await ruleTexts(globs, base)), ...sourceFiles(texts)],
    namedFileReader({ base, folders, most: MAX_NAMED_FILE }),
  );
}

/**
 * Reads the rule files that match the globs, and the files that they refer to.
 *
 * @param globs Absolute.
 * @param base Folder to which the returned paths are relative.
 * @param settingsFile Settings file with the globs. Rules may also refer to files in the project folder of this file.
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

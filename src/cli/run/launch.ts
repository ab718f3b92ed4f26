import { headline } from "../../config/problem.ts";
import { renderProblems } from "../../config/render-problems.ts";
import type { Settings } from "../../config/settings.ts";
import { UsageError } from "../../errors.ts";
import { callRuntime } from "../../runtime/calls.ts";
import { openFromSettings, systemWatch } from "../../host/open.ts";
import type { Runtime } from "../../host/open.ts";
import { readRuleFiles } from "../../host/open-runtime.ts";
import { filesNotLoaded } from "../check/settings-look.ts";
import { dataFolder, type SettingsFlags } from "../arguments/settings-flags.ts";
import { secretMask } from "../../system/secrets/secret-mask.ts";
import type { Io } from "../io.ts";
import { advisedLog } from "../logs/advised-log.ts";
import { type LogFormat, logTo } from "../logs/log-streams.ts";
import { withSameSettings } from "../output/same-settings.ts";
import { dryRunStore, STOP_FIRST } from "./dry-run-store.ts";

export interface LaunchOptions {
  readonly settings: Settings;
  /** Flags with which the settings were loaded. */
  readonly flags: SettingsFlags;
  readonly io: Io;
  /** Minimum level of log lines on stderr. */
  readonly logLevel: string;
  /** Log format on stderr. */
  readonly logFormat: LogFormat;
  /** Whether mistakes in rules are printed with their source lines, instead of logged. */
  readonly shownProblems: boolean;
  /** Whether to send and store nothing. Actions are logged, and can be listed while the dry run lasts. */
  readonly dryRun?: boolean | undefined;
  /** File for log lines of level `info` and above, independent of stderr. */
  readonly logFile?: string | undefined;
}

/**
 * Opens a runtime from the settings of a command line.
 *
 * @throws {UsageError} if a setting that the target requires is missing.
 */
export async function launch(options: LaunchOptions): Promise<Runtime> {
  const { settings, flags, io, dryRun = false } = options;
  if (dryRun) await checkAlone(settings);
  const mask = secretMask();
  const log = advisedLog(logTo({ ...options, growth: settings.log, mask }), (advice) =>
    withSameSettings(advice, flags),
  );
  const unloaded = await filesNotLoaded(io, settings);
  if (options.shownProblems && unloaded.length > 0) io.err(`${renderProblems(unloaded)}\n`);
  else for (const one of unloaded) log.warn({ help: one.help }, headline(one));
  return openFromSettings({
    settings,
    folder: dataFolder(settings),
    base: io.cwd,
    readRules: () => readRuleFiles(settings.rules, io.cwd, settings.file),
    environment: io.env,
    secrets: io.env,
    log,
    watch: systemWatch((error, folder) =>
      log.warn(
        { err: error, folder },
        "folder can't be watched: changes in it need answerback reload",
      ),
    ),
    mask,
    ...(options.shownProblems && {
      onProblems: (problems) => io.err(`${renderProblems(problems)}\n`),
    }),
    ...(dryRun && { dryRun, openStore: dryRunStore }),
  });
}

/** Refuses a dry run while the bot runs: each event would reach either the bot or the dry run. */
async function checkAlone(settings: Settings): Promise<void> {
  const folder = dataFolder(settings);
  if ((await callRuntime(folder, "status", {})) === undefined) return;
  throw new UsageError(`a bot runs with the data folder ${folder}`, {
    hint: STOP_FIRST,
  });
}

import { renderProblems } from "../../config/render-problems.ts";
import type { Settings } from "../../config/settings.ts";
import { openFromSettings, type Runtime } from "../../runtime/open-from-settings.ts";
import { readRuleFiles } from "../../runtime/open-runtime.ts";
import { systemWatch } from "../../runtime/reload/watch-files.ts";
import { dataFolder } from "../arguments/settings-flags.ts";
import { secretMask } from "../../system/secret-mask.ts";
import type { Io } from "../io.ts";
import { logTo } from "../logs/log-streams.ts";

export interface LaunchOptions {
  readonly settings: Settings;
  readonly io: Io;
  /** Least severe level that stderr gets. */
  readonly logLevel: string;
  /** File that gets everything from `info` on, whatever stderr gets. */
  readonly logFile?: string | undefined;
}

/**
 * Opens a runtime from the settings of a command line.
 *
 * @throws {UsageError} when something that the target needs is not set.
 */
export async function launch(options: LaunchOptions): Promise<Runtime> {
  const { settings, io } = options;
  const mask = secretMask();
  const log = logTo({ ...options, growth: settings.log, mask });
  return openFromSettings({
    settings,
    folder: dataFolder(settings),
    base: io.cwd,
    readRules: () => readRuleFiles(settings.rules, io.cwd),
    environment: io.env,
    secrets: io.env,
    log,
    watch: systemWatch((error, folder) => log.warn({ err: error, folder }, "folder not watched")),
    mask,
    onProblems: (problems) => io.err(`${renderProblems(problems)}\n`),
  });
}

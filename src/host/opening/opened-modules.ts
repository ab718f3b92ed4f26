import { dirname, resolve } from "node:path";
import { filesOfModules } from "../../bots/loading/compile-modules.ts";
import { findModules } from "../../config/find-files.ts";
import { readSecrets, type SecretLimits } from "../../rules/secrets.ts";
import { watchFiles } from "../../runtime/reload/watch-files.ts";
import { isWithin, projectFolders } from "../../system/files/project-file.ts";
import type { BotParts } from "../parts.ts";
import type { OpenedParts, SettledOptions } from "./settled-options.ts";

/** Finds the bot modules, and the files that they and called modules import. Opens nothing. */
export function modulesOf(
  { settings, base, watch, botPatienceMs, secrets }: SettledOptions,
  { rules, log, cleanup }: Pick<BotParts, "rules" | "log" | "cleanup">,
  limits: SecretLimits,
): Pick<OpenedParts, "modules" | "watchProject"> {
  const folders = projectFolders(base, [settings.file, ...settings.rules]);
  const ofProject = (files: readonly string[]): readonly string[] =>
    files.filter((file) => folders.some((folder) => isWithin(folder, file)));
  const resolveModule = (file: string, module: string): string =>
    resolve(base, dirname(file), module);
  const findBots = () => findModules(settings.bots, base);
  const findUsed = async (bots: readonly string[]): Promise<readonly string[]> => {
    const calls = rules.ruleset.rules.flatMap(({ called }) => called);
    const called = calls.map(({ module, at }) => resolveModule(at.file, module));
    return ofProject(await filesOfModules([...new Set([...bots, ...ofProject(called)])]));
  };
  const reloads = new Set<() => Promise<void>>();
  return {
    modules: {
      resolveModule,
      secretsOf: (rule) => readSecrets(rule.secrets, secrets, limits).values,
      findBots,
      findUsed,
      patienceMs: botPatienceMs,
      projectFolders: folders,
      onFiles: (then) => void reloads.add(then),
    },
    async watchProject() {
      if (watch === undefined) return;
      const globs = [...settings.rules, ...settings.bots];
      const others = async (): Promise<readonly string[]> => [
        ...ofProject(rules.named.map((path) => resolve(base, path))),
        ...(await findUsed(await findBots())),
      ];
      const reload = async (): Promise<void> => {
        await Promise.all([rules.reload(), ...[...reloads].map((one) => one())]);
      };
      const unwatch = await watchFiles({ globs, others }, watch, reload, log);
      cleanup.add("the watch over the project's files", unwatch);
    },
  };
}

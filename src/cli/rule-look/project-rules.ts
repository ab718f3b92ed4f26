import { dirname, join, relative } from "node:path";
import { findRuleFiles } from "../../config/find-files.ts";
import { ConfigError, hasErrors } from "../../config/problem.ts";
import { UsageError } from "../../errors.ts";
import { compile } from "../../rules/compile/compile.ts";
import type { Ruleset } from "../../rules/ruleset.ts";
import { readTextFile } from "../arguments/read-input.ts";
import { settingsFor, type SettingsFlags } from "../arguments/settings-flags.ts";
import type { Io } from "../io.ts";

/** The rules that the settings name, as they are on disk now; those that have mistakes are left out. */
export async function projectRules(io: Io, flags: SettingsFlags): Promise<Ruleset> {
  const { rules } = await settingsFor(io, flags);
  const files = await findRuleFiles(rules);
  return (await compiled(io, files, (file) => relative(io.cwd, file))).ruleset;
}

/**
 * The rules of a folder, as if they stood where the settings have theirs: what is equal there is equal here.
 *
 * @throws {UsageError} when there are none.
 * @throws {ConfigError} when there is a mistake in them.
 */
export async function rulesInstead(io: Io, folder: string, flags: SettingsFlags): Promise<Ruleset> {
  const { rules } = await settingsFor(io, flags);
  const files = await findRuleFiles([join(folder, "**/*.{yaml,yml}")]);
  if (files.length === 0) throw new UsageError(`there are no rules in ${folder}`);
  const place = relative(io.cwd, dirname(rules[0] ?? folder));
  const { ruleset, problems } = await compiled(io, files, (file) =>
    join(place, relative(folder, file)),
  );
  if (hasErrors(problems)) throw new ConfigError(problems);
  return ruleset;
}

async function compiled(io: Io, files: readonly string[], pathOf: (file: string) => string) {
  return compile(
    await Promise.all(
      files.map(async (file) => ({ path: pathOf(file), text: await readTextFile(io.cwd, file) })),
    ),
  );
}

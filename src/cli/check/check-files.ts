import { basename, relative, resolve } from "node:path";
import { findFiles } from "../../config/find-files.ts";
import { loadSettings } from "../../config/load-settings.ts";
import { ConfigError, type Problem } from "../../config/problem.ts";
import { compile } from "../../rules/compile/compile.ts";
import { readTextFile } from "../arguments/read-input.ts";
import type { Io } from "../io.ts";

export interface ProjectCheck {
  readonly problems: readonly Problem[];
  readonly checked: { readonly settings: number; readonly rules: number };
}

/**
 * Checks settings and rules.
 *
 * @param files What to check; the settings and every rule file they name when it is empty.
 * @throws {UsageError} for a file that can't be read.
 */
export async function checkFiles(
  io: Pick<Io, "cwd" | "env">,
  files: readonly string[],
  config: string | undefined,
): Promise<ProjectCheck> {
  if (files.length > 0) {
    const settings = files.filter(isSettings);
    const found = await Promise.all(settings.map((file) => settingsProblems(io, file)));
    const rules = await rulesOf(
      io.cwd,
      files.filter((file) => !isSettings(file)),
    );
    return {
      problems: [...found.flat(), ...rules.problems],
      checked: { settings: settings.length, rules: rules.count },
    };
  }
  try {
    const settings = await loadSettings({ cwd: io.cwd, environment: io.env, file: config });
    const rules = await rulesOf(io.cwd, await findFiles(settings.rules));
    const checked = { settings: settings.file === undefined ? 0 : 1, rules: rules.count };
    return { problems: rules.problems, checked };
  } catch (error) {
    return { problems: problemsOf(error), checked: { settings: 1, rules: 0 } };
  }
}

function isSettings(file: string): boolean {
  return /^answerback\.ya?ml$/.test(basename(file));
}

function settingsProblems(
  { cwd, env }: Pick<Io, "cwd" | "env">,
  file: string,
): Promise<readonly Problem[]> {
  return loadSettings({ cwd, environment: env, file }).then(() => [], problemsOf);
}

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof ConfigError) return error.problems;
  throw error;
}

async function rulesOf(
  cwd: string,
  files: readonly string[],
): Promise<{ readonly problems: readonly Problem[]; readonly count: number }> {
  const sources = await Promise.all(
    files.map(async (file) => {
      const text = await readTextFile(cwd, file);
      return { path: relative(cwd, resolve(cwd, file)), text };
    }),
  );
  const { problems, ruleset } = compile(sources);
  return { problems, count: ruleset.rules.length };
}

import { realpath } from "node:fs/promises";
import { basename, dirname, relative, resolve } from "node:path";
import { findModules, findRuleFiles, isTestFile } from "../../config/find-files.ts";
import { fixText } from "../../config/fix-problems.ts";
import { LIVE_SETTINGS_FILE } from "../../config/file-names.ts";
import { loadSettings } from "../../config/load-settings.ts";
import { UsageError } from "../../errors.ts";
import { ConfigError, headline, type Problem, withoutIgnored } from "../../config/problem.ts";
import type { AccessLevel } from "../../protocol/access.ts";
import { compile, neededLevel, withNamedFiles, MAX_NAMED_FILE } from "../../rules/compile.ts";
import type { Ruleset } from "../../rules/ruleset.ts";
import { replaceFile } from "../../system/files/own-file.ts";
import { projectFolders } from "../../system/files/project-file.ts";
import { shell } from "../../text/shell.ts";
import { namedFileReader } from "../../system/files/read-named-file.ts";
import { readInput } from "../arguments/read-input.ts";
import { envFileToFill } from "../env-file.ts";
import type { Io } from "../io.ts";
import { readSecrets } from "../../rules/secrets.ts";
import { secretLimits } from "../../host/opening/hide-secrets.ts";
import { settingsLook } from "./settings-look.ts";
import { levelOf } from "./level-of.ts";
import { moduleProblems } from "./module-problems.ts";
import { undelivered } from "./undelivered.ts";

/** Numbers of checked files and rules. */
export interface Checked {
  readonly settings: number;
  readonly rules: number;
  /** Number of bot modules. */
  readonly bots: number;
  /** Number of modules whose functions rules call. */
  readonly modules: number;
}

export interface ProjectCheck {
  readonly problems: readonly Problem[];
  readonly checked: Checked;
  /** Number of problems fixed in the files. */
  readonly fixed: number;
  /** Lowest permission level of the app that the rules need. */
  readonly needsLevel: AccessLevel;
}

export interface CheckRequest {
  readonly config?: string | undefined;
  /** Fixes problems in the rule files that have exactly one fix. */
  readonly fix?: boolean;
  /** Time limit for loading a module, in milliseconds; default: the limit for bot modules. */
  readonly moduleTimeoutMs?: number;
  /** Whether to import the project's modules; default true. */
  readonly code?: boolean;
}

type Surroundings = Pick<Io, "cwd" | "env" | "envFiles" | "input">;

/**
 * Checks settings and rules.
 *
 * @param files Files to check, with `-` for rules from stdin. If empty: the settings and all rule files
 * that they name.
 * @throws {UsageError} if a file can't be read, or all files are tests of rules.
 */
export async function checkFiles(
  io: Surroundings,
  files: readonly string[],
  options: CheckRequest,
): Promise<ProjectCheck> {
  if (files.length > 0) return checkNamed(io, files, options);
  const limits = limitsOf(io, options);
  try {
    const file = options.config;
    const { cwd, env } = io;
    const settings = await loadSettings({
      cwd,
      environment: env,
      envFile: envFileToFill(io),
      file,
    });
    const folders = projectFolders(io.cwd, [settings.file, ...settings.rules]);
    const level = await levelOf(settings);
    const { problems, ruleset, fixed } = await rulesOf(
      io,
      await findRuleFiles(settings.rules, io.cwd),
      folders,
      { ...options, level },
    );
    const bots = await findModules(settings.bots, io.cwd);
    const { source } = settings;
    const beyond = [
      ...(await settingsLook(io, settings)),
      ...readSecrets(ruleset.secrets, io.env, secretLimits(settings, io.env)).problems,
      ...undelivered(ruleset, settings),
      ...(await moduleProblems({ ruleset, bots, source, level, folders, ...limits })),
    ];
    const own = settings.file === undefined ? 0 : 1;
    const checked = { settings: own, bots: bots.length, ...counted(ruleset) };
    const needsLevel = neededLevel(ruleset.rules);
    return { problems: [...problems, ...unique(beyond)], checked, fixed, needsLevel };
  } catch (error) {
    return { problems: problemsOf(error), checked: NOTHING, fixed: 0, needsLevel: "read" };
  }
}

/** Checks the files that the command line names. */
async function checkNamed(
  io: Surroundings,
  files: readonly string[],
  options: CheckRequest,
): Promise<ProjectCheck> {
  const limits = limitsOf(io, options);
  const settings = files.filter(isSettings);
  const foundProblems = await Promise.all(settings.map((file) => settingsProblems(io, file)));
  // a shell's `rules/*.yaml` names the tests beside the rules, too
  const others = files.filter((file) => !isSettings(file) && !isTestFile(file));
  const [test] = files;
  if (test !== undefined && settings.length + others.length === 0) {
    throw new UsageError(`${test} has tests of rules, and check reads rules`, {
      hint: `run the tests:  ${shell`answerback test ${test}`}`,
    });
  }
  const folders = projectFolders(
    io.cwd,
    others.map((file) => resolve(io.cwd, file)),
  );
  const { problems, ruleset, fixed } = await rulesOf(io, others, folders, options);
  const modules = await moduleProblems({
    ruleset,
    bots: [],
    source: "webhook",
    folders,
    ...limits,
  });
  const checked = { settings: settings.length, bots: 0, ...counted(ruleset) };
  return {
    problems: [...foundProblems.flat(), ...problems, ...unique(modules)],
    checked,
    fixed,
    needsLevel: neededLevel(ruleset.rules),
  };
}

function limitsOf({ cwd }: Surroundings, { moduleTimeoutMs: timeoutMs, code }: CheckRequest) {
  return { cwd, timeoutMs, runsCode: code !== false };
}

/** Counts to report if the settings file has mistakes: the rule files and modules that it names can't be found then. */
const NOTHING: Checked = { settings: 1, rules: 0, bots: 0, modules: 0 };

function counted({ rules }: Ruleset): Pick<Checked, "rules" | "modules"> {
  const called = rules.flatMap((rule) =>
    rule.called.map(({ module, at }) => resolve(dirname(at.file), module)),
  );
  return { rules: rules.length, modules: new Set(called).size };
}

/** Whether a file is a settings file, by its name. A rule file may also be called `live.yaml` outside `config`. */
function isSettings(file: string): boolean {
  const name = basename(file);
  const isLive =
    name === basename(LIVE_SETTINGS_FILE) && basename(dirname(resolve(file))) === "config";
  return isLive || /^answerback\.ya?ml$/.test(name);
}

function settingsProblems(io: Surroundings, file: string): Promise<readonly Problem[]> {
  const { cwd, env } = io;
  const options = { cwd, environment: env, envFile: envFileToFill(io), file };
  return loadSettings(options).then(() => [], problemsOf);
}

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof ConfigError) return error.problems;
  throw error;
}

/**
 * Maximum number of problems reported for one file. More mean that the whole file is wrong, and finding them would take
 * minutes.
 */
const PROBLEMS_OF_FILE = 1_000;
/** Maximum number of rounds of fixes, since each fix may uncover other problems. */
const ROUNDS_OF_FIXES = 5;

/** Removes duplicate problems of a file that several rules use, and warnings that a comment on their line ignores. */
function unique(problems: readonly Problem[]): readonly Problem[] {
  return withoutIgnored([...new Map(problems.map((one) => [headline(one), one])).values()]);
}

interface RuleCheck {
  readonly problems: readonly Problem[];
  readonly ruleset: Ruleset;
  readonly fixed: number;
}

async function rulesOf(
  io: Surroundings,
  files: readonly string[],
  folders: readonly string[],
  { fix = false, level }: CheckRequest & { readonly level?: AccessLevel | undefined },
): Promise<RuleCheck> {
  const sources = new Map<string, string>();
  for (const file of files) {
    const path = file === "-" ? "-" : relative(io.cwd, resolve(io.cwd, file));
    sources.set(path, await readInput(io, file));
  }
  let fixed = 0;
  for (let round = 0; ; round++) {
    const texts = await withNamedFiles(
      [...sources].map(([path, text]) => ({ path, text })),
      namedFileReader({ base: io.cwd, folders, most: MAX_NAMED_FILE }),
    );
    const { problems, ruleset } = compile(texts, undefined, {
      problemsOfFile: PROBLEMS_OF_FILE,
      level,
    });
    const result = { problems, ruleset };
    if (!fix || round === ROUNDS_OF_FIXES) return { ...result, fixed };
    const done = await fixFiles(io.cwd, sources, problems);
    if (done === 0) return { ...result, fixed };
    fixed += done;
  }
}

async function fixFiles(
  cwd: string,
  sources: Map<string, string>,
  problems: readonly Problem[],
): Promise<number> {
  let done = 0;
  for (const [path, text] of sources) {
    if (path === "-") continue;
    const own = problems.filter(({ file }) => file === path);
    const { text: put, fixed } = fixText(text, own);
    if (fixed === 0) continue;
    await replaceFile(await realpath(resolve(cwd, path)), put, 0o644);
    sources.set(path, put);
    done += fixed;
  }
  return done;
}

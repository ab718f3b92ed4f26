import { dirname, relative, resolve } from "node:path";
import type { BotHost } from "../../bots/bot-host.ts";
import { startBots } from "../../bots/host.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { hasErrors, type Problem } from "../../config/problem.ts";
import { UsageError } from "../../errors.ts";
import { compile, withNamedFiles, MAX_NAMED_FILE } from "../../rules/compile.ts";
import type { Ruleset } from "../../rules/ruleset.ts";
import {
  type FileFault,
  MAX_SOURCE_BYTES,
  openProjectFile,
  projectFolders,
  RULE_ENDINGS,
} from "../../system/files/project-file.ts";
import { moduleRefusal } from "../../bots/module-bounds.ts";
import { namedFileReader } from "../../system/files/read-named-file.ts";
import { messageOf } from "../../system/error-message.ts";
import type { RuleTestFile } from "./rule-test.ts";
import type { TestBench } from "./run-test.ts";

/** Compiled rules, loaded bots and modules for the tests of a file. The caller has to close the bench. */
export interface OpenBench extends TestBench {
  close(): Promise<void>;
}

/**
 * Compiles the rules that a test file names, and loads its bots.
 *
 * @param base Folder to which the paths of problems are relative.
 * @returns The bench, or the problems of the rules if the rules can't be tested.
 * @throws {UsageError} for a rule file that can't be read, and for a bot that can't be loaded.
 */
export async function benchOf(
  file: RuleTestFile,
  base: string,
): Promise<OpenBench | readonly Problem[]> {
  const folders = projectFolders(base, [resolve(base, file.file)]);
  const sources = await withNamedFiles(
    await Promise.all(file.ruleFiles.map((path) => sourceOf(path, file, { base, folders }))),
    namedFileReader({ base, folders, most: MAX_NAMED_FILE }),
  );
  const { ruleset, problems } = compile(sources);
  if (hasErrors(problems)) return problems;
  const unknown = unknownRules(file, ruleset);
  if (unknown.length > 0) return unknown;
  for (const bot of file.botFiles) await refuseBot(bot, file, folders);
  const host = lazyHost(file.botFiles, folders);
  const bots = file.botFiles.length === 0 ? [] : await loadedBots(host, file);
  return {
    ruleset,
    bots,
    performer: {
      handle: async (handling, support) => (await host.open()).handle(handling, support),
      call: async (step) => (await host.open()).call(step),
    },
    resolveModule: (path, module) => resolve(base, dirname(path), module),
    close: () => host.close(),
  };
}

interface ProjectPlaces {
  readonly base: string;
  /** Absolute folders that may contain the rule files of a test. */
  readonly folders: readonly string[];
}

async function sourceOf(path: string, { file }: RuleTestFile, { base, folders }: ProjectPlaces) {
  const bounds = { folders, endings: RULE_ENDINGS, maxBytes: MAX_SOURCE_BYTES };
  const opened = await openProjectFile(path, bounds);
  if ("refused" in opened) {
    throw new UsageError(`${file} names the rule file ${path}: ${REFUSED[opened.refused]}`, {
      hint: "paths under rule_files start from the file of tests, and stay in its project",
    });
  }
  try {
    return { path: relative(base, path), text: await opened.file.readFile("utf8") };
  } catch (cause) {
    throw new UsageError(`${file} names the rule file ${path}: ${messageOf(cause)}`, {
      cause,
      hint: "paths under rule_files start from the file of tests",
    });
  } finally {
    await opened.file.close();
  }
}

const REFUSED: Readonly<Record<FileFault, string>> = {
  missing: "no such file",
  outside: "it lies outside the project",
  hidden: "its name, or that of a folder on the way to it, begins with a dot",
  ending: "rule files end in .yaml or .yml",
  "too-large": "it is too large",
  unreadable: "it can't be read",
};

async function refuseBot(
  bot: string,
  { file }: RuleTestFile,
  folders: readonly string[],
): Promise<void> {
  const refusal = await moduleRefusal(bot, folders);
  if (refusal === undefined) return;
  throw new UsageError(`${file} names the bot ${bot}, which ${refusal.what}`, {
    hint: refusal.help,
  });
}

/** Returns a problem for each rule that a test names, but no rule file contains. */
function unknownRules({ file, tests }: RuleTestFile, ruleset: Ruleset): readonly Problem[] {
  const named = tests.flatMap(({ line, expect, notRun, openRuns = [], failedRuns }) => [
    ...expect.map((one) => ({ line: one.line, rule: ruleIn(one.owner) })),
    ...notRun.map((one) => ({ line: one.line, rule: one.rule })),
    ...openRuns.map((one) => ({ line, rule: ruleIn(one.owner) })),
    ...failedRuns.map((one) => ({ line: one.line, rule: ruleIn(one.owner) })),
  ]);
  return named.flatMap(({ line, rule }): readonly Problem[] => {
    if (rule === undefined || ruleset.byId.has(rule)) return [];
    const guess = didYouMean(rule, ruleset.byId.keys());
    const help =
      guess === undefined ? "name its file under rule_files" : `did you mean "${guess}"?`;
    const message = `no rule "${rule}" is in the rule files of these tests`;
    return [
      { file, line, column: 1, length: 1, severity: "error", code: "unknown-rule", message, help },
    ];
  });
}

function ruleIn(owner: string | undefined): string | undefined {
  return owner?.startsWith("rule:") === true ? owner.slice("rule:".length) : undefined;
}

/** Maximum wait for loading the bots of a test file, in real milliseconds. On a busy machine, loading takes a while. */
const PATIENCE_MS = 60_000;

interface LazyHost {
  open(): Promise<BotHost>;
  close(): Promise<void>;
}

/** Returns a host for bots and modules. Its worker thread starts with the first call, because most tests need none. */
function lazyHost(files: readonly string[], callsWithin: readonly string[]): LazyHost {
  let host: Promise<BotHost> | undefined;
  return {
    open: () => (host ??= startBots({ files, callsWithin, patienceMs: PATIENCE_MS })),
    close: async () => (await host)?.close(),
  };
}

async function loadedBots(host: LazyHost, { file }: RuleTestFile): Promise<BotHost["bots"]> {
  const { bots, faults, loading } = await host.open();
  const [late] = loading;
  // The faults of the host announce retries, but a test run ends before them.
  const message = late?.failed?.reason ?? `not loaded within ${PATIENCE_MS / 1_000} s`;
  const fault = late === undefined ? faults[0] : { file: late.file, message };
  if (fault === undefined) return bots;
  await host.close();
  throw new UsageError(`${file} names the bot ${fault.file}: ${fault.message}`);
}

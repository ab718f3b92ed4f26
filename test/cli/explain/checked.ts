import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { checkFiles } from "../../../src/cli/check/check-files.ts";
import type { Problem } from "../../../src/config/problem.ts";
import { readTests } from "../../../src/insight/tests/read-tests.ts";
import { asRuleFile, type Example } from "../../../src/rules/example.ts";

/**
 * Returns the problems of an example: those that `test` finds in its test file, or without one, those that `check`
 * finds.
 */
export async function problemsOf(example: Example): Promise<readonly Problem[]> {
  if (typeof example === "string") return checkedText(example, tmpdir());
  const folder = await mkdtemp(join(tmpdir(), "answerback-example-"));
  try {
    for (const [name, text] of Object.entries(example)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    return await checkedProject(example, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Returns the problems that `check -` finds in a rule file, or in some keys of a rule. `cwd` is the current folder. */
export async function checkedText(text: string, cwd: string): Promise<readonly Problem[]> {
  const input = { ...NO_INPUT, text: () => Promise.resolve(asRuleFile(text)) };
  return (await checkFiles({ cwd, env: {}, input }, ["-"], {})).problems;
}

async function checkedProject(
  files: Readonly<Record<string, string>>,
  cwd: string,
): Promise<readonly Problem[]> {
  const [tests] = Object.entries(files).filter(([name]) => name.endsWith(".test.yaml"));
  if (tests !== undefined) return readTests(tests[1], tests[0], cwd).problems;
  const isWhole = Object.hasOwn(files, "config/answerback.yaml");
  const rules = Object.keys(files).filter((name) => /^rules\/[^/]+\.yaml$/.test(name));
  const env = { ...parseEnv(files[".env"] ?? "") };
  const around = { cwd, env, input: NO_INPUT };
  return (await checkFiles(around, isWhole ? [] : rules, {})).problems;
}

const NO_INPUT = {
  isTerminal: false,
  lines: async function* () {
    yield await Promise.resolve("");
  },
  text: () => Promise.resolve(""),
};

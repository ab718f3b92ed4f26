import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { checkFiles } from "../../src/cli/check/check-files.ts";
import { processIo } from "../../src/cli/io.ts";
import type { Problem } from "../../src/config/problem.ts";
import { runFiles } from "../../src/rule-tests/run-files.ts";
import type { Attempt, Fix } from "./corpus.ts";

/** Rounds after which an author gives up. */
const MOST_ROUNDS = 3;

/** People and account of every test. */
const HEAD = {
  version: 1,
  rule_files: ["rules.yaml"],
  start_time: "2026-03-02T09:00:00Z",
  users: {
    ann: { id: "1001", name: "Ann", followers_count: 12, verified: false },
    ben: { id: "1002", name: "Ben", followers_count: 5000, verified: true },
    cy: { id: "1003", name: "Cy", followers_count: 200, verified: false },
  },
};

/** One round: what `check` reported of a text. */
interface Round {
  readonly text: string;
  readonly problems: readonly Problem[];
}

/** What following the advice of `check` leads to. */
export interface Outcome {
  readonly name: string;
  /** How often the author has to change the file until it is clean; none where it never is. */
  readonly rounds: number | undefined;
  /** Whether the clean file does what was meant. */
  readonly isMeant: boolean;
  /** What is wrong with the attempt itself: its right form does not pass, a fix stands in no help. */
  readonly faults: readonly string[];
  readonly course: readonly Round[];
}

/** Follows the advice of `check` for each attempt until its file is clean. */
export async function followAll(attempts: readonly Attempt[]): Promise<readonly Outcome[]> {
  const folder = await mkdtemp(join(tmpdir(), "answerback-first-attempts-"));
  try {
    const outcomes: Outcome[] = [];
    for (const attempt of attempts) outcomes.push(await follow(attempt, folder));
    return outcomes;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function follow(attempt: Attempt, folder: string): Promise<Outcome> {
  const { name, tests, right } = attempt;
  const faults = await faultsOf(attempt, folder);
  const course: Round[] = [];
  const unused = new Set(attempt.fixes);
  let text = attempt.wrong;
  for (let round = 0; round <= MOST_ROUNDS; round++) {
    const problems = await check(text, folder);
    course.push({ text, problems });
    if (problems.length === 0) {
      const failures = text === right ? [] : await failuresOf(text, tests, folder);
      const left = [...unused].map(({ code, by }) => `no help of ${code} has: ${by}`);
      return {
        name,
        rounds: round,
        isMeant: failures.length === 0,
        faults: [...faults, ...left, ...failures],
        course,
      };
    }
    const changed = changedBy(text, problems, unused);
    if (changed === text) break;
    text = changed;
  }
  return { name, rounds: undefined, isMeant: false, faults, course };
}

async function faultsOf({ right, tests }: Attempt, folder: string): Promise<readonly string[]> {
  const problems = await check(right, folder);
  const told = problems.map(({ line, message }) => `the right form, line ${line}: ${message}`);
  const failures = problems.length > 0 ? [] : await failuresOf(right, tests, folder);
  return [...told, ...failures.map((failure) => `the right form: ${failure}`)];
}

/** Changes a text as the helps say: a word that is guessed, else by the table of the attempt. */
function changedBy(text: string, problems: readonly Problem[], unused: Set<Fix>): string {
  let changed = text;
  for (const fix of [...unused]) {
    const problem = problems.find((one) => one.code === fix.code && advises(one, fix));
    if (problem === undefined) continue;
    const next = applied(changed, fix);
    if (next === undefined) continue;
    unused.delete(fix);
    changed = next;
  }
  // from the end on, so that the places of the others stay
  const words = problems.filter((problem) => guessOf(problem) !== undefined);
  for (const problem of words.toSorted((a, b) => b.line - a.line || b.column - a.column)) {
    changed = withGuess(changed, problem);
  }
  return changed;
}

/** Tells whether the help of a problem shows the form, word by word. */
function advises({ help = "" }: Problem, { by }: Fix): boolean {
  if (by === "") return /\b(?:remove|drop|leave)\b/.test(help);
  const at = help.indexOf(by);
  if (at < 0) return false;
  const [before = " ", after = " "] = [help[at - 1], help[at + by.length]];
  return !/\w/.test(before) && !/\w/.test(after);
}

function applied(text: string, { replace, before, by }: Fix): string | undefined {
  const anchor = replace ?? before ?? "";
  if (anchor === "" || !text.includes(anchor)) return undefined;
  if (replace !== undefined) return text.replace(anchor, () => by);
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.includes(anchor));
  const margin = /^ */.exec(lines[at] ?? "")?.[0] ?? "";
  return lines.toSpliced(at, 0, margin + by).join("\n");
}

function guessOf({ help = "" }: Problem): string | undefined {
  return /^did you mean "([^"]+)"/.exec(help)?.[1];
}

/** Puts the guessed word in the place of the wrong one, unless the table has changed its line. */
function withGuess(text: string, problem: Problem): string {
  const lines = text.split("\n");
  const { line, column, length, sourceLine = "" } = problem;
  const wrong = sourceLine.slice(column - 1, column - 1 + length);
  const now = lines[line - 1] ?? "";
  const at = now === sourceLine ? column - 1 : now.indexOf(wrong);
  if (at < 0) return text;
  lines[line - 1] = now.slice(0, at) + (guessOf(problem) ?? wrong) + now.slice(at + wrong.length);
  return lines.join("\n");
}

async function check(text: string, folder: string): Promise<readonly Problem[]> {
  await writeFile(join(folder, "rules.yaml"), text);
  const io = { ...processIo(), cwd: folder, env: {} };
  const { problems } = await checkFiles(io, ["rules.yaml"], {});
  return problems;
}

async function failuresOf(
  text: string,
  tests: Attempt["tests"],
  folder: string,
): Promise<readonly string[]> {
  await writeFile(join(folder, "rules.yaml"), text);
  const source = { path: "rules.test.yaml", text: stringify({ ...HEAD, tests }) };
  const [outcome] = await runFiles([source], { base: folder });
  if (outcome === undefined) throw new Error("no outcome");
  const { problems, tests: results } = outcome;
  return [
    ...problems.map(({ file, line, message }) => `${file}:${line}: ${message}`),
    ...results.filter(({ passed }) => !passed).map(({ test, comparison }) => {
      return `${test.name}: ${JSON.stringify(comparison).slice(0, 1_000)}`;
    }),
  ];
}

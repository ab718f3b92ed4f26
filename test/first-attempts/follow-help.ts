import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { checkFiles } from "../../src/cli/check/check-files.ts";
import { processIo } from "../../src/cli/io.ts";
import { fixOf } from "../../src/config/fix-problems.ts";
import type { Problem } from "../../src/config/problem.ts";
import { runFiles } from "../../src/insight/tests/run-files.ts";
import type { Attempt, Fix } from "./corpus.ts";

/** Number of rounds after which an author gives up. */
const MAX_ROUNDS = 3;

/** Head of every rule test file: the people and the start time. */
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

/** A round: a text and the problems that `check` reported. */
interface Round {
  readonly text: string;
  readonly problems: readonly Problem[];
}

/** Result of following the advice of `check`. */
export interface Outcome {
  readonly name: string;
  /** Number of changes by the author until the file has no problems; absent if that never happens. */
  readonly rounds: number | undefined;
  /** Whether the resulting file does what was intended. */
  readonly isMeant: boolean;
  /** Faults of the corpus: the correct form does not pass, or no help contains a fix. */
  readonly faults: readonly string[];
  readonly course: readonly Round[];
}

/** Follows the advice of `check` for each attempt until its file is clean. */
export async function followAll(attempts: readonly Attempt[]): Promise<readonly Outcome[]> {
  const folder = await mkdtemp(join(tmpdir(), "answerback-first-attempts-"));
  try {
    const outcomes: Outcome[] = [];
    const judged = new Map<string, readonly string[]>();
    for (const attempt of attempts) {
      // attempts with the same correct form and tests have the same faults, so these are searched once
      const key = JSON.stringify([attempt.right, attempt.tests]);
      const faults = judged.get(key) ?? (await faultsOf(attempt, folder));
      judged.set(key, faults);
      outcomes.push(await follow(attempt, folder, faults));
    }
    return outcomes;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function follow(
  attempt: Attempt,
  folder: string,
  faults: readonly string[],
): Promise<Outcome> {
  const { name, tests, right } = attempt;
  const course: Round[] = [];
  const unused = new Set(attempt.fixes);
  let text = attempt.wrong;
  for (let round = 0; round <= MAX_ROUNDS; round++) {
    const problems = await check(text, folder);
    course.push({ text, problems });
    if (problems.length === 0) {
      const failures = text === right ? [] : await failuresOf(text, tests, folder);
      const unusedFixes = [...unused].map(({ code, by }) => `no help of ${code} led to: ${by}`);
      return {
        name,
        rounds: round,
        isMeant: failures.length === 0,
        faults: [...faults, ...unusedFixes, ...failures],
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
  const problemLines = problems.map(
    ({ line, message }) => `the right form, line ${line}: ${message}`,
  );
  const failures = problems.length > 0 ? [] : await failuresOf(right, tests, folder);
  return [...problemLines, ...failures.map((failure) => `the right form: ${failure}`)];
}

/** Changes a text as the help advises: by the attempt's `fixes`, otherwise by the word that the help suggests. */
function changedBy(text: string, problems: readonly Problem[], unused: Set<Fix>): string {
  let changed = text;
  // applies fixes from the end, so that earlier positions stay valid
  const ordered = problems.toSorted((a, b) => b.line - a.line || b.column - a.column);
  const marked = ordered.map((problem) => ({
    problem,
    fix: [...unused].find((fix) => isAtMark(fix) && advises(problem, fix)),
  }));
  for (const { problem, fix } of marked) {
    if (fix === undefined) continue;
    const { column, length } = problem;
    changed = put(changed, problem, { column, length, text: fix.by });
    unused.delete(fix);
  }
  for (const fix of [...unused].filter((one) => !isAtMark(one))) {
    if (!problems.some((problem) => advises(problem, fix))) continue;
    const next = applied(changed, fix);
    if (next === undefined) continue;
    unused.delete(fix);
    changed = next;
  }
  for (const { problem, fix } of marked) {
    if (fix === undefined) changed = withWord(changed, problem);
  }
  return changed;
}

function isAtMark({ replace, before, after }: Fix): boolean {
  return replace === undefined && before === undefined && after === undefined;
}

/** Whether the help of a problem contains the correct form literally. */
function advises({ code, help = "" }: Problem, fix: Fix): boolean {
  if (code !== fix.code) return false;
  if (fix.by === "") return /\b(?:remove|drop|leave)\b/.test(help);
  const at = help.indexOf(fix.by);
  if (at < 0) return false;
  const [before = " ", after = " "] = [help[at - 1], help[at + fix.by.length]];
  return !(/\w/.test(before) && /^\w/.test(fix.by)) && !(/\w/.test(after) && /\w$/.test(fix.by));
}

function applied(text: string, { replace, before, after, by }: Fix): string | undefined {
  const anchor = replace ?? before ?? after ?? "";
  if (anchor === "" || !text.includes(anchor)) return undefined;
  if (replace !== undefined) return text.replace(anchor, () => by);
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.includes(anchor));
  const margin = " ".repeat(lines[at]?.indexOf(anchor) ?? 0);
  return lines.toSpliced(before === undefined ? at + 1 : at, 0, margin + by).join("\n");
}

/** Replaces the wrong word by the word that a help suggests, or that `check --fix` would write. */
function withWord(text: string, problem: Problem): string {
  const { help = "", column, length } = problem;
  const guess = /^did you mean "([^"]+)"/.exec(help)?.[1];
  const change = guess === undefined ? fixOf(problem) : { column, length, text: guess };
  return change === undefined ? text : put(text, problem, change);
}

/** Makes a change in the line of a problem, if the text to replace is still there. */
function put(text: string, { line, sourceLine = "" }: Problem, change: Change): string {
  const lines = text.split("\n");
  const moved = lines.indexOf(sourceLine);
  const index = lines[line - 1] === sourceLine || moved < 0 ? line - 1 : moved;
  const now = lines[index] ?? "";
  const start = change.column - 1;
  const wrong = sourceLine.slice(start, start + change.length);
  const at = now === sourceLine ? start : wrong === "" ? -1 : wordAt(now, wrong);
  if (at < 0) return text;
  lines[index] = now.slice(0, at) + change.text + now.slice(at + wrong.length);
  return lines.join("\n");
}

/** Returns the last position in a line at which `word` is a whole word; otherwise the last position at all. */
function wordAt(line: string, word: string): number {
  const places = [...line.matchAll(/[\w.$-]+/g)].filter(([match]) => match === word);
  return places.at(-1)?.index ?? line.lastIndexOf(word);
}

type Change = NonNullable<ReturnType<typeof fixOf>>;

/** Input and output of this process; created once, because each instance listens to its signals. */
const IO = processIo();

async function check(text: string, folder: string): Promise<readonly Problem[]> {
  await writeFile(join(folder, "rules.yaml"), text);
  const io = { ...IO, cwd: folder, env: {} };
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
    ...results
      .filter(({ passed }) => !passed)
      .map(({ test, comparison }) => {
        return `${test.name}: ${JSON.stringify(comparison).slice(0, 1_000)}`;
      }),
  ];
}

/**
 * Mutates source files, then removes one statement after the other, and reports the changes that no test notices:
 * `npm run -s mutate -- FOLDER_OR_FILE [--tests PATTERN] [--json] [--mutants] [--statements] [--limit SECONDS]`.
 *
 * Without `--tests` it runs the tests that mirror the sources: `src/text/fold.ts` has `test/text/fold.test.ts`,
 * `src/text` has `test/text`. Several patterns: `--tests` several times. Only tests that start no process, thread, server or browser can run here.
 *
 * `--statements` leaves the mutants out, `--mutants` the statements. `--limit` is the time limit of a test, for tests
 * that wait forever on some mutants.
 *
 * Prints the survivors, then one line of figures. `killed` includes `timedOut`. With `--json` the survivors are part
 * of the line. Exits with 1 if a score is below 90 %.
 */
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { removeStatements } from "./statements.ts";

type Mutant = Awaited<ReturnType<Stryker["runMutationTest"]>>[number];

/** Change of a source that no test notices. */
interface Survivor {
  readonly file: string;
  readonly line: number;
  readonly mutator: string;
  readonly from: string;
  readonly to: string;
}

const SCORE_FLOOR = 90;
const SHOWN_CHARS = 100;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tests: { type: "string", multiple: true },
    json: { type: "boolean", default: false },
    statements: { type: "boolean", default: false },
    mutants: { type: "boolean", default: false },
    limit: { type: "string" },
  },
});
const [target] = positionals;
if (target === undefined || positionals.length > 1 || !existsSync(target)) {
  refuse(
    `${JSON.stringify(positionals.join(" "))} is not a file or folder: write one, as src/runtime/store/machine`,
  );
}
const isFolder = (await stat(target)).isDirectory();
process.env["MUTATION_TESTS"] = (values.tests ?? [mirror(target, isFolder)]).join("\n");

if (values.limit !== undefined) process.env["MUTATION_LIMIT_SECONDS"] = values.limit;

const mutants = values.statements ? [] : await mutantsOf(target);
const survivors: Survivor[] = [];
for (const mutant of mutants) if (survived(mutant)) survivors.push(await shown(mutant));
const timedOut = mutants.filter(isTimedOut).length;
const killed = mutants.filter(({ status }) => status === "Killed" || status === "Timeout").length;
const total = killed + survivors.length;
const score = percent(killed, total);
const { statements, stuck, idle } = values.mutants
  ? { statements: 0, stuck: 0, idle: [] }
  : await removeStatements(target);
const statementScore = percent(statements - idle.length, statements);
const mutated = { mutants: total, killed, timedOut, survived: survivors.length, score };
const figures = { ...mutated, statements, stuck, idle: idle.length, statementScore };
if (!values.json) {
  for (const { file, line, mutator, from, to } of survivors) {
    process.stdout.write(`${file}:${line} ${mutator}\n  - ${from}\n  + ${to}\n`);
  }
  for (const { file, line, text } of idle) {
    process.stdout.write(`${file}:${line} removed\n  - ${oneLine(text)}\n`);
  }
}
const lists = { survivors, idle };
process.stdout.write(`${JSON.stringify(values.json ? { ...figures, ...lists } : figures)}\n`);
process.exitCode = Math.min(score, statementScore) < SCORE_FLOOR ? 1 : 0;

async function mutantsOf(sources: string): Promise<readonly Mutant[]> {
  return new Stryker({
    configFile: "test/mutation/stryker.config.json",
    mutate: [isFolder ? join(sources, "**/*.ts") : sources],
    // Stryker works on a copy of the project.
    tempDirName: join(tmpdir(), "answerback-mutation"),
    reporters: process.stderr.isTTY ? ["progress"] : [],
  }).runMutationTest();
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 100 : Math.round((part / whole) * 1_000) / 10;
}

function mirror(source: string, isFolder: boolean): string {
  const inTest = join("test", relative("src", source));
  return isFolder ? join(inTest, "**/*.test.ts") : inTest.replace(/\.ts$/, ".test.ts");
}

/** Whether no test noticed the mutant, including mutants in lines that no test runs. */
function survived({ status }: Mutant): boolean {
  return status === "Survived" || status === "NoCoverage";
}

/** Whether the tests did not end with the mutant: at the limit of the run, or of the test that noticed the mutant. */
function isTimedOut({ status, statusReason = "" }: Mutant): boolean {
  return status === "Timeout" || (status === "Killed" && / timed out in \d+ms/.test(statusReason));
}

async function shown({ fileName, location, mutatorName, replacement }: Mutant): Promise<Survivor> {
  // Lines and columns begin at 1.
  const lines = (await readFile(fileName, "utf8")).split("\n");
  const { start, end } = location;
  const from = lines.slice(start.line - 1, end.line);
  const last = from.length - 1;
  from[last] = from[last]?.slice(0, end.column - 1) ?? "";
  from[0] = from[0]?.slice(start.column - 1) ?? "";
  return {
    file: relative(process.cwd(), fileName),
    line: start.line,
    mutator: mutatorName,
    from: oneLine(from.join("\n")),
    to: oneLine(replacement),
  };
}

function oneLine(code: string): string {
  const text = code.replaceAll(/\s+/g, " ");
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}

function refuse(problem: string): never {
  process.stderr.write(`${problem}\n`);
  process.exit(2);
}

import { availableParallelism } from "node:os";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { findBug } from "./bugs/find-bug.ts";
import { PLANTED_BUGS } from "./bugs/planted-bugs.ts";
import { manySeeds } from "./many-seeds.ts";
import { type SeedResult, simulate } from "./simulate.ts";
import { sum, NO_SEEDS, type Tally, tallyOf } from "./tally.ts";
import { story } from "./trace.ts";

const USAGE = `usage: npm run -s simulate -- [--seeds N] [--from S] [--jobs N] [--json]
       npm run -s simulate -- --seed S [--all] [--json]
       npm run -s simulate -- --bugs

  --seeds N  how many seeds, from --from on (1,000)
  --from S   the first seed (1)
  --jobs N   processes side by side (one a core)
  --seed S   one seed, with its trace; exactly what it was among many
  --bugs     plants bugs one after the other, and says which seed finds each
  --all      the whole trace, also of a seed that does not fail
  --json     one line of figures
`;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1000" },
    from: { type: "string", default: "1" },
    jobs: { type: "string", default: String(availableParallelism()) },
    seed: { type: "string" },
    bugs: { type: "boolean", default: false },
    all: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const print = (line: string): void => void process.stdout.write(`${line}\n`);

if (values.help) {
  process.stderr.write(USAGE);
  process.exit(0);
}
if (values.bugs) {
  const missed = await tellBugs();
  process.exit(missed === 0 ? 0 : 1);
}
const started = performance.now();
const tally = values.seed === undefined ? await many() : await one(numberOf("seed", values.seed));
const seconds = (performance.now() - started) / 1_000;
report(tally, tally.seeds / seconds);
process.exitCode = tally.failed_seeds.length > 0 ? 1 : 0;

function numberOf(name: string, text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  process.stderr.write(`--${name} is ${text}; it is a whole number\n\n${USAGE}`);
  process.exit(2);
}

async function many(): Promise<Tally> {
  const first = numberOf("from", values.from);
  const last = first + numberOf("seeds", values.seeds) - 1;
  const all = await manySeeds({ first, last }, numberOf("jobs", values.jobs), ({ seeds }) => {
    if (seeds % 1_000 === 0) process.stderr.write(`${seeds} seeds\n`);
  });
  const [failed] = all.failed_seeds;
  if (failed !== undefined && !values.json) await one(failed);
  return all;
}

/** @returns Number of planted bugs that no seed has found. */
async function tellBugs(): Promise<number> {
  let missed = 0;
  for (const bug of PLANTED_BUGS) {
    const result = await findBug(bug, numberOf("seeds", values.seeds));
    if (result === undefined) missed += 1;
    print(`${bug.name.padEnd(44)}${result === undefined ? "not found" : `seed ${result.seed}`}`);
  }
  return missed;
}

async function one(seed: number): Promise<Tally> {
  const result = await simulate({ seed, keepTrace: true });
  if (!values.json && (result.problems.length > 0 || values.all)) tell(result);
  return sum(NO_SEEDS, tallyOf(result));
}

/** Prints the trace and the problems of a seed. */
function tell({ seed, problems, trace, crashes, tookMs }: SeedResult): void {
  const people = problems.flatMap(({ person }) => person ?? []);
  for (const line of values.all ? story(trace, [], Infinity) : story(trace, people)) print(line);
  print(`\nseed ${seed}: ${crashes} crashes in ${Math.round(tookMs / 1_000)} s`);
  for (const { kind, text } of problems) print(`  ${kind}: ${text}`);
  print(`  again: npm run -s simulate -- --seed ${seed}\n`);
}

function report({ failed_seeds: failed, ...figures }: Tally, rate: number): void {
  const seedsPerS = Math.round(rate * 10) / 10;
  if (values.json) {
    print(JSON.stringify({ ...figures, seeds_per_s: seedsPerS, failed_seeds: failed }));
    return;
  }
  for (const [name, figure] of Object.entries({ ...figures, seeds_per_s: seedsPerS })) {
    print(`${name.replaceAll("_", " ").padEnd(14)}${figure}`);
  }
  print(`${"failed".padEnd(14)}${failed.length === 0 ? "none" : `seeds ${failed.join(", ")}`}`);
}

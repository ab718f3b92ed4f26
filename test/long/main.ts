/**
 * Runs the long tests, each with a random seed: `npm run -s test:long [-- --only crash,chaos] [--seed S]`.
 *
 * Takes some hours; made for a nightly job. Prints every run with its seed, and stores it as a line of
 * `node_modules/.cache/long-runs.jsonl`. All runs are made in any case; exits with 1 if one failed.
 */
import { spawnSync } from "node:child_process";
import { appendFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";

interface LongRun {
  readonly name: string;
  /** npm script with its arguments for a seed. */
  readonly command: (seed: string) => readonly string[];
}

const RUNS: readonly LongRun[] = [
  run("types", () => ["check:types"]),
  run("check", () => ["check"]),
  run("slow", () => ["test:slow"]),
  run("crash", (seed) => ["crash", "--kills", "1000", "--seed", seed]),
  run("crash-postgres", (seed) => {
    const fewer = ["--kills", "30", "--store", "postgres"];
    return ["crash", ...fewer, "--seed", seed];
  }),
  run("crash-bugs", (seed) => ["crash", "--bugs", "--seed", seed]),
  run("simulate", (seed) => ["simulate", "--seeds", "10000", "--from", seed]),
  run("simulate-bugs", () => ["simulate", "--bugs"]),
  run("chaos", (seed) => ["chaos", "--rounds", "30", "--seed", seed]),
  run("chaos-rolling", (seed) => ["chaos", "--rounds", "3", "--rolling", "--seed", seed]),
  run("chaos-no-fence", (seed) => ["chaos", "--control", "no-fence", "--seed", seed]),
  run("chaos-send-first", (seed) => ["chaos", "--control", "send-before-marking", "--seed", seed]),
  run("outages", (seed) => ["outages", "--seeds", "300", "--from", seed]),
  run("soak", (seed) => ["soak", "--hours", "24", "--seed", seed]),
  run("fuzz", () => ["fuzz"]),
  run("python-clients", () => ["test:python-clients"]),
  run("hostile", (seed) => ["hostile", "--requests", "200000", "--seed", seed]),
  run("hostile-files", (seed) => ["hostile", "--files", "5000", "--seed", seed]),
];

const { values } = parseArgs({
  options: { only: { type: "string" }, seed: { type: "string" } },
});
const chosen = chosenRuns(values.only);
const seed = values.seed ?? String(Date.now() % 1_000_000);
const folder = join("node_modules", ".cache");
await mkdir(folder, { recursive: true });

const outcomes: string[] = [];
for (const { name, command } of chosen) {
  const [script = "", ...args] = command(seed);
  process.stderr.write(`\n${name}: npm run -s ${script} -- ${args.join(" ")}\n`);
  const started = performance.now();
  const { status } = spawnSync("npm", ["run", "-s", script, "--", ...args], {
    stdio: "inherit",
    env: { ...process.env, FUZZ_SEED: seed },
  });
  const seconds = Math.round((performance.now() - started) / 1_000);
  const passed = status === 0;
  const line = JSON.stringify({ at: new Date().toISOString(), name, seed, passed, seconds });
  await appendFile(join(folder, "long-runs.jsonl"), `${line}\n`);
  outcomes.push(`${passed ? "passed" : "failed"}  ${name}, seed ${seed} (${seconds} s)`);
  if (!passed) process.exitCode = 1;
}
process.stdout.write(`\n${outcomes.join("\n")}\n`);

function run(name: string, command: (seed: string) => readonly string[]): LongRun {
  return { name, command };
}

function chosenRuns(names: string | undefined): readonly LongRun[] {
  if (names === undefined) return RUNS;
  return names.split(",").map((name) => {
    const chosenRun = RUNS.find((one) => one.name === name);
    if (chosenRun !== undefined) return chosenRun;
    process.stderr.write(
      `--only has ${JSON.stringify(name)}: write some of ${RUNS.map((one) => one.name).join(",")}\n`,
    );
    process.exit(2);
  });
}

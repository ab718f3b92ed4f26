/**
 * Runs the suite repeatedly, each time in a new process: `npm run -s test:repeat -- --runs 20 [--load 3] [--shuffle]
 * [--all] [--seed S] [-- FILE …]`.
 *
 * Leaves slow files out, as `npm test` does, unless `--all` or files are passed. `--load` keeps that number of threads
 * busy meanwhile. `--shuffle` randomizes the order of files and of the tests in each. Prints `{"runs", "red_runs",
 * "tests_failed", "slowest_s", "seed", "logs"}`; `logs` is the folder with the output of failed runs. Exits with 1 if a
 * run failed.
 */
import { spawn } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "20" },
    load: { type: "string", default: "0" },
    shuffle: { type: "boolean", default: false },
    all: { type: "boolean", default: false },
    seed: { type: "string" },
  },
});
const runs = wholeNumber("runs", values.runs);
const load = wholeNumber("load", values.load);
const seed = wholeNumber("seed", values.seed ?? String(Date.now() % 1_000_000));
const logs = join("node_modules", ".cache", `test-repeat-${seed}`);

await mkdir(logs, { recursive: true });
const busy = Array.from({ length: load }, () => new Worker("for (;;);", { eval: true }));
// Ctrl-C also ends the test run in progress, and skips the remaining runs.
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
const seconds: number[] = [];
let redRuns = 0;
let testsFailed = 0;
for (let n = 0; n < runs && !stop.signal.aborted; n += 1) {
  const started = performance.now();
  const { output, code } = await suite(seed + n);
  if (stop.signal.aborted) break;
  seconds.push((performance.now() - started) / 1_000);
  const failed = Number(/(\d+) failed\s*$/.exec(output)?.[1] ?? 1);
  const isRed = code !== 0 || failed > 0;
  process.stderr.write(
    `run ${n + 1}, seed ${seed + n}: ${isRed ? `${failed} failed` : "green"} (${Math.round(seconds.at(-1) ?? 0)} s)\n`,
  );
  if (!isRed) continue;
  redRuns += 1;
  testsFailed += failed;
  await writeFile(join(logs, `${seed + n}.log`), output);
}
await Promise.all(busy.map((thread) => thread.terminate()));
if (redRuns === 0) await rm(logs, { recursive: true });
const figures = {
  runs: seconds.length,
  red_runs: redRuns,
  tests_failed: testsFailed,
  slowest_s: Math.round(Math.max(0, ...seconds)),
  seed,
  ...(redRuns > 0 && { logs }),
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
process.exitCode = redRuns > 0 || stop.signal.aborted ? 1 : 0;

function suite(order: number): Promise<{ readonly output: string; readonly code: number | null }> {
  const shuffle = ["--sequence.shuffle.tests", `--sequence.seed=${order}`];
  const quick = values.all || positionals.length > 0 ? [] : ["--project", "quick"];
  const args = ["run", ...quick, ...(values.shuffle ? shuffle : []), ...positionals];
  const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const end = (): void => void child.kill("SIGTERM");
  stop.signal.addEventListener("abort", end);
  let output = "";
  const keep = (text: string): void => void (output += text);
  child.stdout.setEncoding("utf8").on("data", keep);
  child.stderr.setEncoding("utf8").on("data", keep);
  return new Promise((resolve) =>
    child.once("close", (code) => {
      stop.signal.removeEventListener("abort", end);
      resolve({ output, code });
    }),
  );
}

function wholeNumber(name: string, text: string): number {
  if (/^\d+$/u.test(text)) return Number(text);
  process.stderr.write(
    `--${name} is ${JSON.stringify(text)}: write a whole number, as --${name} 3\n`,
  );
  process.exit(2);
}

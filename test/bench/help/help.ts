import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Benchmark } from "../main.ts";

const ROUNDS = 15;
const BIN = fileURLToPath(new URL("../../../dist/cli/bin.js", import.meta.url));

/** Wall-clock time of the built package's `--help`, beside a Node that does nothing, turn by turn. */
export const help: Benchmark = {
  name: "help",
  about: "milliseconds of the built package's --help, beside node -e 0",
  async run(say) {
    if (!existsSync(BIN)) throw new Error(`${BIN} is not there: npm run build makes it`);
    const runs: { help: number; node: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      runs.push({ help: timed([BIN, "--help"]), node: timed(["-e", "0"]) });
      say(`round ${round + 1}  ${Math.round(runs.at(-1)?.help ?? 0)} ms`);
    }
    const figures = {
      help_ms: median(runs.map((run) => run.help)),
      node_ms: median(runs.map((run) => run.node)),
      ratio: Math.round(median(runs.map((run) => (run.help / run.node) * 100))) / 100,
    };
    return {
      figures,
      table: [
        ["median of 15", "wall clock", "times node -e 0"],
        ["answerback --help", `${figures.help_ms} ms`, `${figures.ratio}`],
        ["node -e 0", `${figures.node_ms} ms`, "1"],
      ],
    };
  },
};

function timed(args: readonly string[]): number {
  const started = performance.now();
  execFileSync(process.execPath, args, { stdio: "ignore" });
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN);
}

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Benchmark } from "../main.ts";

const ROUNDS = 9;
const BIN = fileURLToPath(new URL("../../../dist/cli/bin.js", import.meta.url));

interface Started {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/**
 * Processor time from the start of the built package's `sandbox --port 0 --json` to its ready line,
 * beside a Node that does nothing. Read from the system's account of the process: Linux only.
 */
export const start: Benchmark = {
  name: "start",
  about: "processor milliseconds from start to ready of the built sandbox, beside node -e 0",
  async run(say) {
    if (!existsSync(BIN)) throw new Error(`${BIN} is not there: npm run build makes it`);
    const tick = 1_000 / Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
    const runs: Record<"sandbox" | "node", Started[]> = { sandbox: [], node: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      runs.sandbox.push(await startOnce([BIN, "sandbox", "--port", "0", "--json"], tick));
      runs.node.push(await startOnce(["-e", "console.log(0); setTimeout(() => 0, 60_000)"], tick));
      say(`round ${round + 1}  ${runs.sandbox.at(-1)?.cpuMs} ms`);
    }
    const median = (name: keyof typeof runs, what: keyof Started): number =>
      Math.round(
        runs[name].map((run) => run[what]).toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ??
          Number.NaN,
      );
    const figures = {
      cpu_ms: median("sandbox", "cpuMs"),
      node_cpu_ms: median("node", "cpuMs"),
      wall_ms: median("sandbox", "wallMs"),
      node_wall_ms: median("node", "wallMs"),
    };
    return {
      figures,
      table: [
        ["start to ready, median", "processor", "wall clock"],
        ["answerback sandbox", `${figures.cpu_ms} ms`, `${figures.wall_ms} ms`],
        ["node -e 0", `${figures.node_cpu_ms} ms`, `${figures.node_wall_ms} ms`],
      ],
    };
  },
};

/** Starts Node with `args` and ends it at its first line. */
async function startOnce(args: readonly string[], tick: number): Promise<Started> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  await once(createInterface(child.stdout), "line");
  const wallMs = performance.now() - started;
  // After the name in brackets: state, 10 numbers, then user and system time in ticks.
  const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  child.kill("SIGKILL");
  await once(child, "exit");
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * tick, wallMs };
}

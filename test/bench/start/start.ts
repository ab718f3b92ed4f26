import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Benchmark } from "../main.ts";
import { quantile, round2, wholeNumber } from "../numbers.ts";

const ROUNDS = wholeNumber("ROUNDS", 9);
/** Milliseconds that a process idles after the start, so that Node frees memory before it is measured. */
const IDLE_MS = 2_000;
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const BIN = fileURLToPath(new URL("../../../dist/cli/bin.js", import.meta.url));

const SANDBOX = ["sandbox", "--port", "0", "--json"];
const IDLE_NODE = ["-e", "console.log(0); setTimeout(() => 0, 60_000)"];

/** Commands whose start is measured. */
const STARTED = {
  source: ["npm", "run", "-s", "answerback", "--", ...SANDBOX],
  built: [process.execPath, BIN, ...SANDBOX],
  node: [process.execPath, ...IDLE_NODE],
} as const;

type Name = keyof typeof STARTED;

interface Start {
  readonly readyMs: number;
  /** Processor time of the serving process when it is ready. */
  readonly cpuMs: number;
  /** Memory of the serving process after it has been idle for a while. */
  readonly rssMib: number;
}

/**
 * Measures the time from the start of a whole process to the line that it prints when it is ready. Three processes take
 * turns: the sandbox from source by `npm run`, the built sandbox, and a Node that does nothing. Processor time and
 * memory come from /proc: Linux only.
 */
export const start: Benchmark = {
  name: "start",
  about:
    "milliseconds to ready and idle memory of the sandbox, from source and built, beside node -e 0",
  async run(say) {
    if (!existsSync(BIN)) throw new Error(`${BIN} is not there: npm run build makes it`);
    const tick = 1_000 / Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
    const starts: Record<Name, Start[]> = { source: [], built: [], node: [] };
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const name of ["source", "built", "node"] as const) {
        starts[name].push(await startOnce(STARTED[name], tick));
      }
      say(`round ${round}  ${Math.round(starts.source.at(-1)?.readyMs ?? 0)} ms`);
    }
    return report(starts);
  },
};

function report(starts: Readonly<Record<Name, readonly Start[]>>) {
  const median = (name: Name, what: keyof Start): number =>
    Math.round(
      quantile(
        starts[name].map((one) => one[what]),
        0.5,
      ),
    );
  const row = (shown: string, name: Name): string[] => [
    shown,
    `${median(name, "readyMs")} ms`,
    `${median(name, "cpuMs")} ms`,
    `${median(name, "rssMib")} MiB`,
  ];
  return {
    figures: {
      ready_ms: median("source", "readyMs"),
      built_ready_ms: median("built", "readyMs"),
      node_ready_ms: median("node", "readyMs"),
      ready_ratio: round2(median("source", "readyMs") / median("node", "readyMs")),
      built_cpu_ms: median("built", "cpuMs"),
      node_cpu_ms: median("node", "cpuMs"),
      rss_mib: median("built", "rssMib"),
      source_rss_mib: median("source", "rssMib"),
      node_rss_mib: median("node", "rssMib"),
    },
    table: [
      [`median of ${ROUNDS}`, "ready", "processor", "memory, idle"],
      row("npm run answerback -- sandbox", "source"),
      row("answerback sandbox, built", "built"),
      row("node -e 0", "node"),
    ],
  };
}

/** Starts a command, measures it after it has been idle for a while, and stops it. */
async function startOnce(command: readonly string[], tick: number): Promise<Start> {
  const [program = "", ...args] = command;
  const began = performance.now();
  const child = spawn(program, args, {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  await once(createInterface(child.stdout), "line");
  const readyMs = performance.now() - began;
  const pid = lastOf(child.pid ?? 0);
  // In /proc/PID/stat, the process name in brackets is followed by the state, 10 numbers, and the user and
  // system time in ticks
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  const cpuMs = (Number(fields[11]) + Number(fields[12])) * tick;
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const rss = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  process.kill(-(child.pid ?? 0), "SIGKILL");
  await once(child, "exit");
  return { readyMs, cpuMs, rssMib: Number(rss) / 1_024 };
}

/**
 * Returns the last process of a chain in which each process is the first child of the previous one, as when `npm run`
 * starts a shell.
 */
function lastOf(pid: number): number {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean),
  );
  const node = children.find((one) => !/esbuild/.test(readFileSync(`/proc/${one}/comm`, "utf8")));
  return node === undefined ? pid : lastOf(Number(node));
}

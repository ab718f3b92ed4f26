import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Benchmark } from "../main.ts";

const ROUNDS = 15;
const BIN = fileURLToPath(new URL("../../../dist/cli/bin.js", import.meta.url));

/**
 * Measures the wall-clock and processor time of the built package's commands, each as a whole process. The commands
 * take turns with a Node that does nothing. A rule answers `send`, so its wall-clock time includes the work of bot and
 * sandbox.
 */
export const help: Benchmark = {
  name: "help",
  about: "the built package's --help, status and send beside node -e 0; what dev prints first",
  async run(say) {
    if (!existsSync(BIN)) throw new Error(`${BIN} is not there: npm run build makes it`);
    const cwd = await mkdtemp(join(tmpdir(), "answerback-help-"));
    spawnSync(process.execPath, [BIN, "init", "project", "--template", "faq", "--yes"], { cwd });
    const project = join(cwd, "project");
    const bot = await startDev(project);
    try {
      const rounds: Record<string, Took>[] = [];
      for (let round = 1; round <= ROUNDS; round += 1) {
        const took = (...args: readonly string[]): Took => timed(args, project);
        rounds.push({
          node: took("-e", "0"),
          help: took(BIN, "--help"),
          status: took(BIN, "status"),
          // each round from another person: a repeated answer to one person is suppressed
          send: took(BIN, "send", `@person${round}`, "hours"),
        });
        say(`round ${round}  --help ${Math.round(rounds.at(-1)?.["help"]?.wallMs ?? 0)} ms`);
      }
      return report(rounds, bot.firstLineMs);
    } finally {
      await bot.stop();
      await rm(cwd, { recursive: true });
    }
  },
};

interface Took {
  readonly wallMs: number;
  /** Processor time, user and system together. */
  readonly cpuMs: number;
}

function timed(args: readonly string[], cwd: string): Took {
  const before = childrenCpuMs();
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
  const wallMs = performance.now() - started;
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return { wallMs, cpuMs: childrenCpuMs() - before };
}

const TICK_MS = 1_000 / Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** Processor time of the ended child processes of this process, from /proc: Linux only. */
function childrenCpuMs(): number {
  // In /proc/PID/stat, the process name in brackets is followed by the state, 12 numbers, and the children's
  // user and system time in ticks
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

interface RunningDev {
  /** Time from the start of the process to its first printed line. */
  readonly firstLineMs: number;
  stop(): Promise<void>;
}

async function startDev(cwd: string): Promise<RunningDev> {
  const started = performance.now();
  const dev = spawn(process.execPath, [BIN, "dev"], {
    cwd,
    env: { ...process.env, ANSWERBACK_WEBHOOK_LISTEN: "127.0.0.1:0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(dev, "exit");
  let firstLineMs: number | undefined;
  await new Promise<void>((resolve, reject) => {
    const onLine = (line: string): void => {
      firstLineMs ??= performance.now() - started;
      if (line.includes("Try, in another terminal")) resolve();
    };
    createInterface(dev.stdout).on("line", onLine);
    createInterface(dev.stderr).on("line", onLine);
    void ended.then(([code]) => reject(new Error(`dev ended with ${code}`)));
  });
  return {
    firstLineMs: firstLineMs ?? Number.NaN,
    async stop() {
      dev.kill("SIGTERM");
      await ended;
    },
  };
}

function report(rounds: readonly Readonly<Record<string, Took>>[], firstLineMs: number) {
  const of = (name: string, what: keyof Took): number[] =>
    rounds.map((round) => round[name]?.[what] ?? Number.NaN);
  const ratio = (name: string, what: keyof Took): number => {
    const beside = what === "wallMs" ? median : mean;
    return Math.round((beside(of(name, what)) / beside(of("node", what))) * 100) / 100;
  };
  const ms = (name: string): number => Math.round(median(of(name, "wallMs")));
  const names = ["help", "status", "send"];
  const figures = Object.fromEntries([
    ["node_ms", ms("node")],
    ...names.flatMap((name) => [
      [`${name}_ms`, ms(name)],
      [`${name}_ratio`, ratio(name, "wallMs")],
      [`${name}_cpu_ratio`, ratio(name, "cpuMs")],
    ]),
    ["dev_first_line_ms", Math.round(firstLineMs)],
  ]);
  return {
    figures,
    table: [
      [`median of ${ROUNDS}`, "wall clock", "times node -e 0", "processor, times node -e 0"],
      ["node -e 0", `${ms("node")} ms`, "1", "1"],
      ...names.map((name) => [
        `answerback ${name === "help" ? "--help" : name}`,
        `${ms(name)} ms`,
        `${ratio(name, "wallMs")}`,
        `${ratio(name, "cpuMs")}`,
      ]),
      ["answerback dev, to its first line", `${figures["dev_first_line_ms"]} ms`, "", ""],
    ],
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

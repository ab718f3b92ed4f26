import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { bundled } from "../../support/bundle.ts";
import type { Benchmark } from "../main.ts";
import { quantile, wholeNumber } from "../numbers.ts";

const ROUNDS = wholeNumber("ROUNDS", 5);
const BOTS = 10;
/** Milliseconds of idle time after which processes that have finished their work end. */
const IDLE_MS = 2_000;
const CHILD = "test/bench/bots/child-host";
const BYTES_PER_MB = 2 ** 20;

interface Cost {
  /** Memory of the process and its children in megabytes, after an idle time. */
  readonly mb: number;
  /** Processor time of the process and its children, in milliseconds. */
  readonly cpuMs: number;
}

/**
 * Measures the memory and processor time that ten small TypeScript bots add to a built process without bots. The
 * figures come from /proc: Linux only.
 */
export const bots: Benchmark = {
  name: "bots",
  about: "memory and processor time of the start of ten TypeScript bots",
  async run(say) {
    const folder = await mkdtemp(join(tmpdir(), "answerback-bots-"));
    const bundle = await bundled([CHILD]);
    try {
      const files = await writeBots(folder);
      const none: Cost[] = [];
      const ten: Cost[] = [];
      for (let round = 1; round <= ROUNDS; round += 1) {
        none.push(await costOf(bundle.command(CHILD)));
        ten.push(await costOf(bundle.command(CHILD, files)));
        const { mb = 0, cpuMs = 0 } = ten.at(-1) ?? {};
        say(`round ${round}  ${Math.round(mb)} MB, ${cpuMs} ms`);
      }
      return report(none, ten);
    } finally {
      await bundle.remove();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

function report(none: readonly Cost[], ten: readonly Cost[]) {
  const median = (costs: readonly Cost[], what: keyof Cost): number =>
    Math.round(
      quantile(
        costs.map((cost) => cost[what]),
        0.5,
      ),
    );
  const added = (what: keyof Cost): number => median(ten, what) - median(none, what);
  const row = (shown: string, costs: readonly Cost[]): string[] => [
    shown,
    `${median(costs, "mb")} MB`,
    `${median(costs, "cpuMs")} ms`,
  ];
  return {
    figures: { ten_ts_mb: added("mb"), ten_ts_cpu_ms: added("cpuMs") },
    table: [
      [`Node ${process.versions.node}`, "memory", "processor time"],
      row("no bot", none),
      row("ten TypeScript bots", ten),
    ],
  };
}

/** Writes a project of small bots, each with a module beside it. Returns the bots' paths. */
async function writeBots(folder: string): Promise<readonly string[]> {
  await writeFile(join(folder, "package.json"), `{"type": "module"}`);
  await mkdir(join(folder, "words"));
  const files: string[] = [];
  for (let at = 0; at < BOTS; at += 1) {
    const file = join(folder, `bot-${at}.ts`);
    await writeFile(
      join(folder, `words/${at}.ts`),
      `export const greeting = (name: string): string => \`hello \${name} of ${at}\`;\n`,
    );
    await writeFile(
      file,
      `import { defineBot } from "answerback";
import { greeting } from "./words/${at}.ts";
export default defineBot({
  name: "bot-${at}",
  on: { "dm.received": async (ctx) => void (await ctx.reply(greeting("you"))) },
});
`,
    );
    files.push(file);
  }
  return files;
}

async function costOf(command: readonly string[]): Promise<Cost> {
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  await Promise.race([
    once(child.stdout, "data"),
    ended.then(([code]) => Promise.reject(new Error(`the bots' process ended with ${code}`))),
  ]);
  await delay(IDLE_MS);
  const cost = await costOfTree(child.pid ?? 0);
  child.kill("SIGKILL");
  await ended;
  return cost;
}

async function costOfTree(root: number): Promise<Cost> {
  const ticks = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  const pageSize = Number(execFileSync("getconf", ["PAGESIZE"], { encoding: "utf8" }));
  const processes = await Promise.all((await readdir("/proc")).filter(isNumber).map(statOf));
  const tree = new Set([root]);
  let mb = 0;
  let cpuMs = 0;
  // A child has a higher process id than its parent, except after the ids have started again at the lowest.
  for (const one of processes.flatMap((stat) => stat ?? []).toSorted((a, b) => a.pid - b.pid)) {
    if (!tree.has(one.pid) && !tree.has(one.parent)) continue;
    tree.add(one.pid);
    mb += (one.pages * pageSize) / BYTES_PER_MB;
    cpuMs += (one.ticks * 1_000) / ticks;
  }
  return { mb, cpuMs };
}

const isNumber = (name: string): boolean => /^\d+$/.test(name);

/** Figures of a process, including those of its ended children; undefined if the process has ended. */
async function statOf(pid: string) {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (stat === undefined) return undefined;
  // In /proc/PID/stat, the third field follows the process name, which is in brackets.
  const fields = (stat.split(") ").at(-1) ?? "").split(" ").map(Number);
  const [, parent = 0] = fields;
  const ticks = fields.slice(11, 15).reduce((sum, one) => sum + one, 0);
  return { pid: Number(pid), parent, ticks, pages: fields[21] ?? 0 };
}

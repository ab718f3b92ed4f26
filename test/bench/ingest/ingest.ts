import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Benchmark } from "../main.ts";
import { SECRET } from "./secret.ts";
import { load, prepare, type Load } from "./load.ts";

const SERVERS = ["ours", "express", "node-http"] as const;
type Server = (typeof SERVERS)[number];

const ROUNDS = 5;
const CONNECTIONS = 64;
const EVENTS_PER_ROUND = 20_000;

/**
 * Events journaled and acknowledged per second over loopback, beside a bare express and a bare
 * node:http handler that parse the same body and verify the same signature and store nothing.
 *
 * Each server is a process of its own and is loaded in turn, round by round, so that a slow moment of
 * the machine falls on all of them.
 */
export const ingest: Benchmark = {
  name: "ingest",
  about: "events journaled and acknowledged per second, beside bare express and node:http",
  async run(say) {
    const runs: Record<Server, Load[]> = { ours: [], express: [], "node-http": [] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of SERVERS) {
        const requests = prepare(EVENTS_PER_ROUND, SECRET, round * EVENTS_PER_ROUND);
        const server = await start(name);
        await load(server.port, requests.slice(0, 2_000), CONNECTIONS);
        const result = await load(server.port, requests.slice(2_000), CONNECTIONS);
        server.stop();
        runs[name].push(result);
        say(`round ${round + 1}  ${name.padEnd(10)} ${Math.round(result.perSecond)}/s`);
      }
    }
    const speed = (name: Server): number => median(runs[name].map(({ perSecond }) => perSecond));
    const ratio = (other: Server): number =>
      median(
        runs.ours.map((ours, i) => ours.perSecond / (runs[other][i]?.perSecond ?? Number.NaN)),
      );
    const p99 = (name: Server): number => median(runs[name].map(({ p99Ms }) => p99Ms));
    return {
      figures: {
        ours_per_s: Math.round(speed("ours")),
        express_per_s: Math.round(speed("express")),
        node_http_per_s: Math.round(speed("node-http")),
        ack_p99_ms: round2(p99("ours")),
        ours_to_express: round2(ratio("express")),
        ours_to_node_http: round2(ratio("node-http")),
      },
      table: [
        ["server", "events/s (median)", "p99 ms", "ours / it"],
        [
          "ours: verified, parsed, on disk",
          `${Math.round(speed("ours"))}`,
          `${round2(p99("ours"))}`,
          "",
        ],
        ...(["express", "node-http"] as const).map((name) => [
          `bare ${name}: verified, parsed`,
          `${Math.round(speed(name))}`,
          `${round2(p99(name))}`,
          `${round2(ratio(name))}`,
        ]),
      ],
    };
  },
};

async function start(name: Server): Promise<{ port: number; stop(): void }> {
  const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`${name} ended with ${code}`)));
    createInterface(child.stdout).once("line", (line) => resolve(Number(line)));
  });
  return { port, stop: () => void child.kill("SIGKILL") };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}

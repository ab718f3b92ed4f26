import { fileURLToPath } from "node:url";
import { type Bundle, bundled } from "../../support/bundle.ts";
import { canPin, startChild } from "../child.ts";
import type { Benchmark, Result } from "../main.ts";
import { round2, spreadOf, spreadText, wholeNumber } from "../numbers.ts";
import { slowSync } from "../slow-sync.ts";
import type { Load, LoadOrder } from "./load.ts";
import { installPeers } from "./peers.ts";
import {
  OF_LIBRARIES,
  programOf,
  SERVERS,
  startServer,
  type ServerName,
  type ServerOptions,
  type StartedServer,
} from "./servers.ts";

const ROUNDS = wholeNumber("ROUNDS", 5);
const CONNECTIONS = 64;
const WARM_UP = 3_000;
const EVENTS = 12_000;

/** Servers that are compared under the same conditions, and the processors for server and load generator. */
interface Setting {
  /** First part of the names of the figures that are measured in this setting. */
  readonly prefix: string;
  readonly title: string;
  readonly server: ServerOptions;
  readonly loadCpus: string | undefined;
  readonly names: readonly ServerName[];
}

/**
 * Measures events journaled and acknowledged per second over loopback. They are compared with receivers that parse an
 * equal body, verify its signature and store nothing: bare node:http and express, and the webhook servers of
 * @octokit/webhooks, grammY and Bolt for JS with an empty handler.
 *
 * Server and load generator are separate processes. The servers take turns in each round, so that a slow moment of the
 * machine affects all of them. Ratios compare neighbours of one round.
 */
export const ingest: Benchmark = {
  name: "ingest",
  about: "events journaled and acknowledged per second, beside receivers that keep nothing",
  async run(say) {
    const bundle = await bundled(SERVERS.map(programOf));
    const results: Result[] = [];
    try {
      for (const setting of await settingsOf(say, bundle)) {
        say(setting.title);
        results.push(resultOf(setting, await measure(setting, say)));
      }
    } finally {
      await bundle.remove();
    }
    return {
      figures: Object.assign({}, ...results.map(({ figures }) => figures)),
      table: results.flatMap(({ table }) => table),
    };
  },
};

async function settingsOf(
  say: (line: string) => void,
  bundle: Bundle,
): Promise<readonly Setting[]> {
  const peers = await installPeers();
  const slow = await slowSync();
  if ("why" in peers) say(`without the libraries, which could not be installed: ${peers.why}`);
  if ("why" in slow) say(`without the slow disk: ${slow.why}`);
  const server = { bundle, ...("folder" in peers && { peers: peers.folder }) };
  const names = SERVERS.filter((name) => "folder" in peers || !OF_LIBRARIES.has(name));
  const two = { prefix: "", title: "on all processors", server, loadCpus: undefined, names };
  const pinned = { ...server, cpus: "0" };
  const one = { prefix: "one_core_", title: "on one processor, the load on another", names };
  if (!canPin()) say("without the rounds on one processor: there is no taskset");
  return [
    two,
    ...(canPin() ? [{ ...one, server: pinned, loadCpus: "1" }] : []),
    ...("path" in slow
      ? [
          {
            ...two,
            prefix: "slow_disk_",
            title: "with 3 ms more for each device sync",
            server: { bundle, preload: slow.path },
            names: ["ours"] as const,
          },
        ]
      : []),
  ];
}

/** Result of a load, with the server's processor time for an event over all threads, in microseconds. */
interface Run extends Load {
  readonly cpuUs: number;
}

type Runs = ReadonlyMap<ServerName, readonly Run[]>;

async function measure(
  { names, server, loadCpus }: Setting,
  say: (line: string) => void,
): Promise<Runs> {
  const runs = new Map<ServerName, Run[]>(names.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    const line: string[] = [];
    for (const name of names) {
      const started = await startServer(name, server);
      const result = await loadOnce(started, {
        order: {
          server: name,
          port: started.port,
          firstId: round * (WARM_UP + EVENTS),
          warmUp: WARM_UP,
          events: EVENTS,
          connections: CONNECTIONS,
        },
        cpus: loadCpus,
      });
      await started.stop();
      runs.get(name)?.push(result);
      line.push(`${name} ${Math.round(result.perSecond)}`);
    }
    say(`  round ${round + 1}: ${line.join("  ")}  (per second)`);
  }
  return runs;
}

async function loadOnce(
  server: StartedServer,
  { order, cpus }: { readonly order: LoadOrder; readonly cpus: string | undefined },
): Promise<Run> {
  const file = fileURLToPath(new URL("./load.ts", import.meta.url));
  const child = startChild({ file, args: [JSON.stringify(order)], cpus });
  await child.line();
  const before = server.cpuMs();
  child.say("go");
  const result: Load = JSON.parse(await child.line());
  const cpuUs = ((server.cpuMs() - before) * 1_000) / order.events;
  await child.kill();
  return { ...result, cpuUs };
}

function resultOf({ prefix, title, names }: Setting, runs: Runs): Result {
  const of = (name: ServerName): readonly Run[] => runs.get(name) ?? [];
  const perSecond = (name: ServerName) => spreadOf(of(name).map((run) => run.perSecond));
  const p99 = (name: ServerName) => spreadOf(of(name).map(({ p99Ms }) => p99Ms));
  const ratio = (name: ServerName) =>
    spreadOf(of("ours").map((ours, i) => ours.perSecond / (of(name)[i]?.perSecond ?? Number.NaN)));
  const cpu = (name: ServerName) => spreadOf(of(name).map(({ cpuUs }) => cpuUs));
  const others = names.filter((name) => name !== "ours");
  const key = (name: ServerName): string => name.replace("-", "_");
  return {
    figures: {
      [`${prefix}ours_per_s`]: Math.round(perSecond("ours").median),
      [`${prefix}ours_ack_p99_ms`]: round2(p99("ours").median),
      [`${prefix}ours_cpu_us`]: round2(cpu("ours").median),
      ...Object.fromEntries(
        others.flatMap((name) => [
          [`${prefix}${key(name)}_per_s`, Math.round(perSecond(name).median)],
          [`${prefix}ours_to_${key(name)}`, round2(ratio(name).median)],
          [`${prefix}${key(name)}_cpu_us`, round2(cpu(name).median)],
        ]),
      ),
    },
    table: [
      [title, "events/s: median (min–max)", "p99 ms", "processor µs each", "ours / it (min–max)"],
      ...names.map((name) => [
        name === "ours" ? "ours: verified, parsed, on disk" : `${name}: verified, parsed`,
        spreadText(perSecond(name)),
        round2(p99(name).median).toString(),
        spreadText(cpu(name)),
        name === "ours" ? "" : spreadText(ratio(name), 2),
      ]),
    ],
  };
}

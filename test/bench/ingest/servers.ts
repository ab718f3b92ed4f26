import type { Bundle } from "../../support/bundle.ts";
import { startChild, type Child } from "../child.ts";

/** Servers to compare: `ours`, and servers that verify, parse and store nothing. */
export const SERVERS = ["ours", "octokit", "grammy", "bolt", "express", "node-http"] as const;
export type ServerName = (typeof SERVERS)[number];

/** Servers whose library must be installed first. */
export const OF_LIBRARIES: ReadonlySet<ServerName> = new Set(["octokit", "grammy", "bolt"]);

/** Returns the program of a server, as the bundle names it. */
export const programOf = (name: ServerName): string => `test/bench/ingest/servers/${name}`;

export interface ServerOptions {
  /** Bundled programs of the servers. */
  readonly bundle: Bundle;
  /** Processors that the server may use, as `taskset` takes them. Default: all. */
  readonly cpus?: string | undefined;
  /** Folder in which the libraries are installed. */
  readonly peers?: string | undefined;
  /** Path of a library that is loaded before all others. */
  readonly preload?: string | undefined;
}

/** A receiver in a separate process. */
export interface StartedServer {
  readonly port: number;
  /** Processor time of the process so far, in milliseconds. */
  cpuMs(): number;
  stop(): Promise<void>;
}

/** Starts one receiver and waits until it listens. */
export async function startServer(
  name: ServerName,
  options: ServerOptions,
): Promise<StartedServer> {
  const child: Child = startChild({
    file: options.bundle.path(programOf(name)),
    args: options.peers === undefined ? [] : [options.peers],
    cpus: options.cpus,
    env: options.preload === undefined ? {} : { LD_PRELOAD: options.preload },
  });
  const port = Number(await child.line());
  return { port, cpuMs: () => child.cpuMs(), stop: () => child.kill() };
}

import { execFile, spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chown, mkdtemp, open, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { ownAddress } from "../support/own-address.ts";
import { childrenOf, stillRunning } from "./family.ts";
import { startGuard, type Guard } from "../run/guard.ts";
import { serverOwner, type Owner } from "./owner.ts";
import { findPrograms, type Programs } from "./programs.ts";

const execute = promisify(execFile);

export interface PostgresOptions {
  /** Whether commits survive a power cut, which is PostgreSQL's default. The server is faster if they don't. */
  readonly durable: boolean;
}

/** PostgreSQL server of a test, with its own data folder, on 127.0.0.1. */
export interface TestPostgres {
  /** Major version, such as 18. */
  readonly version: number;
  readonly host: string;
  readonly port: number;
  /** URL of a database, with user and password. */
  url(database: string): string;
  /** Creates an empty database. @returns Its URL. */
  createDatabase(): Promise<string>;
  /** Suspends all processes of the server. Its connections stay open, but the server answers nothing. */
  freeze(): Promise<void>;
  /** Resumes the processes after {@link freeze}. */
  thaw(): Promise<void>;
  /** Kills all processes of the server with `kill -9`, as a crash does. */
  kill(): Promise<void>;
  /** Restarts the server after {@link kill}, with the same data and port; resolves when it accepts connections. */
  restart(): Promise<void>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

const USER = "answerback";

/**
 * Starts a server that ends with this process, even if this process is killed.
 *
 * @throws {Error} with instructions if PostgreSQL is not installed, or with the end of the server's log if it does not
 *   start.
 */
export async function startPostgres(options: PostgresOptions): Promise<TestPostgres> {
  const folder = await mkdtemp(join(tmpdir(), "answerback-postgres-"));
  const guard = startGuard(folder);
  try {
    const owner = await serverOwner();
    if (owner !== undefined) await chown(folder, owner.uid, owner.gid);
    const programs = await findPrograms(owner, folder);
    const address = await ownAddress();
    const server = new Server({ ...options, ...address, folder, guard, owner, programs });
    await server.init();
    await server.restart();
    return server;
  } catch (error) {
    await guard.end();
    throw error;
  }
}

interface ServerParts extends PostgresOptions {
  readonly host: string;
  readonly port: number;
  readonly folder: string;
  readonly guard: Guard;
  readonly owner: Owner | undefined;
  readonly programs: Programs;
}

class Server implements TestPostgres {
  readonly #parts: ServerParts;
  readonly #password = randomBytes(16).toString("hex");
  #process: ChildProcess | undefined;
  #databases = 0;

  constructor(parts: ServerParts) {
    this.#parts = parts;
  }

  get version(): number {
    return this.#parts.programs.version;
  }

  get host(): string {
    return this.#parts.host;
  }

  get port(): number {
    return this.#parts.port;
  }

  url(database: string): string {
    return `postgres://${USER}:${this.#password}@${this.host}:${this.port}/${database}`;
  }

  async createDatabase(): Promise<string> {
    this.#databases += 1;
    const name = `own_${this.#databases}`;
    await createDatabase(this.url("postgres"), name);
    return this.url(name);
  }

  /** Creates the server's data folder. */
  async init(): Promise<void> {
    const { folder, owner, programs } = this.#parts;
    const secret = join(folder, "password");
    await writeFile(secret, this.#password, { mode: 0o600 });
    if (owner !== undefined) await chown(secret, owner.uid, owner.gid);
    const cheap = programs.version >= 16 ? ["-c", "scram_iterations=1"] : [];
    const args = ["--username", USER, "--auth", "scram-sha-256", "--pwfile", secret, ...cheap];
    const place = ["--pgdata", this.#data, "--no-sync", "--locale", "C", "--encoding", "UTF8"];
    await execute(programs.initdb, [...place, ...args], { ...this.#asOwner });
  }

  async restart(): Promise<void> {
    const { programs, guard, folder } = this.#parts;
    const log = await open(join(folder, "log"), "a");
    const settings = settingsFor(this.#parts).flatMap((setting) => ["-c", setting]);
    const child = spawn(programs.postgres, ["-D", this.#data, ...settings], {
      ...this.#asOwner,
      stdio: ["ignore", log.fd, log.fd],
      detached: true,
    });
    child.unref();
    try {
      await once(child, "spawn");
    } finally {
      await log.close();
    }
    guard.watch(child.pid ?? 0);
    this.#process = child;
    await this.#accepting(child);
  }

  freeze(): Promise<void> {
    return this.#signalAll("SIGSTOP");
  }

  thaw(): Promise<void> {
    return this.#signalAll("SIGCONT");
  }

  async #signalAll(signal: NodeJS.Signals): Promise<void> {
    const pid = this.#process?.pid;
    if (pid === undefined) return;
    // Signals the server before its child processes, so that it starts no new ones.
    signalIfThere(pid, signal);
    for (const child of await childrenOf(pid)) signalIfThere(child, signal);
  }

  async kill(): Promise<void> {
    const child = this.#process;
    if (child?.pid === undefined) return;
    this.#process = undefined;
    // Stops the server before its child processes, so that it starts no new ones.
    child.kill("SIGSTOP");
    const children = await childrenOf(child.pid);
    for (const pid of children) signalIfThere(pid, "SIGKILL");
    await endedBy(child, "SIGKILL");
    this.#parts.guard.watch(0);
    while ((await stillRunning(children)).length > 0) await pause(LOOK_EVERY_MS);
  }

  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      await endedBy(child, "SIGQUIT");
      this.#parts.guard.watch(0);
    }
    await this.#parts.guard.end();
  }

  get #data(): string {
    return join(this.#parts.folder, "data");
  }

  get #asOwner() {
    const { owner, folder } = this.#parts;
    // The locale determines the language of the server's messages.
    const env = { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC" };
    return { ...owner, cwd: folder, env };
  }

  async #accepting(child: ChildProcess): Promise<void> {
    const deadline = performance.now() + START_WITHIN_MS;
    for (;;) {
      const refusal = await refusalOf(this.url("postgres"));
      if (refusal === undefined) return;
      const hasEnded = child.exitCode !== null || child.signalCode !== null;
      if (hasEnded || performance.now() > deadline) {
        const log = await readFile(join(this.#parts.folder, "log"), "utf8");
        throw new Error(`PostgreSQL does not start:\n${log.slice(-LOG_SHOWN)}`, { cause: refusal });
      }
      await pause(LOOK_EVERY_MS);
    }
  }
}

const LOOK_EVERY_MS = 10;
const START_WITHIN_MS = 60_000;
const LOG_SHOWN = 4_000;

function settingsFor({ durable, host, port }: ServerParts): readonly string[] {
  return [
    `listen_addresses=${host}`,
    `port=${port}`,
    "unix_socket_directories=",
    "max_connections=200",
    "timezone=UTC",
    "log_timezone=UTC",
    ...(durable ? [] : FAST),
  ];
}

const FAST = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "answerback.accept_unsafe_server=on",
  "wal_level=minimal",
  "max_wal_senders=0",
  "autovacuum=off",
];

/** Creates a database on the server that `url` names. */
export async function createDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

/** Sends a signal to a process and waits for its end. Keeps this process running only during this wait. */
async function endedBy(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  child.ref();
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

async function refusalOf(url: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.end();
    return undefined;
  } catch (error) {
    return error;
  }
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    const isGone = error instanceof Error && "code" in error && error.code === "ESRCH";
    if (!isGone) throw error;
  }
}

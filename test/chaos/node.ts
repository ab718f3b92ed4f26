import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

/** A process of the bot that is killed, suspended and restarted. A process that ends by itself is restarted too. */
export interface ClusterNode {
  readonly name: string;
  readonly role: NodeRole;
  /** Data folder; the settings file is beside it. */
  readonly data: string;
  /** Whether the process is ready and not suspended. */
  readonly isUp: () => boolean;
  start(): void;
  /** Resolves when the process is ready. If it is restarted meanwhile, waits until the new process is ready. */
  ready(): Promise<void>;
  /** Kills the process with `kill -9`. */
  kill(): Promise<void>;
  /** Asks the process to end. */
  end(): Promise<void>;
  freeze(): void;
  /** Suspends the process just before it sets an outbox item's status to `sending`, or after 10 s. */
  freezeAtMark(): Promise<void>;
  thaw(): void;
  /** Kills the process and does not restart it. */
  close(): Promise<void>;
  /** Logs of all processes that this node has started, oldest first. */
  log(): string;
  /** Last log lines of each process that ended without being killed or stopped. */
  readonly ownEnds: readonly string[];
}

export type NodeRole = "receiver" | "worker" | "all";

export interface NodeOptions {
  readonly name: string;
  readonly role: NodeRole;
  readonly data: string;
  /** Arguments of `node`: the program's path and the program's own arguments. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Called with the webhook's address when it listens, and with undefined when the process has ended. */
  readonly onListening: (url: string | undefined) => void;
}

const LOG_SHOWN = 3_000;
const AGAIN_AFTER_MS = 300;
const READY_WITHIN_MS = 90_000;
const ENDED_WITHIN_MS = 30_000;
const MARK_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 20;

/** Creates a node without starting its process. */
export function clusterNode(options: NodeOptions): ClusterNode {
  const { name, role, data, command, env, onListening } = options;
  const logs: string[] = [];
  const ownEnds: string[] = [];
  let child: ChildProcess | undefined;
  let isReady = false;
  let isFrozen = false;
  let isOver = false;
  let onStopping = (): void => {};

  const start = (): void => {
    if (child !== undefined || isOver) return;
    const place = logs.push("") - 1;
    const started = spawn(process.execPath, [...command], {
      env: { PATH: process.env["PATH"], ...env },
      // The child ends when its stdin ends, as happens when this process dies.
      stdio: ["pipe", "pipe", "pipe"],
    });
    child = started;
    started.stderr.setEncoding("utf8").on("data", (text: string) => (logs[place] += text));
    createInterface(started.stdout).on("line", (line) => {
      if (child !== started) return;
      if (line.startsWith("listening ")) onListening(line.slice("listening ".length));
      if (line === "ready") isReady = true;
      if (line === "stopping") onStopping();
    });
    started.once("close", (code, signal) => {
      if (child !== started) return;
      gone();
      ownEnds.push(
        `${name} ended with ${code ?? signal}:\n${(logs[place] ?? "").slice(-LOG_SHOWN)}`,
      );
      void pause(AGAIN_AFTER_MS).then(start);
    });
  };
  const gone = (): ChildProcess | undefined => {
    const before = child;
    child = undefined;
    isReady = false;
    isFrozen = false;
    onListening(undefined);
    return before;
  };
  const freeze = (): void => {
    isFrozen = true;
    child?.kill("SIGSTOP");
  };
  const endBy = async (signal: "SIGKILL" | "SIGTERM"): Promise<void> => {
    const ending = gone();
    if (ending === undefined) return;
    const closed = once(ending, "close");
    ending.kill(signal);
    const giveUp = setTimeout(() => {
      ownEnds.push(`${name} does not end:\n${logs.join("").slice(-LOG_SHOWN)}`);
      ending.kill("SIGKILL");
    }, ENDED_WITHIN_MS);
    await closed;
    clearTimeout(giveUp);
  };
  return {
    name,
    role,
    data,
    isUp: () => isReady && !isFrozen,
    start,
    async ready() {
      const deadline = performance.now() + READY_WITHIN_MS;
      const waits = (): boolean => !isReady;
      while (waits()) {
        if (performance.now() > deadline) {
          throw new Error(`${name} does not get ready:\n${logs.join("").slice(-LOG_SHOWN)}`);
        }
        await pause(LOOK_EVERY_MS);
      }
    },
    kill: () => endBy("SIGKILL"),
    end: () => endBy("SIGTERM"),
    async close() {
      isOver = true;
      await endBy("SIGKILL");
    },
    freeze,
    async freezeAtMark() {
      const stopping = new Promise<void>((resolve) => (onStopping = resolve));
      child?.kill("SIGUSR2");
      const marked = new AbortController();
      const giveUp = pause(MARK_WITHIN_MS, undefined, { signal: marked.signal }).catch(() => {
        // The wait was aborted, because the process is about to mark an item.
      });
      await Promise.race([stopping, giveUp]);
      marked.abort();
      freeze();
    },
    thaw() {
      isFrozen = false;
      child?.kill("SIGCONT");
    },
    log: () => logs.join(""),
    ownEnds,
  };
}

import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import type { RuntimeStatus } from "../../src/runtime/control/status-schema.ts";
import { begin } from "./command-line.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Bot that runs in this or in a separate process, from its start to its end. */
export interface BotLife {
  /** Resolves with the status that `run --json` prints once it is ready; rejects if the bot ends before that. */
  readonly ready: Promise<RuntimeStatus>;
  /** Resolves with the exit code, or with null if a signal ended the process. */
  readonly ended: Promise<number | null>;
  readonly isProcess: boolean;
  /** Text on stderr so far. */
  log(): string;
  signal(name: NodeJS.Signals): void;
  pid(): number;
}

export interface BotLifeOptions {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Runs a command of the command line in this process. */
export function lifeHere({ cwd, args, env }: BotLifeOptions): BotLife {
  const running = begin({ cwd, env }, args);
  const ended = running.ended.then(({ code }) => code);
  const ready = running
    .until(/^(\{"event":"ready".*\})$/m)
    .catch(async () => fail(await ended, running.messages()))
    .then(statusIn);
  return {
    ready,
    ended,
    isProcess: false,
    log: () => running.messages(),
    signal(name) {
      if (name !== "SIGTERM")
        throw new Error(`${name} needs a process: start it by startProcess()`);
      void running.end();
    },
    pid() {
      throw new Error("runs in the test's process: start it by startProcess()");
    },
  };
}

/** Runs a command of the command line in a separate process. */
export function lifeInProcess({ cwd, args, env }: BotLifeOptions): BotLife {
  const child = spawn(process.execPath, [...program(), ...args], {
    cwd,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const firstLine = new Promise<string>((resolve) =>
    createInterface(child.stdout).once("line", resolve),
  );
  return {
    ready: Promise.race([firstLine.then(statusIn), ended.then((code) => fail(code, log))]),
    ended,
    isProcess: true,
    log: () => log,
    signal: (name) => void child.kill(name),
    pid: () => child.pid ?? 0,
  };
}

/** Node's arguments for the command line: bundled for tests, from source in other programs. */
function program(): readonly string[] {
  return process.env["VITEST"] === undefined
    ? ["--conditions=answerback-source", "--import", "tsx", join(ROOT, "src/cli/bin.ts")]
    : [join(inject("prebuilt"), "src/cli/bin.js")];
}

function statusIn(line: string): RuntimeStatus {
  const ready: { readonly status: RuntimeStatus } = JSON.parse(line);
  return ready.status;
}

function fail(code: number | null, log: string): never {
  throw new Error(`the bot ended with ${code}: ${log}`);
}

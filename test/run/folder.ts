import { rmSync } from "node:fs";
import { join } from "node:path";
import type { ProvidedContext } from "vitest";
import type { TestProject } from "vitest/node";
import { guardPids, guardTemporaryFiles } from "./guard.ts";
import { type LeftProcess, processesThatName } from "./left-processes.ts";

/** Milliseconds to wait for processes that are already ending, such as the guard of a killed test's server. */
const END_WITHIN_MS = 6_000;
const LOOK_EVERY_MS = 50;
const SHOWN_COMMAND_CHARS = 160;

/**
 * Creates the temporary folder of the run. It becomes `TMPDIR` of this process, of its workers and of the processes
 * that they start; `XDG_STATE_HOME` is inside it.
 *
 * When this process ends, the folder is removed. Processes of the run that are still running are listed and killed, and
 * make the run fail. If this process is killed, a guard removes the folder.
 */
export async function setup(project: TestProject): Promise<void> {
  if (!project.isRootProject()) return;
  const { folder } = await guardTemporaryFiles("ab-");
  process.env["XDG_STATE_HOME"] = join(folder, "state");
  process.once("exit", () => {
    // Values are missing if an earlier global setup has failed.
    const provided: Partial<ProvidedContext> = project.getProvidedContext();
    const leftProcesses = endLeftProcesses([folder, provided.prebuilt ?? folder]);
    for (const { pid, command } of leftProcesses) {
      say(`left behind and killed: process ${pid}: ${command.slice(0, SHOWN_COMMAND_CHARS)}`);
    }
    if (leftProcesses.length > 0) process.exitCode = 1;
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch (error) {
      say(`left behind: ${folder}: ${String(error)}`);
      process.exitCode = 1;
    }
  });
}

/** Kills the processes that mention one of the paths, unless they end by themselves in time. */
function endLeftProcesses(paths: readonly string[]): readonly LeftProcess[] {
  const find = () => processesThatName(paths).filter(({ pid }) => !guardPids.has(pid));
  const deadline = performance.now() + END_WITHIN_MS;
  let leftProcesses = find();
  while (leftProcesses.length > 0 && performance.now() < deadline) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_EVERY_MS);
    leftProcesses = find();
  }
  for (const { pid } of leftProcesses) kill(pid);
  return leftProcesses;
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    const isGone = error instanceof Error && "code" in error && error.code === "ESRCH";
    if (!isGone) throw error;
  }
}

function say(line: string): void {
  process.stdout.write(`\n${line}\n`);
}

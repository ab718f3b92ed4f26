import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { inject } from "vitest";
import { ControlClient } from "../../../src/sandbox/index.ts";

/** A sandbox in a separate process, with a state file. */
export interface KillableSandbox {
  readonly url: string;
  readonly control: ControlClient;
  /** Ends the process like `kill -9`. */
  kill(): Promise<void>;
}

const running = new Set<ChildProcess>();

export async function startKillable(state: string): Promise<KillableSandbox> {
  const script = join(inject("prebuilt"), "test/sandbox/control/child-sandbox.js");
  const child = spawn(process.execPath, [script, state], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.add(child);
  const [line] = await once(createInterface(child.stdout), "line");
  const ready = JSON.parse(String(line)) as {
    base_url: string;
    control_url: string;
    control_token: string;
  };
  return {
    url: ready.base_url,
    control: new ControlClient(ready.control_url, ready.control_token),
    async kill() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      running.delete(child);
    },
  };
}

/** Ends the processes that a failed test left behind. */
export function killAll(): void {
  for (const child of running) child.kill("SIGKILL");
  running.clear();
}

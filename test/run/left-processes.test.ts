// @module-tag linux
import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { processesThatName } from "./left-processes.ts";

let folder: string;
let child: ChildProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "named "));
});
afterEach(async () => {
  await end();
  await rm(folder, { recursive: true });
});

async function start(args: readonly string[], options: SpawnOptions): Promise<number> {
  const program = "process.stdout.write('here'); setInterval(() => {}, 1_000)";
  child = spawn(process.execPath, ["-e", program, ...args], { ...options, stdio: "pipe" });
  await once(child.stdout ?? child, "data");
  return child.pid ?? 0;
}

async function end(): Promise<void> {
  if (child?.kill("SIGKILL") === true) await once(child, "exit");
  child = undefined;
}

const pids = (): readonly number[] => processesThatName([folder]).map(({ pid }) => pid);

describe("a process of a run", () => {
  it.each([
    { by: "its command line", args: true },
    { by: "its environment", env: true },
    { by: "its working directory", cwd: true },
  ])("is found by $by, until it has ended", async ({ args, env, cwd }) => {
    const pid = await start(args === true ? [join(folder, "file")] : [], {
      env: env === true ? { TMPDIR: folder } : {},
      cwd: cwd === true ? folder : "/",
    });
    expect(pids()).toEqual([pid]);

    await end();

    expect(pids()).toEqual([]);
  });

  it("does not include one that names another folder", async () => {
    await start([`${tmpdir()}/another`], { env: { TMPDIR: tmpdir() }, cwd: "/" });

    expect(pids()).toEqual([]);
  });
});

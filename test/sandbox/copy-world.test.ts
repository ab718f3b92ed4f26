import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { users } from "../../src/sandbox/model/accounts.ts";
import { AREAS } from "../../src/sandbox/areas.ts";
import { copyWorld } from "../../src/sandbox/copy-world.ts";
import { Platform } from "../../src/sandbox/kernel/platform.ts";
import { WorldKeeper } from "../../src/sandbox/kernel/world/world-keeper.ts";
import { startSandbox } from "../../src/sandbox/index.ts";

let folder: string;
let file: string;
const platforms: Platform[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sandbox-"));
  file = join(folder, "world.jsonl");
});
afterEach(async () => {
  for (const platform of platforms.splice(0)) platform.time.close();
  await rm(folder, { recursive: true });
});

/** Opens a platform over a stored world. @param leastBytes Size of a journal that is merged into the world. */
async function open(path: string, leastBytes?: number) {
  const platform = new Platform({
    areas: AREAS,
    machine: () => Date.UTC(2026, 0, 1),
    highWaterMark: "0",
    storeHighWaterMark: () => undefined,
  });
  platforms.push(platform);
  const keeper = new WorldKeeper(platform, path, leastBytes);
  await keeper.load();
  platform.keepIn(keeper);
  return { platform, keeper };
}

function putUser(platform: Platform, n: number): void {
  users.in(platform.world).put({
    id: String(n),
    username: `user_${n}`,
    name: String(n),
    password: "p",
    email: "",
    createdAt: n,
    profile: {},
  });
}

/** Numbers of the users of a stored world, in the order of their creation. */
async function usersOf(path: string): Promise<readonly number[]> {
  const { platform } = await open(path);
  return [...users.in(platform.world).all()].map(({ name }) => Number(name));
}

it("copies all changes up to one moment while the world is changed, merged and replaced", async () => {
  const { platform, keeper } = await open(file, 2_000);
  const copies: { readonly path: string; readonly least: number }[] = [];
  let written = 0;
  const ending = new AbortController();
  const writing = (async () => {
    while (!ending.signal.aborted) {
      if (written % 7 === 6) platform.restore(platform.save());
      putUser(platform, written);
      await keeper.persist();
      written += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  try {
    for (let n = 0; n < 40; n += 1) {
      const least = written;
      const path = join(await mkdtemp(join(folder, "copy-")), "world.jsonl");
      const hasCopied = await copyWorld(file, path);
      if (hasCopied) copies.push({ path, least });
    }
  } finally {
    ending.abort();
    await writing;
  }

  expect(copies.length).toBeGreaterThan(30);
  for (const { path, least } of copies) {
    expect(await readdir(join(path, ".."))).toEqual(["world.jsonl"]);
    const copied = await usersOf(path);
    expect(copied).toEqual(copied.map((_, at) => at));
    expect(copied.length).toBeGreaterThanOrEqual(least);
  }
});

it("copies a world that a killed sandbox has never saved", async () => {
  const { platform, keeper } = await open(file);
  putUser(platform, 0);
  await keeper.persist();
  expect(await readdir(folder)).toEqual(["world.jsonl.journal.1"]);

  const copy = join(await mkdtemp(join(folder, "copy-")), "world.jsonl");
  expect(await copyWorld(file, copy)).toBe(true);
  expect(await usersOf(copy)).toEqual([0]);
});

it("reports that there is no world, and writes nothing", async () => {
  const to = await mkdtemp(join(folder, "copy-"));
  expect(await copyWorld(file, join(to, "world.jsonl"))).toBe(false);
  expect(await readdir(to)).toEqual([]);
});

it("names the original file if a part of the world is missing", async () => {
  const { platform, keeper } = await open(file, 1);
  putUser(platform, 0);
  await keeper.persist();
  await keeper.persist();
  platform.restore(platform.save());
  await keeper.persist();
  for (const name of await readdir(folder)) {
    if (name.includes(".journal.")) await rm(join(folder, name));
  }
  const copy = join(await mkdtemp(join(folder, "copy-")), "world.jsonl");
  await expect(copyWorld(file, copy)).rejects.toThrow(
    new RegExp(`^${file}\\.journal\\.\\d+ is missing`),
  );
});

it("repeats no id in a sandbox that continues the copy, also if the clock is frozen", async () => {
  const clock = { now: Date.UTC(2026, 0, 1), frozen: true };
  const sandbox = await startSandbox({ state: file, clock });
  const ana = await sandbox.control.user("ana");
  const before = await sandbox.control.user("ben");
  const copy = join(await mkdtemp(join(folder, "copy-")), "world.jsonl");
  await copyWorld(file, copy);
  await sandbox.close();

  const continued = await startSandbox({ state: copy });
  const after = await continued.control.user("carla");
  const all = (await continued.control.users()).map(({ id }) => id);
  await continued.close();
  expect(BigInt(after)).toBeGreaterThan(BigInt(before));
  expect(new Set(all)).toEqual(new Set([ana, before, after]));
});

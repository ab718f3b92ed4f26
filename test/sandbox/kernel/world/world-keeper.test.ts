import { copyFileSync, readdirSync, statSync } from "node:fs";
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { users } from "../../../../src/sandbox/model/accounts.ts";
import { AREAS } from "../../../../src/sandbox/areas.ts";
import { Platform } from "../../../../src/sandbox/kernel/platform.ts";
import { WorldKeeper } from "../../../../src/sandbox/kernel/world/world-keeper.ts";
import { seeded } from "../../../support/seeded.ts";
import { when } from "../../../support/when.ts";

let folder: string;
let file: string;
const files: string[] = [];
const platforms: Platform[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sandbox-"));
  file = join(folder, "world.jsonl");
});
afterEach(async () => {
  for (const platform of platforms.splice(0)) platform.time.close();
  for (const one of [...files.splice(0), folder]) await rm(one, { recursive: true, force: true });
});

/** Opens a platform over the file, as a new process does after the previous one was killed. */
async function open(leastBytes?: number): Promise<{ platform: Platform; keeper: WorldKeeper }> {
  const platform = new Platform({
    areas: AREAS,
    machine: () => Date.UTC(2026, 0, 1),
    highWaterMark: "0",
    storeHighWaterMark: () => undefined,
  });
  platforms.push(platform);
  const keeper = new WorldKeeper(platform, file, leastBytes);
  await keeper.load();
  platform.keepIn(keeper);
  return { platform, keeper };
}

/** Continues with a copy of the current files, as after a kill: later changes by the earlier process have no effect. */
async function leaveBehind(): Promise<void> {
  let next = await mkdtemp(join(tmpdir(), "sandbox-"));
  files.push(folder);
  while (!hasCopied(next)) {
    files.push(next);
    next = await mkdtemp(join(tmpdir(), "sandbox-"));
  }
  folder = next;
  file = join(folder, "world.jsonl");
}

/**
 * Copies the files. Returns false if the keeper has added, replaced or removed a file during the copying: a kill leaves
 * no mixture of old and new files.
 */
function hasCopied(to: string): boolean {
  const inodes = (): string =>
    readdirSync(folder)
      .map((name) => `${name} ${statSync(join(folder, name), { throwIfNoEntry: false })?.ino}`)
      .join();
  const before = inodes();
  for (const name of readdirSync(folder)) {
    // A temporary file, which the keeper renames when it is complete, does not belong to the saved state.
    if (name.endsWith(".next")) continue;
    try {
      copyFileSync(join(folder, name), join(to, name));
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
      throw error;
    }
  }
  return inodes() === before;
}

function putUser(platform: Platform, n: number, name = `user_${n}`): void {
  users.in(platform.world).put({
    id: String(n),
    username: `user_${n}`,
    name,
    password: "p",
    email: "",
    createdAt: n,
    profile: {},
  });
}

const namesOf = (platform: Platform): string[] =>
  [...users.in(platform.world).all()].map(({ name }) => name);

const journals = async (): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.includes(".journal.")).sort();

describe("a stored world", () => {
  it("is restored up to the last stored change, however the process ended", async () => {
    const draw = seeded(7);
    const expected = new Map<number, string>();
    for (let life = 0; life < 12; life += 1) {
      const { platform, keeper } = await open(4_000);
      expect(new Set(namesOf(platform))).toEqual(new Set(expected.values()));
      for (let step = 0; step < 60; step += 1) {
        const n = draw(40);
        if (draw(10) < 3) {
          users.in(platform.world).delete(String(n));
          expected.delete(n);
        } else {
          const name = `name ${life} ${step}`;
          putUser(platform, n, name);
          expected.set(n, name);
        }
        await keeper.persist();
        if (draw(10) < 5) await new Promise((resolve) => setImmediate(resolve));
      }
      if (draw(10) < 3) await keeper.close();
      await leaveBehind();
    }
  });

  it("merges a grown journal into its file, and begins a new one", async () => {
    const { platform, keeper } = await open(2_000);
    for (let n = 0; n < 40; n += 1) {
      putUser(platform, n);
      await keeper.persist();
    }
    await when(async () =>
      (await journals()).join() === "world.jsonl.journal.1" ? undefined : true,
    );
    await when(async () => ((await journals()).length === 1 ? true : undefined));
    putUser(platform, 99);
    await keeper.persist();

    expect(namesOf((await open()).platform)).toHaveLength(41);
  });

  it("is one file after a close", async () => {
    const { platform, keeper } = await open();
    putUser(platform, 1);
    await keeper.close();

    expect(await readdir(folder)).toEqual(["world.jsonl"]);
    expect((await readFile(file, "utf8")).split("\n")[1]).toMatch(/^\["users",/);
  });

  it("stays the old one until its replacement is saved", async () => {
    const { platform, keeper } = await open();
    putUser(platform, 1);
    await keeper.persist();
    platform.reset();
    putUser(platform, 2);
    const saved = keeper.persist();
    await when(async () =>
      (await journals()).includes("world.jsonl.journal.2") ? true : undefined,
    );
    const early = [folder, file] as const;
    await leaveBehind();
    const hasReplaced = (await readdir(folder)).includes("world.jsonl");
    expect(namesOf((await open()).platform)).toEqual([hasReplaced ? "user_2" : "user_1"]);

    await saved;
    [folder, file] = early;
    expect(namesOf((await open()).platform)).toEqual(["user_2"]);
  });
});

describe("a journal", () => {
  beforeEach(async () => {
    const { platform, keeper } = await open();
    for (const n of [1, 2, 3]) {
      putUser(platform, n);
      await keeper.persist();
    }
  });

  it("that a kill tore holds up to the tear, and goes on from there", async () => {
    const whole = await readFile(`${file}.journal.1`);
    await truncate(`${file}.journal.1`, whole.length - 5);

    const { platform, keeper } = await open();
    expect(namesOf(platform)).toEqual(["user_1", "user_2"]);
    putUser(platform, 4);
    await keeper.persist();

    expect(namesOf((await open()).platform)).toEqual(["user_1", "user_2", "user_4"]);
  });

  it("is restored without trailing bytes that no process wrote", async () => {
    await appendFile(`${file}.journal.1`, Buffer.alloc(300));

    expect(namesOf((await open()).platform)).toEqual(["user_1", "user_2", "user_3"]);
  });

  test.each([
    {
      change: (lines: string[]) => lines.with(2, "x".repeat(20)),
      says: "journal.1:3 is damaged and whole lines follow it",
      why: "a line in its midst is damaged",
    },
    {
      change: (lines: string[]) => lines.with(2, '[["users",{"id":"x"}]]'),
      says: "journal.1:3 is not of a sandbox world's journal: users.id: ",
      why: "a row does not fit",
    },
    {
      change: (lines: string[]) => lines.with(1, '[["x",{}]]'),
      says: "tables.x: there is no such table",
      why: "there is no such table",
    },
    {
      change: (lines: string[]) => lines.with(0, "{}"),
      says: "journal.1:1 is not of a sandbox world's journal: ",
      why: "its head is another's",
    },
  ])("is refused where $why", async ({ change, says }) => {
    const lines = (await readFile(`${file}.journal.1`, "utf8")).split("\n");
    await writeFile(`${file}.journal.1`, change(lines).join("\n"));

    await expect(open()).rejects.toThrow(says);
  });

  it("is reported as missing if the saved world names it", async () => {
    const { platform, keeper } = await open(1);
    putUser(platform, 5);
    await keeper.persist();
    await when(async () => ((await readdir(folder)).includes("world.jsonl") ? true : undefined));
    await when(async () => ((await journals()).length === 1 ? true : undefined));
    const [name = ""] = await journals();
    const bytes = await readFile(join(folder, name));
    await rm(join(folder, name));
    await expect(open()).rejects.toThrow(`${name} is missing`);

    await writeFile(join(folder, name), bytes);
    await rm(file);
    await expect(open()).rejects.toThrow(`${file}, which is missing`);
  });
});

it("publishes no change that the disk refused, and stores it when the disk accepts writes", async () => {
  const { platform, keeper } = await open();
  putUser(platform, 1);
  await keeper.persist();
  await rm(file, { force: true });
  await mkdir(file);
  platform.reset();
  putUser(platform, 2);
  await expect(Promise.resolve(keeper.persist())).rejects.toThrow("no regular file");

  await rm(file, { recursive: true });
  await keeper.persist();

  expect(namesOf((await open()).platform)).toEqual(["user_2"]);
});

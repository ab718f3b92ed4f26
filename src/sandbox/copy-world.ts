import { copyFile, rm, stat } from "node:fs/promises";
import { errorCode } from "../system/error-code.ts";
import { messageOf } from "../system/error-message.ts";
import { isMissingFile } from "../system/files/missing-file.ts";
import { AREAS } from "./areas.ts";
import { Platform } from "./kernel/platform.ts";
import { HighWaterFile } from "./kernel/world/high-water-file.ts";
import { journalFile, journalNumbers } from "./kernel/world/load-world.ts";
import { WorldKeeper } from "./kernel/world/world-keeper.ts";

/** Number of attempts to copy the files of a world. A sandbox that merges its journal ends an attempt. */
const TRIES = 100;

/**
 * Copies a stored world, also while a sandbox changes it. The copy is one file, which contains the changes of the
 * journals and needs no other file.
 *
 * @param state File of the world, as in `SandboxOptions.state`.
 * @param target Path of the copy, in a folder without another world.
 * @returns Whether there is a world.
 * @throws {Error} naming file and line if a part of the world is missing or damaged.
 */
export async function copyWorld(state: string, target: string): Promise<boolean> {
  if (!(await copyFiles(state, target))) return false;
  const platform = new Platform({
    areas: AREAS,
    machine: Date.now,
    // The mark is read after the copy, so that it is above all ids of the copy.
    highWaterMark: new HighWaterFile(`${state}.mark`).read(),
    storeHighWaterMark: () => undefined,
  });
  const keeper = new WorldKeeper(platform, target);
  try {
    await keeper.load();
  } catch (error) {
    if (errorCode(error) !== undefined) throw error;
    throw new Error(messageOf(error).replaceAll(target, state), { cause: error });
  } finally {
    platform.time.close();
  }
  await keeper.close();
  return true;
}

/**
 * Copies a world's file and its journals as of one moment. Returns false if there are none.
 *
 * A journal gets no more lines once the next one exists, and is deleted only after the world's file was replaced. So the
 * copies of the listed journals belong together if the world's file is the same before and after.
 */
async function copyFiles(state: string, target: string): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const before = await versionOf(state);
    const numbers = await journalNumbers(state);
    if (before === undefined && numbers.length === 0) return false;
    await copyIfThere(state, target);
    for (const n of numbers) await copyIfThere(journalFile(state, n), journalFile(target, n));
    if ((await versionOf(state)) === before) return true;
    for (const n of numbers) await rm(journalFile(target, n), { force: true });
    await rm(target, { force: true });
  }
  throw new Error(`${state} was replaced during every attempt to copy it; try again`);
}

/** Text that differs between any two versions of a file; undefined if there is no file. */
async function versionOf(file: string): Promise<string | undefined> {
  const there = await stat(file, { bigint: true }).catch(undefinedIfMissing);
  return there && [there.dev, there.ino, there.size, there.mtimeNs].join();
}

async function copyIfThere(from: string, to: string): Promise<void> {
  await copyFile(from, to).catch(undefinedIfMissing);
}

function undefinedIfMissing(error: unknown): undefined {
  if (!isMissingFile(error)) throw error;
}

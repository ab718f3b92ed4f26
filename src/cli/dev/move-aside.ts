import { readdir, realpath, rename } from "node:fs/promises";
import { relative, sep } from "node:path";
import { UsageError } from "../../errors.ts";
import { BACKUP_FILES, isOfWorld } from "../../runtime/stores.ts";
import { exists } from "../arguments/settings-flags.ts";

export interface MoveAside {
  /** Current folder of the command. */
  readonly cwd: string;
  /** Path of the settings file; undefined if there is none. */
  readonly settingsFile: string | undefined;
  /** Milliseconds since the epoch; part of the new name. */
  readonly now: number;
}

/**
 * Renames a bot's data folder to make room for a new one.
 *
 * @returns The new name; undefined if the folder does not exist.
 * @throws {UsageError} if the folder holds the current folder or the settings, or other files than a bot's data.
 */
export async function moveAside(
  folder: string,
  { cwd, settingsFile, now }: MoveAside,
): Promise<string | undefined> {
  if (!(await exists(folder, "."))) return undefined;
  const reason = (await isIn(folder, cwd))
    ? "the command runs in this folder"
    : settingsFile !== undefined && (await isIn(folder, settingsFile))
      ? `the settings file ${relative(cwd, settingsFile)} is in it`
      : (await isDataFolder(folder))
        ? undefined
        : "it has files, but no data of a bot";
  if (reason !== undefined) {
    throw new UsageError(`--fresh does not move ${folder}: ${reason}`, {
      hint: "name a folder that has only the bot's data, with --data or with data: in the settings",
    });
  }
  const stamp = new Date(now).toISOString().slice(0, 19).replaceAll(":", "");
  for (let again = 1; ; again += 1) {
    const aside = `${folder}.${stamp}${again === 1 ? "" : `-${again}`}`;
    if (await exists(aside, ".")) continue;
    await rename(folder, aside);
    return aside;
  }
}

/** Whether `path` is the folder itself or lies in it. Links are followed. */
async function isIn(folder: string, path: string): Promise<boolean> {
  const [outer, inner] = await Promise.all([realpath(folder), realpath(path)]);
  return `${inner}${sep}`.startsWith(outer.endsWith(sep) ? outer : `${outer}${sep}`);
}

/** Whether a folder is empty or has a file that only the data folder of a bot has. */
async function isDataFolder(folder: string): Promise<boolean> {
  const names = await readdir(folder);
  return names.length === 0 || names.some((name) => OF_BOT.has(name) || isOfWorld(name));
}

const OF_BOT: ReadonlySet<string> = new Set(["store.db", "store.id", "run.json", ...BACKUP_FILES]);

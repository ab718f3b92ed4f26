import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { makeFolder } from "../../system/files/created-folder.ts";
import { UsageError } from "../../errors.ts";
import { replaceFile } from "../../system/files/own-file.ts";
import { messageOf } from "../../system/error-message.ts";
import { isMissingFile } from "../../system/files/missing-file.ts";

/** File with the saved state (world) of a sandbox: its users, posts, messages and so on. */
export interface Snapshot {
  readonly name: string;
  /** Time of the snapshot, ISO 8601. */
  readonly saved_at: string;
  readonly bytes: number;
}

/** Lists the saved worlds in a data folder, newest first. */
export async function listSnapshots(folder: string): Promise<Snapshot[]> {
  const files = await readdir(join(folder, "snapshots")).catch((error: unknown): string[] => {
    if (isMissingFile(error)) return [];
    throw error;
  });
  const snapshots = await Promise.all(
    files
      .filter((file) => file.endsWith(".json"))
      .map(async (file) => {
        const { mtime, size } = await stat(join(folder, "snapshots", file));
        return { name: basename(file, ".json"), saved_at: mtime.toISOString(), bytes: size };
      }),
  );
  return snapshots.sort((a, b) => b.saved_at.localeCompare(a.saved_at));
}

/**
 * Writes a world as a snapshot. A crash while writing leaves an older snapshot with the same name unchanged.
 *
 * @throws {UsageError} if the name is not a plain file name.
 */
export async function writeSnapshot(folder: string, name: string, world: unknown): Promise<void> {
  const file = fileOf(folder, name);
  makeFolder(join(folder, "snapshots"), 0o700);
  await replaceFile(file, `${JSON.stringify(world)}\n`);
}

/** Reads the world of a snapshot. @throws {UsageError} if no snapshot has that name, or the snapshot is damaged. */
export async function readSnapshot(folder: string, name: string): Promise<unknown> {
  const text = await readFile(fileOf(folder, name), "utf8").catch((cause: unknown) => {
    throw new UsageError(`there is no snapshot "${name}"`, {
      cause,
      hint: "list the snapshots with: answerback snapshot list",
    });
  });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`the snapshot "${name}" is damaged: ${messageOf(cause)}`, {
      cause,
      hint: "restore another one; list them with: answerback snapshot list",
    });
  }
}

function fileOf(folder: string, name: string): string {
  if (/^[\w][\w.-]{0,99}$/.test(name)) return join(folder, "snapshots", `${name}.json`);
  throw new UsageError(`"${name}" can't be a snapshot's name`, {
    hint: "use letters, digits, dots, dashes and underscores",
  });
}

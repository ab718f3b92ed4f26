import { mkdir, open, readdir, readFile, rename, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { UsageError } from "../errors.ts";

/** A saved world of the sandbox. */
export interface Snapshot {
  readonly name: string;
  /** When it was saved, ISO 8601. */
  readonly saved_at: string;
  readonly bytes: number;
}

/** The saved worlds in a data folder, newest first. */
export async function listSnapshots(folder: string): Promise<Snapshot[]> {
  const files = await readdir(join(folder, "snapshots")).catch(noneYet);
  const found = await Promise.all(
    files
      .filter((file) => file.endsWith(".json"))
      .map(async (file) => {
        const { mtime, size } = await stat(join(folder, "snapshots", file));
        return { name: basename(file, ".json"), saved_at: mtime.toISOString(), bytes: size };
      }),
  );
  return found.sort((a, b) => b.saved_at.localeCompare(a.saved_at));
}

/**
 * Writes a world; a kill in between leaves the old snapshot of that name as it was.
 *
 * @throws {UsageError} for a name that is no plain file name.
 */
export async function writeSnapshot(folder: string, name: string, world: unknown): Promise<void> {
  const file = fileOf(folder, name);
  await mkdir(join(folder, "snapshots"), { recursive: true, mode: 0o700 });
  const beside = `${file}.next`;
  const handle = await open(beside, "w", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(world)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(beside, file);
}

/** @throws {UsageError} when there is none of that name. */
export async function readSnapshot(folder: string, name: string): Promise<unknown> {
  const text = await readFile(fileOf(folder, name), "utf8").catch((cause: unknown) => {
    throw new UsageError(`there is no snapshot "${name}"`, {
      cause,
      hint: "see what there is with: answerback snapshot list",
    });
  });
  return JSON.parse(text);
}

function fileOf(folder: string, name: string): string {
  if (/^[\w][\w.-]{0,99}$/.test(name)) return join(folder, "snapshots", `${name}.json`);
  throw new UsageError(`"${name}" can't be a snapshot's name`, {
    hint: "use letters, digits, dots, dashes and underscores",
  });
}

function noneYet(error: unknown): string[] {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
  throw error;
}

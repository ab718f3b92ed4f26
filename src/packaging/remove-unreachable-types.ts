import { readdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

const IMPORTED = /(?:\bfrom |\bimport ?\(?)"(\.[^"]+)"/g;

/**
 * Removes declarations that no program can import: the package exports a few modules only.
 *
 * @param folder Contains nothing but what the compiler has emitted.
 * @param entries Absolute paths of the declarations that the package exports.
 * @throws {Error} `ENOENT` where a declaration imports one that is missing.
 */
export async function removeUnreachableTypes(
  folder: string,
  entries: readonly string[],
): Promise<void> {
  const reachable = new Set(entries);
  // A set is iterated over what is added meanwhile, too.
  for (const file of reachable) {
    const text = await readFile(file, "utf8");
    for (const [, module = ""] of text.matchAll(IMPORTED)) {
      reachable.add(join(dirname(file), module.replace(/\.[jt]s$/, ".d.ts")));
    }
  }
  const emitted = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = emitted.filter((one) => one.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  await Promise.all(paths.filter((path) => !reachable.has(path)).map((path) => rm(path)));
}

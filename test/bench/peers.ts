import { execFile } from "node:child_process";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * Installs libraries for comparisons into a cache folder of the user, once. The project does not depend on these
 * libraries.
 *
 * @param versions Exact versions by package name.
 * @returns The folder, or the reason why the libraries can't be installed; the measurement then leaves them out.
 */
export async function installed(
  versions: Readonly<Record<string, string>>,
): Promise<{ readonly folder: string } | { readonly why: string }> {
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const names = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  const folder = join(cache, "answerback-bench", names.join("+").replaceAll(/[^\w.+@-]/g, "_"));
  const done = join(folder, "installed");
  try {
    if (await stat(done).catch(() => undefined)) return { folder };
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "package.json"), '{ "private": true }\n');
    const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder];
    await promisify(execFile)("npm", ["install", ...options, ...names], { cwd: folder });
    await writeFile(done, "");
    return { folder };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
}

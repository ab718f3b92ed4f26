import { execFile } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/**
 * Builds a library for `LD_PRELOAD` that adds 3 ms to every device sync of a process.
 *
 * @returns The path of the library, or the reason why it can't be built: no C compiler, or a system other than Linux.
 */
export async function slowSync(): Promise<{ readonly path: string } | { readonly why: string }> {
  if (process.platform !== "linux") return { why: "LD_PRELOAD is for Linux" };
  const source = fileURLToPath(new URL("./slow-sync.c", import.meta.url));
  const path = join(await mkdtemp(join(tmpdir(), "answerback-bench-")), "slow-sync.so");
  try {
    await promisify(execFile)("cc", ["-shared", "-fPIC", "-O2", "-o", path, source, "-ldl"]);
    return { path };
  } catch (error) {
    return {
      why: `cc did not build it: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SRC = fileURLToPath(new URL("../../../src/", import.meta.url));

/** Files of `src` in one phase of a process, as sorted paths from the root of the project. */
export interface Walk {
  /** Files that the process loaded in the phase. */
  readonly loaded: readonly string[];
  /** Files with a function that ran in the phase. */
  readonly walked: readonly string[];
}

interface CoverageFile {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

/** Names of the reports in a folder that NODE_V8_COVERAGE names, in the order in which the process wrote them. */
export async function reportsIn(folder: string, pid: number): Promise<readonly string[]> {
  const own = (await readdir(folder)).filter((name) => name.startsWith(`coverage-${pid}-`));
  const dated = own.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs }));
  return (await Promise.all(dated)).sort((a, b) => a.at - b.at).map(({ name }) => name);
}

/** Reads one report of V8. A module's own code is the first function of its file, which starts at offset 0. */
export async function readWalk(file: string): Promise<Walk> {
  const { result }: CoverageFile = JSON.parse(await readFile(file, "utf8"));
  const loaded = new Set<string>();
  const walked = new Set<string>();
  for (const { url, functions } of result) {
    const path = url.startsWith("file:") ? fileURLToPath(url) : "";
    if (!path.startsWith(SRC)) continue;
    for (const { functionName, ranges } of functions) {
      const [whole] = ranges;
      if (whole === undefined || whole.count === 0) continue;
      // esbuild adds a function of this name to each module.
      if (functionName === "__name") continue;
      (whole.startOffset === 0 ? loaded : walked).add(`src/${path.slice(SRC.length)}`);
    }
  }
  return { loaded: [...loaded].sort(), walked: [...walked].sort() };
}

import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";

const runFile = z.object({
  pid: z.number(),
  url: z.string(),
  token: z.string(),
  startedAt: z.string(),
});

/** How to reach a running runtime: `run.json` in its data folder, readable by its owner only. */
export type RunFile = z.infer<typeof runFile>;

/** Writes `run.json`. Gives the way to take it away again. */
export async function writeRunFile(folder: string, content: RunFile): Promise<() => Promise<void>> {
  const file = join(folder, "run.json");
  const beside = `${file}.new`;
  await rm(beside, { force: true });
  await writeFile(beside, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  // Whoever reads meanwhile gets the old one or the new one, whole.
  await rename(beside, file);
  return () => rm(file, { force: true });
}

/** The runtime that runs on `folder`, or undefined when none says so. It may have died since. */
export async function readRunFile(folder: string): Promise<RunFile | undefined> {
  try {
    return runFile.parse(JSON.parse(await readFile(join(folder, "run.json"), "utf8")));
  } catch {
    return undefined;
  }
}

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { replaceFile } from "../../system/atomic-file.ts";

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
  await replaceFile(file, `${JSON.stringify(content, null, 2)}\n`);
  return () => rm(file, { force: true });
}

/** The runtime that runs on `folder`, or undefined when there is none. It may have died since. */
export async function readRunFile(folder: string): Promise<RunFile | undefined> {
  try {
    return runFile.parse(JSON.parse(await readFile(join(folder, "run.json"), "utf8")));
  } catch {
    return undefined;
  }
}

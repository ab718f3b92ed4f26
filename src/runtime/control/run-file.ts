import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";

/** Address of a running runtime: `run.json` in its data folder, readable by its owner only. */
export interface RunFile {
  readonly pid: number;
  readonly url: string;
  readonly token: string;
  /** Time in ISO 8601. */
  readonly startedAt: string;
  /** Version of the package, which shows whether client and runtime use the same contract. Older versions did not write it. */
  readonly version?: string;
}

/** Writes `run.json`. Returns the function that removes it. */
export async function writeRunFile(folder: string, content: RunFile): Promise<() => Promise<void>> {
  const file = join(folder, "run.json");
  // loaded only when needed: clients, which only read the file, do without this module
  const { replaceFile } = await import("../../system/files/own-file.ts");
  await replaceFile(file, `${JSON.stringify(content, null, 2)}\n`);
  return () => rm(file, { force: true });
}

/** Reads `run.json` of `folder`; undefined if it is absent or invalid. A killed runtime leaves the file behind. */
export async function readRunFile(folder: string): Promise<RunFile | undefined> {
  try {
    const content: unknown = JSON.parse(await readFile(join(folder, "run.json"), "utf8"));
    return isRunFile(content) ? content : undefined;
  } catch {
    return undefined;
  }
}

function isRunFile(content: unknown): content is RunFile {
  if (typeof content !== "object" || content === null) return false;
  const { pid, url, token, startedAt, version }: { [Key in keyof RunFile]?: unknown } = content;
  const texts = [url, token, startedAt, version ?? ""];
  return typeof pid === "number" && texts.every((text) => typeof text === "string");
}

import { cp, mkdir, mkdtemp, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { begin, type Running } from "./command-line.ts";
import { FREE_PORTS } from "./own-address.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Packages that the example `assistant` needs, by their folder in `node_modules` of this repository. */
const OF_ASSISTANT = ["ai", "@ai-sdk/openai-compatible", "zod"];

/** Copies an example to a new folder, with this package in its `node_modules` as after `npm install`. */
export async function installed(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "example-"));
  await cp(join(ROOT, "examples", name), folder, { recursive: true });
  await mkdir(join(folder, "node_modules", "@ai-sdk"), { recursive: true });
  await symlink(ROOT, join(folder, "node_modules", "answerback"), "dir");
  for (const other of name === "assistant" ? OF_ASSISTANT : []) {
    await symlink(join(ROOT, "node_modules", other), join(folder, "node_modules", other), "dir");
  }
  return folder;
}

/**
 * Starts the sandbox and an example's bot on free ports, so that other programs on this machine do not disturb them.
 */
export function started(folder: string, env: Readonly<Record<string, string>> = {}): Running {
  return begin({ cwd: folder, env: { ...env, ...FREE_PORTS } }, ["dev", "--port", "0"]);
}

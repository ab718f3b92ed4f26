import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** A file that the console's page loads. */
export interface PageAsset {
  readonly name: string;
  readonly body: Uint8Array;
}

/** Files of the page by name: `main.js`, `live.js`, `sign-in.js`, `style.css`, and files with hashes in their names. */
export type PageAssets = ReadonlyMap<string, PageAsset>;

let assets: Promise<PageAssets> | undefined;

/** Returns the files of the built page. When running from source, builds them at the first call. */
export function pageAssets(): Promise<PageAssets> {
  assets ??= load().catch((error: unknown) => {
    assets = undefined;
    throw error;
  });
  return assets;
}

async function load(): Promise<PageAssets> {
  const files = import.meta.url.endsWith(".ts") ? await builtNow() : await builtBefore();
  return new Map(files.map((file) => [file.name, file]));
}

/**
 * Builds the page in a child process: a bundler needs more memory than a bot, and this process would not release it.
 */
async function builtNow(): Promise<readonly PageAsset[]> {
  const program = fileURLToPath(new URL("../../packaging/print-page.ts", import.meta.url));
  const loader = import.meta.resolve("tsx");
  const args = ["--conditions=answerback-source", "--import", loader, program];
  const { stdout } = await execute(process.execPath, args, { maxBuffer: MAX_OUTPUT_BYTES });
  const files: readonly { readonly name: string; readonly body: string }[] = JSON.parse(stdout);
  return files.map(({ name, body }) => ({ name, body: Buffer.from(body, "base64") }));
}

async function builtBefore(): Promise<readonly PageAsset[]> {
  const folder = fileURLToPath(new URL("../page/", import.meta.url));
  const names = await readdir(folder);
  return Promise.all(
    names.map(async (name) => ({ name, body: await readFile(`${folder}${name}`) })),
  );
}

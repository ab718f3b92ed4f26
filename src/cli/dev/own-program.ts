import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/** What Node needs to run this command line again: from source with a loader, built without. */
export function ownProgram(): string[] {
  if (!import.meta.url.endsWith(".ts")) {
    return [...process.execArgv, fileURLToPath(new URL("../bin.js", import.meta.url))];
  }
  const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  const bin = fileURLToPath(new URL("../bin.ts", import.meta.url));
  return ["--conditions=source", "--import", loader, bin];
}

import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/**
 * Node arguments that start this program again. For TypeScript sources, they load `tsx`; for the built package, they
 * don't.
 */
export function ownProgram(): string[] {
  if (!import.meta.url.endsWith(".ts")) {
    return [...process.execArgv, fileURLToPath(new URL("../bin.js", import.meta.url))];
  }
  const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  const bin = fileURLToPath(new URL("../bin.ts", import.meta.url));
  return ["--conditions=answerback-source", "--import", loader, bin];
}

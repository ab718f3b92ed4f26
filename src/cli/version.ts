import { readFileSync } from "node:fs";
import * as z from "zod";

const ranges = z.record(z.string(), z.string());
const manifestShape = z.object({
  version: z.string(),
  dependencies: ranges,
  devDependencies: ranges,
});

function manifest(): z.infer<typeof manifestShape> {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return manifestShape.parse(JSON.parse(text));
}

/** The version of this package. */
export function version(): string {
  return manifest().version;
}

/** With what a project's TypeScript is run and checked. */
const TOOLS = ["tsx", "typescript", "@types/node"];

/** The ranges of those, as this package has them, by name. */
export function toolRanges(): Readonly<Record<string, string>> {
  const { dependencies, devDependencies } = manifest();
  const all = { ...devDependencies, ...dependencies };
  return Object.fromEntries(TOOLS.flatMap((name) => (all[name] ? [[name, all[name]]] : [])));
}

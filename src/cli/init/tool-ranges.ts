import { packageManifest } from "../../system/package-version.ts";

/** With what a project's TypeScript is run and checked. */
const TOOLS = ["tsx", "typescript", "@types/node"];

/** The ranges of those, as this package has them, by name. */
export function toolRanges(): Readonly<Record<string, string>> {
  const { dependencies, devDependencies } = packageManifest();
  const all = { ...devDependencies, ...dependencies };
  return Object.fromEntries(TOOLS.flatMap((name) => (all[name] ? [[name, all[name]]] : [])));
}

import { packageManifest } from "../../system/package-version.ts";

/** Packages that run and check a project's TypeScript. */
const TOOLS = ["tsx", "typescript", "@types/node"];

/**
 * Version ranges of the packages in {@link TOOLS}, by name. They are the ranges of this package's own `package.json`.
 */
export function toolRanges(): Readonly<Record<string, string>> {
  const { dependencies, devDependencies } = packageManifest();
  const all = { ...devDependencies, ...dependencies };
  return Object.fromEntries(TOOLS.flatMap((name) => (all[name] ? [[name, all[name]]] : [])));
}

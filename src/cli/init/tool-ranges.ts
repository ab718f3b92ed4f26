import { packageManifest } from "../../system/package-version.ts";

/** Packages that run and check a project's TypeScript. */
const TOOLS = ["tsx", "typescript", "@types/node"];

/** Version ranges of the packages in {@link TOOLS} by name, the same as in this package. */
export function toolRanges(): Readonly<Record<string, string>> {
  const { dependencies, devDependencies } = packageManifest();
  const all = { ...devDependencies, ...dependencies };
  return Object.fromEntries(TOOLS.flatMap((name) => (all[name] ? [[name, all[name]]] : [])));
}

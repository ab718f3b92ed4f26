import { realpath } from "node:fs/promises";
import { relative, sep } from "node:path";
import {
  type FileFault,
  isWithin,
  MAX_SOURCE_BYTES,
  MODULE_ENDINGS,
  projectFileFault,
} from "../system/files/project-file.ts";

/** Reason why a module that a rule or test names must not be loaded. */
export interface ModuleRefusal {
  /** Reason as text after the module's name: `lies outside the project`. */
  readonly what: string;
  readonly help: string;
}

/**
 * Checks whether a module that a rule or test names may be loaded. What the module itself imports is not restricted.
 *
 * @param file Absolute path.
 * @param folders Absolute folders of the project.
 * @returns The reason for a refusal; undefined if the module may be loaded or does not exist.
 */
export async function moduleRefusal(
  file: string,
  folders: readonly string[],
): Promise<ModuleRefusal | undefined> {
  const bounds = { folders, endings: MODULE_ENDINGS, maxBytes: MAX_SOURCE_BYTES };
  const fault = await projectFileFault(file, bounds);
  if (fault === "missing") return undefined;
  if (fault !== undefined) return REFUSALS[fault];
  const real = await Promise.all([file, ...folders].map((path) => realpath(path)));
  const [path = file, ...within] = real;
  return isInPackage(file, folders) || isInPackage(path, within) ? IN_PACKAGE : undefined;
}

/**
 * Whether a file is in `node_modules` below the project. The project itself may be in the `node_modules` of another
 * one.
 */
function isInPackage(file: string, folders: readonly string[]): boolean {
  return folders
    .filter((folder) => isWithin(folder, file))
    .every((folder) => relative(folder, file).split(sep).includes("node_modules"));
}

const IN_PACKAGE: ModuleRefusal = {
  what: "lies below node_modules",
  help: "write a module of the project that imports the package, and name that module",
};

const REFUSALS: Readonly<Record<Exclude<FileFault, "missing">, ModuleRefusal>> = {
  outside: {
    what: "lies outside the project",
    help: "copy it into the project, and write its path relative to this file",
  },
  hidden: {
    what: "is hidden: its name, or a folder in its path, begins with a dot",
    help: "give it a name without a dot at the beginning",
  },
  ending: { what: "is no module by its ending", help: "name a file that ends in .ts, .js or .mjs" },
  "too-large": { what: "is too large", help: "split it" },
  unreadable: { what: "can't be read", help: "check that it is a file, and its permissions" },
};

import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { UsageError } from "../../errors.ts";
import { isMissingFile } from "../../system/files/missing-file.ts";
import {
  isWithin,
  MAX_SOURCE_BYTES,
  projectFileFault,
  RULE_ENDINGS,
} from "../../system/files/project-file.ts";

/**
 * Checks that files are YAML files inside the project, after resolving symbolic links. Files that do not exist pass:
 * the command reports them by name.
 *
 * @param project Absolute folder.
 * @throws {UsageError} for a file outside the project, a hidden, too large or unreadable file, or a file that is not
 * YAML.
 */
export async function filesOfProject(
  project: string,
  files: readonly string[],
): Promise<readonly string[]> {
  const bounds = { folders: [project], endings: RULE_ENDINGS, maxBytes: MAX_SOURCE_BYTES };
  for (const file of files) {
    // Commands read stdin for `-`, but the MCP server's stdin carries the protocol.
    const fault = file === "-" ? "ending" : await projectFileFault(resolve(project, file), bounds);
    if (fault === undefined || fault === "missing") continue;
    throw new UsageError(`${file} is refused: ${REASONS[fault]}`, {
      hint: "name .yaml files of the project, with paths from its folder",
    });
  }
  return files;
}

const REASONS = {
  outside: "it is outside the project",
  hidden: "its name, or that of a folder above it, begins with a dot",
  ending: "rules, tests and settings are .yaml or .yml files",
  "too-large": "it is too large",
  unreadable: "it can't be read",
} as const;

/**
 * Checks that a folder is inside the project, after resolving symbolic links.
 *
 * @throws {UsageError} if the folder is outside.
 */
export async function folderOfProject(project: string, folder: string): Promise<string> {
  const place = resolve(project, folder);
  const real = await realpath(place).catch((error: unknown) => {
    if (isMissingFile(error)) return undefined;
    throw error;
  });
  const isInside =
    isWithin(project, place) && (real === undefined || isWithin(await realpath(project), real));
  if (isInside) return folder;
  throw new UsageError(`${folder} is refused: it is outside the project`, {
    hint: "name a folder of the project, with its path from there",
  });
}

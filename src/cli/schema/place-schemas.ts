import { readFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { LIVE_SETTINGS_FILE } from "../../config/file-names.ts";
import { findRuleFiles, findTestFiles, isTestFile } from "../../config/find-files.ts";
import { DEFAULT_SETTINGS_FILE } from "../../config/file-names.ts";
import { makeFolderWithin, replaceFile } from "../../system/files/own-file.ts";
import { isMissingFile } from "../../system/files/missing-file.ts";
import { settingsFor, type SettingsFlags } from "../arguments/settings-flags.ts";
import type { Io } from "../io.ts";
import {
  namedSchema,
  namingSchema,
  SCHEMAS,
  type SchemaFile,
  schemaTexts,
} from "./schema-files.ts";

/**
 * Writes the JSON Schemas of this version into the folder `schema` beside the settings. Adds a line that names its
 * schema to each settings, rule and test file, unless the file names an existing schema.
 *
 * @returns Paths of changed files, relative to the current folder.
 */
export async function placeSchemas(io: Io, flags: SettingsFlags): Promise<readonly string[]> {
  const settings = resolve(io.cwd, flags.config ?? DEFAULT_SETTINGS_FILE);
  const folder = join(dirname(settings), "schema");
  const { rules } = await settingsFor(io, flags);
  const folders = [...new Set(rules.map((glob) => dirname(glob)))];
  const tests = folders.map((one) => join(one, "*.test.{yaml,yml}"));
  const files = [
    ...(await findRuleFiles(rules, io.cwd)),
    ...(await findTestFiles(tests, io.cwd)),
  ].sort();
  const written: string[] = [];
  await makeFolderWithin(dirname(settings), folder);
  for (const [name, text] of Object.entries(schemaTexts())) {
    if (await replaced(join(folder, name), text)) written.push(join(folder, name));
  }
  const named = files.map((file) => ({
    file,
    schema: isTestFile(file) ? SCHEMAS.tests : SCHEMAS.rules,
  }));
  const live = join(dirname(settings), basename(LIVE_SETTINGS_FILE));
  const own = [...new Set([settings, live])].map((file) => ({ file, schema: SCHEMAS.settings }));
  for (const { file, schema } of [...own, ...named]) {
    if (await namesSchema(file, folder, schema)) written.push(file);
  }
  return written.map((file) => relative(io.cwd, file));
}

/** Adds the line that names a schema to a file, if needed. @returns Whether the file was changed. */
async function namesSchema(file: string, folder: string, schema: SchemaFile): Promise<boolean> {
  const text = await textOf(file);
  if (text === undefined) return false;
  const named = namedSchema(text);
  if (named !== undefined && (/^https?:/.test(named) || (await isThere(file, named)))) return false;
  const path = relative(dirname(file), join(folder, schema)).split(sep).join("/");
  // A blank would end the value of the schema line, and editors don't decode paths: use a URL.
  const address = /\s/.test(path) ? pathToFileURL(join(folder, schema)).href : path;
  return replaced(file, namingSchema(text, address));
}

async function isThere(file: string, named: string): Promise<boolean> {
  const path = named.startsWith("file:") ? new URL(named) : resolve(dirname(file), named);
  return (await textOf(path)) !== undefined;
}

/** Writes a file unless it already has this text. @returns Whether the file was written. */
async function replaced(file: string, text: string): Promise<boolean> {
  if ((await textOf(file)) === text) return false;
  await replaceFile(file, text, 0o644);
  return true;
}

function textOf(file: string | URL): Promise<string | undefined> {
  return readFile(file, "utf8").catch((error: unknown) => {
    if (isMissingFile(error)) return undefined;
    throw error;
  });
}

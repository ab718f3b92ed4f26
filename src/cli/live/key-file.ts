import { chmod, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { parseEnv } from "node:util";
import { credential } from "../../config/schema/platform-schema.ts";
import { UsageError } from "../../errors.ts";
import { replaceFile } from "../../system/files/own-file.ts";
import { isMissingFile } from "../../system/files/missing-file.ts";
import { APP_KEY_NAMES, type AppKey } from "./portal.ts";
import { valueFault } from "./value-fault.ts";

/** Values of the app's keys, by name; a key that is not known is absent. */
export type AppKeys = Readonly<Partial<Record<AppKey, string>>>;

/**
 * Parses keys from lines of the form `NAME=value`.
 *
 * @throws {UsageError} if a line has another name, which may be a misspelt one, or if the settings would refuse a key.
 */
export function readKeys(text: string): AppKeys {
  const parsedKeys = parseEnv(text.replace(/^\uFEFF/, ""));
  const names: readonly string[] = APP_KEY_NAMES;
  const other = Object.keys(parsedKeys).find((name) => !names.includes(name));
  if (other !== undefined || Object.keys(parsedKeys).length === 0) {
    throw new UsageError(
      other === undefined ? "the input has no key" : `${other} is not a key of the app`,
      {
        hint: `write NAME=value, one a line: ${APP_KEY_NAMES.join(", ")}`,
      },
    );
  }
  for (const name of APP_KEY_NAMES) {
    const fault = keyFault(name, parsedKeys[name] ?? "");
    if (fault !== undefined) throw fault;
  }
  return parsedKeys;
}

/** Returns why the settings would refuse a key; undefined if they accept it, or if it is empty. The key is not quoted. */
export function keyFault(name: AppKey, value: string): UsageError | undefined {
  return value === "" ? undefined : valueFault(credential, value, name);
}

/**
 * Writes the app's keys into a `.env` file with owner-only permissions, and keeps the file's other lines. An unknown
 * key gets an empty line, unless it is set elsewhere.
 *
 * @param elsewhere Variables of the environment and of other `.env` files.
 */
export async function writeKeys(
  path: string,
  keys: AppKeys,
  elsewhere: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const before = await textOf(path);
  let text = before ?? "# The bot's secrets: for nobody else, and not for version control.\n";
  for (const name of APP_KEY_NAMES) {
    const value = keys[name];
    const isSet = parseEnv(text)[name] !== undefined || (elsewhere[name] ?? "") !== "";
    if (value !== undefined) text = withLine(text, name, value);
    else if (!isSet) text = withLine(text, name, "");
  }
  if (text === before) await chmod(path, 0o600);
  else await replaceFile(path, text);
}

/** Sets a key in each line that has its name: programs differ in which of several lines counts. */
function withLine(text: string, name: AppKey, value: string): string {
  const line = `${name}=${/^[\w./+=%-]*$/.test(value) ? value : `'${value}'`}`;
  const linePattern = new RegExp(
    `^([ \\t]*(?:export[ \\t]+)?)${name}[ \\t]*=[ \\t]*(?:(["'\`])[^]*?\\2|[^\\r\\n#]*?)[ \\t]*(#.*)?$`,
    "gm",
  );
  if (text.search(linePattern) !== -1) {
    return text.replace(
      linePattern,
      (_, start: string, _quote: string, comment?: string) =>
        `${start}${line}${comment === undefined ? "" : ` ${comment}`}`,
    );
  }
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`;
}

/** Adds `.env` and the live bot's data folder to `.gitignore`. @returns The added lines. */
export async function ignoreSecrets(folder: string): Promise<readonly string[]> {
  const path = join(folder, ".gitignore");
  const text = (await textOf(path)) ?? "";
  const there = text.split("\n").map((line) => line.trim());
  const lacks = (...patterns: readonly string[]): boolean =>
    !patterns.some((one) => there.includes(one));
  const missing = [
    // "/.env" would not match config/.env
    ...(lacks(".env", "*.env", "**/.env") ? [".env"] : []),
    ...(["data.*/", "data.live/", "data.*", "data.live"].every((one) => lacks(one, `/${one}`))
      ? ["data.live/"]
      : []),
  ];
  if (missing.length === 0) return [];
  const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  await replaceFile(path, `${start}${missing.join("\n")}\n`, 0o644);
  return missing.map((line) => `${relative(folder, path)}: ${line}`);
}

/** Text of a file, without a byte order mark; undefined if it does not exist. */
export async function textOf(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, "utf8")).replace(/^\uFEFF/, "");
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { DEFAULT_DATA, DEFAULT_SETTINGS_FILE } from "../../config/file-names.ts";
import type { Settings } from "../../config/settings.ts";
import { isMissingFile } from "../../system/missing-file.ts";
import type { Io } from "../io.ts";
import { settingsFor, type SettingsFlags } from "./settings-flags.ts";

/** What of the settings is needed to reach a bot that runs. */
export type Whereabouts = Pick<Settings, "target" | "store">;

/** As the schema of the settings has them. */
const DEFAULTS = { target: "sandbox", store: `file:${DEFAULT_DATA}` };
/** Variables that change neither. */
const OTHERS = new Set([
  "ANSWERBACK_KEY",
  "ANSWERBACK_ACCESS_TOKEN",
  "ANSWERBACK_ACCESS_TOKEN_SECRET",
]);

/**
 * Where the bot of a command line is, without reading all settings where they say it plainly: to load what reads them
 * takes longer than such a bot takes to answer.
 */
export async function whereabouts(io: Io, flags: SettingsFlags): Promise<Whereabouts> {
  return (await plainWhereabouts(io, flags)) ?? settingsFor(io, flags);
}

async function plainWhereabouts(
  { cwd, env }: Io,
  { config, data }: SettingsFlags,
): Promise<Whereabouts | undefined> {
  const set = Object.keys(env).filter((name) => name.startsWith("ANSWERBACK_"));
  if (set.some((name) => !OTHERS.has(name))) return undefined;
  const file = resolve(cwd, config ?? DEFAULT_SETTINGS_FILE);
  const text = await readFile(file, "utf8").catch((error: unknown) =>
    config === undefined && isMissingFile(error) ? "" : undefined,
  );
  // a file that is named and missing, or can't be read, is told of by who reads all of it
  if (text === undefined) return undefined;
  const said = plainly(text);
  if (said === undefined) return undefined;
  const folder = data === undefined ? resolve(dirname(file), said.folder) : resolve(cwd, data);
  return { target: said.target, store: { url: `file:${folder}`, folder } };
}

/**
 * The target and the folder of a settings file of plain lines; undefined for any other.
 *
 * What stands at the beginning of a line is a key of the file itself, unless it belongs to a text in quotes or in
 * brackets that goes on over several lines: nothing is said of such a file.
 */
export function plainly(
  text: string,
): { readonly target: Settings["target"]; readonly folder: string } | undefined {
  const keys = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    if (/^(\s|#|$)/.test(line)) continue;
    const [, key = "", value = ""] = /^([a-z_]+):(?:\s+(.*))?$/.exec(line) ?? [];
    if (key === "" || key === "data" || keys.has(key) || isOpen(value)) return undefined;
    keys.set(key, value.replace(/(^|\s+)#.*$/, "").trim());
  }
  const { target, store } = { ...DEFAULTS, ...Object.fromEntries(keys) };
  const [, folder] = /^file:([\w./-]+)$/.exec(store) ?? [];
  const isKnown = target === "sandbox" || target === "live";
  return folder === undefined || !isKnown ? undefined : { target, folder };
}

/** Whether a value may go on in the next lines. */
function isOpen(value: string): boolean {
  const quotes = value.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, "").replace(/(^|\s)#.*$/, "");
  const open = quotes.match(/[[{]/g)?.length ?? 0;
  return /["']/.test(quotes) || open !== (quotes.match(/[\]}]/g)?.length ?? 0);
}

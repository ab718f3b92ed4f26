import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { DEFAULT_DATA, DEFAULT_SETTINGS_FILE } from "../../config/file-names.ts";
import type { Settings } from "../../config/settings.ts";
import { isMissingFile } from "../../system/files/missing-file.ts";
import type { Io } from "../io.ts";
import { settingsFor, type SettingsFlags } from "./settings-flags.ts";

/** Settings that a command needs to reach a running bot: target and store. */
export type Whereabouts = Pick<Settings, "target" | "store">;

/** Defaults, the same as in the settings schema. */
const DEFAULTS = { target: "sandbox", store: `file:${DEFAULT_DATA}` };
/** Environment variables that affect neither target nor store. */
const OTHERS = new Set([
  "ANSWERBACK_KEY",
  "ANSWERBACK_ACCESS_TOKEN",
  "ANSWERBACK_ACCESS_TOKEN_SECRET",
]);

/**
 * Returns the target and store of a command line. A simple settings file is read without the full settings loader,
 * because loading that code takes longer than the answer of a running bot.
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
  // a file named by --config that is missing or unreadable: the full loader reports it
  if (text === undefined) return undefined;
  const said = plainly(text);
  if (said === undefined) return undefined;
  const folder = data === undefined ? resolve(dirname(file), said.folder) : resolve(cwd, data);
  return { target: said.target, store: { url: `file:${folder}`, folder } };
}

/**
 * Reads target and store folder from the text of a settings file that has only simple lines. Returns undefined for any
 * other text.
 *
 * A line without indentation is taken for a top-level key, and an indented line for a part of the key above it. Texts that
 * are indented as a whole, or in which a plain or quoted value or a bracket spans several lines, are therefore refused.
 */
export function plainly(
  text: string,
): { readonly target: Settings["target"]; readonly folder: string } | undefined {
  const keys = new Map<string, string>();
  /** Whether the key above has its value, or the rest of a block text, in the following lines. */
  let isContinued = false;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(#|$)/.test(line)) continue;
    if (/^\s/.test(line)) {
      if (!isContinued) return undefined;
      continue;
    }
    const [, key = "", value = ""] = /^([a-z_]+):(?:\s+(.*))?$/.exec(line) ?? [];
    if (key === "" || key === "data" || keys.has(key) || isOpen(value)) return undefined;
    const plain = value.replace(/(^|\s+)#.*$/, "").trim();
    isContinued = /^(?:$|[|>])/.test(plain);
    keys.set(key, plain);
  }
  const { target, store } = { ...DEFAULTS, ...Object.fromEntries(keys) };
  const [, folder] = /^file:([\w./-]+)$/.exec(store) ?? [];
  const isKnown = target === "sandbox" || target === "live";
  return folder === undefined || !isKnown ? undefined : { target, folder };
}

/** Whether a YAML value may continue on the next line: it has an open quote or bracket. */
function isOpen(value: string): boolean {
  const quotes = value.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, "").replace(/(^|\s)#.*$/, "");
  const open = quotes.match(/[[{]/g)?.length ?? 0;
  return /["']/.test(quotes) || open !== (quotes.match(/[\]}]/g)?.length ?? 0);
}

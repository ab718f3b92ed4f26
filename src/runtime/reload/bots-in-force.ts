import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { BotHost } from "../../bots/bot-host.ts";
import { contentHash } from "../../system/content-hash.ts";
import type { Log } from "../log.ts";
import { oneByOne } from "../loop/one-by-one.ts";
import { type Changes, changesInWords, changesOf } from "./what-changed.ts";

/** Bots that are active until a reload replaces them. */
export interface BotsInForce {
  /** Reloads all modules; bots whose module fails keep their last working version. Reloads run one at a time. */
  reload(): Promise<LoadedAnew>;
  /** Reloads all modules, but only if one of them, a file in a bot's folder, or an imported file has changed. */
  reloadChanged(): Promise<void>;
}

/** Result of reloading the bot modules. */
export interface LoadedAnew {
  readonly count: number;
  /** Names of bots whose module failed to load, and whose last working version stays active. */
  readonly kept: readonly string[];
  /** Errors of the modules, one line each. */
  readonly problems: readonly string[];
}

export interface BotsInForceNeeds {
  /** Returns the current paths of the bot modules, absolute. */
  readonly find: () => Promise<readonly string[]>;
  /** Returns the absolute paths of modules that rules call, and of files that bots and these modules import. */
  readonly findUsed: (bots: readonly string[]) => Promise<readonly string[]>;
  readonly host: Pick<BotHost, "bots" | "loading" | "reload">;
  readonly log: Log;
}

/** Keeps the bots of `host` up to date with their modules. */
export async function openBotsInForce(needs: BotsInForceNeeds): Promise<BotsInForce> {
  const { find, findUsed, host, log } = needs;
  const read = async (files: readonly string[]): Promise<ReadonlyMap<string, string>> =>
    textsOf(files, await findUsed(files));
  let texts = await read(await find());
  let lastProblems: readonly string[] = [];

  const load = async (onlyChanged: boolean): Promise<LoadedAnew | undefined> => {
    const files = await find();
    const next = await read(files);
    const changes = changesOf(texts, next);
    const isOther = Object.values(changes).some((names) => names.length > 0);
    if (onlyChanged && !isOther) return undefined;
    const { keptBots, faults } = await host.reload(files);
    texts = next;
    const problems = faults.map(({ file, message }) => `${file}: ${message.split("\n", 1)[0]}`);
    for (const [index, { file, message }] of faults.entries()) {
      // The host has logged a module that it loads again later.
      const isLogged = host.loading.some((one) => one.file === file);
      if (isLogged || lastProblems.includes(problems[index] ?? "")) continue;
      log.error({ file }, `bot not loaded: ${message}`);
    }
    lastProblems = problems;
    if (keptBots.length > 0)
      log.warn({ bots: keptBots }, "bots with errors keep their last working version");
    const what = isOther ? `: ${changesInWords(named(changes))}` : "";
    log.info({ bots: host.bots.length }, `bots reloaded${what}`);
    return { count: host.bots.length, kept: keptBots, problems };
  };

  const inTurn = oneByOne();
  return {
    reload: () =>
      inTurn(
        async () => (await load(false)) ?? { count: host.bots.length, kept: [], problems: [] },
      ),
    reloadChanged: () => inTurn(async () => void (await load(true))),
  };
}

const MODULE = /\.[cm]?[jt]s$|\.json$/;

/**
 * Returns a hash of each bot module, each used file, and each module in the bots' folders, by path: a bot may import
 * modules of its folder by a computed path.
 */
async function textsOf(
  files: readonly string[],
  used: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const folders = [...new Set(files.map(dirname))];
  const beside = await Promise.all(
    folders.map(async (folder) => (await namesIn(folder)).map((name) => join(folder, name))),
  );
  const all = [...new Set([...files, ...beside.flat(), ...used])].sort();
  const texts = await Promise.all(all.map((file) => readFile(file, "utf8").catch(() => undefined)));
  const marks = all.flatMap((file, index): [string, string][] => {
    const text = texts[index];
    if (text === undefined) return [];
    return [[file, `${files.includes(file) ? "bot" : "beside"} ${contentHash(text)}`]];
  });
  return new Map(marks);
}

/** Shortens paths to file names, for the log. */
function named({ changed, added, removed }: Changes): Changes {
  const names = (files: readonly string[]): string[] => files.map((file) => basename(file));
  return { changed: names(changed), added: names(added), removed: names(removed) };
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => MODULE.test(name));
}

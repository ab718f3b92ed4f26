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
  /** Reloads all modules, but only if a file in their folders has changed. */
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
  readonly host: Pick<BotHost, "bots" | "loading" | "reload">;
  readonly log: Log;
}

/** Keeps the bots of `host` up to date with their modules. */
export async function openBotsInForce({ find, host, log }: BotsInForceNeeds): Promise<BotsInForce> {
  let texts = await textsOf(await find());
  let lastProblems: readonly string[] = [];

  const load = async (onlyChanged: boolean): Promise<LoadedAnew | undefined> => {
    const files = await find();
    const next = await textsOf(files);
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

/** Returns a hash of each module in the bots' folders, by path: a bot may import other modules of its folder. */
async function textsOf(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const folders = [...new Set(files.map(dirname))];
  const beside = await Promise.all(
    folders.map(async (folder) => (await namesIn(folder)).map((name) => join(folder, name))),
  );
  const all = [...new Set([...files, ...beside.flat()])].sort();
  const texts = await Promise.all(all.map((file) => readFile(file, "utf8").catch(() => "")));
  const marks = all.map((file, index) => {
    return `${files.includes(file) ? "bot" : "beside"} ${contentHash(texts[index] ?? "")}`;
  });
  return new Map(all.map((file, index) => [file, marks[index] ?? ""]));
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

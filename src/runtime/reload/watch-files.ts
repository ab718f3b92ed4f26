import { watch } from "node:fs";
import { dirname } from "node:path";
import { listFiles } from "../../config/find-files.ts";
import { globFolder, splitGlob } from "../../system/glob-folder.ts";
import type { Log } from "../log.ts";

/** Watches folders, not what is below them; gives what ends that. */
export type WatchFolders = (folders: readonly string[], onChange: () => void) => () => void;

/** Watches by what the operating system tells. A folder that can't be watched is told to `onError`. */
export function systemWatch(onError: (error: unknown, folder: string) => void): WatchFolders {
  return (folders, onChange) => {
    const watchers = folders.flatMap((folder) => {
      try {
        // what is watched must not keep a process from ending
        const watcher = watch(folder, { persistent: false }, onChange);
        watcher.on("error", (error) => onError(error, folder));
        return [watcher];
      } catch (error) {
        onError(error, folder);
        return [];
      }
    });
    return () => {
      for (const watcher of watchers) watcher.close();
    };
  };
}

interface WatchedFiles {
  readonly globs: readonly string[];
  readonly others?: () => readonly string[];
}

/** Editors write a file in several steps, and several files at once. */
const SETTLED_MS = 100;

/**
 * Calls `then` when one of the files that `globs` name has changed, come or gone, or one of `others`.
 *
 * @param globs Absolute.
 * @param others Absolute paths as they are now: they are asked for again after each `then`.
 * @returns What ends it.
 */
export async function watchFiles(
  { globs, others = () => [] }: WatchedFiles,
  watchFolders: WatchFolders,
  then: () => Promise<unknown>,
  log: Log,
): Promise<() => void> {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let unwatch = (): void => {};
  let watched: readonly string[] = [];
  /** @returns Whether a folder is watched that was not before. */
  const begin = async (): Promise<boolean> => {
    const folders = await foldersOf(globs, others());
    const isMore = folders.some((folder) => !watched.includes(folder));
    watched = folders;
    unwatch();
    if (!stopped) unwatch = watchFolders(folders, changed);
    return isMore;
  };
  const settled = async (): Promise<void> => {
    try {
      await then();
      // in a new folder files may have changed before it was watched
      if ((await begin()) && !stopped) changed();
    } catch (error) {
      log.error({ err: error }, "what has changed could not be read");
    }
  };
  function changed(): void {
    clearTimeout(timer);
    timer = setTimeout(() => void settled(), SETTLED_MS);
  }
  await begin();
  return () => {
    stopped = true;
    clearTimeout(timer);
    unwatch();
  };
}

/** The folders that the files are in, and those in which the globs begin or will begin. */
async function foldersOf(
  globs: readonly string[],
  others: readonly string[],
): Promise<readonly string[]> {
  const files = [...(await listFiles(globs)), ...others];
  return [...new Set([...globs.map(watchedFolder), ...files.map(dirname)])].sort();
}

/** The folder of a glob. While it does not exist, the nearest folder above it: its creation is noticed there. */
function watchedFolder(glob: string): string {
  const { folder: existing } = splitGlob(glob);
  const folder = globFolder(glob);
  return folder.startsWith(`${existing}/`) && existing !== "" ? existing : folder;
}

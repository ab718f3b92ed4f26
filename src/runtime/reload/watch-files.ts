import { watch } from "node:fs";
import { dirname } from "node:path";
import { listFiles } from "../../config/find-files.ts";
import { globFolder, splitGlob } from "../../system/files/glob-folder.ts";
import type { Log } from "../log.ts";
import { repeatedWhileStoreFails } from "../loop/while-store-fails.ts";
import { StoreError } from "../store/errors.ts";

/** Watches folders without their subfolders. Returns the function that ends the watch. */
export type WatchFolders = (folders: readonly string[], onChange: () => void) => () => void;

/** Watches by notifications of the operating system. An error of a folder is passed to `onError`. */
export function systemWatch(onError: (error: unknown, folder: string) => void): WatchFolders {
  return (folders, onChange) => {
    const watchers = folders.flatMap((folder) => {
      try {
        // The watcher must not keep the process from ending.
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
  readonly others?: () => Promise<readonly string[]>;
}

/** Milliseconds to wait after a change: editors write a file in several steps, and several files at once. */
const SETTLED_MS = 100;
/** Maximum milliseconds from the first change to `then`, for a folder in which a program writes all the time. */
const UNSETTLED_MS = 2_000;

/**
 * Calls `then` when a file of `globs` or `others` was changed, created or removed. While the store fails, `then` is
 * called again and again, until the next change or the end of the watch.
 *
 * @param globs Absolute.
 * @param others Returns the current absolute paths; called again after each `then`.
 * @returns The function that ends the watch.
 */
export async function watchFiles(
  { globs, others = async () => [] }: WatchedFiles,
  watchFolders: WatchFolders,
  then: () => Promise<unknown>,
  log: Log,
): Promise<() => void> {
  let stopped = false;
  /** Ends the repetitions of `then` for an earlier change. */
  let ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  /** Time of the first change that `then` was not called for, in milliseconds of a monotonic clock. */
  let changedAt: number | undefined;
  let unwatch = (): void => {};
  let watched: readonly string[] = [];
  /** Watches the current folders. @returns Whether a folder is watched that was not watched before. */
  const begin = async (): Promise<boolean> => {
    const folders = await foldersOf(globs, await others());
    const isMore = folders.some((folder) => !watched.includes(folder));
    watched = folders;
    unwatch();
    if (!stopped) unwatch = watchFolders(folders, changed);
    return isMore;
  };
  const settled = async (): Promise<void> => {
    changedAt = undefined;
    ending.abort();
    ending = new AbortController();
    const { signal } = ending;
    try {
      await thenWithStore(then, signal, log);
      // Files of a newly watched folder may have changed before the watch began, so `then` is called once more.
      if (!signal.aborted && (await begin()) && !stopped) changed();
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, "the changed files could not be reloaded");
    }
  };
  function changed(): void {
    clearTimeout(timer);
    changedAt ??= performance.now();
    const leftMs = changedAt + UNSETTLED_MS - performance.now();
    timer = setTimeout(() => void settled(), Math.max(0, Math.min(SETTLED_MS, leftMs)));
  }
  await begin();
  return () => {
    stopped = true;
    ending.abort();
    clearTimeout(timer);
    unwatch();
  };
}

/** Calls `then` until the store works or `signal` is aborted. Logs the first failure. */
async function thenWithStore(
  then: () => Promise<unknown>,
  signal: AbortSignal,
  log: Log,
): Promise<void> {
  let isLogged = false;
  const once = async (): Promise<void> => {
    if (signal.aborted) return;
    try {
      await then();
    } catch (error) {
      if (!isLogged && error instanceof StoreError && error.retryable) {
        log.warn({ err: error }, "the changed files are reloaded once the store works again");
        isLogged = true;
      }
      throw error;
    }
  };
  await repeatedWhileStoreFails(once, signal);
}

/**
 * Returns the folders to watch: the folder of each file, and the folder of each glob even if no file matches it yet.
 * `others` may be missing: the nearest folder above is watched.
 */
async function foldersOf(
  globs: readonly string[],
  others: readonly string[],
): Promise<readonly string[]> {
  const folders = (await listFiles(globs)).map(dirname);
  return [
    ...new Set([...globs.map(watchedFolder), ...folders, ...others.map(nearestFolder)]),
  ].sort();
}

/**
 * Returns the folder of a glob. If it does not exist, returns the nearest folder above, where its creation is noticed.
 */
function watchedFolder(glob: string): string {
  const { folder: existing } = splitGlob(glob);
  const folder = globFolder(glob);
  return folder.startsWith(`${existing}/`) && existing !== "" ? existing : folder;
}

/** Returns the folder of a file, or the nearest folder above that exists. */
function nearestFolder(file: string): string {
  return splitGlob(file).folder;
}

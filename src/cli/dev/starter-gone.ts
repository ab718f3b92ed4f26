/** Environment, parent process and check interval for {@link onStarterGone}. */
export interface StarterNeeds {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns the id of this process's parent; default: `process.ppid`. */
  readonly parent?: () => number;
  readonly everyMs?: number;
}

const EVERY_MS = 1_000;

/**
 * Calls `then` when npm, which started this process as a script, has ended.
 *
 * npm ends the shell of a script without passing the signal on, so the program would keep its ports. The system then
 * assigns another parent to the process, on Linux and macOS. If npm is killed by SIGKILL, the shell survives and the
 * end goes unnoticed. Programs started by a shell are not watched, so `nohup` and `disown` work.
 *
 * @returns A function that ends the watch.
 */
export function onStarterGone(
  { env, parent = () => process.ppid, everyMs = EVERY_MS }: StarterNeeds,
  then: () => void,
): () => void {
  if (env["npm_lifecycle_event"] === undefined) return () => {};
  const starter = parent();
  const timer = setInterval(() => {
    if (parent() === starter) return;
    clearInterval(timer);
    then();
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Process that started this one, as far as the operating system tells. */
export interface StarterNeeds {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Id of the parent now; `process.ppid` by default. */
  readonly parent?: () => number;
  readonly everyMs?: number;
}

const EVERY_MS = 1_000;

/**
 * Calls `then` once npm, which started this process as a script, is gone.
 *
 * npm ends the shell that runs a script, which does not pass the signal on: the program would keep its ports. The
 * system gives a process whose parent ended another parent, on Linux and macOS alike. SIGKILL spares that shell, so it
 * goes unnoticed. A program that a shell starts is not watched: `nohup` and `disown` let it outlive that shell.
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

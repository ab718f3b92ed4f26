import type { Log } from "../log.ts";

/** What was opened and has to be closed again, last opened first. */
export interface CleanupStack {
  /** @param what Named in the log when closing it fails: `the store`. */
  add(what: string, close: () => void | Promise<void>): void;
  /** Closes everything, once. Never rejects: what can't be closed is logged, and the rest gets its turn. */
  close(): Promise<void>;
}

/** An empty stack. */
export function cleanupStack(log: Log): CleanupStack {
  const opened: { readonly what: string; readonly close: () => void | Promise<void> }[] = [];
  let closed: Promise<void> | undefined;

  const closeAll = async (): Promise<void> => {
    for (const { what, close } of opened.toReversed()) {
      try {
        await close();
      } catch (error) {
        log.error({ err: error }, `${what} could not be closed`);
      }
    }
  };
  return {
    add: (what, close) => void opened.push({ what, close }),
    close: () => (closed ??= closeAll()),
  };
}

import type { Log } from "../log.ts";

/** Stack of opened resources, closed in reverse order. */
export interface CleanupStack {
  /** Adds an opened resource. @param what Name of the resource, such as `the store`, in the log if closing it fails. */
  add(what: string, close: () => void | Promise<void>): void;
  /** Closes all resources, once. Never rejects: an error is logged, and the remaining resources are closed. */
  close(): Promise<void>;
}

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

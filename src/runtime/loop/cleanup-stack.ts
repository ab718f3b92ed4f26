import type { Log } from "../log.ts";

/** Stack of opened resources, closed in reverse order. */
export interface CleanupStack {
  /**
   * Adds an opened resource. Closes it at once if the stack was closed while the resource was being opened.
   *
   * @param what Name of the resource, such as `the store`, in the log if closing it fails.
   */
  add(what: string, close: () => void | Promise<void>): void;
  /** Closes all resources, once. Never rejects: an error is logged, and the remaining resources are closed. */
  close(): Promise<void>;
}

export function cleanupStack(log: Log): CleanupStack {
  const opened: OpenedResource[] = [];
  let closed: Promise<void> | undefined;

  const closeOne = async ({ what, close }: OpenedResource): Promise<void> => {
    try {
      await close();
    } catch (error) {
      log.error({ err: error }, `${what} could not be closed`);
    }
  };
  const closeAll = async (): Promise<void> => {
    for (const one of opened.toReversed()) await closeOne(one);
  };
  return {
    add(what, close) {
      if (closed === undefined) opened.push({ what, close });
      else void closeOne({ what, close });
    },
    close: () => (closed ??= closeAll()),
  };
}

interface OpenedResource {
  readonly what: string;
  readonly close: () => void | Promise<void>;
}

import type { Log } from "./log.ts";

/** What was taken and has to be let go, last taken first. */
export interface Closing {
  add(what: string, close: () => Promise<void>): void;
  /** Lets everything go, once. Never rejects: what can't be let go is logged, and the rest gets its turn. */
  close(): Promise<void>;
}

export function closing(log: Log): Closing {
  const taken: { readonly what: string; readonly close: () => Promise<void> }[] = [];
  let ended: Promise<void> | undefined;

  const letGo = async (): Promise<void> => {
    for (const { what, close } of taken.toReversed()) {
      try {
        await close();
      } catch (error) {
        log.error({ err: error }, `${what} could not be closed`);
      }
    }
  };
  return {
    add: (what, close) => void taken.push({ what, close }),
    close: () => (ended ??= letGo()),
  };
}

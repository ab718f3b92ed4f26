import { pause } from "../../system/time/pause.ts";

/** Loop that polls for work when it is woken, and regularly by itself. */
export interface PollLoop {
  /** Polls now, or right after the current poll: there may be work. */
  wake(): void;
  /** Stops polling, and resolves when the current poll has ended. */
  stop(): Promise<void>;
}

export interface PollLoopOptions {
  /** Polls for work once. Its errors are passed to `onError`, and the loop continues. */
  readonly poll: () => Promise<void>;
  /** Real milliseconds between two polls without a wake: the longest time that due work waits. */
  readonly everyMs: number;
  /**
   * Shortest rest in real milliseconds between the end of a poll and the next poll, even if the loop is woken; by
   * default 0. It is for expensive polls: a single poll finds all work that came during the rest.
   */
  readonly restMs?: number | undefined;
  readonly onError: (error: unknown) => void;
}

/** Starts a loop; its first poll comes with the first `wake`, or after `everyMs`. */
export function pollLoop({ poll, everyMs, restMs = 0, onError }: PollLoopOptions): PollLoop {
  const state = { stopped: false, woken: false };
  const stopping = new AbortController();
  let underWay: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const run = async (): Promise<void> => {
    do {
      state.woken = false;
      try {
        await poll();
      } catch (error) {
        onError(error);
      }
      if (restMs > 0) await pause(restMs, stopping.signal);
    } while (state.woken && !state.stopped);
  };

  const wake = (): void => {
    if (state.stopped) return;
    state.woken = true;
    if (underWay !== undefined) return;
    clearTimeout(timer);
    underWay = run().finally(() => {
      underWay = undefined;
      if (state.stopped) return;
      // The loop may have been woken after its end, before this callback.
      if (state.woken) wake();
      else timer = setTimeout(wake, everyMs);
    });
  };

  timer = setTimeout(wake, everyMs);
  return {
    wake,
    async stop() {
      state.stopped = true;
      stopping.abort();
      clearTimeout(timer);
      await underWay;
    },
  };
}

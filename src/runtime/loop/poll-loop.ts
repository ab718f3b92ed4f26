import { pause } from "./pause.ts";

/** A loop that polls for work when it is woken, and now and then on its own. */
export interface PollLoop {
  /** There may be work: poll now, or right after the poll that is under way. */
  wake(): void;
  /** Polls no more, and resolves when the poll under way has ended. */
  stop(): Promise<void>;
}

export interface PollLoopOptions {
  /** Looks for work once. What it throws goes to `onError`, and the loop goes on. */
  readonly poll: () => Promise<void>;
  /** Real milliseconds between two polls when nobody wakes it: the bound on how late a due time is seen. */
  readonly everyMs: number;
  /**
   * Real milliseconds between the end of a poll and the next one, however often it is woken meanwhile: none unless said.
   * Where a poll costs much, what comes in the meantime is found by one.
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
      if (!state.stopped) timer = setTimeout(wake, everyMs);
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

/** Loop that calls an async function (`turn`) again and again. Each call returns the time until the next call. */
export interface PacedLoop {
  /** Calls the function now, or right after the current call. */
  wake(): void;
  /** Calls the function no more, and resolves when the current call has ended. */
  stop(): Promise<void>;
}

/**
 * Starts a loop; its first turn comes with the first `wake`.
 *
 * @param turn Returns the real milliseconds until the next turn. It must not reject.
 */
export function pacedLoop(turn: () => Promise<number>): PacedLoop {
  const state = { stopped: false, woken: false };
  let underWay: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const run = async (): Promise<void> => {
    let waitMs: number;
    do {
      state.woken = false;
      waitMs = await turn();
    } while (state.woken && !state.stopped);
    underWay = undefined;
    if (!state.stopped) timer = setTimeout(wake, waitMs);
  };

  const wake = (): void => {
    if (state.stopped) return;
    state.woken = true;
    if (underWay !== undefined) return;
    clearTimeout(timer);
    underWay = run();
  };

  return {
    wake,
    async stop() {
      state.stopped = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}

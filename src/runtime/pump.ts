/** A loop that looks for work when it is woken, and now and then on its own. */
export interface Pump {
  /** There may be work: look now, or right after the look that is under way. */
  wake(): void;
  /** Looks no more, and resolves when the look under way has ended. */
  stop(): Promise<void>;
}

export interface PumpOptions {
  /** Looks for work once. What it throws goes to `onError`, and the loop goes on. */
  readonly look: () => Promise<void>;
  /** Real milliseconds between two looks when nobody wakes it: the bound on how late a due time is seen. */
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}

export function pump({ look, everyMs, onError }: PumpOptions): Pump {
  const state = { stopped: false, woken: false };
  let underWay: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const run = async (): Promise<void> => {
    do {
      state.woken = false;
      try {
        await look();
      } catch (error) {
        onError(error);
      }
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
      clearTimeout(timer);
      await underWay;
    },
  };
}

/** Ends what goes on: by itself after a time, with other signals, or when it is told to. */
export interface TimedEnd {
  /** Aborted at the end, with the reason of what ended it; a `TimeoutError` where the time was over. */
  readonly signal: AbortSignal;
  /** The end is now. */
  end(): void;
  /** Nothing is left to be ended: the timer is cleared, the other signals are let go. */
  release(): void;
}

/** A timer can't be longer. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * A signal that is aborted with the first of `signals`, and after `ms`.
 *
 * It stands for `AbortSignal.any` over `AbortSignal.timeout`, whose timer Node 20 may collect as garbage before it
 * has gone off: here the timer is held until it is over or {@link TimedEnd.release} is called.
 *
 * @param ms Milliseconds; absent: it has no time.
 */
export function endingWith(signals: readonly AbortSignal[], ms?: number): TimedEnd {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const follow = ({ currentTarget }: Event): void => {
    if (currentTarget instanceof AbortSignal) finish(currentTarget.reason);
  };
  const release = (): void => {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener("abort", follow);
  };
  const finish = (reason: unknown): void => {
    release();
    controller.abort(reason);
  };
  const over = signals.find(({ aborted }) => aborted);
  if (over !== undefined) {
    finish(over.reason);
  } else {
    for (const signal of signals) signal.addEventListener("abort", follow, { once: true });
    if (ms !== undefined) timer = setTimeout(() => finish(timedOut()), Math.min(ms, LONGEST_MS));
  }
  return { signal: controller.signal, end: () => finish(undefined), release };
}

function timedOut(): DOMException {
  return new DOMException("The operation was aborted due to timeout", "TimeoutError");
}

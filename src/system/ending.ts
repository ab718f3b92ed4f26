/** An abort signal that aborts after a time, with other signals, or on request. */
export interface TimedEnd {
  /** Aborts with the reason of the other signal, or with a `TimeoutError` after the time. */
  readonly signal: AbortSignal;
  /** Aborts the signal now. */
  end(): void;
  /** Clears the timer and the listeners on other signals, without aborting. */
  release(): void;
}

/** Longest delay of a timer in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Creates a signal that aborts with the first of `signals`, or after `ms`.
 *
 * It is used instead of `AbortSignal.any` with `AbortSignal.timeout`, whose timer Node 20 may garbage-collect before it
 * fires. Here the timer is referenced until it fires or {@link TimedEnd.release} is called.
 *
 * @param ms Milliseconds; absent for no time limit.
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

import type { Log, LogMethod } from "../runtime/log.ts";

/** The log of a process that may die: from then on it says nothing. */
export function mortalLog(log: Log, isDead: () => boolean): Log {
  const alive =
    (write: LogMethod): LogMethod =>
    (...args: readonly unknown[]) => {
      if (!isDead()) Reflect.apply(write, log, args);
    };
  return {
    debug: alive(log.debug),
    info: alive(log.info),
    warn: alive(log.warn),
    error: alive(log.error),
    child: (fields) => mortalLog(log.child(fields), isDead),
  };
}

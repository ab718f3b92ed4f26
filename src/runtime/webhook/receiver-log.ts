import type { Log } from "../log.ts";
import { LOG_EVERY_MS, throttle } from "../loop/throttle.ts";

/** What a receiver tells of. Anybody can cause each of these any number of times: each is logged now and then. */
export interface ReceiverLog {
  /** The header is missing, or is no signature. */
  readonly unsigned: () => void;
  readonly forged: (bytes: number) => void;
  readonly givenUp: (why: string) => void;
  readonly tooLarge: () => void;
  readonly notJson: (bytes: number) => void;
  /** Lists and objects are nested in each other too often. */
  readonly tooDeep: (bytes: number) => void;
  readonly challenged: (answered: boolean) => void;
  /** Bytes that wait for the disk. */
  readonly behind: (bytes: number) => void;
  readonly notStored: (error: unknown) => void;
}

/** Writes to `log`: at once the first time, then no more than once in {@link LOG_EVERY_MS} for each kind. */
export function receiverLog(log: Log): ReceiverLog {
  const now = <T>(report: (latest: T, times: number) => void) => throttle(LOG_EVERY_MS, report);
  const unsigned = now<undefined>((_, times) =>
    log.warn({ times }, "delivery refused: its signature header is missing or malformed"),
  );
  const tooLarge = now<undefined>((_, times) =>
    log.warn({ times }, "delivery refused: it is too large"),
  );
  return {
    unsigned: () => unsigned(undefined),
    tooLarge: () => tooLarge(undefined),
    forged: now((bytes, times) =>
      log.warn({ bytes, times }, "delivery refused: its signature does not match its body"),
    ),
    givenUp: now((why, times) =>
      log.warn({ why, times }, "delivery given up before all of its body had come"),
    ),
    notJson: now((bytes, times) =>
      log.warn({ bytes, times }, "delivery refused: signed, but not a JSON object"),
    ),
    tooDeep: now((bytes, times) =>
      log.warn({ bytes, times }, "delivery refused: signed, but nested too deep"),
    ),
    challenged: now((answered, times) => log.debug({ answered, times }, "challenged")),
    behind: now((bytes, times) =>
      log.warn({ bytes, times }, "delivery refused: too much is waiting to be stored"),
    ),
    notStored: now((error, times) =>
      log.error({ err: error, times }, "delivery not stored: the store refused it"),
    ),
  };
}

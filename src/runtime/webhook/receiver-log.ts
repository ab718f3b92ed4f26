import type { Log } from "../log.ts";
import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";

/** Log of a receiver. Anyone can cause each message any number of times, so each method is throttled on its own. */
export interface ReceiverLog {
  /** Logs a delivery whose signature header is missing or malformed. */
  readonly unsigned: () => void;
  readonly forged: (bytes: number) => void;
  readonly givenUp: (why: string) => void;
  readonly tooLarge: () => void;
  readonly notJson: (bytes: number) => void;
  /** Logs a delivery whose lists and objects are nested too deeply. */
  readonly tooDeep: (bytes: number) => void;
  readonly challenged: (answered: boolean) => void;
  /** @param bytes Bytes that wait for the disk. */
  readonly behind: (bytes: number) => void;
  readonly notStored: (error: unknown) => void;
}

/**
 * Writes to `log`: the first message of a kind at once, later messages of this kind every {@link LOG_EVERY_MS} at
 * most.
 */
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
      log.warn({ why, times }, "delivery dropped: its sender stopped before the end of the body"),
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

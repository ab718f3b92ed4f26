import type { Log } from "../log.ts";
import { LOG_EVERY_MS, throttle } from "../loop/throttle.ts";

/** What has come in and is not worked off, now. */
export interface Backlog {
  /** Events on disk that nobody has decided on. */
  readonly undecided: number;
  /** Bytes of signed deliveries that wait for the disk. */
  readonly storing: number;
}

/** From where on deliveries are shed, and down to where the backlog has to fall before they are taken in again. */
export interface AdmissionBounds {
  readonly shedFrom: Backlog;
  readonly admitFrom: Backlog;
}

export interface AdmissionNeeds {
  readonly backlog: () => Backlog;
  /** {@link ADMISSION_BOUNDS} unless said. */
  readonly bounds?: AdmissionBounds;
  readonly log: Log;
}

export interface AdmissionStatus {
  /** Whether deliveries are turned away now, since too much is not worked off. */
  readonly shedding: boolean;
  /** Deliveries that were turned away since the start; the platform sends them again. */
  readonly shed: number;
}

/** Decides whether another delivery is taken in. */
export interface Admission {
  /** `false`: it is to be turned away before any work is done for it. Each such answer is counted. */
  readonly admits: () => boolean;
  readonly status: () => AdmissionStatus;
}

/**
 * 20,000 events are decided in some twenty seconds, and what is shed comes back after 3, 27 and 242: the
 * first wave of a flood finds no room again, the later ones do. 16 MiB that wait for the disk are
 * seconds of it, and the platform gives up waiting for an answer after three.
 */
export const ADMISSION_BOUNDS: AdmissionBounds = {
  shedFrom: { undecided: 20_000, storing: 16 * 1024 * 1024 },
  admitFrom: { undecided: 10_000, storing: 4 * 1024 * 1024 },
};

/**
 * Turns deliveries away while too much is not worked off: taking one more in would cost those that
 * wait for an answer, and the platform repeats what is not acknowledged.
 *
 * Between the two bounds it stays as it was, so that it does not change its mind with every delivery.
 */
export function admission({ backlog, bounds = ADMISSION_BOUNDS, log }: AdmissionNeeds): Admission {
  let shedding = false;
  let shed = 0;
  const tell = throttle<Backlog>(LOG_EVERY_MS, (waiting, times) =>
    log.warn({ ...waiting, times }, "deliveries turned away with 503: too much is not worked off"),
  );
  const tellEnd = throttle<number>(LOG_EVERY_MS, () =>
    log.info({ shed }, "deliveries are taken in again"),
  );
  return {
    admits() {
      const now = backlog();
      const before = shedding;
      shedding = before ? !isWithin(now, bounds.admitFrom) : !isBelow(now, bounds.shedFrom);
      if (before && !shedding) tellEnd(shed);
      if (!shedding) return true;
      shed += 1;
      tell(now);
      return false;
    },
    status: () => ({ shedding, shed }),
  };
}

function isBelow(now: Backlog, bound: Backlog): boolean {
  return now.undecided < bound.undecided && now.storing < bound.storing;
}

function isWithin(now: Backlog, bound: Backlog): boolean {
  return now.undecided <= bound.undecided && now.storing <= bound.storing;
}

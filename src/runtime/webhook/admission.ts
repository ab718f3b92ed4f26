import type { Log } from "../log.ts";
import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";

/** Current backlog of accepted work. */
export interface Backlog {
  /** Number of undecided events on disk. */
  readonly undecided: number;
  /** Bytes of signed deliveries that wait for the disk. */
  readonly storing: number;
}

/**
 * Thresholds of load shedding: deliveries are rejected from `shedFrom` on, until the backlog has fallen to `admitFrom`.
 */
export interface AdmissionBounds {
  readonly shedFrom: Backlog;
  readonly admitFrom: Backlog;
}

export interface AdmissionNeeds {
  readonly backlog: () => Backlog;
  /** Thresholds; by default {@link ADMISSION_BOUNDS}. */
  readonly bounds?: AdmissionBounds;
  readonly log: Log;
}

export interface AdmissionStatus {
  /** Whether deliveries are rejected at present because the backlog is too large. */
  readonly shedding: boolean;
  /** Number of deliveries rejected since the start; the platform sends them again. */
  readonly shed: number;
}

/** Decides whether the next delivery is accepted. */
export interface Admission {
  /** Whether the delivery may be accepted. If not, reject it before any other work. Each refusal is counted. */
  readonly admits: () => boolean;
  readonly status: () => AdmissionStatus;
}

/**
 * Default thresholds. 20,000 events are decided in about twenty seconds. The platform repeats a rejected delivery after
 * 3, 27 and 242 seconds: its first repeat may be rejected again, a later one is accepted. A slow disk needs seconds to
 * write 16 MiB, and the platform's older guide gives a delivery three seconds.
 */
export const ADMISSION_BOUNDS: AdmissionBounds = {
  shedFrom: { undecided: 20_000, storing: 16 * 1024 * 1024 },
  admitFrom: { undecided: 10_000, storing: 4 * 1024 * 1024 },
};

/**
 * Rejects deliveries while the backlog is too large (load shedding): accepting more would delay the bot's answers to
 * events that wait already, and the platform repeats a rejected delivery.
 *
 * Between the two thresholds the state stays unchanged (hysteresis), so that it does not flip with every delivery.
 */
export function admission({ backlog, bounds = ADMISSION_BOUNDS, log }: AdmissionNeeds): Admission {
  let shedding = false;
  let shed = 0;
  const tell = throttle<Backlog>(LOG_EVERY_MS, (waiting, times) =>
    log.warn({ ...waiting, times }, "deliveries refused with 503: too much work is waiting"),
  );
  const tellEnd = throttle<number>(LOG_EVERY_MS, () =>
    log.info({ shed }, "deliveries are accepted again"),
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

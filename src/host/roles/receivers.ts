import type { DeliveryWatch } from "../../runtime/catchup/delivery-watch.ts";
import type { Clock } from "../../runtime/clock/clock.ts";
import type { Log } from "../../runtime/log.ts";
import { LOG_EVERY_MS, throttle } from "../../system/time/throttle.ts";
import type { Arrival } from "../../runtime/webhook-link/arrivals.ts";
import type { Colleague, ReceptionNote } from "./colleague.ts";
import { LOOK_EVERY_MS } from "./presence.ts";
import { newsIn } from "./reception-news.ts";
import { ReceptionService, type Service } from "./reception-service.ts";

export interface ReceiversNeeds {
  /** Calls the listener with all processes of the store after each poll. */
  readonly onSeen: (listener: (all: readonly Colleague[]) => void) => () => void;
  /** Name of this process. Its own note is ignored, because its arrivals are reported directly. */
  readonly self: string;
  readonly clock: Clock;
  /** Returns monotonic milliseconds of real time, for comparing how long processes have been present. */
  readonly monotonic: () => number;
  readonly log: Log;
  /** Called with an arrival at another process. @param at Earliest possible time, in milliseconds since the epoch. */
  readonly onArrived: (arrival: Arrival, at: number) => void;
  /**
   * Called with counts of replayed events at another process: new events by account, and events already in the journal.
   */
  readonly onReplayed: (fresh: ReadonlyMap<string, number>, knownCount: number) => void;
}

/** Processes that serve the webhook, as the leader sees them. */
export interface Receivers {
  /** Returns a watch that reports an account as reachable only while `link` does and a receiver accepts deliveries. */
  watch(link: DeliveryWatch): DeliveryWatch;
  stop(): void;
}

/** Latest note of a receiver, and the time of its last listing: platform time (`at`) and real time (`seenAt`). */
interface ListedReceiver {
  readonly note: ReceptionNote;
  readonly at: number;
  readonly seenAt: number;
}

type ListedReceivers = ReadonlyMap<string, ListedReceiver>;

/** Receiver that was absent for a while or still is, and the last time at which it surely accepted deliveries. */
interface AbsentReceiver {
  readonly name: string;
  readonly servedUntil: number;
}

/** Maximum age of a note when it is first read: one heartbeat of its writer and one of its reader. */
const NOTE_AGE_MS = 2 * LOOK_EVERY_MS;
const NO_RECEIVER = "no process receives deliveries";

/**
 * Follows the processes that serve the webhook.
 *
 * A delivery to a crashed process gets no response. The platform retries for a limited time, and a load balancer may
 * keep routing deliveries to the crashed process. So deliveries may be missing from the last heartbeat of a receiver
 * until its absence is noticed, even if other receivers are running. A receiver that is stopped announces its end, and
 * responds to the deliveries that it has accepted.
 */
export function followReceivers(needs: ReceiversNeeds): Receivers {
  const { clock, monotonic, log, self } = needs;
  const warnOfAbsence = throttle<readonly string[]>(
    LOG_EVERY_MS,
    (names) => log.warn({ receivers: names }, "a process that receives deliveries has stopped"),
    monotonic,
  );
  const service = new ReceptionService();
  let listed: ListedReceivers = new Map();

  const reportNews = (note: ReceptionNote, before: ReceptionNote | undefined, now: number) => {
    const { arrivals, replayed, repeated } = newsIn(note, before);
    for (const { arrival, agoMs } of arrivals) needs.onArrived(arrival, now - agoMs - NOTE_AGE_MS);
    if (replayed.size > 0 || repeated > 0) needs.onReplayed(replayed, repeated);
  };

  const stop = needs.onSeen((all) => {
    const now = clock.now();
    const seenAt = monotonic();
    const before = listed;
    listed = receiversAmong(all, now, seenAt);
    const leaving = new Set(all.filter(({ isLeaving }) => isLeaving).map(({ name }) => name));
    const absent = absentReceivers(before, listed, leaving, seenAt);
    for (const [name, { note }] of listed) {
      if (name !== self) reportNews(note, before.get(name)?.note, now);
    }
    if (absent.length > 0) warnOfAbsence(absent.map(({ name }) => name));
    for (const change of serviceChanges(service.current, listed, absent, now)) {
      if (change.reason === NO_RECEIVER) log.warn(NO_RECEIVER);
      service.change(change);
    }
  });
  return { watch: (link) => service.watch(link), stop };
}

function receiversAmong(all: readonly Colleague[], at: number, seenAt: number): ListedReceivers {
  const receivers = new Map<string, ListedReceiver>();
  for (const { name, reception, isLeaving } of all) {
    if (reception !== undefined && !isLeaving) receivers.set(name, { note: reception, at, seenAt });
  }
  return receivers;
}

/** Finds receivers that were absent since they were last listed, except those that have announced their end. */
function absentReceivers(
  before: ListedReceivers,
  listed: ListedReceivers,
  leaving: ReadonlySet<string>,
  seenAt: number,
): readonly AbsentReceiver[] {
  return [...before].flatMap(([name, last]) => {
    if (leaving.has(name)) return [];
    const now = listed.get(name);
    // A process was absent between two notes if it has been present for less time than has passed since the last note.
    const wasThere = now !== undefined && now.note.steadyMs >= seenAt - last.seenAt - NOTE_AGE_MS;
    return wasThere ? [] : [{ name, servedUntil: last.at - NOTE_AGE_MS }];
  });
}

/** Returns changes from served to unserved and back. An absent receiver interrupts the service after its last note. */
function serviceChanges(
  current: Service | undefined,
  receivers: ListedReceivers,
  absent: readonly AbsentReceiver[],
  now: number,
): readonly Service[] {
  if (absent.length > 0) {
    const since = Math.min(...absent.map(({ servedUntil }) => servedUntil));
    const reason = "a process that receives deliveries had stopped";
    const lost = { isServed: false, since, reason };
    return receivers.size > 0 ? [lost, { isServed: true, since: now }] : [lost];
  }
  if (receivers.size > 0 && current?.isServed !== true) {
    const steadiest = Math.max(...[...receivers.values()].map(({ note }) => note.steadyMs));
    return [{ isServed: true, since: Math.max(now - steadiest, current?.since ?? 0) }];
  }
  if (receivers.size === 0 && current?.isServed !== false) {
    return [{ isServed: false, since: now - NOTE_AGE_MS, reason: NO_RECEIVER }];
  }
  return [];
}

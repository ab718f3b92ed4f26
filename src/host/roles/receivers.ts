import type { DeliveryChange, DeliveryWatch } from "../../runtime/catchup/delivery-watch.ts";
import type { Clock } from "../../runtime/clock/clock.ts";
import type { Log } from "../../runtime/log.ts";
import { LOG_EVERY_MS, throttle } from "../../runtime/loop/throttle.ts";
import type { Arrival } from "../../runtime/webhook-link/arrivals.ts";
import type { Colleague, ReceptionNote } from "./colleague.ts";
import { LOOK_EVERY_MS } from "./presence.ts";

export interface ReceiversNeeds {
  /** Calls its listener with all processes of the store after each poll. */
  readonly onSeen: (listener: (all: readonly Colleague[]) => void) => () => void;
  /** Name of this process; its own arrivals are known already. */
  readonly self: string;
  readonly clock: Clock;
  /** Returns monotonic milliseconds of real time, for comparing how long processes have been present. */
  readonly monotonic: () => number;
  readonly log: Log;
  /**
   * Called with an arrival at another process. @param at Latest possible time of the arrival, in milliseconds since the epoch.
   */
  readonly onArrived: (arrival: Arrival, at: number) => void;
  /** Called with the events that replays brought to another process: new events by account, and the number of known events. */
  readonly onReplayed: (fresh: ReadonlyMap<string, number>, knownCount: number) => void;
}

/** The processes that serve the webhook, as the leader sees them. */
export interface Receivers {
  /** Returns a watch that reports deliveries as reachable only while the link works and a receiver accepts them. */
  watch(link: DeliveryWatch): DeliveryWatch;
  stop(): void;
}

interface KnownReceiver {
  readonly note: ReceptionNote;
  readonly at: number;
  readonly seenAt: number;
}

/** Whether a receiver accepts deliveries, from a time on. */
interface Service {
  readonly isServed: boolean;
  /** Milliseconds since the epoch: since when deliveries surely are accepted, or until when they surely were. */
  readonly since: number;
  readonly reason?: string;
}

/** Maximum age of a note when it is first read: one heartbeat of its writer and one of its reader. */
const NOTE_AGE_MS = 2 * LOOK_EVERY_MS;

/**
 * Follows the processes that serve the webhook.
 *
 * A delivery to a crashed process gets no answer. The platform retries, but not forever, and a load balancer may keep
 * routing to the crashed process for a while. So coverage is in doubt from the last heartbeat of a receiver until its
 * absence is noticed, even if other receivers are running. A leaving receiver announces that, and answers the
 * deliveries that it has accepted.
 */
export function followReceivers(needs: ReceiversNeeds): Receivers {
  const { clock, monotonic, log, self } = needs;
  const tellGone = throttle<readonly string[]>(
    LOG_EVERY_MS,
    (names) => log.warn({ receivers: names }, "a process that takes deliveries in is gone"),
    monotonic,
  );
  const listeners = new Set<(service: Service) => void>();
  /** Latest note of each receiver, and when it was last listed: by the platform's clock and in real time. */
  let latest: ReadonlyMap<string, KnownReceiver> = new Map();
  let service: Service | undefined;

  const tell = (next: Service): void => {
    const isFirst = service === undefined;
    service = next;
    // No service was reported yet, so no loss can be.
    if (isFirst && !next.isServed) return;
    for (const listener of listeners) listener(next);
  };

  const seen = (all: readonly Colleague[]): void => {
    const now = clock.now();
    const seenAt = monotonic();
    const here = new Map(
      all.flatMap(({ name, reception, isLeaving }) =>
        reception === undefined || isLeaving
          ? []
          : [[name, { note: reception, at: now, seenAt }] as const],
      ),
    );
    const leavers = new Set(all.filter(({ isLeaving }) => isLeaving).map(({ name }) => name));
    const heardUpTo = [...latest].flatMap(([name, { at, seenAt: before }]) => {
      if (leavers.has(name)) return [];
      const still = here.get(name);
      // The process was absent in between if its steady time is shorter than the time since its last note.
      const isSame = still !== undefined && still.note.steadyMs >= seenAt - before - NOTE_AGE_MS;
      return isSame ? [] : [{ name, at: at - NOTE_AGE_MS }];
    });
    for (const [name, { note }] of here) {
      if (name !== self) takeNews(latest.get(name)?.note, note, now);
    }
    latest = here;
    const steadiest = Math.max(0, ...[...here.values()].map(({ note }) => note.steadyMs));
    if (heardUpTo.length > 0 && service?.isServed === true) {
      const since = Math.min(...heardUpTo.map(({ at }) => at));
      const names = heardUpTo.map(({ name }) => name);
      tellGone(names);
      tell({ isServed: false, since, reason: "a process that takes deliveries in was gone" });
      if (here.size > 0) tell({ isServed: true, since: now });
    } else if (here.size > 0 && service?.isServed !== true) {
      tell({ isServed: true, since: Math.max(now - steadiest, service?.since ?? 0) });
    } else if (here.size === 0 && service?.isServed !== false) {
      const reason = "no process takes deliveries in";
      log.warn(reason);
      tell({ isServed: false, since: now - NOTE_AGE_MS, reason });
    }
  };

  /** Reports the arrivals since the previous note. A first note reports its latest times only; its counts are ignored. */
  const takeNews = (before: ReceptionNote | undefined, note: ReceptionNote, now: number): void => {
    const at = (ago: number): number => now - ago - NOTE_AGE_MS;
    const more = (name: "challenges" | "challengesRefused" | "hints" | "deliveries"): number =>
      before === undefined ? 0 : Math.max(0, note[name] - before[name]);
    const arrived = (arrival: Arrival, ago = 0): void => needs.onArrived(arrival, at(ago));
    if (before === undefined && note.lastChallengeMs !== undefined) {
      arrived({ kind: "challenge", answered: true, isFromPlatform: true }, note.lastChallengeMs);
    }
    const isSigned = note.lastChallengeMs !== undefined;
    for (let n = more("challenges"); n > 0; n -= 1) {
      const challenge = { kind: "challenge", answered: true, isFromPlatform: isSigned } as const;
      arrived(challenge, note.lastChallengeMs);
    }
    for (let n = more("challengesRefused"), hints = more("hints"); n > 0; n -= 1) {
      arrived({ kind: "challenge", answered: false, isFromPlatform: n <= hints });
    }
    const accounts = Object.entries(note.accounts);
    if (more("deliveries") > 0 || before === undefined) {
      for (const [account, ago] of accounts) arrived({ kind: "delivery", account }, ago);
    }
    for (const [account, n] of Object.entries(note.refused ?? {})) {
      const isNew = before !== undefined && n > (before.refused?.[account] ?? 0);
      if (isNew) arrived({ kind: "refused", account });
    }
    const fresh = new Map(
      Object.entries(note.replayed).flatMap(([account, n]) => {
        const news = n - (before?.replayed[account] ?? 0);
        return before !== undefined && news > 0 ? [[account, news] as const] : [];
      }),
    );
    const repeated = before === undefined ? 0 : note.known - before.known;
    if (fresh.size > 0 || repeated > 0) needs.onReplayed(fresh, repeated);
  };

  const stop = needs.onSeen(seen);
  return {
    watch: (link) => ({
      onReachable(listener) {
        const links = new Map<string, DeliveryChange>();
        const unlink = link.onReachable((change) => {
          links.set(change.account, change);
          if (service?.isServed === true) {
            const { since } = service;
            listener(
              change.reachable ? { ...change, since: Math.max(change.since, since) } : change,
            );
          } else if (!change.reachable) listener(change);
        });
        const served = ({ isServed, since, reason = "" }: Service): void => {
          for (const change of links.values()) {
            if (!change.reachable) continue;
            if (isServed) listener({ ...change, since: Math.max(change.since, since) });
            else listener({ account: change.account, reachable: false, since, reason });
          }
        };
        listeners.add(served);
        return () => {
          listeners.delete(served);
          unlink();
        };
      },
    }),
    stop,
  };
}

import type { DeliveryChange, DeliveryWatch } from "../../runtime/catchup/delivery-watch.ts";
import type { Clock } from "../../runtime/clock/clock.ts";
import type { Log } from "../../runtime/log.ts";
import { LOG_EVERY_MS, throttle } from "../../runtime/loop/throttle.ts";
import type { Arrival } from "../../runtime/webhook-link/arrivals.ts";
import type { Colleague, ReceptionNote } from "./colleague.ts";
import { LOOK_EVERY_MS } from "./presence.ts";

export interface ReceiversNeeds {
  /** Calls its listener with all processes of the store each time that they were looked up. */
  readonly onSeen: (listener: (all: readonly Colleague[]) => void) => () => void;
  /** The name of this process: what comes to it is known here already. */
  readonly self: string;
  readonly clock: Clock;
  /** Milliseconds of real time, from any moment on: what processes say of how long they are there goes by it. */
  readonly monotonic: () => number;
  readonly log: Log;
  /** Something came to another process. @param at When, at the latest, in milliseconds since the epoch. */
  readonly onArrived: (arrival: Arrival, at: number) => void;
  /** Events came to another process by replays: new ones of an account, and how many were known. */
  readonly onReplayed: (fresh: ReadonlyMap<string, number>, known: number) => void;
}

/** Those that serve the webhook, as the leader sees them. */
export interface Receivers {
  /** Deliveries come where the link stands and somebody takes them in. */
  watch(link: DeliveryWatch): DeliveryWatch;
  stop(): void;
}

interface Known {
  readonly note: ReceptionNote;
  readonly at: number;
  readonly seenAt: number;
}

/** Whether deliveries are taken in, from a moment on. */
interface Service {
  readonly isServed: boolean;
  /** Milliseconds since the epoch: from when they surely are, or up to when they surely were. */
  readonly since: number;
  readonly reason?: string;
}

/** A note is so old at most when it is read first: a look of its writer and one of its reader lie in between. */
const NOTE_AGE_MS = 2 * LOOK_EVERY_MS;

/**
 * Follows the processes that serve the webhook.
 *
 * A delivery that meets a process which has died is answered by nobody. The platform comes again, but not for ever, and
 * a balancer may lead it there for a while: so time is in doubt from when a receiver was heard last until it is known to
 * be gone, even where others are there. One that leaves says so, and answers what it has accepted before.
 */
export function followReceivers(needs: ReceiversNeeds): Receivers {
  const { clock, monotonic, log, self } = needs;
  const tellGone = throttle<readonly string[]>(
    LOG_EVERY_MS,
    (names) => log.warn({ receivers: names }, "a process that takes deliveries in is gone"),
    monotonic,
  );
  const listeners = new Set<(service: Service) => void>();
  /** What each receiver said last, and when it was listed last, by the platform's clock and in real time. */
  let known: ReadonlyMap<string, Known> = new Map();
  let service: Service | undefined;

  const tell = (next: Service): void => {
    const isFirst = service === undefined;
    service = next;
    // Nothing was claimed yet that could be taken back.
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
    const left = new Set(all.filter(({ isLeaving }) => isLeaving).map(({ name }) => name));
    const heardUpTo = [...known].flatMap(([name, { at, seenAt: before }]) => {
      if (left.has(name)) return [];
      const still = here.get(name);
      // It was away meanwhile, if it says that it has been steady for a shorter time than it is known for.
      const isSame = still !== undefined && still.note.steadyMs >= seenAt - before - NOTE_AGE_MS;
      return isSame ? [] : [{ name, at: at - NOTE_AGE_MS }];
    });
    for (const [name, { note }] of here) {
      if (name !== self) takeNews(known.get(name)?.note, note, now);
    }
    known = here;
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

  /** What came since the note before; what came before the first note is told by its times alone. */
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

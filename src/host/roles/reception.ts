import type { Clock } from "../../runtime/clock/clock.ts";
import type { NewEntry } from "../../runtime/store/entry.ts";
import type { Arrival } from "../../runtime/webhook-link/arrivals.ts";
import type { ReceptionNote } from "./colleague.ts";

/** Counters of deliveries and challenges at this process's webhook, for the report to the leader. */
export interface Reception {
  /** Marks the webhook as served from now on. */
  serves(): void;
  /** Counts a request that arrived at the webhook. */
  arrived(arrival: Arrival): void;
  /** Counts new journal entries that replays brought. */
  appended(entries: readonly NewEntry[]): void;
  /** Counts replayed events that the journal had already. */
  replayed(entries: readonly NewEntry[]): void;
  /**
   * Returns the report for the leader; undefined before the webhook is served.
   *
   * @param steadySince Time, in monotonic milliseconds, since which the other processes could see this process.
   */
  note(steadySince: number): ReceptionNote | undefined;
}

/** Milliseconds since an account's last delivery after which this process's note no longer lists the account. */
const TOLD_FOR_MS = 60_000;

/** Creates counters of arrivals, all at zero. Times are monotonic, independent of the platform's clock. */
export function receptionOf(
  { now }: Pick<Clock, "now"> = { now: () => performance.now() },
): Reception {
  let servedSince: number | undefined;
  const counts = { challenges: 0, challengesRefused: 0, hints: 0, deliveries: 0, known: 0 };
  let lastChallenge: number | undefined;
  let lastDelivery: number | undefined;
  const byAccount = new Map<string, number>();
  const replayed = new Map<string, number>();
  const refused = new Map<string, number>();
  return {
    serves: () => void (servedSince = now()),
    arrived(arrival) {
      if (arrival.kind === "refused") {
        const { account } = arrival;
        refused.set(account, (refused.get(account) ?? 0) + 1);
      } else if (arrival.kind === "delivery") {
        counts.deliveries += 1;
        lastDelivery = now();
        if (arrival.account !== "") byAccount.set(arrival.account, lastDelivery);
      } else if (arrival.answered) {
        counts.challenges += 1;
        if (arrival.isFromPlatform) lastChallenge = now();
      } else {
        counts.challengesRefused += 1;
        if (arrival.isFromPlatform) counts.hints += 1;
      }
    },
    appended(entries) {
      for (const { source, account } of entries) {
        if (source === "replay") replayed.set(account, (replayed.get(account) ?? 0) + 1);
      }
    },
    replayed(entries) {
      counts.known += entries.filter(({ source }) => source === "replay").length;
    },
    note(steadySince) {
      if (servedSince === undefined) return undefined;
      const at = now();
      // Stored times are whole milliseconds.
      const ago = (since: number): number => Math.max(0, Math.round(at - since));
      for (const [account, last] of byAccount) {
        if (at - last > TOLD_FOR_MS) byAccount.delete(account);
      }
      return {
        ...counts,
        steadyMs: ago(Math.max(servedSince, steadySince)),
        ...(lastChallenge !== undefined && { lastChallengeMs: ago(lastChallenge) }),
        ...(lastDelivery !== undefined && { lastDeliveryMs: ago(lastDelivery) }),
        accounts: Object.fromEntries([...byAccount].map(([id, last]) => [id, ago(last)])),
        ...(refused.size > 0 && { refused: Object.fromEntries(refused) }),
        replayed: Object.fromEntries(replayed),
      };
    },
  };
}

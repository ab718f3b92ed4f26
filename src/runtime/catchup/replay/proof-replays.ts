import { overlap, type Span } from "../../../system/spans.ts";
import type { JobRecord } from "./job-record.ts";
import type { Ledger } from "../ledger.ts";
import { type Gap, LONGEST_JOB_MS, MINUTE_MS, minuteBefore, replayReach } from "../plan.ts";

export interface ProofReplaysNeeds {
  readonly ledger: Pick<Ledger, "unproven" | "vouch" | "close">;
  /**
   * Returns the earliest time at which the account's subscription certainly existed, in milliseconds since the epoch;
   * undefined if unknown.
   */
  readonly subscribedSince: (account: string) => number | undefined;
}

/** Replays unproven time to prove that all of its events arrived: follows and likes cannot be proven otherwise. */
export interface ProofReplays {
  /**
   * Returns the window to replay next, at most every five minutes. Undefined while the oldest unproven time is less
   * than an hour older than the newest replayable time.
   */
  due(accounts: readonly string[], now: number): Promise<Span | undefined>;
  /**
   * Records what a complete replay proves: that all events arrived from the time in which the accounts' subscriptions
   * existed.
   *
   * @param gaps Gaps that the replay was to close.
   * @param fresh Times of the new events that the replay brought, by account; undefined if they were not noted.
   * @returns The parts of gaps that the replay does not prove.
   */
  complete(
    job: JobRecord,
    gaps: readonly Gap[],
    fresh: ReadonlyMap<string, readonly number[]> | undefined,
  ): Promise<readonly Gap[]>;
}

/** Shortest window of a replay for proof, in milliseconds. */
const CHECKED_AT_ONCE_MS = 60 * MINUTE_MS;

/** Time between two queries for unproven time, by the platform's clock. */
const LOOK_EVERY_MS = 5 * MINUTE_MS;

export const YOUNGER =
  "the subscription was made later: a replay does not show whether all of this time came";

/** Creates the replays for proof of unproven time. Their results are recorded in the ledger. */
export function proofReplays({ ledger, subscribedSince }: ProofReplaysNeeds): ProofReplays {
  let lookedAt = -Infinity;
  const standing = (account: string): Span => ({
    from: subscribedSince(account) ?? Infinity,
    to: Infinity,
  });
  return {
    async due(accounts, now) {
      // If the clock was set back, `lookedAt` lies in the future; the query is then made at once.
      if (now >= lookedAt && now - lookedAt < LOOK_EVERY_MS) return undefined;
      lookedAt = now;
      const { oldest, latestTo } = replayReach(now);
      const reach = { from: oldest, to: latestTo };
      const spans = (await ledger.unproven(accounts, reach)).flatMap(
        ({ account, ...span }) => overlap(span, standing(account)) ?? [],
      );
      const from = minuteBefore(Math.min(...spans.map((span) => span.from)));
      if (!(latestTo - from >= CHECKED_AT_ONCE_MS)) return undefined;
      return { from: Math.max(from, oldest), to: Math.min(latestTo, from + LONGEST_JOB_MS) };
    },
    async complete({ from, to, accounts }, gaps, fresh) {
      const young: Gap[] = [];
      for (const account of accounts ?? new Set(gaps.map((gap) => gap.account))) {
        const own = gaps.filter((gap) => gap.account === account);
        const stood = overlap({ from, to }, standing(account));
        if (stood !== undefined) {
          await ledger.close(own, stood, { state: "replayed" });
          for (const part of await ledger.unproven([account], stood)) {
            const isFresh = (at: number): boolean => at >= part.from && at < part.to;
            const isWhole = fresh !== undefined && !(fresh.get(account) ?? []).some(isFresh);
            await ledger.vouch([part], isWhole ? "delivered" : "replayed");
          }
        }
        const before = { from, to: Math.min(to, standing(account).from) };
        young.push(
          ...own.flatMap((gap) => {
            const part = overlap(gap, before);
            return part === undefined ? [] : [{ account, ...part }];
          }),
        );
      }
      return young;
    },
  };
}

import { REPLAY_WINDOW_MS } from "../../protocol/limits.ts";
import { overlap, type Span, union, without } from "../../system/spans.ts";
import type { SetBack } from "../clock/clock.ts";
import type {
  CoverageChange,
  CoveragePort,
  CoverageSpan,
  CoverageState,
} from "../store/coverage.ts";
import type { Store } from "../store/store.ts";
import { earlierPass, outside } from "./earlier-pass.ts";
import { byAccountOf, type Gap } from "./plan.ts";

/** Record of which stretches of each account's time are covered. */
export interface Ledger {
  /** Gaps in the coverage of these accounts, oldest first. After a set-back of the clock some may lie in the future. */
  gaps(accounts: readonly string[]): Promise<readonly Gap[]>;
  /** End of each account's coverage; accounts without coverage are absent. */
  ends(accounts: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Writes coverage. Stretches missed before a set-back of the clock stay missed, even if the repeated time is delivered. */
  cover(changes: readonly CoverageChange[]): Promise<void>;
  /** Ends the coverage of an account that was unlinked: its events are not expected until it is covered again. */
  retire(account: string): Promise<void>;
  /** Start of the coverage after the account was last unlinked; -Infinity if it never was unlinked. */
  expectedSince(account: string): Promise<number>;
  /** Closes the parts of the gaps within `span` with the state and reason of `how`. */
  close(
    gaps: readonly Gap[],
    span: Span,
    how: Pick<CoverageChange, "state" | "reason">,
  ): Promise<void>;
  /** Unproven stretches of these accounts within `span`, in order. */
  unproven(accounts: readonly string[], span: Span): Promise<readonly Gap[]>;
  /** Stretches of one account within `span` that are neither proven nor compared. */
  uncompared(account: string, span: Span): Promise<readonly Span[]>;
  /** Puts `state` on the unproven parts of these stretches. */
  vouch(spans: readonly Gap[], state: CoverageState): Promise<void>;
  /** Reopens unproven coverage since each doubt: its deliveries may not have arrived. */
  takeBack(doubts: readonly DeliveryDoubt[]): Promise<void>;
  /**
   * Reopens the time that the clock repeats, and stores its gaps as missed.
   *
   * @returns The uncovered end of each account's repeated time, where deliveries may have been in transit.
   */
  setBack(by: SetBack): Promise<readonly Gap[]>;
  /** Removes gaps from the missed ones: their events arrived late. */
  cameAfterAll(gaps: readonly Gap[]): Promise<void>;
  /** Stores a gap of the last time that the clock showed it. */
  missedBefore(gap: Gap): Promise<void>;
  /** Open gaps that were missed before the clock was set back. */
  missed(): Promise<readonly Gap[]>;
  /** Number of the last set-back that is in the ledger. */
  seen(): Promise<number>;
  saw(n: number): Promise<void>;
  /** Reopens the last 24 hours of coverage that ends after `now`: the clock was set back at an unknown time. */
  doubtAfter(now: number): Promise<void>;
}

/** Start of the time in which an account's deliveries are in doubt. */
export interface DeliveryDoubt {
  readonly account: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Reason of the time in which an account was unlinked. */
const NOT_LINKED = "it was not linked";

/** End of a stretch without an end yet. */
export const FOREVER = Number.MAX_SAFE_INTEGER;

/** Opens the ledger over an open store. */
export function ledgerOf(store: CoveragePort & Pick<Store, "getMeta" | "setMeta">): Ledger {
  const earlier = earlierPass(store);
  const spansOf = async (accounts?: readonly string[]) => {
    const byAccount = new Map<string, CoverageSpan[]>();
    const wanted = accounts && new Set(accounts);
    for (const span of await store.coverage(only(accounts))) {
      if (wanted?.has(span.account) === false) continue;
      const spans = byAccount.get(span.account);
      if (spans === undefined) byAccount.set(span.account, [span]);
      else spans.push(span);
    }
    return byAccount;
  };
  const unprovenIn = async (accounts: readonly string[], span: Span): Promise<readonly Gap[]> => {
    const wanted = new Set(accounts);
    const spans = await store.coverage({ ...only(accounts), after: span.from });
    return spans.flatMap(({ account, state, from, to }) => {
      const part = overlap({ from, to }, span);
      const isWanted = wanted.has(account) && isUnproven(state);
      return part === undefined || !isWanted ? [] : [{ account, ...part }];
    });
  };
  return {
    async gaps(accounts) {
      const now = await store.coverageGaps(only(accounts));
      const byAccount = byAccountOf([...now, ...(await earlier.missed())]);
      const wanted = new Set(accounts);
      return [...byAccount]
        .filter(([account]) => wanted.has(account))
        .flatMap(([account, gaps]) => union(gaps).map((gap) => ({ account, ...gap })))
        .toSorted(byAge);
    },
    async ends(accounts) {
      const byAccount = await spansOf(accounts);
      return new Map([...byAccount].map(([account, spans]) => [account, spans.at(-1)?.to ?? 0]));
    },
    async cover(changes) {
      const missed = byAccountOf(await earlier.missed());
      // A span of one millisecond only marks the end of a gap, so it leaves missed stretches alone.
      const isClaim = ({ from, to, state }: CoverageChange): boolean =>
        state === "unproven" && to - from > 1;
      await store.cover(
        changes.flatMap((one) =>
          isClaim(one) ? outside([one], missed.get(one.account) ?? []) : [one],
        ),
      );
    },
    async retire(account) {
      const from = (await store.coverage({ account })).at(-1)?.to;
      if (from === undefined || from >= FOREVER) return;
      await store.cover([{ account, from, to: FOREVER, state: "lost", reason: NOT_LINKED }]);
    },
    async expectedSince(account) {
      const spans = await store.coverage({ account });
      return spans.findLast(({ reason }) => reason === NOT_LINKED)?.to ?? -Infinity;
    },
    async close(gaps, span, how) {
      const closed = gaps.flatMap(({ account, ...gap }) => {
        const part = overlap(gap, span);
        return part === undefined ? [] : [{ account, ...part }];
      });
      await store.cover(closed.map((gap) => ({ ...gap, ...how })));
      await earlier.remove(closed);
    },
    unproven: unprovenIn,
    async uncompared(account, span) {
      const spans = await store.coverage({ account, after: span.from });
      return spans.flatMap(({ state, ...one }) =>
        state === "unproven" ? (overlap(one, span) ?? []) : [],
      );
    },
    async vouch(spans, state) {
      const changes: CoverageChange[] = [];
      for (const { account, ...span } of spans) {
        for (const part of await unprovenIn([account], span)) changes.push({ ...part, state });
      }
      await store.cover(changes);
    },
    async takeBack(doubts) {
      const byAccount = await spansOf(doubts.map(({ account }) => account));
      const changes = doubts.flatMap(({ account, since }) => {
        const spans = byAccount.get(account) ?? [];
        // The first millisecond of coverage stays: gaps are counted from there.
        const begins = Math.max(since, (spans[0]?.from ?? 0) + 1);
        const wrong = spans.filter(({ to, state }) => to > begins && isUnproven(state));
        return wrong.map(({ from, to }): CoverageChange => {
          return { account, from: Math.max(from, begins), to, state: "open" };
        });
      });
      await store.cover(changes);
    },
    async setBack(by) {
      const byAccount = await spansOf();
      const again = (account: string, spans: readonly Span[]): Gap[] =>
        spans.flatMap((span) => {
          const part = overlap(span, { from: by.to, to: by.was });
          return part === undefined ? [] : [{ account, ...part }];
        });
      const holes = [...byAccount].flatMap(([account, spans]) => again(account, holesIn(spans)));
      const ends = [...byAccount].flatMap(([account, spans]) =>
        again(account, [{ from: spans.at(-1)?.to ?? 0, to: by.was }]),
      );
      // Missed gaps first: after a crash in between, this step is repeated.
      await earlier.add([...holes, ...ends]);
      await store.cover([...byAccount.values()].flatMap((spans) => reopened(spans, by)));
      return ends;
    },
    cameAfterAll: (gaps) => earlier.remove(gaps),
    missedBefore: (gap) => earlier.add(gap.from < gap.to ? [gap] : []),
    missed: () => earlier.missed(),
    seen: () => earlier.seen(),
    saw: (n) => earlier.saw(n),
    async doubtAfter(now) {
      const changes: CoverageChange[] = [];
      for (const [account, spans] of await spansOf()) {
        const [first, last] = [spans[0]?.from ?? 0, spans.at(-1)?.to ?? 0];
        if (last <= now || last >= FOREVER) continue;
        const from = Math.max(first + 1, now - REPLAY_WINDOW_MS);
        changes.push({ account, from, to: FOREVER, state: "open" });
      }
      await store.cover(changes);
    },
  };
}

/** Narrows a query to one account's rows if only one is asked for. */
function only(accounts: readonly string[] = []): { readonly account?: string } {
  const [account] = accounts;
  return account === undefined || accounts.length > 1 ? {} : { account };
}

/** Cuts the coverage of an account at the time to which the clock was set back. */
function reopened(spans: readonly CoverageSpan[], { to: from }: SetBack): CoverageChange[] {
  const [first, last] = [spans[0], spans.at(-1)];
  if (first === undefined || last === undefined) return [];
  const { account, to: end, state, reason } = last;
  if (end >= FOREVER) {
    return [{ account, from, to: FOREVER, state, ...(reason !== undefined && { reason }) }];
  }
  const open: CoverageChange = { account, from, to: FOREVER, state: "open" };
  if (first.from < from) return [open];
  // A covered millisecond keeps the account expected.
  return [open, { account, from, to: from + 1, state: "unproven" }];
}

function isUnproven(state: CoverageState): boolean {
  return state === "unproven" || state === "compared";
}

function holesIn(spans: readonly CoverageSpan[]): readonly Span[] {
  const [from, to] = [spans[0]?.from ?? 0, spans.at(-1)?.to ?? 0];
  return without({ from, to }, spans);
}

function byAge(one: Gap, other: Gap): number {
  return one.from - other.from;
}

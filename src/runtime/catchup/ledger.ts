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

/** What is covered of each account's time, and what is not. */
export interface Ledger {
  /**
   * Time between two covered stretches of these accounts, oldest first. Where the clock was set back, what
   * was missed before may lie ahead.
   */
  gaps(accounts: readonly string[]): Promise<readonly Gap[]>;
  /** When the coverage of each account ends; accounts without any are absent. */
  ends(accounts: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** What was missed before the clock was set back stays so, whatever is delivered now. */
  cover(changes: readonly CoverageChange[]): Promise<void>;
  /** The account was unlinked: nothing of it is expected from here on, until it is covered again. */
  retire(account: string): Promise<void>;
  /** When the account was last covered again after it was unlinked; -Infinity where it never was unlinked. */
  expectedSince(account: string): Promise<number>;
  /** Puts `state` into what of `span` is not covered, for every account that has a gap there. */
  close(
    gaps: readonly Gap[],
    span: Span,
    how: Pick<CoverageChange, "state" | "reason">,
  ): Promise<void>;
  /** Time within `span` that nothing vouches for, of each of these accounts, in order. */
  unproven(accounts: readonly string[], span: Span): Promise<readonly Gap[]>;
  /** The part of it of one account that was not compared either. */
  uncompared(account: string, span: Span): Promise<readonly Span[]>;
  /** Something vouches for this time: puts `state` into what of it is unproven. */
  vouch(spans: readonly Gap[], state: CoverageState): Promise<void>;
  /** Deliveries of these accounts may not have come after all: takes back what nothing vouches for since then. */
  takeBack(doubts: readonly DeliveryDoubt[]): Promise<void>;
  /**
   * The clock was set back: what was covered comes by again, and what was not is remembered as missed.
   *
   * @returns The ends of it: what was not noted as delivered yet where deliveries came up to then.
   */
  setBack(by: SetBack): Promise<readonly Gap[]>;
  /** What was remembered as missed came after all. */
  cameAfterAll(gaps: readonly Gap[]): Promise<void>;
  /** This was missed the last time that the clock showed it. */
  missedBefore(gap: Gap): Promise<void>;
  /** What was missed before the clock was set back, and is not closed yet. */
  missed(): Promise<readonly Gap[]>;
  /** Number of the last set-back that the ledger knows of. */
  seen(): Promise<number>;
  saw(n: number): Promise<void>;
  /** The ledger is ahead of the clock, and nobody knows since when: takes back what may not be so. */
  doubtAfter(now: number): Promise<void>;
}

/** What was noted of an account as delivered from a time on is in doubt. */
export interface DeliveryDoubt {
  readonly account: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Reason of the time in which an account was unlinked. */
const NOT_LINKED = "it was not linked";

/** Where a stretch ends that has no end yet. */
export const FOREVER = Number.MAX_SAFE_INTEGER;

/** The ledger over a store that is open. */
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
      const found = byAccountOf([...now, ...(await earlier.missed())]);
      const wanted = new Set(accounts);
      return [...found]
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
      // A millisecond is no claim: it marks where a gap ends, and of what was missed it takes nothing away.
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
        // When the account was first covered stays known: what was missed is counted from there.
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
      // First what was missed: a crash in between does it again.
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

/** Of a single account its own rows are looked at alone. */
function only(accounts: readonly string[] = []): { readonly account?: string } {
  const [account] = accounts;
  return account === undefined || accounts.length > 1 ? {} : { account };
}

/** The ledger of an account ends where the clock was set back to, at the latest. */
function reopened(spans: readonly CoverageSpan[], { to: from }: SetBack): CoverageChange[] {
  const [first, last] = [spans[0], spans.at(-1)];
  if (first === undefined || last === undefined) return [];
  const { account, to: end, state, reason } = last;
  if (end >= FOREVER) {
    return [{ account, from, to: FOREVER, state, ...(reason !== undefined && { reason }) }];
  }
  const open: CoverageChange = { account, from, to: FOREVER, state: "open" };
  if (first.from < from) return [open];
  // That something is expected of the account stays known.
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

import { overlap, type Span, union } from "../../system/spans.ts";
import type { CoverageChange, CoveragePort } from "../store/coverage.ts";
import type { Store } from "../store/store.ts";
import { earlierPass, outside } from "./earlier-pass.ts";
import { type LedgerProofs, ledgerProofs } from "./ledger-proofs.ts";
import { type LedgerSetBacks, ledgerSetBacks } from "./ledger-set-backs.ts";
import { FOREVER, onlyOf, spansByAccount } from "./ledger-spans.ts";
import { byAccountOf, type Gap } from "./plan.ts";

/** Record of which stretches of each account's time are covered. */
export interface Ledger extends LedgerProofs, LedgerSetBacks {
  /**
   * Returns the gaps in the coverage of these accounts, oldest first. After the clock was set back, some may lie in the
   * future.
   */
  gaps(accounts: readonly string[]): Promise<readonly Gap[]>;
  /** End of each account's coverage; accounts without coverage are absent. */
  ends(accounts: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * Writes coverage. Gaps from before a set-back of the clock stay open, even if deliveries arrive in the repeated
   * time.
   */
  cover(changes: readonly CoverageChange[]): Promise<void>;
  /** Notes that an account was unlinked at the time `at`: its later events are not expected until it is covered again. */
  retire(account: string, at: number): Promise<void>;
  /** Stretches in which an account was not linked, in order. The last one has no end while the account is unlinked. */
  unlinked(account: string): Promise<readonly Span[]>;
  /** Start of the coverage after the account was last unlinked; -Infinity if it never was unlinked. */
  expectedSince(account: string): Promise<number>;
  /** Sets the state and reason `how` for the parts of the gaps that lie within `span`, which closes these parts. */
  close(
    gaps: readonly Gap[],
    span: Span,
    how: Pick<CoverageChange, "state" | "reason">,
  ): Promise<void>;
}

/** Reason that is stored for the time in which an account was not linked. */
const NOT_LINKED = "it was not linked";

/** Opens the ledger over an open store. */
export function ledgerOf(store: CoveragePort & Pick<Store, "getMeta" | "setMeta">): Ledger {
  const earlier = earlierPass(store);
  const unlinked = async (account: string): Promise<readonly Span[]> => {
    const spans = await store.coverage({ account });
    return spans.filter(({ reason }) => reason === NOT_LINKED);
  };
  return {
    ...ledgerProofs(store),
    ...ledgerSetBacks(store, earlier),
    async gaps(accounts) {
      const now = await store.coverageGaps(onlyOf(accounts));
      const gapsByAccount = byAccountOf([...now, ...(await earlier.missed())]);
      const wanted = new Set(accounts);
      return [...gapsByAccount]
        .filter(([account]) => wanted.has(account))
        .flatMap(([account, gaps]) => union(gaps).map((gap) => ({ account, ...gap })))
        .toSorted(byAge);
    },
    async ends(accounts) {
      const byAccount = await spansByAccount(store, accounts);
      return new Map([...byAccount].map(([account, spans]) => [account, spans.at(-1)?.to ?? 0]));
    },
    async cover(changes) {
      const missed = byAccountOf(await earlier.missed());
      // Coverage of one millisecond only marks where the next gap begins; it does not close a missed gap.
      const isClaim = ({ from, to, state }: CoverageChange): boolean =>
        state === "unproven" && to - from > 1;
      await store.cover(
        changes.flatMap((one) =>
          isClaim(one) ? outside([one], missed.get(one.account) ?? []) : [one],
        ),
      );
    },
    async retire(account, at) {
      const end = (await store.coverage({ account })).at(-1)?.to;
      if (end === undefined || end >= FOREVER) return;
      const from = Math.max(end, at);
      await store.cover([{ account, from, to: FOREVER, state: "lost", reason: NOT_LINKED }]);
    },
    unlinked,
    expectedSince: async (account) => (await unlinked(account)).at(-1)?.to ?? -Infinity,
    async close(gaps, span, how) {
      const closed = gaps.flatMap(({ account, ...gap }) => {
        const part = overlap(gap, span);
        return part === undefined ? [] : [{ account, ...part }];
      });
      await store.cover(closed.map((gap) => ({ ...gap, ...how })));
      await earlier.remove(closed);
    },
  };
}

function byAge(one: Gap, other: Gap): number {
  return one.from - other.from;
}

import { overlap, type Span } from "../../system/spans.ts";
import type { CoverageChange, CoveragePort, CoverageState } from "../store/coverage.ts";
import { isUnproven, onlyOf, spansByAccount } from "./ledger-spans.ts";
import type { Gap } from "./plan.ts";

/** Part of the ledger that records whether deliveries of a stretch of time are proven to have arrived, or in doubt. */
export interface LedgerProofs {
  /** Unproven stretches of these accounts within `span`, in order. */
  unproven(accounts: readonly string[], span: Span): Promise<readonly Gap[]>;
  /** Stretches of an account within `span` in the state `unproven`: not even compared with the platform's lists. */
  uncompared(account: string, span: Span): Promise<readonly Span[]>;
  /** Changes the parts of these stretches that are not proven yet to `state`. */
  vouch(spans: readonly Gap[], state: CoverageState): Promise<void>;
  /** Turns unproven coverage after the start of each doubt into a gap: deliveries of that time may be missing. */
  takeBack(doubts: readonly DeliveryDoubt[]): Promise<void>;
}

/** Start of the time in which an account's deliveries are in doubt. */
export interface DeliveryDoubt {
  readonly account: string;
  /** Time in milliseconds since the epoch. */
  readonly since: number;
}

/** Creates the part of a ledger that records proofs and doubts. */
export function ledgerProofs(store: Pick<CoveragePort, "coverage" | "cover">): LedgerProofs {
  return {
    unproven: (accounts, span) => unprovenIn(store, accounts, span),
    async uncompared(account, span) {
      const spans = await store.coverage({ account, after: span.from });
      return spans.flatMap(({ state, ...one }) =>
        state === "unproven" ? (overlap(one, span) ?? []) : [],
      );
    },
    async vouch(spans, state) {
      const changes: CoverageChange[] = [];
      for (const { account, ...span } of spans) {
        const parts = await unprovenIn(store, [account], span);
        for (const part of parts) changes.push({ ...part, state });
      }
      await store.cover(changes);
    },
    async takeBack(doubts) {
      const accounts = doubts.map(({ account }) => account);
      const byAccount = await spansByAccount(store, accounts);
      const changes = doubts.flatMap(({ account, since }) => {
        const spans = byAccount.get(account) ?? [];
        // The first millisecond of coverage is never removed, because the search for gaps starts there.
        const begins = Math.max(since, (spans[0]?.from ?? 0) + 1);
        const wrong = spans.filter(({ to, state }) => to > begins && isUnproven(state));
        return wrong.map(({ from, to }): CoverageChange => {
          return { account, from: Math.max(from, begins), to, state: "open" };
        });
      });
      await store.cover(changes);
    },
  };
}

async function unprovenIn(
  store: Pick<CoveragePort, "coverage">,
  accounts: readonly string[],
  span: Span,
): Promise<readonly Gap[]> {
  const wanted = new Set(accounts);
  const spans = await store.coverage({ ...onlyOf(accounts), after: span.from });
  return spans.flatMap(({ account, state, from, to }) => {
    const part = overlap({ from, to }, span);
    const isWanted = wanted.has(account) && isUnproven(state);
    return part === undefined || !isWanted ? [] : [{ account, ...part }];
  });
}

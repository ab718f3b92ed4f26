import { overlap, type Span, without } from "../../system/spans.ts";
import type { CoverageChange, CoveragePort, CoverageSpan } from "../store/coverage.ts";
import type { Gap } from "./plan.ts";

/** What is covered of each account's time, and what is not. */
export interface Ledger {
  /** Time between two covered stretches of these accounts, oldest first. */
  gaps(accounts: readonly string[]): Promise<readonly Gap[]>;
  /** When the coverage of each account ends; accounts without any are absent. */
  ends(accounts: readonly string[]): Promise<ReadonlyMap<string, number>>;
  cover(changes: readonly CoverageChange[]): Promise<void>;
  /** Nothing of the account is expected from here on, until it is covered again. */
  retire(account: string, reason: string): Promise<void>;
  /** Puts `state` into what of `span` is not covered, for every account that has a gap there. */
  close(
    gaps: readonly Gap[],
    span: Span,
    how: Pick<CoverageChange, "state" | "reason">,
  ): Promise<void>;
  /** Deliveries did not come after all: takes back what was noted as delivered since then. */
  takeBack(account: string, since: number): Promise<void>;
}

/** Where a stretch ends that has no end yet. */
export const FOREVER = Number.MAX_SAFE_INTEGER;

/** The ledger over a store that is open. */
export function ledgerOf(store: CoveragePort): Ledger {
  const spansOf = async (accounts: readonly string[]) => {
    const wanted = new Set(accounts);
    const byAccount = new Map<string, CoverageSpan[]>();
    for (const span of await store.coverage()) {
      if (!wanted.has(span.account)) continue;
      const spans = byAccount.get(span.account);
      if (spans === undefined) byAccount.set(span.account, [span]);
      else spans.push(span);
    }
    return byAccount;
  };
  return {
    async gaps(accounts) {
      const byAccount = await spansOf(accounts);
      return [...byAccount]
        .flatMap(([account, spans]) => gapsBetween(account, spans))
        .toSorted(byAge);
    },
    async ends(accounts) {
      const byAccount = await spansOf(accounts);
      return new Map([...byAccount].map(([account, spans]) => [account, spans.at(-1)?.to ?? 0]));
    },
    cover: (changes) => store.cover(changes),
    async retire(account, reason) {
      const from = (await store.coverage({ account })).at(-1)?.to;
      if (from === undefined || from >= FOREVER) return;
      await store.cover([{ account, from, to: FOREVER, state: "lost", reason }]);
    },
    async close(gaps, span, how) {
      const changes = gaps.flatMap((gap) => {
        const part = overlap(gap, span);
        return part === undefined ? [] : [{ account: gap.account, ...part, ...how }];
      });
      await store.cover(changes);
    },
    async takeBack(account, since) {
      const spans = await store.coverage({ account });
      // When the account was first covered stays known: what was missed is counted from there.
      const begins = Math.max(since, (spans[0]?.from ?? 0) + 1);
      const wrong = spans.filter(({ to, state }) => to > begins && state === "delivered");
      await store.cover(
        wrong.map(({ from, to }) => ({ account, from: Math.max(from, begins), to, state: "open" })),
      );
    },
  };
}

function gapsBetween(account: string, spans: readonly CoverageSpan[]): readonly Gap[] {
  const [from, to] = [spans[0]?.from ?? 0, spans.at(-1)?.to ?? 0];
  return without({ from, to }, spans).map((gap) => ({ account, ...gap }));
}

function byAge(one: Gap, other: Gap): number {
  return one.from - other.from;
}

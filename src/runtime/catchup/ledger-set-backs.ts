import { REPLAY_WINDOW_MS } from "../../protocol/limits.ts";
import { overlap, type Span, without } from "../../system/spans.ts";
import type { SetBack } from "../clock/clock.ts";
import type { CoverageChange, CoveragePort, CoverageSpan } from "../store/coverage.ts";
import type { EarlierPass } from "./earlier-pass.ts";
import { FOREVER, spansByAccount } from "./ledger-spans.ts";
import type { Gap } from "./plan.ts";

/**
 * Part of the ledger that handles set-backs of the clock. The clock then shows some time again. Such time counts as
 * covered only if it was covered each time that the clock showed it.
 */
export interface LedgerSetBacks extends Pick<EarlierPass, "missed" | "seen" | "saw"> {
  /**
   * Ends the coverage at the time to which the clock was set back, and stores the gaps of the time after it as missed.
   *
   * @returns For each account, the stretch from the end of its coverage up to the set-back: its deliveries may have
   *   been in transit.
   */
  setBack(by: SetBack): Promise<readonly Gap[]>;
  /** Removes gaps from the stored missed gaps, because their events have arrived late. */
  cameAfterAll(gaps: readonly Gap[]): Promise<void>;
  /** Stores a gap that was missed before the clock was set back. */
  missedBefore(gap: Gap): Promise<void>;
  /** Ends coverage that reaches into the future at 24 hours before `now`: the time of the set-back is unknown. */
  doubtAfter(now: number): Promise<void>;
}

/** Creates the part of a ledger that handles set-backs of the clock. */
export function ledgerSetBacks(
  store: Pick<CoveragePort, "coverage" | "cover">,
  earlier: EarlierPass,
): LedgerSetBacks {
  return {
    async setBack(by) {
      const byAccount = [...(await spansByAccount(store))];
      const holes = byAccount.flatMap(([account, spans]) => repeated(account, holesIn(spans), by));
      const ends = byAccount.flatMap(([account, spans]) =>
        repeated(account, [{ from: spans.at(-1)?.to ?? 0, to: by.was }], by),
      );
      // Stores the missed gaps first: after a crash between the two writes, the whole method runs again.
      await earlier.add([...holes, ...ends]);
      await store.cover(byAccount.flatMap(([, spans]) => reopened(spans, by)));
      return ends;
    },
    cameAfterAll: (gaps) => earlier.remove(gaps),
    missedBefore: (gap) => earlier.add(gap.from < gap.to ? [gap] : []),
    missed: () => earlier.missed(),
    seen: () => earlier.seen(),
    saw: (n) => earlier.saw(n),
    async doubtAfter(now) {
      const changes: CoverageChange[] = [];
      for (const [account, spans] of await spansByAccount(store)) {
        const [first, last] = [spans[0]?.from ?? 0, spans.at(-1)?.to ?? 0];
        if (last <= now || last >= FOREVER) continue;
        const from = Math.max(first + 1, now - REPLAY_WINDOW_MS);
        changes.push({ account, from, to: FOREVER, state: "open" });
      }
      await store.cover(changes);
    },
  };
}

/** Returns the parts of an account's stretches between the clock's times `to` (after the set-back) and `was`. */
function repeated(account: string, spans: readonly Span[], { to: from, was: to }: SetBack): Gap[] {
  return spans.flatMap((span) => {
    const part = overlap(span, { from, to });
    return part === undefined ? [] : [{ account, ...part }];
  });
}

/** Returns the change that ends an account's coverage at the time to which the clock was set back. */
function reopened(spans: readonly CoverageSpan[], { to: from }: SetBack): CoverageChange[] {
  const [first, last] = [spans[0], spans.at(-1)];
  if (first === undefined || last === undefined) return [];
  const { account, to: end, state, reason } = last;
  if (end >= FOREVER) {
    return [{ account, from, to: FOREVER, state, ...(reason !== undefined && { reason }) }];
  }
  const open: CoverageChange = { account, from, to: FOREVER, state: "open" };
  if (first.from < from) return [open];
  // Covers one millisecond. Without any coverage of the account, the ledger would expect no events of it.
  return [open, { account, from, to: from + 1, state: "unproven" }];
}

function holesIn(spans: readonly CoverageSpan[]): readonly Span[] {
  const [from, to] = [spans[0]?.from ?? 0, spans.at(-1)?.to ?? 0];
  return without({ from, to }, spans);
}

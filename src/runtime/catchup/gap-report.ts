import { overlap, type Span, without } from "../../system/spans.ts";
import type { Log } from "../log.ts";
import type { NewRuntimeEvent } from "../runtime-events.ts";
import type { NewEntry } from "../store/entry.ts";
import { durationText } from "../../text/duration-text.ts";
import { byAccountOf, type Gap, MINUTE_MS } from "./plan.ts";
import { counted } from "../../text/counted.ts";

export interface GapReportNeeds {
  readonly log: Log;
  readonly publish: (event: NewRuntimeEvent) => void;
  /** Returns the handle of an account, without `@`. */
  readonly usernameOf: (account: string) => string;
}

/** Logs and publishes each gap when it is found, closed or lost. */
export interface GapReport {
  /** Reports gaps as found unless they are known already. */
  reportFound(gaps: readonly Gap[]): void;
  /** Reports known gaps of `accounts` as closed if they are not in `gaps`, the list of all gaps still open. */
  reportClosed(gaps: readonly Gap[], accounts: readonly string[]): void;
  /** Reports a gap as `lost`, or as `backfilled`: only its messages and mentions were read back. */
  reportLost(
    gap: Gap,
    how: { readonly state: "backfilled" | "lost"; readonly reason: string },
  ): void;
  /** Adds events that arrived late to the number of recovered events of their gap. */
  count(entries: readonly NewEntry[]): void;
  /** Adds events that another process received from the replay `job` to the number of recovered events of their gap. */
  countReplayed(account: string, events: number, job: Span | undefined): void;
  /** Returns the gaps that were reported as found, and not yet as closed or lost. */
  openGaps(): readonly Gap[];
}

interface KnownGap extends Gap {
  events: number;
}

/** Creates a report in which no gap is known yet. */
export function gapReport({ log, publish, usernameOf }: GapReportNeeds): GapReport {
  const byAccount = new Map<string, readonly KnownGap[]>();
  const of = (account: string): readonly KnownGap[] => byAccount.get(account) ?? [];
  const set = (account: string, gaps: readonly KnownGap[]): void => {
    if (gaps.length === 0) byAccount.delete(account);
    else byAccount.set(account, gaps);
  };
  const dataOf = (gap: Gap) => ({ account: gap.account, from: isoOf(gap.from), to: isoOf(gap.to) });
  const named = (gap: Gap) => ({ ...dataOf(gap), account: `@${usernameOf(gap.account)}` });
  return {
    openGaps: () => [...byAccount.values()].flat(),
    reportFound(gaps) {
      for (const gap of gaps) {
        const own = of(gap.account);
        const same = own.find((one) => meets(one, gap));
        if (same !== undefined) {
          const grown = { ...wider(same, gap), events: same.events };
          set(
            gap.account,
            own.map((one) => (one === same ? grown : one)),
          );
          continue;
        }
        set(gap.account, [...own, { ...gap, events: 0 }]);
        publish({ type: "gap-found", data: dataOf(gap) });
        log.warn(named(gap), `missed up to ${lengthText(gap)}; catching up`);
      }
    },
    reportClosed(gaps, accounts) {
      const still = byAccountOf(gaps);
      for (const account of accounts) {
        const own = of(account);
        const isLeft = (one: KnownGap): boolean =>
          (still.get(account) ?? []).some((gap) => meets(one, gap));
        for (const gap of own) {
          if (isLeft(gap)) continue;
          publish({ type: "gap-closed", data: { ...dataOf(gap), events: gap.events } });
          log.info(named(gap), `caught up ${counted(gap.events, "event")} of ${lengthText(gap)}`);
        }
        set(account, own.filter(isLeft));
      }
    },
    reportLost(gap, how) {
      publish({ type: "gap-lost", data: { ...dataOf(gap), ...how } });
      const what =
        how.state === "lost"
          ? "lost for good"
          : "messages and mentions were read back, the rest is lost";
      log.warn({ ...named(gap), reason: how.reason }, `${lengthText(gap)}: ${what}`);
      // The ledger's gaps begin and end some seconds off the reported ones, so shorter remainders are dropped.
      const rest = of(gap.account).flatMap((one) =>
        without(one, [gap])
          .filter(isLong)
          .map((part) => ({ ...one, ...part })),
      );
      set(gap.account, rest);
    },
    countReplayed(account, events, job) {
      const gap = of(account).find((one) => job === undefined || overlap(one, job) !== undefined);
      if (gap !== undefined) gap.events += events;
    },
    count(entries) {
      for (const { account, at, source } of entries) {
        if (source === "webhook") continue;
        const gap = of(account).find((one) => at >= one.from && at < one.to);
        if (gap !== undefined) gap.events += 1;
      }
    },
  };
}

/** Whether two gaps of an account are the same: a gap that is found again may end later. */
function meets(one: Gap, other: Gap): boolean {
  return overlap(one, other) !== undefined;
}

function wider(one: Gap, other: Gap): Gap {
  const { account } = one;
  return { account, from: Math.min(one.from, other.from), to: Math.max(one.to, other.to) };
}

function isLong({ from, to }: Span): boolean {
  return to - from >= MINUTE_MS;
}

function lengthText({ from, to }: Span): string {
  return durationText(to - from);
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}

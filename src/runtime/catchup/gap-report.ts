import { overlap, type Span, without } from "../../system/spans.ts";
import type { Log } from "../log.ts";
import type { NewRuntimeEvent } from "../runtime-events.ts";
import type { NewEntry } from "../store/entry.ts";
import { durationText } from "./duration-text.ts";
import { type Gap, MINUTE_MS } from "./plan.ts";
import { counted } from "../../text/counted.ts";

export interface GapReportNeeds {
  readonly log: Log;
  readonly publish: (event: NewRuntimeEvent) => void;
  /** The handle of an account, for people. */
  readonly usernameOf: (account: string) => string;
}

/** Tells of each gap: that it was found, what came of it, what is lost. */
export interface GapReport {
  /** These gaps are there; those that were not known are told. */
  found(gaps: readonly Gap[]): void;
  /** These gaps of `accounts` are left; those known ones that are not among them are told as closed. */
  left(gaps: readonly Gap[], accounts: readonly string[]): void;
  /** A stretch is settled as something less than whole. */
  lost(gap: Gap, how: { readonly state: "backfilled" | "lost"; readonly reason: string }): void;
  /** Events came in; those that came late belong to a gap. */
  count(entries: readonly NewEntry[]): void;
  /** A replay of `job` brought so many events of an account, to whichever process. */
  countReplayed(account: string, events: number, job: Span | undefined): void;
  /** What is being caught up. */
  known(): readonly Gap[];
}

interface KnownGap extends Gap {
  events: number;
}

/** A report of no gap yet. */
export function gapReport({ log, publish, usernameOf }: GapReportNeeds): GapReport {
  let known: KnownGap[] = [];
  const told = (gap: Gap) => ({ account: gap.account, from: isoOf(gap.from), to: isoOf(gap.to) });
  const named = (gap: Gap) => ({ ...told(gap), account: `@${usernameOf(gap.account)}` });
  return {
    known: () => known,
    found(gaps) {
      for (const gap of gaps) {
        const same = known.find((one) => meets(one, gap));
        if (same !== undefined) {
          known = known.map((one) =>
            one === same ? { ...wider(one, gap), events: one.events } : one,
          );
          continue;
        }
        known.push({ ...gap, events: 0 });
        publish({ type: "gap-found", data: told(gap) });
        log.warn(named(gap), `missed up to ${lengthText(gap)}; catching up`);
      }
    },
    left(gaps, accounts) {
      const isLeft = (one: KnownGap): boolean =>
        !accounts.includes(one.account) || gaps.some((gap) => meets(one, gap));
      for (const gap of known) {
        if (isLeft(gap)) continue;
        publish({ type: "gap-closed", data: { ...told(gap), events: gap.events } });
        log.info(named(gap), `caught up ${counted(gap.events, "event")} of ${lengthText(gap)}`);
      }
      known = known.filter(isLeft);
    },
    lost(gap, how) {
      publish({ type: "gap-lost", data: { ...told(gap), ...how } });
      const what =
        how.state === "lost"
          ? "lost for good"
          : "messages and mentions were read back, the rest is lost";
      log.warn({ ...named(gap), reason: how.reason }, `${lengthText(gap)}: ${what}`);
      known = known.flatMap((one) => {
        const rest = one.account === gap.account ? without(one, [gap]) : [one];
        // The edges of what is known are not those of the ledger to the second.
        return rest.filter(isLong).map((part) => ({ ...one, ...part }));
      });
    },
    countReplayed(account, events, job) {
      const gap = known.find(
        (one) => one.account === account && (job === undefined || overlap(one, job) !== undefined),
      );
      if (gap !== undefined) gap.events += events;
    },
    count(entries) {
      for (const { account, at, source } of entries) {
        if (source === "webhook") continue;
        const gap = known.find((one) => one.account === account && at >= one.from && at < one.to);
        if (gap !== undefined) gap.events += 1;
      }
    },
  };
}

/** A gap that is there again is the same one, though it ends later. */
function meets(one: Gap, other: Gap): boolean {
  return one.account === other.account && overlap(one, other) !== undefined;
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

import { overlap, type Span, without } from "../../system/spans.ts";
import type { CoverageSpan, CoverageState, CoveredKind } from "../store/coverage.ts";
import type { Clock } from "../clock/clock.ts";
import type { Store } from "../store/store.ts";
import { type Gap, replayReach } from "./plan.ts";

/**
 * State of a stretch of time, as shown to people: a stored state of coverage, `missing` (to be caught up), `too-recent`
 * (to be caught up, but still too young for a replay) or `none` (the account was not linked yet).
 */
export type ShownState = CoverageState | "missing" | "too-recent" | "none";

/** Stretch of an account's time, as shown to people. */
export interface ShownSpan extends Span {
  readonly state: ShownState;
  readonly reason?: string;
  /** Whether messages and mentions of a `missing` or `too-recent` stretch have been read back. */
  readonly readBack?: true;
}

export interface ShownNeeds {
  /** Coverage of one account, oldest first. */
  readonly spans: readonly CoverageSpan[];
  readonly window: Span;
  readonly now: number;
  /** Whether deliveries arrive at present. If so, the time after the last span is not missing, but not recorded yet. */
  readonly reachable: boolean;
  /** Open gaps that were found before the clock was set back, in time that the clock shows a second time. */
  readonly missed?: readonly Span[];
  /** Stretches whose messages and mentions have been read back. */
  readonly read?: readonly Span[];
}

/** State to show for messages and mentions, by the stored state. States that are not listed are shown unchanged. */
const READ: Readonly<Partial<Record<ShownState, ShownState>>> = { compared: "delivered" };

/** State to show for all other kinds of event, by the stored state. States that are not listed are shown unchanged. */
const REST: Readonly<Partial<Record<ShownState, ShownState>>> = {
  compared: "unproven",
  backfilled: "lost",
};

/** Coverage of the linked accounts. Times are milliseconds since the epoch. */
export interface CoverageShown extends Span {
  readonly accounts: readonly ShownAccount[];
}

interface ShownAccount {
  readonly id: string;
  readonly username: string;
  /** Whether deliveries arrive at present. */
  readonly reachable: boolean;
  readonly spans: readonly ShownSpan[];
  /** Coverage of each kind of event. */
  readonly kinds: Readonly<Record<CoveredKind, readonly ShownSpan[]>>;
}

export interface CoverageShownNeeds {
  readonly accounts: readonly Pick<ShownAccount, "id" | "username">[];
  /** Coverage of all accounts, oldest first. */
  readonly spans: readonly CoverageSpan[];
  /** Ids of the accounts whose deliveries arrive. */
  readonly reachable: readonly string[];
  /** Open gaps that were found before the clock was set back, in time that the clock shows a second time. */
  readonly missed: readonly Gap[];
  /** Returns the stretches of an account whose messages and mentions have been read back. */
  readonly readOf?: (account: string) => readonly Span[];
  readonly window: Span;
}

/**
 * Store, ledger and accounts from which {@link readCoverage} reads the coverage to show. Take `reachable` before the
 * stored coverage is read: if an account became reachable in between, its gap would count as time with deliveries.
 */
export interface CoverageSource extends Pick<CoverageShownNeeds, "readOf" | "reachable"> {
  readonly store: Pick<Store, "coverage">;
  readonly ledger: { missed(): Promise<readonly Gap[]> };
  readonly accounts: { list(): CoverageShownNeeds["accounts"] };
  readonly clock: Pick<Clock, "now">;
}

const HOUR_MS = 60 * 60_000;

/** Reads the coverage of all accounts for the last `hours` hours. */
export async function readCoverage(
  { hours }: { readonly hours: number },
  { store, ledger, accounts, reachable, clock, readOf }: CoverageSource,
): Promise<CoverageShown> {
  const now = clock.now();
  const window = { from: now - hours * HOUR_MS, to: now };
  const spans = await store.coverage({ after: window.from });
  const missed = await ledger.missed();
  const shown = { accounts: accounts.list(), spans, reachable, missed, window };
  return coverageShown({ ...shown, ...(readOf !== undefined && { readOf }) });
}

/** Returns the coverage of each account within the window. Pure. */
export function coverageShown(needs: CoverageShownNeeds): CoverageShown {
  const { window } = needs;
  const accounts = needs.accounts.map(({ id, username }) => {
    const spans = needs.spans.filter(({ account }) => account === id);
    const reachable = needs.reachable.includes(id);
    const missed = needs.missed.filter(({ account }) => account === id);
    const read = needs.readOf?.(id) ?? [];
    const facts = { spans, window, now: window.to, reachable, missed, read };
    return { id, username, reachable, ...shownTime(facts) };
  });
  return { ...window, accounts };
}

/** Returns an account's coverage, of all kinds of event together and of each kind. Pure. */
export function shownTime(needs: ShownNeeds): Pick<ShownAccount, "spans" | "kinds"> {
  const spans = shownSpans(needs);
  const as = (differs: typeof READ, isRead: boolean): readonly ShownSpan[] =>
    joined(
      spans.map(({ readBack, ...span }) => {
        const state = isRead && readBack === true ? "backfilled" : differs[span.state];
        return { ...span, state: state ?? span.state };
      }),
    );
  const [read, rest] = [as(READ, true), as(REST, false)];
  const others = { posts: rest, deletions: rest, likes: rest, follows: rest, blocks: rest };
  const kinds = {
    messages: read,
    mentions: read,
    ...others,
    mutes: rest,
    typing: rest,
    reads: rest,
  };
  return { spans, kinds };
}

/** Returns an account's coverage in order. Times without a state get `none`, `missing` or `too-recent`. Pure. */
export function shownSpans(needs: ShownNeeds): readonly ShownSpan[] {
  const { spans, window, now, reachable, missed = [], read = [] } = needs;
  const first = spans[0]?.from ?? Infinity;
  const last = spans.at(-1);
  const coming = reachable && last !== undefined ? without({ from: last.to, to: now }, missed) : [];
  const noted: readonly ShownSpan[] = [
    ...spans,
    ...coming.map((span): ShownSpan => ({ ...span, state: "unproven" })),
  ];
  const { latestTo } = replayReach(now);
  const holes = without(window, noted).flatMap((hole): ShownSpan[] => [
    ...partOf(hole, { from: -Infinity, to: first }, "none"),
    ...partOf(hole, { from: first, to: latestTo }, "missing"),
    ...partOf(hole, { from: Math.max(first, latestTo), to: Infinity }, "too-recent"),
  ]);
  const covered = noted.flatMap(({ state, reason, ...span }) =>
    partOf(window, span, state).map((part) => (reason === undefined ? part : { ...part, reason })),
  );
  const open = holes.flatMap((hole) => (hole.state === "none" ? [hole] : markRead(hole, read)));
  return joined([...covered, ...open].toSorted((a, b) => a.from - b.from));
}

/** Splits a missing stretch into parts whose messages and mentions have been read back, and the other parts. */
function markRead(hole: ShownSpan, read: readonly Span[]): ShownSpan[] {
  const unread = without(hole, read);
  return [
    ...unread.map((part) => ({ ...hole, ...part })),
    ...without(hole, unread).map((part) => ({ ...hole, ...part, readBack: true as const })),
  ];
}

function partOf(one: Span, other: Span, state: ShownState): ShownSpan[] {
  const part = overlap(one, other);
  return part === undefined ? [] : [{ ...part, state }];
}

function joined(spans: readonly ShownSpan[]): readonly ShownSpan[] {
  const result: ShownSpan[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    if (last?.to === span.from && isSame(last, span)) {
      result[result.length - 1] = { ...last, to: span.to };
    } else result.push(span);
  }
  return result;
}

function isSame(one: ShownSpan, other: ShownSpan): boolean {
  return (
    one.state === other.state && one.reason === other.reason && one.readBack === other.readBack
  );
}

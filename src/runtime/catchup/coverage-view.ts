import { overlap, type Span, without } from "../../system/spans.ts";
import type { CoverageSpan, CoverageState, CoveredKind } from "../store/coverage.ts";
import type { Clock } from "../clock/clock.ts";
import type { Store } from "../store/store.ts";
import { type Gap, replayReach } from "./plan.ts";

/**
 * How a stretch of time stands, as people are shown it: covered, or `missing` (to be caught up),
 * `too-recent` (to be caught up, and no replay reaches it yet), `none` (the account was not linked yet).
 */
export type ShownState = CoverageState | "missing" | "too-recent" | "none";

/** A stretch of an account's time as people are shown it. */
export interface ShownSpan extends Span {
  readonly state: ShownState;
  readonly reason?: string;
  /** Set if messages and mentions of a `missing` or `too-recent` stretch have been read back. */
  readonly readBack?: true;
}

export interface ShownNeeds {
  /** Of one account, in the order of time. */
  readonly spans: readonly CoverageSpan[];
  /** Which part of it. */
  readonly window: Span;
  readonly now: number;
  /** Deliveries come: what follows the last span is not missing, it is only not noted yet. */
  readonly reachable: boolean;
  /** What was missed before the clock was set back, and is not closed yet. */
  readonly missed?: readonly Span[];
  /** Stretches whose messages and mentions have been read back. */
  readonly read?: readonly Span[];
}

/** How what can be read stands, where that differs. */
const READ: Readonly<Partial<Record<ShownState, ShownState>>> = { compared: "delivered" };

/** How what can't be read stands, where that differs. */
const REST: Readonly<Partial<Record<ShownState, ShownState>>> = {
  compared: "unproven",
  backfilled: "lost",
};

/** How the time of the linked accounts is covered, in milliseconds since the epoch. */
export interface CoverageShown extends Span {
  readonly accounts: readonly ShownAccount[];
}

interface ShownAccount {
  readonly id: string;
  readonly username: string;
  /** Deliveries come just now. */
  readonly reachable: boolean;
  readonly spans: readonly ShownSpan[];
  /** The same of each kind of event alone. */
  readonly kinds: Readonly<Record<CoveredKind, readonly ShownSpan[]>>;
}

export interface CoverageShownNeeds {
  readonly accounts: readonly Pick<ShownAccount, "id" | "username">[];
  /** Of all accounts, in the order of time. */
  readonly spans: readonly CoverageSpan[];
  /** Ids of the accounts whose deliveries come. */
  readonly reachable: readonly string[];
  /** What was missed before the clock was set back, and is not closed yet. */
  readonly missed: readonly Gap[];
  /** Returns the stretches of an account whose messages and mentions have been read back. */
  readonly readOf?: (account: string) => readonly Span[];
  readonly window: Span;
}

/** Parts that coverage is read from. */
export interface CoverageSource extends Pick<CoverageShownNeeds, "readOf"> {
  readonly store: Pick<Store, "coverage">;
  readonly ledger: { missed(): Promise<readonly Gap[]> };
  readonly accounts: { list(): CoverageShownNeeds["accounts"] };
  readonly reachable: () => readonly string[];
  readonly clock: Pick<Clock, "now">;
}

const HOUR_MS = 60 * 60_000;

/** Reads how the time of all accounts is covered, up to now. */
export async function readCoverage(
  { hours }: { readonly hours: number },
  { store, ledger, accounts, reachable, clock, readOf }: CoverageSource,
): Promise<CoverageShown> {
  const now = clock.now();
  const window = { from: now - hours * HOUR_MS, to: now };
  const spans = await store.coverage({ after: window.from });
  const missed = await ledger.missed();
  const shown = { accounts: accounts.list(), spans, reachable: reachable(), missed, window };
  return coverageShown({ ...shown, ...(readOf !== undefined && { readOf }) });
}

/** The time of each account up to now, the end of the window. Pure. */
export function coverageShown(needs: CoverageShownNeeds): CoverageShown {
  const { window } = needs;
  const accounts = needs.accounts.map(({ id, username }) => {
    const spans = needs.spans.filter(({ account }) => account === id);
    const reachable = needs.reachable.includes(id);
    const missed = needs.missed.filter(({ account }) => account === id);
    const read = needs.readOf?.(id) ?? [];
    const known = { spans, window, now: window.to, reachable, missed, read };
    return { id, username, reachable, ...shownTime(known) };
  });
  return { ...window, accounts };
}

/** An account's time, of all kinds of event together and of each. Pure. */
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

/** An account's time without any hole in it, in order. Pure. */
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

/** Cuts a stretch into what has been read back and what has not. */
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

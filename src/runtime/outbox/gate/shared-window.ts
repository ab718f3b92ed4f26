import * as z from "zod";
import type { RateLimit } from "../../../client/client.ts";
import type { SendLimit } from "../effects/effect.ts";

/**
 * State of one platform limit that all workers share: the slices of its window, and which worker holds each.
 *
 * A worker sends only from its slices, and each slice is taken from the remaining requests. So all workers together
 * stay within the limit, whenever they join. A slice has a short life, and its unused requests are returned. The number
 * of requests that a dead worker has used is unknown. Its slice counts as used until the platform reports that more
 * requests remain.
 */
export const sharedWindow = z.object({
  /** Requests allowed in a whole window. */
  size: z.number(),
  /**
   * Whether a response has come. Before it, requests go one at a time, because an earlier process may have used up the
   * limit.
   */
  isKnown: z.boolean(),
  /**
   * Window that the platform reports. Absent: a sliding window, which always covers the last `windowMs` milliseconds.
   */
  told: z
    .object({
      end: z.number(),
      /** Requests of this window that no worker has reserved yet. */
      free: z.number(),
      /** Whether the platform has reported that no request remains. */
      isShut: z.boolean(),
      /**
       * Lowest number of remaining requests that a response reported, and the start time of that response's request.
       */
      left: z.number(),
      asOf: z.number(),
    })
    .exactOptional(),
  /** Granted slices. */
  slices: z.array(
    z.object({
      /** Worker with the slice. Absent: the slice is over, and `count` requests of it were used. */
      worker: z.string().exactOptional(),
      count: z.number(),
      /** Latest time at which a request of the slice may have been sent. */
      until: z.number(),
      /** Whether all requests of the slice were answered, so that the reported remaining requests exclude them. */
      isCounted: z.literal(true).exactOptional(),
    }),
  ),
});

export type SharedWindow = z.infer<typeof sharedWindow>;

/** Report of one HTTP response on a limit; `rateLimit` is `undefined` if the response does not contain the limit. */
export interface ToldOfLimit {
  readonly rateLimit: RateLimit | undefined;
  /** Start time of the request. */
  readonly begunAt: number;
  /** Requests of its slice that the reporting worker had not sent yet. */
  readonly unused: number;
}

/** Lifetime of a slice, in milliseconds. */
export const SLICE_MS = 5_000;
/** Part of the remaining requests that one slice takes: an eighth, but at least 1 and at most {@link MAX_SLICE}. */
const PART = 8;
const MAX_SLICE = 1_000;
/** Maximum difference between the machines' clocks; ends of windows are reported in whole seconds. */
const SLACK_MS = 2_000;
/** Age after which the platform has certainly counted a request, in milliseconds. */
const COUNTED_MS = 30_000;

/** Returns the state of a limit before the first response. */
export function unknownWindow({ limit }: Pick<SendLimit, "limit">): SharedWindow {
  return { size: limit, isKnown: false, slices: [] };
}

/** Returns the state at `now`, without a reported window that has ended and without slices too old to count. */
export function windowAt(
  { told: report, slices, ...window }: SharedWindow,
  { windowMs }: Pick<SendLimit, "windowMs">,
  now: number,
): SharedWindow {
  const latest = latestUse(now);
  const possible = slices.map((one) => (one.until > latest ? { ...one, until: latest } : one));
  const isPossible = report !== undefined && report.end - now <= windowMs + SLACK_MS;
  if (isPossible && now < report.end + SLACK_MS)
    return { ...window, told: report, slices: possible };
  // Requests sent before the end of a reported window don't count in the next window, so their slices are dropped.
  const from = isPossible ? report.end : now - windowMs - SLACK_MS;
  return { ...window, slices: possible.filter(({ until }) => until > from) };
}

/**
 * Whether a slice ends later than a slice granted now could, which means that the clock was set back. {@link windowAt}
 * then assumes that the slice was used just now. This result has to be stored, or each later read would move that time
 * forward.
 */
export function isOfLater({ slices }: SharedWindow, now: number): boolean {
  return slices.some(({ until }) => until > latestUse(now));
}

function latestUse(now: number): number {
  return now + SLICE_MS + SLACK_MS;
}

/** Returns how many requests the store may grant to a worker now. */
export function availableIn(window: SharedWindow, now: number): number {
  const { size, isKnown, told: report, slices } = window;
  if (report !== undefined) return now < report.end ? report.free : 0;
  const free = Math.max(0, size - sum(slices));
  if (isKnown) return free;
  const isTried = slices.some((one) => isOpen(one) && now < one.until + COUNTED_MS);
  return isTried ? 0 : Math.min(1, free);
}

/** Whether a worker still has a slice, of which it may return unused requests. */
export function mayComeBack({ told: report, slices }: SharedWindow, now: number): boolean {
  return report?.isShut !== true && slices.some((one) => isOpen(one) && now < one.until + SLACK_MS);
}

/** Returns the time of new quota: the window's end, or when the oldest requests no longer count. */
export function nextAt(
  { told: report, slices }: SharedWindow,
  { windowMs }: Pick<SendLimit, "windowMs">,
  now: number,
): number {
  if (report !== undefined) return report.end + SLACK_MS;
  const first = Math.min(...slices.map(({ until }) => until));
  return Math.max(now, Number.isFinite(first) ? first + windowMs + SLACK_MS : now);
}

/** Takes a slice of the remaining requests; `count` is 0 if none remains. */
export function grant(
  window: SharedWindow,
  worker: string,
  wanted: number,
  now: number,
): { readonly window: SharedWindow; readonly count: number; readonly until: number } {
  const free = availableIn(window, now);
  const share = Math.min(free, Math.max(1, Math.min(MAX_SLICE, Math.floor(free / PART))));
  const count = Math.min(share, Math.max(1, wanted));
  const { told: report } = window;
  const until = report === undefined ? now + SLICE_MS : Math.min(now + SLICE_MS, report.end);
  if (count === 0) return { window, count, until };
  const slices = [...window.slices, { worker, count, until }];
  const after = { ...window, slices };
  if (report === undefined) return { window: after, count, until };
  return { window: { ...after, told: { ...report, free: report.free - count } }, count, until };
}

/** Ends the slices of a worker. The `unused` requests are available again if their window still runs. */
export function givenBack(
  window: SharedWindow,
  worker: string,
  { unused, isCounted }: { readonly unused: number; readonly isCounted: boolean },
  now: number,
): SharedWindow {
  const own = window.slices.filter((one) => one.worker === worker);
  if (own.length === 0) return window;
  const used = Math.max(0, sum(own) - unused);
  const others = window.slices.filter((one) => one.worker !== worker);
  const until = Math.min(now, Math.max(...own.map((one) => one.until)));
  const { told: report } = window;
  const spent = { count: used, until, ...(isCounted && { isCounted: true as const }) };
  const slices = withUsed(others, spent, report?.end);
  if (report === undefined || report.isShut) return { ...window, slices };
  return { ...window, slices, told: { ...report, free: report.free + sum(own) - used } };
}

/** Applies the report of an HTTP response to the state. */
export function afterAnswer(window: SharedWindow, answer: ToldOfLimit): SharedWindow {
  const { rateLimit, begunAt, unused } = answer;
  if (rateLimit === undefined) return { ...window, isKnown: true };
  const { told: report, slices } = window;
  const { limit: size, remaining, resetAt: end } = rateLimit;
  // A late response from an earlier window does not concern the current window.
  if (report !== undefined && end < report.end) return window;
  const most = Math.max(0, remaining - unused);
  const isShut = remaining <= 0;
  if (report === undefined || end > report.end) {
    const free = Math.min(most, Math.max(0, size - sum(slices)));
    const fresh = { end, free, isShut, left: remaining, asOf: begunAt };
    return { size, isKnown: true, told: fresh, slices };
  }
  const free = Math.min(report.free, most);
  const least =
    remaining < report.left
      ? { left: remaining, asOf: begunAt }
      : { left: report.left, asOf: report.asOf };
  return {
    size,
    isKnown: true,
    told: { end, free, isShut: isShut || report.isShut, ...least },
    slices,
  };
}

/**
 * Makes the unused requests of dead workers available again. If the request of the lowest report began long after the
 * end of their slices, the reported number of remaining requests already excludes what dead workers sent. It also
 * excludes all slices that are marked as counted.
 */
export function withoutDead(window: SharedWindow): SharedWindow {
  const { told: report, slices } = window;
  if (report === undefined || report.isShut) return window;
  const isOld = ({ until }: Slice): boolean => until + COUNTED_MS < report.asOf;
  const dead = slices.filter((one) => isOpen(one) && isOld(one));
  if (dead.length === 0) return window;
  const uncounted = slices.filter((one) => one.isCounted !== true && !isOld(one));
  const free = Math.max(report.free, report.left - sum(uncounted));
  const stillGone = Math.max(0, sum(dead) - (free - report.free));
  const rest = slices.filter((one) => !dead.includes(one));
  const [first] = dead;
  const remainder = stillGone > 0 && first !== undefined ? [{ ...first, count: stillGone }] : [];
  return { ...window, told: { ...report, free }, slices: [...rest, ...remainder] };
}

/**
 * Milliseconds that one entry of used requests covers. Used requests of the same piece of time are merged, so that
 * there are few entries.
 */
const PIECE_MS = 5_000;

type Slice = SharedWindow["slices"][number];

function withUsed(slices: readonly Slice[], spent: Slice, end = Infinity): Slice[] {
  const { count, until, isCounted } = spent;
  if (count === 0) return [...slices];
  // `until` may not exceed the end of the window, since requests sent before this end do not count in the next window.
  const piece = Math.min(Math.ceil(until / PIECE_MS) * PIECE_MS, Math.max(end, until));
  const isSame = (one: Slice): boolean =>
    !isOpen(one) && one.until === piece && one.isCounted === isCounted;
  const same = slices.filter((one) => isSame(one));
  const others = slices.filter((one) => !isSame(one));
  return [...others, { ...spent, count: count + sum(same), until: piece }];
}

function isOpen({ worker }: Slice): boolean {
  return worker !== undefined;
}

function sum(slices: readonly Slice[]): number {
  return slices.reduce((all, { count }) => all + count, 0);
}

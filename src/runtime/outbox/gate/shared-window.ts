import * as z from "zod";
import type { RateLimit } from "../../../client/client.ts";
import type { SendLimit } from "../effects/effect.ts";

/**
 * What workers know together of one limit of the platform: what of its window is given to whom.
 *
 * A worker sends only what it was given, and each slice is given out of what is left, so all together let no more
 * through than the limit, whoever comes when. A slice has a short life: what was not used by then is given back. Of a
 * worker that has died nobody knows how much it used, so its slice counts as used, until the platform says more.
 */
export const sharedWindow = z.object({
  /** Requests of a whole window. */
  size: z.number(),
  /** Whether an answer has come: until then requests go one at a time, since an earlier process may have used all. */
  isKnown: z.boolean(),
  /** The window that the platform tells of. Absent: it slides. */
  told: z
    .object({
      end: z.number(),
      /** What of it is given to nobody. */
      free: z.number(),
      /** Whether the platform has said that nothing is left. */
      isShut: z.boolean(),
      /** The least that an answer said is left, and when its request was begun. */
      left: z.number(),
      asOf: z.number(),
    })
    .exactOptional(),
  /** What was given. */
  slices: z.array(
    z.object({
      /** Absent: it is over, and this many were used. */
      worker: z.string().exactOptional(),
      count: z.number(),
      /** When the last of it may have been used. */
      until: z.number(),
      /** All requests of it were answered, so that what the answers say is left is without them. */
      isCounted: z.literal(true).exactOptional(),
    }),
  ),
});

export type SharedWindow = z.infer<typeof sharedWindow>;

/** What one answer of the platform said of a limit, `undefined`: nothing. */
export interface ToldOfLimit {
  readonly left: RateLimit | undefined;
  /** When its request was begun. */
  readonly begunAt: number;
  /** What its worker had been given and had not used. */
  readonly unused: number;
}

/** A worker keeps what it was given for so long. */
export const SLICE_MS = 5_000;
/** From so many on that are left, a worker gets more than one: the eighth part, and at most {@link MOST}. */
const PART = 8;
const MOST = 1_000;
/** The machines' clocks are at most so far apart, and ends of windows are told in whole seconds. */
const SLACK_MS = 2_000;
/** A request that was begun so long ago has been counted by the platform. */
const COUNTED_MS = 30_000;

/** Nothing is known of the limit. */
export function unknownWindow({ limit }: Pick<SendLimit, "limit">): SharedWindow {
  return { size: limit, isKnown: false, slices: [] };
}

/** The same at a later time: windows end, and what was used long ago counts no more. */
export function windowAt(
  { told, slices, ...window }: SharedWindow,
  { windowMs }: Pick<SendLimit, "windowMs">,
  now: number,
): SharedWindow {
  const latest = latestUse(now);
  const possible = slices.map((one) => (one.until > latest ? { ...one, until: latest } : one));
  const isPossible = told !== undefined && told.end - now <= windowMs + SLACK_MS;
  if (isPossible && now < told.end + SLACK_MS) return { ...window, told, slices: possible };
  // what was given in a window that was told was used in it
  const from = isPossible ? told.end : now - windowMs - SLACK_MS;
  return { ...window, slices: possible.filter(({ until }) => until > from) };
}

/**
 * Whether something was given later than now: the clock was set back. {@link windowAt} counts it as used just now, which
 * is to be kept, or it would be used just now whenever it is looked at.
 */
export function isOfLater({ slices }: SharedWindow, now: number): boolean {
  return slices.some(({ until }) => until > latestUse(now));
}

function latestUse(now: number): number {
  return now + SLICE_MS + SLACK_MS;
}

/** How many may be given now. */
export function availableIn({ size, isKnown, told, slices }: SharedWindow, now: number): number {
  if (told !== undefined) return now < told.end ? told.free : 0;
  const left = Math.max(0, size - sum(slices));
  if (isKnown) return left;
  const isTried = slices.some((one) => isOpen(one) && now < one.until + COUNTED_MS);
  return isTried ? 0 : Math.min(1, left);
}

/** Whether some of what is given may come back before its window ends. */
export function mayComeBack({ told, slices }: SharedWindow, now: number): boolean {
  return told?.isShut !== true && slices.some((one) => isOpen(one) && now < one.until + SLACK_MS);
}

/** When there will be some again, as far as is known now. */
export function nextAt(
  { told, slices }: SharedWindow,
  { windowMs }: Pick<SendLimit, "windowMs">,
  now: number,
): number {
  if (told !== undefined) return told.end + SLACK_MS;
  const first = Math.min(...slices.map(({ until }) => until));
  return Math.max(now, Number.isFinite(first) ? first + windowMs + SLACK_MS : now);
}

/** Takes a slice of what is left; `count` 0 where there is nothing. */
export function given(
  window: SharedWindow,
  worker: string,
  wanted: number,
  now: number,
): { readonly window: SharedWindow; readonly count: number; readonly until: number } {
  const left = availableIn(window, now);
  const share = Math.min(left, Math.max(1, Math.min(MOST, Math.floor(left / PART))));
  const count = Math.min(share, Math.max(1, wanted));
  const { told } = window;
  const until = told === undefined ? now + SLICE_MS : Math.min(now + SLICE_MS, told.end);
  if (count === 0) return { window, count, until };
  const slices = [...window.slices, { worker, count, until }];
  const after = { ...window, slices };
  if (told === undefined) return { window: after, count, until };
  return { window: { ...after, told: { ...told, free: told.free - count } }, count, until };
}

/** Ends the slice of a worker: `unused` of it go back, as far as its window still runs. */
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
  const { told } = window;
  const spent = { count: used, until, ...(isCounted && { isCounted: true as const }) };
  const slices = withUsed(others, spent, told?.end);
  if (told === undefined || told.isShut) return { ...window, slices };
  return { ...window, slices, told: { ...told, free: told.free + sum(own) - used } };
}

/** What an answer says of the limit. */
export function afterAnswer(window: SharedWindow, answer: ToldOfLimit): SharedWindow {
  const { left, begunAt, unused } = answer;
  if (left === undefined) return { ...window, isKnown: true };
  const { told, slices } = window;
  const { limit: size, remaining, resetAt: end } = left;
  // an answer of a window before overtook none of this one
  if (told !== undefined && end < told.end) return window;
  const most = Math.max(0, remaining - unused);
  const isShut = remaining <= 0;
  if (told === undefined || end > told.end) {
    const free = Math.min(most, Math.max(0, size - sum(slices)));
    const fresh = { end, free, isShut, left: remaining, asOf: begunAt };
    return { size, isKnown: true, told: fresh, slices };
  }
  const free = Math.min(told.free, most);
  const least =
    remaining < told.left
      ? { left: remaining, asOf: begunAt }
      : { left: told.left, asOf: told.asOf };
  return {
    size,
    isKnown: true,
    told: { end, free, isShut: isShut || told.isShut, ...least },
    slices,
  };
}

/**
 * Takes back what workers had that have died and did not use: the least that an answer said is left is without what
 * they used, if its request was begun long after their end, and without all slices that are counted.
 */
export function withoutDead(window: SharedWindow): SharedWindow {
  const { told, slices } = window;
  if (told === undefined || told.isShut) return window;
  const isOld = ({ until }: Slice): boolean => until + COUNTED_MS < told.asOf;
  const dead = slices.filter((one) => isOpen(one) && isOld(one));
  if (dead.length === 0) return window;
  const uncounted = slices.filter((one) => one.isCounted !== true && !isOld(one));
  const free = Math.max(told.free, told.left - sum(uncounted));
  const stillGone = Math.max(0, sum(dead) - (free - told.free));
  const rest = slices.filter((one) => !dead.includes(one));
  const [first] = dead;
  const left = stillGone > 0 && first !== undefined ? [{ ...first, count: stillGone }] : [];
  return { ...window, told: { ...told, free }, slices: [...rest, ...left] };
}

/** What was used is kept by the piece of time, so that there are few. */
const PIECE_MS = 5_000;

type Slice = SharedWindow["slices"][number];

function withUsed(slices: readonly Slice[], spent: Slice, end = Infinity): Slice[] {
  const { count, until, isCounted } = spent;
  if (count === 0) return [...slices];
  // what was used before the end of a window is none of the next
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

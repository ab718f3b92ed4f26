import { computed, signal } from "@preact/signals";
import { dateText, duration } from "./duration.ts";
import { sandbox } from "../asking/api.ts";
import type { SandboxItem } from "../live/connection.ts";

interface ShownClock {
  /** The platform's time in milliseconds since the epoch. `readAt` is this machine's time at which it was read. */
  readonly now: number;
  readonly readAt: number;
  readonly frozen: boolean;
}

const shown = signal<ShownClock>({ now: Date.now(), readAt: Date.now(), frozen: false });
const ticks = signal(Date.now());

/** The platform's current time in milliseconds since the epoch, updated every second. */
export const platformNow = computed(() => {
  const { now, readAt, frozen } = shown.value;
  return frozen ? now : now + (ticks.value - readAt);
});

/** Clock differences below this number of milliseconds are ignored: the delay of a response can cause them. */
export const NOTABLE_MS = 2_000;

/** Milliseconds by which the platform's clock is ahead of this machine's clock; 0 for small differences. */
export const clockOffset = computed(() => {
  const ms = platformNow.value - ticks.value;
  return Math.abs(ms) < NOTABLE_MS ? 0 : ms;
});

export const clocksDiffer = computed(() => clockOffset.value !== 0);

/** Clock difference as text: `2 h ahead of this machine's clock`; undefined if there is none. */
export const clockDifference = computed(() => {
  const ms = clockOffset.value;
  if (ms === 0) return undefined;
  return `${duration(Math.abs(ms))} ${ms > 0 ? "ahead of" : "behind"} this machine's clock`;
});

/** The platform's current date, which {@link dateText} returns. It changes only at midnight. */
export const today = computed(() => dateText(new Date(platformNow.value)));

export const isFrozen = computed(() => shown.value.frozen);

/** Time and state of the sandbox's clock, as the sandbox reports them. */
export interface ClockNews {
  readonly now: string;
  readonly frozen: boolean;
}

export function showClock({ now, frozen }: ClockNews): void {
  const readAt = Date.now();
  ticks.value = readAt;
  shown.value = { now: Date.parse(now), readAt, frozen };
}

export async function readClock(ending: AbortSignal): Promise<void> {
  showClock(await sandbox.get<ClockNews>("/clock", ending));
}

/** Updates the shown time from the latest clock event of the sandbox. */
export function followClock(items: readonly SandboxItem[]): void {
  const last = items.findLast(({ type }) => type === "clock");
  if (last === undefined) return;
  const { now, frozen } = last.data;
  if (typeof now === "string" && typeof frozen === "boolean") showClock({ now, frozen });
}

setInterval(() => (ticks.value = Date.now()), 1_000);

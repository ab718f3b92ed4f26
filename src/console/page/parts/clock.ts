import { computed, signal } from "@preact/signals";
import { duration } from "./duration.ts";
import { sandbox } from "../asking/api.ts";
import type { SandboxItem } from "../live/connection.ts";

interface ShownClock {
  /** Platform's time in milliseconds since the epoch, read at `readAt` of this machine's clock. */
  readonly now: number;
  readonly readAt: number;
  readonly frozen: boolean;
}

const shown = signal<ShownClock>({ now: Date.now(), readAt: Date.now(), frozen: false });
const ticks = signal(Date.now());

/** The platform's time, in milliseconds since the epoch; it ticks every second. */
export const platformNow = computed(() => {
  const { now, readAt, frozen } = shown.value;
  return frozen ? now : now + (ticks.value - readAt);
});

/** Milliseconds below which a difference is attributed to the response's latency. */
export const NOTABLE_MS = 2_000;

/** Milliseconds by which the platform's clock is ahead of this machine's; 0 while they agree. */
export const clockOffset = computed(() => {
  const ms = platformNow.value - ticks.value;
  return Math.abs(ms) < NOTABLE_MS ? 0 : ms;
});

export const clocksDiffer = computed(() => clockOffset.value !== 0);

/** Clock difference in words: `2 h ahead of this machine's clock`. Undefined while the clocks agree. */
export const clockDifference = computed(() => {
  const ms = clockOffset.value;
  if (ms === 0) return undefined;
  return `${duration(Math.abs(ms))} ${ms > 0 ? "ahead of" : "behind"} this machine's clock`;
});

export const isFrozen = computed(() => shown.value.frozen);

/** The sandbox's report about its clock. */
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

/** Applies the latest clock event of the sandbox's feed. */
export function followClock(items: readonly SandboxItem[]): void {
  const last = items.findLast(({ type }) => type === "clock");
  if (last === undefined) return;
  const { now, frozen } = last.data;
  if (typeof now === "string" && typeof frozen === "boolean") showClock({ now, frozen });
}

setInterval(() => (ticks.value = Date.now()), 1_000);

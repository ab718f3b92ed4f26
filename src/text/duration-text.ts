const UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/** Formats a duration for people, in its two largest units: `3 h 2 min`. */
export function durationText(ms: number): string {
  let remainingSeconds = Math.max(1, Math.round(ms / 1_000));
  // From an hour on, round to minutes.
  if (remainingSeconds >= 3_600) remainingSeconds = Math.round(remainingSeconds / 60) * 60;
  const parts: string[] = [];
  for (const [unit, seconds] of UNITS) {
    const count = Math.floor(remainingSeconds / seconds);
    remainingSeconds -= count * seconds;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.slice(0, 2).join(" ");
}

/** Difference between two clocks, such as `+1h30m`; undefined if there is none. */
export function offsetInWords(offsetMs: number): string | undefined {
  const total = Math.round(Math.abs(offsetMs) / 1_000);
  if (total === 0) return undefined;
  const parts = [
    [Math.floor(total / 86_400), "d"],
    [Math.floor(total / 3_600) % 24, "h"],
    [Math.floor(total / 60) % 60, "m"],
    [total % 60, "s"],
  ] as const;
  const shown = parts.filter(([amount]) => amount > 0).map(([amount, unit]) => `${amount}${unit}`);
  return `${offsetMs < 0 ? "-" : "+"}${shown.join("")}`;
}

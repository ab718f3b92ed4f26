/** Milliseconds as a test writes them: `2s`, `1500ms`, `10m`. */
export function seconds(ms: number): string {
  if (ms % 1_000 !== 0) return `${ms}ms`;
  if (ms % 3_600_000 === 0 && ms > 0) return `${ms / 3_600_000}h`;
  return ms % 60_000 === 0 && ms > 0 ? `${ms / 60_000}m` : `${ms / 1_000}s`;
}

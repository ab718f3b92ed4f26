/** Formats a time for people: UTC, to the second; `-` for undefined. */
export function formatTime(instant: string | number | undefined): string {
  if (instant === undefined) return "-";
  const at = new Date(instant);
  return Number.isNaN(at.getTime()) ? String(instant) : `${at.toISOString().slice(0, 19)}Z`;
}

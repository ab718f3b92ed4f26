/** An instant as people read it: UTC, to the second. */
export function shownTime(instant: string | number | undefined): string {
  if (instant === undefined) return "-";
  const at = new Date(instant);
  return Number.isNaN(at.getTime()) ? String(instant) : `${at.toISOString().slice(0, 19)}Z`;
}

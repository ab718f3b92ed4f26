const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * Formats a date like the posts of deliveries: `Sun Aug 15 13:32:13 +0000 2021`.
 *
 * @param at Milliseconds since the epoch.
 */
export function dateText(at: number): string {
  const date = new Date(at);
  const day = String(date.getUTCDate()).padStart(2, "0");
  const time = date.toISOString().slice(11, 19);
  const names = `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]}`;
  return `${names} ${day} ${time} +0000 ${date.getUTCFullYear()}`;
}

/** Formats a duration: `12 ms`, `3.4 s`, `5 min`, `2 h 10 min`, `3 d`. @param ms Milliseconds. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours < 48) return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
  return `${Math.round(hours / 24)} d`;
}

/** Created once, because creating a formatter is slow and a feed shows hundreds of times. */
const dayClock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

/** Returns the local date as `2026-03-02`. */
export function dateText(date: Date): string {
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((n) => `${n}`.padStart(2, "0"));
  return `${date.getFullYear()}-${month}-${day}`;
}

/** Returns the local time as `14:05:09`, after its date if that is not `today`, as {@link dateText} returns dates. */
export function timeText(date: Date, today: string): string {
  const day = dateText(date);
  return day === today ? dayClock.format(date) : `${day} ${dayClock.format(date)}`;
}

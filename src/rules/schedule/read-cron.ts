import type { Mistake } from "../../config/problem.ts";
import { newCron } from "./schedule.ts";
import { ownMember } from "../../system/own-member.ts";

/** Mistake in a cron expression, with its place in the expression. */
export interface CronFault {
  readonly mistake: Mistake;
  readonly offset: number;
  readonly length: number;
}

const FIELDS = [
  { name: "minute", help: "write 0 to 59, a list as 0,30, a range as 10-20, or */15" },
  { name: "hour", help: "write 0 to 23, a list as 9,17, a range as 9-17, or */2" },
  {
    name: "day of the month",
    help: "write 1 to 31, a list as 1,15, a range, L for the last, or *",
  },
  { name: "month", help: "write 1 to 12, jan to dec, a list, a range, or *" },
  {
    name: "day of the week",
    help: "write mon to sun, a list as mon,thu, a range as mon-fri, fri#2 for the second, or *",
  },
] as const;

const NICKNAMES: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** Returns the mistake in a cron expression; undefined if it is valid and matches at least one time. */
export function cronFault(cron: string): CronFault | undefined {
  const whole = { offset: 0, length: Math.max(cron.length, 1) };
  const fields = [...cron.matchAll(/\S+/g)].map(({ 0: text, index }) => ({ text, index }));
  if (fields.length !== FIELDS.length) return { mistake: notFive(cron, fields), ...whole };
  for (const [place, { text, index }] of fields.entries()) {
    if (isField(text, place)) continue;
    const { name, help } = FIELDS[place] ?? FIELDS[0];
    const message = `"${text}" is no ${name}`;
    const mistake = { code: "bad-cron", message, help };
    return { mistake, offset: index, length: text.length };
  }
  // within eight years from the first day of a leap year, every valid date occurs
  if (newCron(cron, "UTC").nextRun(new Date(LEAP_YEAR)) !== null) return undefined;
  const message = `"${cron}" names a date that does not exist: it would never run`;
  return { mistake: { code: "bad-cron", message, help: NEVER_HELP }, ...whole };
}

const LEAP_YEAR = Date.UTC(2024, 0, 1);
const NEVER_HELP =
  'name a day that the month has, as  "0 9 28 2 *",  or the last one:  "0 9 L 2 *"';

function isField(text: string, place: number): boolean {
  // the parser would read "?" as the current time
  if (text.includes("?")) return false;
  const alone = FIELDS.map((_, at) => (at === place ? text : "*")).join(" ");
  try {
    newCron(alone, "UTC");
    return true;
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return false;
    throw error;
  }
}

function notFive(cron: string, fields: readonly { readonly text: string }[]): Mistake {
  const code = "bad-cron";
  const meant = ownMember(NICKNAMES, cron.trim().toLowerCase());
  if (meant !== undefined) {
    return { code, message: `"${cron}" is not a cron expression here`, help: `write  "${meant}"` };
  }
  const count = fields.length;
  const message = `a cron expression has five fields (minute, hour, day of the month, month, day of the week), this has ${count}`;
  if (count !== FIELDS.length + 1) {
    return { code, message, help: 'write, as for nine on weekdays:  "0 9 * * mon-fri"' };
  }
  const rest = fields.slice(1).map(({ text }) => text);
  const help = `write it without seconds, since it runs once a minute at most:  "${rest.join(" ")}"`;
  return { code, message, help };
}

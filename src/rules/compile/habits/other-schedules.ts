import { asText } from "../../../text/as-text.ts";
import { isPlainMap } from "./plain-map.ts";
import { msOfTime } from "./other-times.ts";

/** Time zone in the correction of another tool's schedule that has none. */
const ANY_ZONE = "Europe/Berlin";

type Written = Readonly<Record<string, unknown>>;

/** Keys by which a trigger without a name is recognised as a schedule. */
const WHEN = ["cron", "schedule", "at", "every", "daily"];
const KINDS =
  /^(?:time|time_pattern|daily|hourly|weekly|every_?(?:day|hour|week|morning)|schedule|scheduled|cron|timer|interval|core\.st2\.\w+)$/i;

/** Translates another tool's schedule into the trigger `schedule`. Returns undefined for other triggers. */
export function scheduleOf(value: unknown): unknown {
  if (typeof value === "string") {
    const cron = isCron(value) ? value : (usual(value) ?? phrased(value));
    return cron === undefined ? undefined : schedule({ cron }, {});
  }
  if (!isPlainMap(value)) return undefined;
  const kind = ["trigger", "platform", "type"].flatMap((key) =>
    typeof value[key] === "string" ? [value[key]] : [],
  )[0];
  const isKind = kind !== undefined && KINDS.test(kind);
  if (kind !== undefined && !isKind) return undefined;
  if (kind === undefined && !WHEN.some((key) => value[key] !== undefined)) return undefined;
  if (isOwn(value)) return value;
  const inner = value["parameters"];
  const own: Written = { ...value, ...(isPlainMap(inner) ? inner : {}) };
  const period = periodOf(own);
  if (period !== undefined) return schedule(period, own);
  if (!Object.keys(own).every((key) => READ_KEYS.has(key))) return undefined;
  const cron = cronOf(own, kind ?? "");
  return cron === undefined ? undefined : schedule({ cron }, own);
}

/** Keys whose meaning is translated, or has no influence on the times. A schedule with another key is not translated. */
const READ_KEYS: ReadonlySet<string> = new Set(
  (
    "trigger platform type kind name parameters id match zone timezone time_zone tz " +
    "cron expression schedule cron_expression cronExpression every interval at time daily from " +
    "weekday weekdays days day_of_week day day_of_month minutes hours seconds hour minute " +
    "unit delta amount value"
  ).split(" "),
);

const OWN_KEYS: ReadonlySet<string> = new Set(
  "trigger,id,match,cron,every,from,at,zone".split(","),
);

/** Returns whether a schedule has only keys of this language. The schema then reports its mistakes. */
function isOwn(value: Written): boolean {
  if (value["trigger"] !== "schedule") return false;
  if (!Object.keys(value).every((key) => OWN_KEYS.has(key))) return false;
  const isLong = periodOf(value) !== undefined;
  return isText(value["cron"]) || value["from"] !== undefined || isLong;
}

function schedule(when: Written, own: Written): unknown {
  const zone = ["zone", "timezone", "time_zone", "tz"].map((key) => own[key]).find(isText);
  const id = isText(own["id"]) ? { id: own["id"] } : {};
  return { trigger: "schedule", ...id, ...when, zone: zone ?? ANY_ZONE };
}

/** Start date in the correction of another tool's schedule that has none: a Monday. */
const ANY_DATE = "2026-01-05";

/** Translates a period of several days, which cron can't express, into `every: 2 weeks, from: …, at: "09:00"`. */
function periodOf(own: Written): Written | undefined {
  const written = own["every"] ?? own["interval"];
  if (!isText(written)) return undefined;
  const [, count = "1", unit] =
    /^(?:every )?(\d{1,3})? ?(d|days?|w|weeks?)$/i.exec(written.trim()) ?? [];
  if (unit === undefined) return undefined;
  const days = Number(count) * (/^w/i.test(unit) ? 7 : 1);
  if (days <= 1 || daysOf(own) !== "*") return undefined;
  const name = days % 7 === 0 ? `${days / 7} weeks` : `${days} days`;
  const [, hour, minute] = CLOCK.exec(asText(own["at"] ?? own["time"])) ?? [];
  const at = hour === undefined ? "09:00" : `${hour.padStart(2, "0")}:${minute}`;
  return { every: name.replace(/^1 weeks$/, "1 week"), from: own["from"] ?? ANY_DATE, at };
}

const CLOCK = /^(\d{1,2}):(\d{2})(?::\d{2})?$/;
const HALF_DAY = /^(\d{1,2})(?::(\d{2}))? ?([ap])\.?m\.?$/i;

/** Returns hour and minute of `09:00`, `9am` or `9:30 pm`. */
function clockOf(written: unknown): { readonly hour: number; readonly minute: number } | undefined {
  const text = asText(written).trim();
  const [, hours, minutes] = CLOCK.exec(text) ?? [];
  if (hours !== undefined) return { hour: Number(hours), minute: Number(minutes) };
  const [, half, rest = "0", sign = ""] = HALF_DAY.exec(text) ?? [];
  if (half === undefined || Number(half) < 1 || Number(half) > 12) return undefined;
  return { hour: (Number(half) % 12) + (/p/i.test(sign) ? 12 : 0), minute: Number(rest) };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isCron(text: string): boolean {
  return /^[\d*/,\w#-]+(?: [\d*/,\w#?-]+){4}$/.test(text) && /[\d*]/.test(text);
}

function cronOf(own: Written, kind: string): string | undefined {
  for (const key of ["cron", "expression", "schedule", "cron_expression", "cronExpression"]) {
    const writtenCron = own[key];
    if (isText(writtenCron) && isCron(writtenCron)) return writtenCron;
    const first: unknown = Array.isArray(writtenCron) ? writtenCron[0] : writtenCron;
    if (isPlainMap(first) && isText(first["cron"])) return first["cron"];
  }
  return atOf(own) ?? patternOf(own, kind) ?? intervalOf(own) ?? timerOf(own) ?? usual(kind);
}

/** Returns the cron expression of `daily` and `weekly` (at nine) and `hourly`, for schedules without a time. */
function usual(kind: string): string | undefined {
  if (/^(?:daily|every_?(?:day|morning))$/i.test(kind)) return "0 9 * * *";
  if (/^(?:hourly|every_?hour)$/i.test(kind)) return "0 * * * *";
  return /^(?:weekly|every_?week)$/i.test(kind) ? "0 9 * * mon" : undefined;
}

/** Returns the cron expression for `every friday at 18:00`, `daily at 9am` and `every 15 minutes`. */
function phrased(text: string): string | undefined {
  const [, days = "", clock] =
    /^(?:(?:every|each|on) )?([a-z]+) at ([\d:]+ ?(?:[ap]m)?)$/i.exec(text.trim()) ?? [];
  const every = /^(?:daily|day|morning|evening)$/i.test(days) ? "daily" : days;
  if (clock !== undefined) return atOf({ at: clock, days: every });
  const [, time] = /^(?:every|each) (\d+ ?[a-z]+)$/i.exec(text.trim()) ?? [];
  return time === undefined ? undefined : intervalOf({ every: time });
}

/** Returns the cron expression for `at: "07:00"`, also with `weekday: [mon, fri]`. */
function atOf(own: Written): string | undefined {
  const written: unknown = own["at"] ?? own["time"] ?? own["daily"];
  const times = (Array.isArray(written) ? written : [written]).map(clockOf);
  const minutes = new Set(times.map((time) => time?.minute));
  const [minute] = minutes;
  const days = daysOf(own);
  const day = own["day_of_month"] ?? own["day"] ?? "*";
  const isDay = day === "*" || (Number.isInteger(day) && Number(day) >= 1 && Number(day) <= 31);
  if (minutes.size !== 1 || minute === undefined || days === undefined || !isDay) return undefined;
  const hours = times.map((time) => time?.hour).join(",");
  return `${minute} ${hours} ${asText(day)} * ${days}`;
}

const WEEK = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** Returns cron's field of weekdays; undefined for days that can't be translated. */
function daysOf(own: Written): string | undefined {
  const day = isText(own["day"]) ? own["day"] : undefined;
  const written: unknown =
    own["weekday"] ?? own["weekdays"] ?? own["days"] ?? own["day_of_week"] ?? day;
  if (written === undefined) return dayNamed(own["every"]);
  const listed: readonly unknown[] = Array.isArray(written)
    ? written
    : isText(written)
      ? written.split(/[\s,]+/)
      : [written];
  const [only, second] = listed;
  if (second === undefined && isText(only)) {
    if (/^(?:(?:week|work|working_?|business_?)days?|mon-fri)$/i.test(only)) return "mon-fri";
    if (/^weekends?$/i.test(only)) return "sat,sun";
    if (/^(?:all|any|daily|every_?day|\*)$/i.test(only)) return "*";
  }
  // cron counts from Sunday, which is both 0 and 7
  const days = listed.map((one) =>
    isText(one)
      ? one.slice(0, 3).toLowerCase()
      : (WEEK[(Number(asText(one)) + WEEK.length - 1) % WEEK.length] ?? ""),
  );
  if (days.join(",") === WEEK.slice(0, 5).join(",")) return "mon-fri";
  const isKnown = days.length > 0 && days.every((one) => WEEK.includes(one));
  return isKnown ? days.join(",") : undefined;
}

/** Returns cron's field of weekdays for `every: monday` or `every: weekday`; `*` for other values. */
function dayNamed(written: unknown): string {
  const name = asText(written).toLowerCase();
  if (/^(?:weekday|working ?day)s?$/.test(name)) return "mon-fri";
  const day = name.slice(0, 3);
  return /^[a-z]{3}(?:[a-z]*days?)?$/.test(name) && WEEK.includes(day) ? day : "*";
}

/** Returns the cron expression for a time pattern such as `minutes: "/30"`. */
function patternOf(own: Written, kind: string): string | undefined {
  if (kind !== "time_pattern") return undefined;
  const part = (key: string): string | undefined => {
    const value = own[key];
    const text = typeof value === "number" ? String(value) : isText(value) ? value : undefined;
    return text?.startsWith("/") === true ? `*${text}` : text;
  };
  const [minutes, hours] = [part("minutes"), part("hours")];
  if (minutes === undefined && hours === undefined) return undefined;
  return `${minutes ?? "0"} ${hours ?? "*"} * * *`;
}

function intervalOf(own: Written): string | undefined {
  const written = own["every"] ?? own["interval"];
  if (written === "hour") return "0 * * * *";
  const days = daysOf(own);
  if (days === undefined) return undefined;
  if (written === "day" || days !== "*") return `0 9 * * ${days}`;
  const time = written ?? (own["unit"] === undefined ? undefined : unitOf(own));
  const ms = time === undefined ? undefined : msOfTime(time);
  return ms === undefined ? undefined : cronEvery(ms / 60_000);
}

function unitOf(own: Written): unknown {
  return { unit: own["unit"], amount: own["delta"] ?? own["amount"] ?? own["value"] };
}

/** Returns a cron expression for a number of minutes that divides an hour or a day. */
function cronEvery(minutes: number): string | undefined {
  if (!Number.isInteger(minutes) || minutes < 1) return undefined;
  if (minutes === 1) return "* * * * *";
  if (minutes < 60) return 60 % minutes === 0 ? `*/${minutes} * * * *` : undefined;
  const hours = minutes / 60;
  if (hours === 1) return "0 * * * *";
  if (hours === 24) return "0 0 * * *";
  return Number.isInteger(hours) && 24 % hours === 0 ? `0 */${hours} * * *` : undefined;
}

/** Returns the cron expression for `hour: 7, minute: 0`. */
function timerOf(own: Written): string | undefined {
  const days = daysOf(own);
  if (own["hour"] === undefined || days === undefined) return undefined;
  return `${Number(asText(own["minute"] ?? 0))} ${Number(asText(own["hour"]))} * * ${days}`;
}

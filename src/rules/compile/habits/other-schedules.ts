import { isPlainMap } from "./inline-yaml.ts";
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
    const cron = isCron(value) ? value : usual(value);
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
  const cron = cronOf(own, kind ?? "");
  return cron === undefined ? undefined : schedule({ cron }, own);
}

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
  const [, hour, minute] = CLOCK.exec(String(own["at"] ?? own["time"])) ?? [];
  const at = hour === undefined ? "09:00" : `${hour.padStart(2, "0")}:${minute}`;
  return { every: name.replace(/^1 weeks$/, "1 week"), from: own["from"] ?? ANY_DATE, at };
}

const CLOCK = /^(\d{1,2}):(\d{2})(?::\d{2})?$/;

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

/** Returns the cron expression for `at: "07:00"`, also with `weekday: [mon, fri]`. */
function atOf(own: Written): string | undefined {
  const written: unknown = own["at"] ?? own["time"] ?? own["daily"];
  const times = (Array.isArray(written) ? written : [written]).map((one: unknown) =>
    CLOCK.exec(String(one)),
  );
  const minutes = new Set(times.map((time) => Number(time?.[2])));
  const [minute = Number.NaN] = minutes;
  if (minutes.size !== 1 || Number.isNaN(minute)) return undefined;
  const hours = times.map((time) => Number(time?.[1])).join(",");
  return `${minute} ${hours} * * ${daysOf(own)}`;
}

const WEEK = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

function daysOf(own: Written): string {
  const written: unknown = own["weekday"] ?? own["weekdays"] ?? own["days"] ?? own["day_of_week"];
  if (written === undefined) return dayNamed(own["every"]);
  const listed = Array.isArray(written) ? written : isText(written) ? written.split(/[\s,]+/) : [];
  const days = listed.map((day: unknown) => (isText(day) ? day.slice(0, 3).toLowerCase() : ""));
  if (days.join(",") === WEEK.slice(0, 5).join(",")) return "mon-fri";
  const isKnown = days.length > 0 && days.every((day) => WEEK.includes(day));
  return isKnown ? days.join(",") : "*";
}

/** Returns cron's field of weekdays for `every: monday` or `every: weekday`; `*` for other values. */
function dayNamed(written: unknown): string {
  const name = String(written).toLowerCase();
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
  if (written === "day" || daysOf(own) !== "*") return `0 9 * * ${daysOf(own)}`;
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
  if (own["hour"] === undefined) return undefined;
  return `${Number(own["minute"] ?? 0)} ${Number(own["hour"])} * * ${daysOf(own)}`;
}

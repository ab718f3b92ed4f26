import type { Path } from "../../../config/yaml-document.ts";
import type { AccountEvent } from "../../../events/event.ts";
import type { Trigger } from "../../../events/triggers.ts";
import type { CompiledCondition } from "../../evaluation/evaluation.ts";
import { zoneFormat } from "../../../hours/local-time.ts";
import { noZone } from "../../../config/hours/hours-mistakes.ts";
import { isDate } from "../../../hours/read-hours.ts";
import { everyInWords } from "../../schedule/every.ts";
import { cronFault } from "../../schedule/read-cron.ts";
import type { Schedule } from "../../schedule/schedule.ts";
import type { CompileContext } from "../compile-context.ts";
import { askedOfTrigger } from "./asked-of-trigger.ts";

/** Compiled trigger `schedule`: its times, and conditions that match only the events of this schedule. */
export interface ScheduleTrigger {
  readonly schedule?: Schedule;
  readonly match: readonly CompiledCondition[];
}

const NONE: ScheduleTrigger = { match: [] };

/** Keys of a trigger that define the times of a schedule. */
interface ScheduleKeys {
  readonly cron?: string | undefined;
  readonly every?: string | undefined;
  readonly from?: string | undefined;
  readonly at?: string | number | undefined;
  readonly zone?: string | undefined;
}

/**
 * Compiles `zone` and either `cron` or `every` of a trigger. Problems go to the context.
 *
 * @param ids Current id and former ids of the rule, with the prefix from the `use` of its file.
 */
export function compileSchedule(
  context: CompileContext,
  path: Path,
  trigger: Trigger,
  keys: ScheduleKeys & { readonly ids: readonly string[] },
): ScheduleTrigger {
  const { zone, ids } = keys;
  if (trigger !== "schedule") {
    const stray = (["cron", "every", "from", "zone"] as const).find(
      (key) => keys[key] !== undefined,
    );
    if (stray === undefined) return NONE;
    const message = `"${stray}" is only for schedule, not for ${trigger}`;
    const help = `remove it, or write  trigger: schedule`;
    context.report([...path, stray], { code: "unknown-key", message, help }, "key");
    return NONE;
  }
  const isEvery = keys.every !== undefined;
  const when = isEvery ? keys.every : keys.cron;
  if (when === undefined || zone === undefined) {
    const missing = when === undefined ? "cron" : "zone";
    const lack = when === undefined ? "a time" : "a time zone";
    const message = `schedule needs ${lack}: "${missing}" is missing`;
    const form = `write  {trigger: schedule, cron: "${keys.cron ?? "0 9 * * mon-fri"}", zone: ${zone ?? "Europe/Berlin"}}`;
    const help = isEvery ? everyForm(keys) : form;
    context.report(path, { code: "missing-key", message, help });
    return NONE;
  }
  if (zoneFormat(zone) === undefined) context.report([...path, "zone"], noZone(zone));
  const cron = isEvery ? everyOf(context, path, keys) : cronOfKeys(context, path, keys);
  if (zoneFormat(zone) === undefined || cron === undefined) return NONE;
  const asks = [
    { key: "schedule", field: "schedule.rule", read: ruleOf, values: ids },
    { key: isEvery ? "every" : "cron", field: "schedule.cron", read: cronOf, values: [cron] },
    { key: "zone", field: "schedule.zone", read: zoneOf, values: [zone] },
  ];
  return {
    schedule: { cron, zone },
    match: asks.map((one) => askedOfTrigger(context, path, one)),
  };
}

/** Returns the help with a complete trigger, including the keys that are written already. */
function everyForm({ every, from, at, zone }: ScheduleKeys): string {
  const time = typeof at === "string" ? at.padStart(5, "0") : "";
  const clock = CLOCK.test(time) ? time : "09:00";
  const when = `every: ${every ?? "2 weeks"}, from: ${from ?? "2026-01-05"}, at: "${clock}"`;
  return `write  {trigger: schedule, ${when}, zone: ${zone ?? "Europe/Berlin"}}`;
}

function cronOfKeys(
  context: CompileContext,
  path: Path,
  { cron = "", from, at }: ScheduleKeys,
): string | undefined {
  const stray = from !== undefined ? "from" : at !== undefined ? "at" : undefined;
  if (stray !== undefined) {
    const message = `"${stray}" is only for every, not for cron`;
    const help = `remove it, or ${everyForm({})}`;
    return context.report([...path, stray], { code: "unknown-key", message, help }, "key");
  }
  const fault = cronFault(cron);
  if (fault === undefined) return cron;
  const { mistake, offset, length } = fault;
  return context.report([...path, "cron"], mistake, { text: cron, offset, length });
}

/** Matches `2 weeks` and `3d`. A number alone does not match: it has no unit. */
const PERIOD = /^(\d{1,3}) ?(?:(d|days?)|w|weeks?)$/;
const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Returns the period of the trigger at `path` in the format of {@link everyInWords}. Problems go to the context. */
function everyOf(
  context: CompileContext,
  path: Path,
  { cron, every = "", from, at, zone }: ScheduleKeys,
): string | undefined {
  if (cron !== undefined) {
    const message = '"cron" and "every" both set the time';
    const help = "remove one of the two";
    return context.report([...path, "cron"], { code: "unknown-key", message, help }, "key");
  }
  if (from === undefined || at === undefined) {
    const missing = from === undefined ? "from" : "at";
    const lack = from === undefined ? "a first date" : "a time of day";
    const message = `schedule needs ${lack}: "${missing}" is missing`;
    const help = everyForm({ every, from, at, zone });
    return context.report(path, { code: "missing-key", message, help });
  }
  const [, count, isDays] = PERIOD.exec(every.trim().toLowerCase()) ?? [];
  const days = Number(count) * (isDays === undefined ? 7 : 1);
  const code = "bad-schedule";
  if (!(days > 0)) {
    const message = `"${every}" is not a number of days or weeks`;
    const help =
      'write, as every other week:  every: 2 weeks  (in hours or minutes:  cron: "0 */2 * * *")';
    return context.report([...path, "every"], { code, message, help });
  }
  if (!isDate(from)) {
    const message = `"${from}" is not a date`;
    return context.report([...path, "from"], {
      code,
      message,
      help: "write year, month and day:  from: 2026-01-05",
    });
  }
  if (typeof at !== "string" || !CLOCK.test(at)) {
    const message = `"${at}" is not a time of day`;
    return context.report([...path, "at"], {
      code,
      message,
      help: 'write hour and minute, 00:00 to 23:59:  at: "09:00"',
    });
  }
  return everyInWords({ days, from, at });
}

const ruleOf = (event: AccountEvent) => momentOf(event)?.rule;
const cronOf = (event: AccountEvent) => momentOf(event)?.cron;
const zoneOf = (event: AccountEvent) => momentOf(event)?.zone;

function momentOf(event: AccountEvent) {
  return event.kind === "schedule" ? event.schedule : undefined;
}

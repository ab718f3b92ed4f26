import { valueAt } from "../../../config/check-value.ts";
import type { Mistake } from "../../../config/problem.ts";

/** Names that other tools have for a trigger that comes at times. */
const NAMES: ReadonlySet<string> = new Set(["time", "time_pattern", "cron", "interval", "daily"]);
const CLOCK = /^([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?$/;
const FIVE_FIELDS = /^\S+(?: \S+){4}$/;

/** The mistake of a trigger of other tools that comes at times; `undefined` for any other trigger. */
export function timeTrigger(name: string, trigger: unknown): Mistake | undefined {
  if (!NAMES.has(name)) return undefined;
  const [at, cron] = [valueAt(trigger, ["at"]), valueAt(trigger, ["cron"])];
  const [, hour, minute] = typeof at === "string" ? (CLOCK.exec(at) ?? []) : [];
  const daily = hour === undefined ? undefined : `${Number(minute)} ${Number(hour)} * * *`;
  const given = typeof cron === "string" && FIVE_FIELDS.test(cron) ? cron : undefined;
  return {
    code: "unknown-word",
    message: `"${name}" is no trigger: at times comes schedule`,
    help: `write  {trigger: schedule, cron: "${given ?? daily ?? "0 9 * * mon-fri"}", zone: Europe/Berlin}`,
  };
}

import type { Path } from "../../../config/yaml-document.ts";
import type { AccountEvent } from "../../../events/event.ts";
import type { Trigger } from "../../../events/triggers.ts";
import type { CompiledCondition } from "../../decide/evaluation.ts";
import { zoneFormat } from "../../../hours/local-time.ts";
import { noZone } from "../../../config/hours-mistakes.ts";
import { cronFault } from "../../schedule/read-cron.ts";
import type { Schedule } from "../../schedule/schedule.ts";
import type { CompileContext } from "../compile-context.ts";
import { askedOfTrigger } from "./asked-of-trigger.ts";

/** The trigger `schedule`, compiled: when it comes, and what tells its moments from those of others. */
export interface ScheduleTrigger {
  readonly schedule?: Schedule;
  readonly match: readonly CompiledCondition[];
}

const NONE: ScheduleTrigger = { match: [] };

/**
 * The `cron` and `zone` of a trigger. Problems go to the context.
 *
 * @param ids The rule's id as it is used, and those that it had.
 */
export function compileSchedule(
  context: CompileContext,
  path: Path,
  trigger: Trigger,
  keys: {
    readonly cron?: string | undefined;
    readonly zone?: string | undefined;
    readonly ids: readonly string[];
  },
): ScheduleTrigger {
  const { cron, zone, ids } = keys;
  if (trigger !== "schedule") {
    const stray = cron !== undefined ? "cron" : zone !== undefined ? "zone" : undefined;
    if (stray === undefined) return NONE;
    const message = `"${stray}" means something to schedule only, not to ${trigger}`;
    const help = `remove it, or write  trigger: schedule`;
    context.report([...path, stray], { code: "unknown-key", message, help }, "key");
    return NONE;
  }
  if (cron === undefined || zone === undefined) {
    const missing = cron === undefined ? "cron" : "zone";
    const lack = cron === undefined ? "when it comes" : "by the clocks of which time zone it goes";
    const message = `schedule does not say ${lack}: "${missing}" is missing`;
    const help = `write  {trigger: schedule, cron: "${cron ?? "0 9 * * mon-fri"}", zone: ${zone ?? "Europe/Berlin"}}`;
    context.report(path, { code: "missing-key", message, help });
    return NONE;
  }
  if (zoneFormat(zone) === undefined) context.report([...path, "zone"], noZone(zone));
  const fault = cronFault(cron);
  if (fault !== undefined) {
    const { mistake, offset, length } = fault;
    context.report([...path, "cron"], mistake, { text: cron, offset, length });
  }
  if (zoneFormat(zone) === undefined || fault !== undefined) return NONE;
  const asks = [
    { key: "schedule", field: "schedule.rule", read: ruleOf, values: ids },
    { key: "cron", field: "schedule.cron", read: cronOf, values: [cron] },
    { key: "zone", field: "schedule.zone", read: zoneOf, values: [zone] },
  ];
  return {
    schedule: { cron, zone },
    match: asks.map((one) => askedOfTrigger(context, path, one)),
  };
}

const ruleOf = (event: AccountEvent) => momentOf(event)?.rule;
const cronOf = (event: AccountEvent) => momentOf(event)?.cron;
const zoneOf = (event: AccountEvent) => momentOf(event)?.zone;

function momentOf(event: AccountEvent) {
  return event.kind === "schedule" ? event.schedule : undefined;
}

import { triggerWord } from "../../../../events/trigger-words.ts";
import { asText } from "../../../../text/as-text.ts";
import { timeOf } from "../other-times.ts";
import { isPlainMap, type WrittenMap } from "../plain-map.ts";
import type { ReadSteps } from "./step-surroundings.ts";

export const WAITING = /^(?:wait|sleep|pause|delay|after)(?:_?(seconds|secs|minutes|mins|ms))?$/i;

export const LISTENING = /^wait_?for_?(?:trigger|event)$/i;

export function waiting(verb: string, value: unknown): WrittenMap | undefined {
  const unit = WAITING.exec(verb)?.[1]?.toLowerCase();
  if (unit === "ms") return { delay: `${asText(value)}ms` };
  const isBetween = isPlainMap(value) && (value["min"] !== undefined || value["max"] !== undefined);
  if (isBetween) return { delay: value };
  // The unit of a bare number is ambiguous (seconds or minutes), so the schema reports it.
  if (verb === "delay" && !isPlainMap(value)) return undefined;
  const time = timeOf(value, unit?.startsWith("m") === true ? "m" : "s");
  return time === undefined ? undefined : { delay: time };
}

/** Steps of other tools that show that the bot is typing. `chat_action` and `sender_action` name the action. */
const TYPING = /^(?:(?:show|send|start)_?)?typing(?:_?(?:on|indicator|action))?$/i;
const ACTION = /^(?:(?:send|chat|sender)_?)+action$/i;

/** Translates a step that shows that the bot is typing, such as `send_typing: 3`; undefined for any other step. */
export function typing(verb: string, value: unknown): WrittenMap | undefined {
  if (ACTION.test(verb)) return /^typing/i.test(asText(value)) ? { typing: "2s" } : undefined;
  if (!TYPING.test(verb)) return undefined;
  const isBare = value === undefined || value === null || value === true;
  // The unit of a bare number is ambiguous (seconds or milliseconds), so the schema reports it.
  const time = isBare ? "2s" : timeOf(value, verb === "typing" ? undefined : "s");
  return time === undefined ? undefined : { typing: time };
}

export function listened(value: unknown, within = "5m"): WrittenMap | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const trigger = isPlainMap(first) ? (first["trigger"] ?? first["platform"]) : first;
  return typeof trigger === "string" ? { wait_for: { trigger, within } } : undefined;
}

/** Translates `wait_for: {event: …, timeout: 10m, else: […]}`; undefined if it has a key without a counterpart. */
export function waitFor(value: WrittenMap, readSteps: ReadSteps): WrittenMap | undefined {
  const entries = Object.entries(value).map(([key, one]): [string, unknown] => {
    if (/^(?:trigger|event|type|on)$/.test(key))
      return ["trigger", typeof one === "string" ? (triggerWord(one) ?? one) : one];
    if (/^(?:within|timeout|for|max|max_wait)$/.test(key) && !Array.isArray(one))
      return ["within", timeOf(one, "s") ?? one];
    if (/^(?:on_timeout|on_expire|timeout_actions)$/.test(key))
      return ["on_timeout", readSteps(one)];
    // the steps below run after an event only, so the steps of `else` end the run
    if (/^(?:else|otherwise|default)$/.test(key)) {
      const steps = readSteps(one);
      return ["on_timeout", steps?.at(-1) === "stop" ? steps : steps && [...steps, "stop"]];
    }
    return key === "conditions" ? [key, one] : ["", one];
  });
  const map = Object.fromEntries(entries);
  const isWhole = entries.every(([key, one]) => key !== "" && one !== undefined);
  return isWhole && map["trigger"] !== undefined
    ? { wait_for: { within: "10m", ...map } }
    : undefined;
}

import { TRIGGERS } from "../../../events/triggers.ts";
import { triggerWord } from "../../../events/trigger-words.ts";
import { isPlainMap } from "./plain-map.ts";
import { scheduleOf } from "./other-schedules.ts";
import { isSame } from "./same-shape.ts";
import { ownMember } from "../../../system/own-member.ts";

/** Keys that name the event of a trigger. */
const NAMING = ["trigger", "platform", "event_type", "event", "type", "on", "name", "kind", "when"];
const OWN_KEYS = ["id", "direction", "in", "match", "of", "at", "query"];
const WRITTEN_KEYS: ReadonlySet<string> = new Set(["trigger", "cron", "zone", ...OWN_KEYS]);

/** Translates another tool's trigger into a word or map of this language. */
export function triggerOf(value: unknown): unknown {
  if (isPlainMap(value) && isWritten(value)) return value;
  const schedule = scheduleOf(value);
  if (schedule !== undefined) return schedule;
  if (typeof value === "string") return triggerWord(value);
  if (!isPlainMap(value)) return undefined;
  const keyed = keyedTrigger(value);
  if (keyed !== undefined) return keyed;
  const names = NAMING.flatMap((key) => {
    const named = value[key];
    return typeof named === "string" ? (triggerWord(named) ?? []) : [];
  });
  const [trigger] = names;
  if (trigger === undefined || trigger === "schedule") return undefined;
  if (trigger === "count.reached") return reached(value);
  const ownKeys = OWN_KEYS.filter((key) => value[key] !== undefined);
  const matchEntries = Object.entries(value).filter(
    ([key]) => !NAMING.includes(key) && !OWN_KEYS.includes(key),
  );
  const match = Object.assign({}, ...matchEntries.map(([key, one]) => asMatch(key, one)));
  const map = Object.fromEntries(ownKeys.map((key) => [key, value[key]]));
  const all = { trigger, ...map, ...(matchEntries.length > 0 && { match }) };
  return Object.keys(all).length === 1 ? trigger : all;
}

/** Translates `{trigger: count.reached, name: votes, value: 3}` into the keys `of` and `at`. */
function reached(value: Readonly<Record<string, unknown>>): unknown {
  const [of, at] = [
    ["of", "name", "count", "counter"].map((key) => value[key]),
    ["at", "value", "threshold", "reaches", "number", "times", "max"].map((key) => value[key]),
  ].map((candidates) => candidates.find((one) => one !== undefined));
  const id = value["id"] === undefined ? {} : { id: value["id"] };
  return typeof of === "string" && typeof at === "number"
    ? { trigger: "count.reached", ...id, of, at }
    : undefined;
}

const ASKED: Readonly<Record<string, string>> = {
  contains: "contains",
  keyword: "contains_word",
  keywords: "contains_word",
  matches: "matches",
  pattern: "matches",
  regex: "matches",
  starts_with: "starts_with",
  equals: "equals",
};
const FIELDS: Readonly<Record<string, string>> = {
  from: "sender.username",
  sender: "sender.username",
  user: "sender.username",
  message: "text",
};

/** Translates a condition that is a key of a trigger: `contains: hello` into `text: {contains: hello}`. */
function asMatch(key: string, value: unknown): Readonly<Record<string, unknown>> {
  const operator = ownMember(ASKED, key);
  return operator === undefined
    ? { [ownMember(FIELDS, key) ?? key]: value }
    : { text: { [operator]: value } };
}

/** Translates `keyword: price`, `command: /start` and `dm.received: {contains: hello}`: a trigger with one key. */
function keyedTrigger(value: Readonly<Record<string, unknown>>): unknown {
  const [[key, own] = [""], second] = Object.entries(value);
  if (second !== undefined) return undefined;
  const trigger = triggerWord(key);
  const isOperator = key === "command" || ASKED[key] !== undefined;
  const isText = typeof own === "string" || Array.isArray(own);
  if (isOperator && isText) {
    const operator = key === "command" ? "starts_with" : (ASKED[key] ?? "contains_word");
    return { trigger: "dm.received", match: { text: { [operator]: own } } };
  }
  if (trigger === undefined || NAMING.includes(key) || trigger === "schedule") return undefined;
  if (own === null || own === true) return trigger;
  if (isText && /^(?:dm|post)\./.test(trigger))
    return { trigger, match: { text: { contains_word: own } } };
  if (!isPlainMap(own)) return undefined;
  const match = Object.assign({}, ...Object.entries(own).map(([one, it]) => asMatch(one, it)));
  return { trigger, match };
}

/** Translates another tool's triggers into a list of this language. */
export function triggersOf(value: unknown): readonly unknown[] | undefined {
  const items = Array.isArray(value)
    ? value.map(triggerOf)
    : isNamed(value)
      ? named(value)
      : [triggerOf(value)];
  return items.length > 0 && items.every((one) => one !== undefined) ? items : undefined;
}

/** Returns whether triggers are the keys of a map, as in `on: {dm.received: , schedule: [{cron: …}]}`. */
function isNamed(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    isPlainMap(value) &&
    Object.keys(value).every((key) => key === "schedule" || triggerWord(key) !== undefined) &&
    Object.values(value).every((one) => typeof one !== "string" || /\s/.test(one))
  );
}

function named(value: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Object.entries(value).map(([key, own]) =>
    key === "schedule"
      ? scheduleOf({ schedule: own })
      : triggerOf(isPlainMap(own) ? { trigger: key, ...own } : key),
  );
}

/** Returns whether a trigger is in this language. */
export function isOwnTrigger(value: unknown): boolean {
  return isPlainMap(value) ? isWritten(value) : TRIGGERS.some((one) => one === value);
}

function isWritten(value: Readonly<Record<string, unknown>>): boolean {
  const { trigger, at } = value;
  if (trigger === "schedule") {
    const meant = scheduleOf(value);
    return meant === undefined || isSame(meant, value);
  }
  const isKnown = TRIGGERS.some((one) => one === trigger);
  const isCount = trigger === "count.reached" || at === undefined;
  return isKnown && isCount && Object.keys(value).every((key) => WRITTEN_KEYS.has(key));
}

import { asText } from "../../../text/as-text.ts";
import { valueAt } from "../../../config/check-value.ts";
import type { Mistake, Problem } from "../../../config/problem.ts";
import type { Path, YamlDocument } from "../../../config/yaml-document.ts";
import { TRIGGERS } from "../../../events/triggers.ts";
import { inlineYaml } from "../habits/inline-yaml.ts";
import { isPlainMap } from "../habits/plain-map.ts";
import type { OtherRule } from "../habits/other-rule.ts";
import { ruleIdOf } from "../habits/other-rule.ts";
import { isOwnTrigger, triggerOf } from "../habits/other-triggers.ts";
import { NOT_YET, reservedWord } from "../../schema/reserved-words.ts";

/** Problem of a rule in another tool's syntax. It replaces the schema's problems about the same part of the rule. */
interface RuleHabit {
  readonly problem: Problem;
  /** Returns whether another problem is about the same part of the rule and can be omitted. */
  readonly covers: (other: Problem) => boolean;
}

/** Finds triggers in the syntax of other tools, and words that are reserved for later versions of the language. */
export function triggerHabits(document: YamlDocument, path: Path): readonly RuleHabit[] {
  const value = valueAt(document.value, [...path, "triggers"]);
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown, index) => {
    const mistake = triggerMistake(one);
    if (mistake === undefined) return [];
    const at = [...path, "triggers", index];
    const place =
      mistake.help?.startsWith("did you mean") === true && isPlainMap(one)
        ? [...at, "trigger"]
        : at;
    return [habit(document, at, document.problemAt(place, mistake))];
  });
}

function triggerMistake(value: unknown): Mistake | undefined {
  const name = typeof value === "string" ? value : valueAt(value, ["trigger"]);
  const meant = triggerOf(value);
  if (meant === undefined) {
    if (typeof name !== "string") return isPlainMap(value) ? feedTrigger(value) : undefined;
    const atTimes = timeTrigger(name, value);
    if (atTimes !== undefined) return atTimes;
    const message = reservedWord("trigger", name);
    return message === undefined
      ? undefined
      : { code: "not-in-this-version", message, help: NOT_YET };
  }
  if (isOwnTrigger(value)) return undefined;
  const isKnown = TRIGGERS.some((one) => one === name);
  const own = isPlainMap(meant) ? meant["trigger"] : meant;
  const isWord =
    JSON.stringify(isPlainMap(value) ? { ...value, trigger: own } : own) === JSON.stringify(meant);
  const message =
    isKnown || typeof name !== "string"
      ? "a trigger has another form here"
      : `"${name}" is not a trigger`;
  const code = isKnown || typeof name !== "string" ? "wrong-type" : "unknown-word";
  const help = isWord ? `did you mean "${String(own)}"?` : `write  ${inlineYaml(meant)}`;
  return { code, message, help };
}

/** Finds keys of a rule whose values are in another tool's syntax, and a missing id. */
export function ruleHabits(
  document: YamlDocument,
  path: Path,
  rule: OtherRule,
): readonly RuleHabit[] {
  const value = valueAt(document.value, path);
  if (!isPlainMap(value)) return [];
  const listHabits = [...LISTS, ...Object.keys(MESSAGES)].flatMap((key) => {
    const written = value[key];
    const isList = LISTS.includes(key);
    if (written === undefined || written === null || (Array.isArray(written) && isList)) return [];
    const help = rule.formOf(key);
    if (help === undefined || help === `write  ${key}: ${inlineYaml(written)}`) return [];
    const at = [...path, key];
    const message = MESSAGES[key] ?? `${key} are a list`;
    return [
      habit(document, at, document.problemAt(at, { code: "wrong-type", message, help }, "key")),
    ];
  });
  const { id, name } = value;
  // The check below is only for a missing id.
  if (id !== undefined) return listHabits;
  if (rule.formOf("rule") !== undefined || rule.formOf("story") !== undefined) return listHabits;
  const own = ruleIdOf(name, Number(path.at(-1)) + 1);
  const mistake = {
    code: "missing-key",
    message: '"id" is missing in this rule',
    help: `add  id: ${own}`,
  };
  const problem = document.problemAt(path, mistake);
  const isSame = (other: Problem): boolean =>
    other.code === "missing-key" && other.line === problem.line && other.column === problem.column;
  return [...listHabits, { problem, covers: isSame }];
}

const LISTS = ["triggers", "conditions", "actions"];

const MESSAGES: Readonly<Record<string, string>> = {
  active: "active is a period, with a beginning (from) and an end (to)",
  cooldown: "a cooldown has a scope (per) and a duration (for)",
  limit: "a limit has a scope (per), a number (max) and a duration (in)",
};

function habit(document: YamlDocument, at: Path, problem: Problem): RuleHabit {
  const [first, last] = document.linesOf(at);
  const start = document.problemAt(at, NO_MISTAKE, isKey(at) ? "key" : "value");
  const value = document.problemAt(at, NO_MISTAKE);
  const end = value.column + value.length;
  const covers = (other: Problem): boolean => {
    if (other.line < start.line || other.line > last) return false;
    if (first !== last || start.line !== first) return true;
    return other.column >= start.column && other.column < end;
  };
  return { problem, covers };
}

function isKey(at: Path): boolean {
  return typeof at.at(-1) === "string";
}

const NO_MISTAKE: Mistake = { code: "none", message: "" };

/** Returns the mistake of a trigger that reads an address, such as `rss: URL`. */
function feedTrigger(value: Readonly<Record<string, unknown>>): Mistake | undefined {
  const key = Object.keys(value).find((one) => /^(?:rss|atom|feed|url|http|poll|api)$/i.test(one));
  if (key === undefined) return undefined;
  const url = asText(value[key]);
  const address = /^https?:\/\//.test(url) ? url : "https://example.com/feed.json";
  return {
    code: "unknown-word",
    message: `"${key}" is not a trigger: a schedule and an http step read an address`,
    help: `write  { trigger: schedule, cron: "*/15 * * * *", zone: Europe/Berlin }  and as the first step  { id: feed, http: { url: "${address}" } }`,
  };
}

/** Names of time triggers in other tools. */
const TIME_TRIGGERS: ReadonlySet<string> = new Set([
  "time",
  "time_pattern",
  "cron",
  "interval",
  "daily",
]);
const CLOCK = /^([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?$/;
const FIVE_FIELDS = /^\S+(?: \S+){4}$/;

/** Returns the mistake of a time trigger of another tool; `undefined` for any other trigger. */
function timeTrigger(name: string, trigger: unknown): Mistake | undefined {
  if (!TIME_TRIGGERS.has(name)) return undefined;
  const [at, cron] = [valueAt(trigger, ["at"]), valueAt(trigger, ["cron"])];
  const [, hour, minute] = typeof at === "string" ? (CLOCK.exec(at) ?? []) : [];
  const daily = hour === undefined ? undefined : `${Number(minute)} ${Number(hour)} * * *`;
  const writtenCron = typeof cron === "string" && FIVE_FIELDS.test(cron) ? cron : undefined;
  return {
    code: "unknown-word",
    message: `"${name}" is not a trigger: for fixed times use schedule`,
    help: `write  {trigger: schedule, cron: "${writtenCron ?? daily ?? "0 9 * * mon-fri"}", zone: Europe/Berlin}`,
  };
}

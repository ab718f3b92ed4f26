import { asText } from "../../../text/as-text.ts";
import { type Trigger, TRIGGERS } from "../../../events/triggers.ts";
import { idOf } from "../../../text/id-of.ts";
import { scopeOf } from "../../expression/scope.ts";
import { STATE_PATH } from "../../expression/state-names.ts";
import { meantWord } from "../../schema/other-words.ts";
import { inlineYaml } from "./inline-yaml.ts";
import { isPlainMap, type WrittenMap } from "./plain-map.ts";
import { ConditionReader } from "./other-conditions.ts";
import { scheduleOf } from "./other-schedules.ts";
import { stepListOf } from "./steps/other-steps.ts";
import type { StepSurroundings } from "./steps/step-surroundings.ts";
import { timeOf } from "./other-times.ts";
import { triggerOf, triggersOf } from "./other-triggers.ts";
import { ownMember } from "../../../system/own-member.ts";

/** Lists of a rule for which other tools have other names. */
type ListKey = "triggers" | "conditions" | "actions";

/** Maximum characters of a correction in an error message. A longer one is omitted: it would hide the message. */
const MAX_FORM = 300;

const CONDITIONS =
  /^(?:if|where|filters?|match|conditions?|criteria|unless|keywords?|commands?|contains|patterns?|regex|hear|respond|training_phrases|examples|phrases|starts_with|prefix)$/;
const PERHAPS_WHEN = /^(?:trigger|on|when|events?)$/;
const SAYING = /^(?:reply|reply_dm|responses?|send|say|answer|message|text|tweet)$/;
const DOING = /^(?:steps|do|then|run|actions?|sequence|nodes|tasks|execute)$/;

/** Names of texts and state that a rule file declares. */
type FileNames = Pick<StepSurroundings, "hasText" | "declared">;

/** Translates the value of a rule's key `schedule` or `cron`; undefined if a part of it can't be translated. */
function schedulesOf(key: string, value: unknown): readonly unknown[] | undefined {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const schedules = items.map((one) =>
    scheduleOf(isPlainMap(one) ? { trigger: "schedule", ...one } : { [key]: one }),
  );
  return schedules.length === 0 || schedules.includes(undefined) ? undefined : schedules;
}

/** Returns the names of texts and state that a rule file declares. */
export function namesOfFile({
  texts,
  state,
}: {
  readonly texts: { readonly names: readonly string[] };
  readonly state: { readonly declared: ReadonlyMap<string, unknown> };
}): FileNames {
  const hasText = (name: string): boolean => texts.names.includes(name);
  return { hasText, declared: [...state.declared.keys()] };
}

/** Translates a rule in the syntax of another tool into this language. */
export class OtherRule {
  readonly #rule: WrittenMap;
  readonly #lists = new Map<
    string,
    { readonly own: ListKey; readonly items: readonly unknown[] }
  >();
  #isRead = false;
  /** Triggers of the rule, translated into the words of this language. */
  readonly triggers: readonly Trigger[];
  readonly surroundings: StepSurroundings;

  constructor(rule: unknown, { hasText, declared }: FileNames) {
    this.#rule = isPlainMap(rule) ? rule : {};
    this.#readTriggers();
    const { triggers } = this.#rule;
    const own: readonly unknown[] = Array.isArray(triggers) ? triggers.map(triggerOf) : [];
    const items = [...own, ...[...this.#lists.values()].flatMap(({ items: all }) => all)];
    const names = new Set(items.map((one) => (isPlainMap(one) ? one["trigger"] : one)));
    this.triggers = TRIGGERS.filter((one) => names.has(one));
    const { fields } = scopeOf(this.triggers);
    const hasPerson = this.triggers.length === 0 || fields.has("sender.id");
    const conditions = new ConditionReader({
      typeOf: (path) =>
        fields.get(path)?.type ??
        (STATE_PATH.test(path) && (hasPerson || path.startsWith("state.account."))
          ? "text"
          : undefined),
    });
    const isPublic =
      this.triggers.length > 0 && this.triggers.every((one) => one.startsWith("post."));
    const owner = hasPerson ? "sender" : "account";
    this.surroundings = { conditions, isPublic, hasText, declared, owner };
  }

  /** Returns the key under which the rule has a list: its name in this language, or else another tool's word. */
  keyOf(own: ListKey): string {
    if (this.#rule[own] !== undefined) return own;
    this.#readLists();
    const writtenList = [...this.#lists].find(
      ([key, list]) => list.own === own && Array.isArray(this.#rule[key]) && !this.#isChanged(key),
    );
    return writtenList?.[0] ?? own;
  }

  /**
   * Returns the correction of a key and its value. Undefined if renaming the key is enough, or no correction is known.
   */
  formOf(key: string): string | undefined {
    this.#readLists();
    const list = this.#lists.get(key);
    if (list === undefined) return this.#single(key);
    const same = [...this.#lists].filter(([, other]) => other.own === list.own);
    if (same.length > 1 && this.#rule[list.own] === undefined) {
      const all = same.flatMap(([, { items }]) => items);
      const isFirst = same[0]?.[0] === key;
      return isFirst
        ? `write  ${list.own}: ${inlineYaml(all)}`
        : `remove it: it is among the ${list.own} then`;
    }
    if (key !== list.own && this.#rule[list.own] !== undefined) {
      return `add it to the ${list.own}:  - ${inlineYaml(list.items[0])}`;
    }
    if (!this.#isChanged(key)) return undefined;
    const form = `${list.own}: ${inlineYaml(list.items)}`;
    return form.length > MAX_FORM ? undefined : `write  ${form}`;
  }

  /** Translates the rule from another tool's vocabulary into Answerback's. Keys without a translation are unchanged. */
  asOwn(): WrittenMap {
    this.#readLists();
    const entries = Object.entries(this.#rule).map(([key, value]) => {
      const list = this.#lists.get(key);
      return list === undefined ? [meantWord("rule", key) ?? key, value] : [list.own, list.items];
    });
    return Object.fromEntries(entries);
  }

  #isChanged(key: string): boolean {
    return JSON.stringify(this.#lists.get(key)?.items) !== JSON.stringify(this.#rule[key]);
  }

  #readTriggers(): void {
    for (const [key, value] of Object.entries(this.#rule)) {
      const isOwn = key === "triggers" || PERHAPS_WHEN.test(key);
      const schedules = key === "schedule" || key === "cron" ? schedulesOf(key, value) : undefined;
      const items = schedules ?? (isOwn ? triggersOf(value) : undefined);
      if (items !== undefined) this.#lists.set(key, { own: "triggers", items });
    }
  }

  /** Reads the lists of conditions and actions, once and on demand: most rules never need them. */
  #readLists(): void {
    if (this.#isRead) return;
    this.#isRead = true;
    for (const [key, value] of Object.entries(this.#rule)) this.#readList(key, value);
  }

  #readList(key: string, value: unknown): void {
    if (this.#lists.has(key)) return;
    const { conditions } = this.surroundings;
    if (CONDITIONS.test(key)) {
      const conditionMap = /^(?:if|where|filters?|match|conditions?|criteria)$/.test(key)
        ? value
        : { [key]: value };
      const items = conditions.listOf(conditionMap);
      if (items !== undefined) this.#lists.set(key, { own: "conditions", items });
    } else if (SAYING.test(key)) {
      const verb = key.replace(/^responses?$/, "send");
      const items = stepListOf({ [verb]: value }, this.surroundings);
      if (items !== undefined) this.#lists.set(key, { own: "actions", items });
    } else if (DOING.test(key)) {
      const items = stepListOf(value, this.surroundings);
      const actionItems = items ?? (Array.isArray(value) ? value : undefined);
      if (actionItems !== undefined) this.#lists.set(key, { own: "actions", items: actionItems });
    }
  }

  /** Returns the correction of a key that is not a list, such as `priority` or `timeout_minutes`. */
  #single(key: string): string | undefined {
    const value = this.#rule[key];
    return value === undefined ? undefined : ownMember(SINGLES, key)?.(value, this.#rule);
  }
}

const read = new WeakMap<object, OtherRule>();

/** Returns the translation of a rule in another tool's syntax. It is cached by the rule object. */
export function otherRule(rule: unknown, names: FileNames): OtherRule {
  if (typeof rule !== "object" || rule === null) return new OtherRule(rule, names);
  const otherForm = read.get(rule) ?? new OtherRule(rule, names);
  read.set(rule, otherForm);
  return otherForm;
}

type Form = (value: unknown, rule: WrittenMap) => string | undefined;

const toId: Form = (value, rule) =>
  typeof value === "string" && rule["id"] === undefined
    ? `write  id: ${ruleIdOf(value)}`
    : undefined;
const gone =
  (why: string): Form =>
  () =>
    `remove it: ${why}`;
const inMinutes: Form = (value) => {
  const time = timeOf(value, "m");
  return time === undefined ? undefined : `write  timeout: ${time}`;
};
const switched =
  (isTurned: boolean): Form =>
  (value) => {
    const isOn =
      value === true || (typeof value === "string" && /^(?:true|yes|on|1)$/i.test(value));
    return `write  enabled: ${isOn !== isTurned}`;
  };
/** Translates `status: inactive`; other words have no counterpart. */
const standing: Form = (value) => {
  const [word, isOff] =
    /^(?:(inactive|disabled|off|paused|draft)|active|enabled|on|live)$/i.exec(asText(value)) ?? [];
  return word === undefined ? undefined : `write  enabled: ${isOff === undefined}`;
};
const formOfDescription: Form = (value, rule) => {
  const isNamed = ["name", "alias", "title"].some((one) => rule[one] !== undefined);
  if (!isNamed) return undefined;
  return `remove it, or make it a comment:  # ${asText(value)}`;
};
const rested: Form = (value) => {
  if (isPlainMap(value)) return restedMap(value);
  const time = timeOf(value, "s");
  return time === undefined ? undefined : `write  cooldown: { per: sender, for: ${time} }`;
};

/** Returns the valid form of a cooldown with another tool's keys, or of a limit that is written as a cooldown. */
function restedMap(map: WrittenMap): string | undefined {
  const isOwn =
    PER.has(asText(map["per"])) && Object.keys(map).every((key) => key === "per" || key === "for");
  if (isOwn || !Object.keys(map).every((key) => RESTED.has(key))) return undefined;
  if (map["max"] !== undefined && map["in"] !== undefined)
    return `write  limit: ${inlineYaml(map)}`;
  const per = map["per"] ?? map["by"] ?? map["scope"] ?? map["of"] ?? "sender";
  const written =
    map["for"] ?? map["time"] ?? map["duration"] ?? map["period"] ?? map["window"] ?? map["every"];
  const time = timeOf(written, "s");
  const whose =
    typeof per === "string" && /^(?:user|person|author|from|member|people)s?$/i.test(per)
      ? "sender"
      : per;
  return time === undefined
    ? undefined
    : `write  cooldown: ${inlineYaml({ per: whose, for: time })}`;
}

const PER: ReadonlySet<string> = new Set(["sender", "conversation", "account", "rule"]);
const RESTED: ReadonlySet<string> = new Set(
  "per by scope of for time duration period window every max in overflow".split(" "),
);

/** Translates `limit: 5/hour` and `limit: 5 per 10 minutes`. */
const limited: Form = (value) => {
  const [, max, count = "1", unit = ""] =
    /^(\d+) ?(?:times? )?(?:\/|per|an?|in|every) ?(\d+)? ?([a-z]+)$/i.exec(asText(value).trim()) ??
    [];
  const time = max === undefined ? undefined : timeOf(`${count} ${unit}`);
  return time === undefined ? undefined : `write  limit: { per: rule, max: ${max}, in: ${time} }`;
};
const once: Form = (value) =>
  value === false || (typeof value === "number" && value !== 1)
    ? undefined
    : "for once for each person write  cooldown: { per: sender, for: 3650d }";
const otherwise: Form = () =>
  "add a rule below it with these steps as its actions, and with  fallback: true";
const named: Form = (value, rule) => {
  const names = Array.isArray(value) ? value : isPlainMap(value) ? Object.keys(value) : [];
  if (names.length === 0 || !names.every((one) => /^[a-z]\w*$/i.test(asText(one))))
    return undefined;
  const { command } = rule;
  const groups = names.map(
    (one, index) =>
      `(?P<${asText(one)}>${argumentPattern(asText(one), index === names.length - 1)})`,
  );
  const pattern = ["^" + (typeof command === "string" ? command : "/command"), ...groups].join(" ");
  return `name them in a pattern:  conditions: [{ text: { matches: '${pattern}$' } }]  and read captures.${asText(names[0])}`;
};

function argumentPattern(name: string, isLast: boolean): string {
  if (/^(?:time|duration|delay|after|in)$/i.test(name)) return String.raw`\d+[smhd]`;
  if (/^(?:n|count|number|amount|max|min|sides)$/i.test(name)) return String.raw`\d+`;
  return isLast ? ".+" : String.raw`\S+`;
}

const SINGLES: Readonly<Record<string, Form>> = {
  state: (value) =>
    isPlainMap(value)
      ? `remove it here, and write above  rules:  state: ${inlineYaml(value)}`
      : undefined,
  rule: toId,
  story: toId,
  intent: toId,
  pack: gone("rule files have no packs"),
  priority: gone("rules are tried from top to bottom"),
  order: gone("rules are tried from top to bottom"),
  max_exceeded: gone("rejected runs are always reported"),
  concurrency: () => "write  mode: queued",
  "timeout-minutes": inMinutes,
  timeout_minutes: inMinutes,
  disabled: switched(true),
  initial_state: switched(false),
  active: (value, rule) =>
    /^(?:true|false|yes|no|on|off)$/i.test(asText(value))
      ? switched(false)(value, rule)
      : undefined,
  status: standing,
  active_by_default: switched(false),
  default: (value) => (typeof value === "boolean" ? `write  fallback: ${value}` : undefined),
  catch_all: (value) => (typeof value === "boolean" ? `write  fallback: ${value}` : undefined),
  description: formOfDescription,
  comment: formOfDescription,
  cooldown: rested,
  limit: limited,
  once,
  run_once: once,
  only_once: once,
  max_runs: once,
  else: otherwise,
  otherwise,
  args: named,
  arguments: named,
  params: named,
  parameters: named,
  throttle: rested,
  debounce: rested,
  rate_limit: rested,
};

/** Derives the id of a rule from its name, or from its number in the file if the name has no Latin letters. */
export function ruleIdOf(name: unknown, number: number | "NAME" = "NAME"): string {
  const id = typeof name === "string" ? idOf(name) : "";
  return /^[A-Za-z]/.test(id) ? id : `rule-${id === "" ? number : id}`;
}

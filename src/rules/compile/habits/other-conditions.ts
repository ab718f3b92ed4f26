import { asText } from "../../../text/as-text.ts";
import type { FieldType } from "../../../events/fields.ts";
import { OPERATORS } from "../../operators/operators.ts";
import { meantWord } from "../../schema/other-words.ts";
import { celOf, patternMatch } from "./other-expressions.ts";
import { inlineYaml } from "./inline-yaml.ts";
import { isPlainMap } from "./plain-map.ts";
import { meantField } from "./other-fields.ts";
import { ownMember } from "../../../system/own-member.ts";

/** Types of the fields that the events of a rule have. */
export interface KnownFields {
  /** Returns the type of the field at a path; undefined if there is no such field. */
  readonly typeOf: (path: string) => FieldType | undefined;
}

const PHRASES = [
  "keyword",
  "keywords",
  "word",
  "words",
  "training_phrases",
  "examples",
  "phrases",
  "phrase",
  "patterns",
  "utterances",
];
const PATTERNS = ["pattern", "regex", "regexp", "hear", "respond"];
const MIN_FOLLOWERS = /^min_?followers(?:_count)?$/i;

/** Translates conditions of other tools into this language. */
export class ConditionReader {
  readonly #fields: KnownFields;

  constructor(fields: KnownFields) {
    this.#fields = fields;
  }

  /** Translates conditions, of which all must hold; undefined if any of them is unknown. */
  listOf(value: unknown): readonly unknown[] | undefined {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    const read = items.map((one) => this.one(one));
    return read.every((one) => one !== undefined) ? read.flat() : undefined;
  }

  /** Translates one condition, see {@link listOf}. Returns a condition of this language unchanged. */
  one(value: unknown): readonly unknown[] | undefined {
    if (typeof value === "string") return this.#ofText(value);
    if (!isPlainMap(value)) return undefined;
    const keys = Object.keys(value);
    const named = this.#ofNamed(value);
    if (named !== undefined) return named;
    if (keys.length === 0) return undefined;
    const all = keys.map((key) => this.#ofKey(key, value[key]));
    return all.every((one) => one !== undefined) ? distinct(all.flat()) : undefined;
  }

  /** Translates a condition in a text: `sender.verified`, `message.text contains hello`, `{{ … }}`, or a bare word. */
  #ofText(text: string): readonly unknown[] | undefined {
    const path = this.#path(text.trim());
    if (path !== undefined && this.#fields.typeOf(path) === "boolean") return [{ [path]: true }];
    const [, name = "", verb = "", rest = ""] = /^([\w.$]+) ([a-z_]+) (.+)$/.exec(text) ?? [];
    const field = this.#path(name);
    const operator = operatorOf(verb);
    if (field !== undefined && operator !== undefined && rest.startsWith("[")) {
      const list = rest
        .slice(1, -1)
        .split(",")
        .map((one) => unquoted(one.trim()));
      return [{ [field]: { [operator]: list } }];
    }
    // a quote within the text belongs to a longer expression, such as `a contains "b" and c`
    if (field !== undefined && operator !== undefined && !/["']/.test(unquoted(rest))) {
      return [{ [field]: { [operator]: unquoted(rest) } }];
    }
    const [, turned] = /^(?:not|!) ?([\w.]+)$/.exec(text.trim()) ?? [];
    const denied = turned === undefined ? undefined : this.#path(turned);
    if (denied !== undefined && this.#fields.typeOf(denied) === "boolean")
      return [{ [denied]: false }];
    if (/[=<>(]|\{\{|&&|\|\|/.test(text)) return [{ if: this.expression(text) }];
    const [, pattern] = /^\/(.+)\/[gimsuy]*$/s.exec(text) ?? [];
    if (pattern !== undefined) return this.#text({ matches: pattern });
    return /^[\p{L}\p{N} ]+$/u.test(text) ? this.#text({ contains_word: text }) : undefined;
  }

  /** Translates a condition with `{condition: …}` or `{field, operator, value}`. */
  #ofNamed(map: Readonly<Record<string, unknown>>): readonly unknown[] | undefined {
    const { condition: kind, conditions } = map;
    if (typeof kind === "string") {
      if (kind === "or" || kind === "and" || kind === "not")
        return this.#combined(kind, conditions);
      const template = map["value_template"] ?? map["template"];
      if (typeof template === "string") return [{ if: this.expression(template) }];
      if (kind === "time") return [timeOfDay(map)];
    }
    const field = text(map["entity_id"] ?? map["field"] ?? map["leftValue"] ?? map["value1"]);
    const path = field === undefined ? undefined : this.#path(field.replaceAll(/[={}\s]/g, ""));
    if (path === undefined) return this.#ofExamples(map);
    if (map["state"] !== undefined) return [{ [path]: map["state"] }];
    if (map["above"] !== undefined || map["below"] !== undefined) {
      const range = { gt: map["above"], lt: map["below"] };
      return [{ [path]: JSON.parse(JSON.stringify(range)) }];
    }
    const operatorName = text(
      map["operator"] ?? map["operation"] ?? map["op"] ?? map["comparison"],
    );
    const operand = map["value"] ?? map["rightValue"] ?? map["value2"];
    return operatorName === undefined || operand === undefined
      ? undefined
      : this.#asked(path, operatorName, operand);
  }

  #ofExamples(map: Readonly<Record<string, unknown>>): readonly unknown[] | undefined {
    const phrases = PHRASES.find((key) => map[key] !== undefined);
    const isIntent = map["intent"] !== undefined && phrases !== undefined;
    return isIntent ? this.#text({ contains_word: map[phrases] }) : undefined;
  }

  #combined(kind: string, inner: unknown): readonly unknown[] | undefined {
    if (isPlainMap(inner) && Object.keys(inner).length === 0) return undefined;
    const each = (Array.isArray(inner) ? inner : isPlainMap(inner) ? singles(inner) : [inner]).map(
      (one) => this.one(one),
    );
    if (!each.every((one) => one !== undefined)) return undefined;
    const list = distinct(each.map((one) => (one.length === 1 ? one[0] : { all: one })));
    if (kind === "and" || kind === "all") return list;
    return kind === "not"
      ? [{ not: list.length === 1 ? list[0] : { any: list } }]
      : [{ any: list }];
  }

  /**
   * Translates an expression such as `text =~ /hi/` into a condition with `matches`; undefined for other expressions.
   */
  #matched(source: unknown): unknown {
    const matchedField = typeof source === "string" ? patternMatch(source) : undefined;
    const path = matchedField && this.#path(matchedField.field);
    return matchedField && path !== undefined
      ? { [path]: { matches: matchedField.pattern } }
      : undefined;
  }

  /** Translates another tool's `or`, `and` or `none` with a list of conditions into `any`, `all` or `not`. */
  #renamed(kind: string, value: unknown): readonly unknown[] | undefined {
    if (!Array.isArray(value) || (kind === "not" && value.length > 1)) return undefined;
    return [{ [kind === "or" ? "any" : kind === "and" ? "all" : "not"]: value }];
  }

  #ofKey(key: string, value: unknown): readonly unknown[] | undefined {
    if (key === "not" && Array.isArray(value)) return [{ not: value }];
    const combinator = ownMember(COMBINATORS, key.toLowerCase());
    if (combinator !== undefined)
      return this.#renamed(combinator, value) ?? this.#combined(combinator, value);
    if (key === "if") return [this.#matched(value) ?? { if: value }];
    if (PHRASES.includes(key)) return this.#text({ contains_word: value });
    if (/^commands?$/.test(key)) return this.#text({ starts_with: value });
    if (PATTERNS.includes(key)) return this.#text({ matches: unslashed(value) });
    if (DAY_TIMES.test(key) && this.#fields.typeOf(key) === undefined) {
      return [partOfTime(key, value)];
    }
    const media = ["message.media_url", "post.media_urls"].find(
      (one) => this.#fields.typeOf(one) !== undefined,
    );
    if (HAS_MEDIA.test(key) && media !== undefined && typeof value === "boolean")
      return [{ [media]: { exists: value } }];
    const share = CHANCE.test(key) ? shareOf(value) : undefined;
    if (share !== undefined) return [{ if: `chance(${share})` }];
    if (MIN_FOLLOWERS.test(key)) return [{ "sender.followers_count": { gte: value } }];
    const path = this.#path(key, "username");
    const inner = isPlainMap(value) ? singles(value) : [];
    const [first] = inner;
    if (first !== undefined && inner.length === 1) {
      const [leaf, leafValue] = Object.entries(first)[0] ?? [""];
      const deep = this.#path(`${key}.${leaf}`);
      const isField = this.#fields.typeOf(key) !== undefined;
      if (deep !== undefined && !isField && operatorOf(leaf) === undefined) {
        return this.#matcher(deep, leafValue);
      }
    }
    if (path !== undefined) return this.#matcher(path, value);
    const operator = operatorOf(key);
    return operator === undefined || isPlainMap(value)
      ? undefined
      : this.#text({ [operator]: unslashed(value) });
  }

  /**
   * Translates the value under a field: a text such as `> 100`, a map of operators, or a value that the field must
   * equal.
   */
  #matcher(path: string, value: unknown): readonly unknown[] | undefined {
    const type = this.#fields.typeOf(path);
    if (typeof value === "string") {
      const [, sign = "", number = ""] = /^\s*(>=?|<=?)\s*(\d+)\s*$/.exec(value) ?? [];
      const operator = operatorOf(sign);
      if (type === "number" && operator !== undefined)
        return [{ [path]: { [operator]: Number(number) } }];
      const [, pattern] = /^\/(.+)\/[gimsuy]*$/s.exec(value) ?? [];
      if (pattern !== undefined) return [{ [path]: { matches: pattern } }];
    }
    if (!isPlainMap(value)) return [{ [path]: value }];
    const { type: typeName, pattern, ...rest } = value;
    if (typeof typeName === "string" && pattern !== undefined && Object.keys(rest).length === 0) {
      return this.#asked(path, typeName, pattern);
    }
    const ownEntries = Object.entries(value).filter(([key]) => !CASE.test(key) || key === "cased");
    const cased = Object.entries(value).some(([key, one]) => isCased(key, one));
    const words = ownEntries.map(([key, one]): readonly [string, unknown] => [
      operatorOf(key) ?? key,
      one,
    ]);
    return [{ [path]: { ...Object.fromEntries(words), ...(cased && { cased: true }) } }];
  }

  #asked(path: string, word: string, operand: unknown): readonly unknown[] | undefined {
    const plain = word.replace(
      /^(?:does_?not_?|do_?not_?|not_?|is_?not_?|in?(?=contains)|n(?=contains|equals|inside|in$))/i,
      "",
    );
    const isTurned = plain !== word && /not|n(?:contains|equals|inside|in$)/i.test(word);
    const operator = operatorOf(isTurned ? plain : word) ?? operatorOf(plain);
    if (operator === undefined) return undefined;
    const condition = { [path]: { [operator]: operand } };
    return [isTurned ? { not: condition } : condition];
  }

  #text(textMatcher: unknown): readonly unknown[] {
    return [{ [this.#path("text") ?? "text"]: textMatcher }];
  }

  /** Returns the field that a name of this language or of another tool means. */
  #path(name: string, ofPerson: "username" | "name" = "name"): string | undefined {
    const isKnown = (path: string): boolean => this.#fields.typeOf(path) !== undefined;
    return isKnown(name) ? name : meantField(name, isKnown, ofPerson);
  }

  /** Translates an expression into CEL with the fields of this language. */
  expression(source: string): string {
    return celOf(source, (name) => this.#path(name) ?? name);
  }
}

const COMBINATORS: Readonly<Record<string, string>> = {
  any: "or",
  or: "or",
  any_of: "or",
  anyof: "or",
  some: "or",
  all: "and",
  and: "and",
  all_of: "and",
  every: "and",
  not: "not",
  none: "not",
  none_of: "not",
  nor: "not",
  unless: "not",
};
const CASE = /^(?:case_?insensitive|ignore_?case|case_?sensitive|cased)$/i;

function isCased(key: string, value: unknown): boolean {
  return /^(?:case_?insensitive|ignore_?case)$/i.test(key)
    ? value === false
    : CASE.test(key) && value === true;
}

/** Returns the operator of this language for a word of another tool. */
export function operatorOf(word: string): string | undefined {
  if (Object.hasOwn(OPERATORS, word)) return word;
  const snake = word
    .replaceAll(/(?<=[a-z])[A-Z]/g, "_$&")
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
  return Object.hasOwn(OPERATORS, snake) ? snake : meantWord("operator", snake);
}

const DAY_TIMES =
  /^(?:(?:now\.)?(?:time|hours?|weekdays?|days?|day_of_week|time_of_day)|(?:business|office|opening|working)_hours)$/i;
const HAS_MEDIA =
  /^(?:(?:message|post|tweet)\.)?has_?(?:image|media|photo|picture|attachment|video)s?$/i;
const CHANCE = /^(?:chance|probability|random)$/i;

const SIGNS: Readonly<Record<string, string>> = { gt: ">", gte: ">=", lt: "<", lte: "<=" };

/** Translates `hour: {gte: 18}`, `weekday: [sat, sun]` and `time: {after: "09:00", before: "17:00"}`. */
function partOfTime(key: string, value: unknown): unknown {
  const [first, second] = isPlainMap(value) ? Object.entries(value) : [];
  const operand = first?.[1];
  const sign = SIGNS[operatorOf(first?.[0] ?? "") ?? ""];
  const isHour = /hours?$/i.test(key) && second === undefined && typeof operand === "number";
  if (isHour && sign !== undefined)
    return { if: `timestamp(now).getHours("Europe/Berlin") ${sign} ${operand}` };
  const days = inlineYaml(isPlainMap(value) ? operand : value)
    .toLowerCase()
    .replaceAll(/[[\]"]/g, "");
  return /^(?:(?:sat|sun)[a-z]*[ ,]*)+$/.test(days)
    ? { if: 'timestamp(now).getDayOfWeek("Europe/Berlin") in [0, 6]' }
    : timeOfDay(isPlainMap(value) ? value : {});
}

/** Returns the condition for a time of day. A time that begins after it ends, such as 18:00 to 09:00, is at night. */
function timeOfDay({ after, before }: Readonly<Record<string, unknown>>): unknown {
  const [from, to] = [after, before].map((one) => /^(\d{1,2})(?::(\d\d))?/.exec(text(one) ?? ""));
  const office = { now: { within: "office" } };
  const minuteOf = (one: RegExpExecArray | null | undefined) =>
    one ? Number(one[1]) * 60 + Number(one[2] ?? 0) : undefined;
  const [start = 0, end = 24 * 60] = [minuteOf(from), minuteOf(to)];
  return start > end || (from && !to) ? { not: office } : office;
}

/** Converts a probability such as `0.5` or `50%` to a share of one. */
function shareOf(value: unknown): string | undefined {
  const [, percent] = /^(\d+(?:\.\d+)?) ?%$/.exec(asText(value)) ?? [];
  const share = percent === undefined ? value : Number(percent) / 100;
  if (typeof share !== "number" || share < 0 || share > 1) return undefined;
  return Number.isInteger(share) ? `${share}.0` : String(share);
}

/** Removes repeated conditions, such as those of `time` and `days`, which are the same hours here. */
function distinct(conditions: readonly unknown[]): readonly unknown[] {
  return [...new Map(conditions.map((one) => [JSON.stringify(one), one])).values()];
}

/** Splits a map into maps of one key each. */
function singles(
  map: Readonly<Record<string, unknown>>,
): readonly Readonly<Record<string, unknown>>[] {
  return Object.entries(map).map(([key, value]) => ({ [key]: value }));
}

function unslashed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return /^\/(.+)\/[gimsuy]*$/s.exec(value)?.[1] ?? value;
}

function unquoted(written: string): string {
  return /^(["'])(.*)\1$/s.exec(written)?.[2] ?? written;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

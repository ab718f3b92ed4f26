import { ownMember } from "../../../../system/own-member.ts";
import { isPlainMap, type WrittenMap } from "../plain-map.ts";

const FORMAT = /^(?:validate|validation|validator|format|type|input_?type|regex|pattern|matches)$/i;
const CHOICES = /^(?:answers|choices|buttons|quick_replies|keyboard)$/i;
const AGAIN =
  /^(?:error|invalid|error_?(?:message|text)|invalid_?(?:message|text)|retry_?(?:message|text)|on_?error)$/i;
const MAX_NUMBERS = 20;
/** Patterns of the formats that other tools name. */
const FORMATS: Readonly<Record<string, string>> = {
  number: String.raw`^\d+$`,
  integer: String.raw`^\d+$`,
  int: String.raw`^\d+$`,
  numeric: String.raw`^\d+$`,
  digits: String.raw`^\d+$`,
  date: String.raw`^\d{4}-\d\d-\d\d$`,
  time: String.raw`^\d\d:\d\d$`,
  email: String.raw`^\S+@\S+\.\S+$`,
  phone: String.raw`^[+\d][\d ()/-]{5,}$`,
  url: String.raw`^https?://\S+$`,
};

/** Translates the keys of a question that restrict its answer into `expect` and `reprompt`. */
export function askedAnswer(question: WrittenMap): WrittenMap {
  if (question["expect"] !== undefined) return question;
  const entries = Object.entries(question);
  const format = entries.find(([key]) => FORMAT.test(key));
  const choices =
    entries.find(([key]) => CHOICES.test(key)) ??
    // options are other texts of the question here, so a question with a text has none
    (entries.some(([key]) => /^(?:text|question|prompt|message|content)$/.test(key))
      ? entries.find(([key]) => key === "options")
      : undefined);
  const range = numbersBetween(question["min"], question["max"]);
  const expect = expected(choices?.[1], range, format?.[1]);
  if (expect === undefined) return question;
  const rest = entries.flatMap(([key, value]): [string, unknown][] => {
    const isRead = key === format?.[0] || key === choices?.[0];
    if (isRead) return key === (choices ?? format)?.[0] ? [["expect", expect]] : [];
    if (range !== undefined && /^(?:min|max)$/.test(key)) return [];
    return [[AGAIN.test(key) && typeof value === "string" ? "reprompt" : key, value]];
  });
  const map: WrittenMap = Object.fromEntries(rest);
  // without retries, the first invalid answer ends the run
  return { ...map, expect, ...(map["retries"] === undefined && { retries: 2 }) };
}

function expected(
  choices: unknown,
  range: readonly string[] | undefined,
  format: unknown,
): WrittenMap | undefined {
  const listed = Array.isArray(choices)
    ? choices.map((one: unknown) =>
        isPlainMap(one) ? (one["text"] ?? one["label"] ?? one["title"]) : one,
      )
    : isPlainMap(choices)
      ? Object.keys(choices)
      : undefined;
  if (listed?.every((one) => typeof one === "string" || typeof one === "number") === true)
    return { in: listed.map(String) };
  if (range !== undefined) return { in: range };
  if (typeof format !== "string") return undefined;
  const pattern = patternOfFormat(format) ?? (/[\\^$[\]+*]/.test(format) ? format : undefined);
  return pattern === undefined
    ? undefined
    : { matches: pattern.replaceAll(/^\/|\/[gimsuy]*$/g, "") };
}

/** Returns the pattern of a format that other tools name, such as `number`. */
export function patternOfFormat(name: string): string | undefined {
  return ownMember(FORMATS, name.toLowerCase());
}

/** Returns the whole numbers from a minimum to a maximum, if they are few. */
export function numbersBetween(min: unknown, max: unknown): readonly string[] | undefined {
  if (!Number.isInteger(min) || !Number.isInteger(max)) return undefined;
  const count = Number(max) - Number(min) + 1;
  if (count < 2 || count > MAX_NUMBERS) return undefined;
  return Array.from({ length: count }, (_one, index) => String(Number(min) + index));
}

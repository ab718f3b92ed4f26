import type { Mistake } from "../../../../config/problem.ts";
import { inlineYaml } from "../inline-yaml.ts";
import { isPlainMap } from "../plain-map.ts";
import { askedAnswer, numbersBetween, patternOfFormat } from "./other-questions.ts";
import { matcherHabit, type MatcherHabit, negatedOperator } from "../matcher-habits.ts";

/** Name of an answer in messages: its matcher is under this key of a question. */
export const ANSWER = "expect";

/** Maximum size of an answer for which a pattern is proposed. A longer pattern is refused. */
const MAX_SIZE = 99;

/**
 * Finds a matcher of an answer in the syntax of another tool, like {@link matcherHabit}. Below `expect` are operators only,
 * so each proposed form is an operator, or a step after the question.
 *
 * @param id Id of the question, if it has one.
 */
export function answerHabit(value: unknown, id: unknown): MatcherHabit | undefined {
  if (isPlainMap(value)) {
    const format = askedAnswer(value)[ANSWER];
    if (format !== undefined && value["matches"] === undefined)
      return { mistake: wrongForm("an answer is tested by operators", format) };
    for (const [key, operand] of Object.entries(value)) {
      const help = helpForKey(key, operand, typeof id === "string" ? id : undefined);
      const message = `"${key}" can't be tested in a question`;
      if (help !== undefined) return { key, mistake: { code: "wrong-type", message, help } };
    }
  }
  return matcherHabit(ANSWER, "text", value);
}

/** Returns the warning about the name of a format: `expect: number` accepts only the answer "number". */
export function formatAsAnswer(value: unknown): Mistake | undefined {
  const form = typeof value === "string" ? formOfFormat(value) : undefined;
  if (form === undefined) return undefined;
  return {
    code: "pattern-elsewhere",
    severity: "warning",
    message: `this accepts only the answer "${String(value)}"`,
    help: `${form} or, for the word itself, write  ${ANSWER}: { equals: ${inlineYaml(value)} }`,
  };
}

function formOfFormat(name: string): string | undefined {
  if (/^(?:text|string|any|anything)$/i.test(name)) return "remove it to accept any answer,";
  if (/^(?:bool|boolean|yes[ /_-]?no)$/i.test(name)) return `write  ${ANSWER}: { in: [yes, no] } `;
  const pattern = patternOfFormat(name);
  return pattern === undefined ? undefined : `write  ${ANSWER}: { matches: '${pattern}' } `;
}

function wrongForm(message: string, form: unknown): Mistake {
  return { code: "wrong-type", message, help: `write  ${ANSWER}: ${inlineYaml(form)}` };
}

function helpForKey(key: string, operand: unknown, id: string | undefined): string | undefined {
  const step = (test: (answer: string) => string) =>
    `${id === undefined ? "give the step  id: answer  and " : ""}test the answer in a step below:  - { if: '${test(`steps.${id ?? "answer"}.text`)}', then: [stop] }`;
  const [from, to, third]: readonly unknown[] = Array.isArray(operand) ? operand : [];
  if (/^(?:between|range)$/.test(key) && to !== undefined && third === undefined) {
    const few = numbersBetween(from, to);
    if (few !== undefined) return `write  ${ANSWER}: ${inlineYaml({ in: few })}`;
    if (typeof from !== "number" || typeof to !== "number")
      return `list the answers:  ${ANSWER}: { in: […] }`;
    const isOutside = (answer: string) =>
      `number(${answer}) < ${from} || number(${answer}) > ${to}`;
    return `write  ${ANSWER}: { matches: '^\\d+$' }  and ${step(isOutside)}`;
  }
  if (/^(?:length|size|len)$/.test(key) && Number.isInteger(operand) && Number(operand) <= MAX_SIZE)
    return `write  ${ANSWER}: { matches: '^.{${String(operand)}}$' }`;
  const positive = negatedOperator(key, operand, "text");
  if (positive === undefined) return undefined;
  const texts = isPlainMap(operand) ? Object.values(operand).flat() : [operand].flat();
  const isPart = positive.startsWith("contains");
  const test = (answer: string) =>
    isPart
      ? `${answer}.contains_any([${texts.map(quoted).join(", ")}])`
      : texts.map((text) => `${answer}.same(${quoted(text)})`).join(" || ");
  return `remove it, ${step(test)}`;
}

function quoted(text: unknown): string {
  return JSON.stringify(String(text)).replaceAll("'", "''");
}

import { readYaml } from "../../config/yaml-document.ts";

/** Triggers and words of a rule, as written in its file. */
export interface WordsOfRule {
  readonly id: string;
  readonly triggers: readonly string[];
  /** Words that the rule's conditions look for. A message that contains one of them may get an answer. */
  readonly words: readonly string[];
}

/**
 * Returns words for messages that may match the rules of a file, in the order of the rules.
 *
 * @param file Path of the file.
 */
export function wordsToTry(text: string, file: string): readonly WordsOfRule[] {
  return listAt(readYaml(text, file).value, "rules").map((rule) => ({
    id: textAt(rule, "id"),
    triggers: listAt(rule, "triggers").filter((one) => typeof one === "string"),
    words: listAt(rule, "conditions").flatMap(wordsIn),
  }));
}

const LOOKS_FOR = ["contains_word", "contains_any", "contains", "equals"];

/** Returns every text below a condition that looks for words, in the order of the file. */
function wordsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    if (key === "not") return [];
    if (!LOOKS_FOR.includes(key)) return wordsIn(inner);
    return [inner].flat().filter((word) => typeof word === "string");
  });
}

function at(value: unknown, key: string): unknown {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return entries.find(([name]) => name === key)?.[1];
}

function listAt(value: unknown, key: string): unknown[] {
  const child = at(value, key);
  return Array.isArray(child) ? child : [];
}

function textAt(value: unknown, key: string): string {
  const child = at(value, key);
  return typeof child === "string" ? child : "";
}

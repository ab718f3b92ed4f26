import { isPlainMap } from "./plain-map.ts";

/** Formats a value as YAML on one line. */
export function inlineYaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inlineYaml).join(", ")}]`;
  if (isPlainMap(value)) return `{ ${inlineEntries(value)} }`;
  return typeof value === "string" ? inlineText(value) : (JSON.stringify(value) ?? "");
}

/** Formats the keys and values of a map as YAML on one line, without braces. */
export function inlineEntries(value: Readonly<Record<string, unknown>>): string {
  return Object.entries(value)
    .map(([key, one]) => `${/^[\w.]+$/.test(key) ? key : JSON.stringify(key)}: ${inlineYaml(one)}`)
    .join(", ");
}

/** Matches texts that need no quotes in YAML, even within braces. */
const PLAIN =
  /^(?:[\p{L}_][\p{L}\p{N} _.!?'/()-]*|\d+(?:ms|s|m|h|d| days?| weeks?)|\d{4}-\d\d-\d\d)$/u;

function inlineText(text: string): string {
  const isPlain = PLAIN.test(text) && !/^(?:true|false|null)$|\s$/i.test(text);
  if (isPlain) return text;
  const hasSigns = /[\\"]/.test(text) && !/['\n]/.test(text);
  return hasSigns ? `'${text}'` : JSON.stringify(text);
}

import { entitiesOf } from "../../../protocol/public-text/entities.ts";
import { linksIn } from "../../../protocol/public-text/links.ts";
import type { Expression } from "../../expression/expression.ts";
import { sendable } from "../../expression/seen-text.ts";
import { shownValue, type TextTemplate } from "../../expression/template.ts";
import type { StepRun } from "../../run/step.ts";

/**
 * Finds mentions and links that come into a public text by expressions, not from the rule's author: mentions of people
 * other than `answered`, and links whose host another person wrote in whole or in part.
 *
 * @param text Published text, rendered from `template`.
 * @param answered Handle of the person to whom the post replies, without `@`.
 * @returns Mentions as `@handle` and links as written, each once.
 */
export function broughtIn(
  template: TextTemplate,
  run: StepRun,
  text: string,
  answered: string | undefined,
): readonly string[] {
  if (template.expressions.length === 0) return [];
  const written = namesIn(template.pieces.filter((piece) => typeof piece === "string").join("\0"));
  const strange = strangeLinks(template, run, text);
  const brought = namesIn(text).filter((name) => {
    if (written.includes(name)) return false;
    return name.startsWith("@") ? name !== `@${answered?.toLowerCase()}` : strange.includes(name);
  });
  return [...new Set(brought)];
}

/** Returns the mentions and links of a text, in lower case. */
function namesIn(text: string): string[] {
  return entitiesOf(text).flatMap(({ kind, word }) => {
    if (kind === "mention") return `@${word.toLowerCase()}`;
    return kind === "url" ? word.toLowerCase() : [];
  });
}

/** Range of a text in UTF-16 units, inserted by an expression. */
interface Insertion {
  readonly expression: Expression;
  readonly start: number;
  readonly end: number;
}

/** Returns links that another person wrote, or whose host has a part of another person's text, in lower case. */
function strangeLinks(template: TextTemplate, run: StepRun, text: string): string[] {
  const links = linksIn(text);
  if (links.length === 0) return [];
  const { event, view } = run;
  const sources = [event, view["captures"], view["steps"], view["state"]];
  const strangers = sources.flatMap(textsIn).map((one) => one.toLowerCase());
  const isStrange = (part: string) => strangers.some((one) => one.includes(part));
  const insertions = insertionsOf(template, run).filter((one) => !readsOnlyResults(one.expression));
  return links.flatMap(({ start, end }) => {
    const link = text.slice(start, end);
    const [protocol = "", host = ""] = /^(?:https?:\/\/)?(?=([^/?:]*))/i.exec(link) ?? [];
    const hostStart = start + protocol.length;
    const inserted = insertions.flatMap((one) => {
      const from = Math.max(0, one.start - hostStart);
      return namesOfHost(host.slice(from, Math.max(from, one.end - hostStart)));
    });
    return [link, ...inserted].some((part) => isStrange(part.toLowerCase()))
      ? link.toLowerCase()
      : [];
  });
}

/**
 * Returns the parts of an inserted host to look for in other people's texts: each two labels that adjoin, such as
 * `evil.com` in `www.evil.com`, because the expression may have added the others.
 */
function namesOfHost(part: string): readonly string[] {
  const labels = part.split(".").filter((label) => label !== "");
  if (labels.length < 2) return part === "" ? [] : [labels[0] ?? part];
  return labels.slice(1).map((label, index) => `${labels[index]}.${label}`);
}

/** Returns the parts of a rendered text that expressions inserted, as {@link broughtIn} receives the text. */
function insertionsOf({ pieces }: TextTemplate, { view }: StepRun): readonly Insertion[] {
  const insertions: Insertion[] = [];
  let text = "";
  for (const piece of pieces) {
    const start = text.length;
    const shown = typeof piece === "string" ? undefined : shownValue(piece, view);
    const value = shown?.ok === true ? shown.value : typeof piece === "string" ? piece : "";
    text = (text + sendable(value)).trimStart();
    if (typeof piece !== "string") insertions.push({ expression: piece, start, end: text.length });
  }
  return insertions;
}

/** Matches the result of a step, which comes from a service or module of the rule's author. */
const RESULT = /\bsteps\.\w+\.\??(?:json|result)\b/g;

function readsOnlyResults({ source, roots }: Expression): boolean {
  return (
    [...roots].every((root) => root === "steps") && !source.replaceAll(RESULT, "").includes("steps")
  );
}

/** Collects all strings inside a value, such as a person's answer or user state. Skips `result`, `json`, `error`. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  const entries: readonly (readonly [unknown, unknown])[] =
    value instanceof Map ? [...value] : Object.entries(value);
  return entries.flatMap(([key, inner]) =>
    key === "result" || key === "json" || key === "error" ? [] : textsIn(inner),
  );
}

import { valueAt } from "../../../config/check-value.ts";
import type { Part, Path, YamlDocument } from "../../../config/yaml-document.ts";
import type { Mistake } from "../../../config/problem.ts";
import { celOf } from "../habits/other-expressions.ts";
import { meantField } from "../habits/other-fields.ts";
import type { RuleScope } from "../../expression/scope.ts";

/**
 * Reports expressions in the template syntax of other tools: they would be sent unchanged.
 *
 * @param captures Names of the groups of the rule's patterns.
 */
export function reportOtherTemplates(
  context: Reporting,
  path: Path,
  captures: readonly string[] = [],
): void {
  const value = valueAt(context.document.value, path);
  if (typeof value === "string") {
    reportIn(context, path, value, captures);
  } else if (Array.isArray(value)) {
    for (const index of value.keys()) reportOtherTemplates(context, [...path, index], captures);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      // an expression is not a text: the compiler of expressions checks it
      if (key === "if" && typeof inner === "string") continue;
      reportOtherTemplates(context, [...path, key], captures);
    }
  }
}

interface Reporting {
  readonly document: YamlDocument;
  readonly scope: RuleScope;
  report(path: Path, mistake: Mistake, part?: Part): undefined;
}

function reportIn(context: Reporting, path: Path, text: string, captures: readonly string[]): void {
  if (!/[{$%]/.test(text)) return;
  const isKnown = (name: string): boolean => context.scope.fields.has(name);
  const read = (inner: string): string => celOf(inner, (name) => meantField(name, isKnown) ?? name);
  // in n8n, a text with expressions begins with an equals sign
  const [, rest] = /^=(.*\{\{.*)$/s.exec(text) ?? [];
  if (rest !== undefined) {
    const form = rest.replaceAll(OTHER, (markedText) => `\${{ ${read(innerOf(markedText))} }}`);
    const mistake = otherTemplate(text, form);
    context.report(path, mistake, { text, offset: 0, length: text.length });
    return;
  }
  for (const templateMatch of text.matchAll(ANY)) {
    const [whole] = templateMatch;
    const isMarked = whole.startsWith("{{") || whole.startsWith("${");
    const inner = innerOf(whole);
    const group = /^\d$/.test(inner) ? captures[Number(inner) - 1] : undefined;
    const secret = path.includes("headers") ? SECRET.exec(inner)?.[1] : undefined;
    if (secret !== undefined) {
      const part = { text, offset: templateMatch.index, length: whole.length };
      context.report(path, otherTemplate(whole, `\${{ secrets.${secret} }}`), part);
      continue;
    }
    const meant = group === undefined ? read(inner) : `captures.${group}`;
    if (!isMarked && group === undefined && !isKnown(meant)) continue;
    const part = { text, offset: templateMatch.index, length: whole.length };
    context.report(path, otherTemplate(whole, `\${{ ${meant} }}`), part);
  }
}

function otherTemplate(writtenTemplate: string, form: string): Mistake {
  const message = `"${writtenTemplate}" is not an expression here: it would be sent unchanged`;
  return { code: "other-template", severity: "warning", message, help: `write ${form}` };
}

function innerOf(markedText: string): string {
  return markedText.replaceAll(/^[$#%<({\s]+|[}%>)\s]+$/g, "").trim();
}

/** Matches the name of an environment variable, which holds a secret in the headers of a request. */
const SECRET = /^(?:(?:process\.)?env\.|secrets?\.)?([A-Z][A-Z\d_]+)$/;
/** `{{ name }}` and `${name}`, but not within `${{ name }}`. */
const OTHER = /(?<!\$)\{\{\s*[$\w.]+[^{}]*\}\}|\$\{(?!\{)\s*[A-Za-z_][\w.]*\s*\}/g;
/**
 * Matches what {@link OTHER} does, and forms that are a template only where they name a field: `{name}`,
 * `#{name}`, `%name%`, `$(user)`, `$name`, `$1`.
 */
const ANY = new RegExp(
  String.raw`${OTHER.source}|(?<![$\{])#?\{[A-Za-z_][\w.]*\}(?!\})|%[a-z_]\w*%|\$\([a-z_]\w*\)|(?<![\w$])\$(?:[a-z_]\w*|\d)(?![\w{(])`,
  "gi",
);

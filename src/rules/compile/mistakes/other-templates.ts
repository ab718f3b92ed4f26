import { valueAt } from "../../../config/check-value.ts";
import type { Part, Path, YamlDocument } from "../../../config/yaml-document.ts";
import type { Mistake } from "../../../config/problem.ts";
import { meantField } from "../habits/other-fields.ts";
import type { RuleScope } from "../../expression/scope.ts";
import { withoutExpressions } from "../../expression/template.ts";

/** Reports templates of other tools in the values of several keys; see {@link reportOtherTemplates}. */
export function reportTemplatesIn(
  context: Reporting,
  path: Path,
  keys: readonly string[],
  captures: readonly string[],
): void {
  for (const key of keys) reportOtherTemplates(context, [...path, key], captures);
}

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
      if (/^(?:if|while|until)$/.test(key) && typeof inner === "string") continue;
      reportOtherTemplates(context, [...path, key], captures);
    }
  }
}

interface Reporting {
  readonly document: YamlDocument;
  readonly scope: RuleScope;
  report(path: Path, mistake: Mistake, part?: Part): undefined;
  /** Translates the expression inside a template of another tool. Returns only a form that compiles to a text. */
  meantIn(template: string, path: Path): string | undefined;
}

function reportIn(context: Reporting, path: Path, text: string, captures: readonly string[]): void {
  if (!/[{$%]/.test(text)) return;
  const formOf = ({ whole, inner }: Template): string | undefined => {
    const secret = path.includes("headers") ? SECRET.exec(inner)?.[1] : undefined;
    if (secret !== undefined) return `secrets.${secret}`;
    if (/^\d$/.test(inner)) return groupOf(captures, inner);
    if (isMarked(whole)) return context.meantIn(inner, path);
    const isKnown = (name: string): boolean => context.scope.fields.has(name);
    const meant = meantField(inner, isKnown) ?? inner;
    return isKnown(meant) ? meant : undefined;
  };
  const templates = templatesIn(text);
  // in n8n, a text with expressions begins with an equals sign
  if (text.startsWith("=") && templates.some(({ whole }) => whole.startsWith("{{"))) {
    const form = replaced(text, templates, formOf)?.slice(1);
    const help = form === undefined ? NO_FORM : `write ${form}`;
    context.report(path, otherTemplate(text, help), { text, offset: 0, length: text.length });
    return;
  }
  let isExplained = false;
  for (const template of templates) {
    const { whole, offset } = template;
    const form = formOf(template);
    if (form === undefined && (isExplained || !isMarked(whole))) continue;
    // parts of one template, such as `{{#if}}` and `{{/if}}`, are reported once
    isExplained ||= form === undefined;
    const help = form === undefined ? NO_FORM : `write \${{ ${form} }}`;
    context.report(path, otherTemplate(whole, help), { text, offset, length: whole.length });
  }
}

interface Template {
  readonly whole: string;
  /** The expression, without the marks around it. */
  readonly inner: string;
  /** Index of the template in its text. */
  readonly offset: number;
}

/** Finds templates of other tools outside of `${{ }}`. */
function templatesIn(text: string): readonly Template[] {
  return [...withoutExpressions(text).matchAll(ANY)].flatMap(({ 0: { length }, index }) => {
    const whole = text.slice(index, index + length);
    return LITERAL.test(whole) ? [] : [{ whole, inner: innerOf(whole), offset: index }];
  });
}

/** Replaces the marked templates of a text by `${{ }}`. Returns `undefined` if one of them has no such form. */
function replaced(
  text: string,
  templates: readonly Template[],
  formOf: (template: Template) => string | undefined,
): string | undefined {
  let form = "";
  let from = 0;
  for (const template of templates) {
    if (!isMarked(template.whole)) continue;
    const expression = formOf(template);
    if (expression === undefined) return undefined;
    form += `${text.slice(from, template.offset)}\${{ ${expression} }}`;
    from = template.offset + template.whole.length;
  }
  return form + text.slice(from);
}

function groupOf(captures: readonly string[], place: string): string | undefined {
  const name = captures[Number(place) - 1];
  return name === undefined ? undefined : `captures.${name}`;
}

const NO_FORM = "write expressions as ${{ … }}";

function otherTemplate(writtenTemplate: string, help: string): Mistake {
  const message = `"${writtenTemplate}" is not an expression here: it would be sent unchanged`;
  return { code: "other-template", severity: "warning", message, help };
}

/** Returns whether the marks of a template are enough to recognize it, whatever its expression is. */
function isMarked(whole: string): boolean {
  return /^(?:\{\{|\$\{|\{%|<%)/.test(whole);
}

function innerOf(whole: string): string {
  const [, name] = /^\$\((\w+)\)$/.exec(whole) ?? [];
  if (name !== undefined) return name;
  return whole
    .replace(/^(?:<%[-=]?|\{%-?|\{\{\{?-?|[$#]?\{|[%$])\s*/, "")
    .replace(/\s*(?:-?%>|-?%\}|-?\}\}\}?|\}|%)$/, "")
    .replace(/^\$/, "");
}

/** Matches the name of an environment variable, which holds a secret in the headers of a request. */
const SECRET = /^(?:(?:process\.)?env\.|secrets?\.)?([A-Z][A-Z\d_]+)$/;
/**
 * Matches marks that are no template: without a name between them, around a map (`{{ color: "red" }}`) or an amount
 * (`${5}`), and in a sentence about marks (`{{ and }}`).
 */
const LITERAL = /^[^\p{L}\d]*$|^\{\{\s*["']?[\w-]+["']?\s*:|^\$\{\s*[\d.]|^\W*\s(?:and|or)\s/u;
/**
 * Matches `{{ }}`, `${ }`, `{% %}` and `<% %>`, and forms that are a template only where they name a field: `{name}`,
 * `#{name}`, `%name%`, `$(user)`, `$name`, `$1`. Lengths have bounds, so that the search takes linear time.
 */
const ANY =
  /\{\{\{?[^{}]*\}\}\}?|\$\{(?:[^{}]|\{[^{}]*\}){0,500}\}|\{%(?:(?!%\})[^{}]){0,500}%\}|<%(?:(?!%>).){0,500}%>|(?<![${])#?\{[A-Za-z_][\w.]*\}(?!\})|%[a-z_]\w*%|\$\([a-z_]\w*\)|(?<![\w$])\$(?:[a-z_]\w*|\d)(?![\w{(])/gis;

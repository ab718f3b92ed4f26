import type { Environment } from "@marcbachmann/cel-js";
import type { Mistake } from "../../../config/problem.ts";
import { valueAt } from "../../../config/value-at.ts";
import type { Path, YamlDocument } from "../../../config/yaml-document.ts";
import { compileExpression, type Expression } from "../../expression/expression.ts";
import type { ExpressionFault } from "../../expression/expression-fault.ts";
import type { RuleScope } from "../../expression/scope.ts";
import { compileTemplate } from "../../expression/template.ts";
import type { KnownTypes } from "../../expression/value-types/known-types.ts";
import {
  KEPT_ANSWER,
  LAST_ANSWER,
  STEP_ALONE,
  STEP_RESULT,
  answerHelp,
  declaredName,
  groupHelp,
} from "./names-of-others.ts";
import { neverEqual } from "./never-equal.ts";
import { shorterTexts } from "./short-texts.ts";
import { handlesInFront } from "./handle-in-front.ts";
import { asPeopleCompare, exactComparisons } from "./exact-comparison.ts";
import { unlistedChoices } from "./unlisted-choice.ts";
import {
  celOfRefused,
  withEmptyTexts,
  inSingleQuotes,
  withItem,
  withOperators,
} from "../habits/other-expressions.ts";
import { inlineYaml } from "../habits/inline-yaml.ts";
import { meantField } from "../habits/other-fields.ts";

export const NO_MISTAKE: Mistake = { code: "none", message: "" };

/** Place of an expression in its file, and the names and types that it can use. */
interface ExpressionPlace {
  readonly document: YamlDocument;
  /** Path of the rule in the document. */
  readonly base: Path;
  readonly scope: RuleScope;
  readonly types: KnownTypes;
  readonly environment: Environment;
}

/** Finds valid expressions that are probably mistakes, and proposes what to write in place of wrong ones. */
export class ExpressionCorrections {
  readonly #place: ExpressionPlace;

  constructor(place: ExpressionPlace) {
    this.#place = place;
  }

  /** Returns faults for valid comparisons that are probably mistakes, such as exact comparison with a message. */
  doubtsOf({ ast }: Pick<Expression, "ast">, path: Path): readonly ExpressionFault[] {
    const { answers } = this.#place.types;
    return [
      ...handlesInFront(ast, this.#place.scope.triggers),
      ...neverEqual(ast, this.#place.scope.fields).map((fault) => this.#quoted(path, fault)),
      ...shorterTexts(ast, this.#place.scope.fields, (field) => this.#readsWhole(field)).map(
        (fault) => this.#quoted(path, fault),
      ),
      ...exactComparisons(ast, answers).map((fault) => this.#quoted(path, fault)),
      ...unlistedChoices(ast, answers).map((fault) => this.#quoted(path, fault)),
    ];
  }

  /** Returns whether the rule reads a list other than by its items, as a condition does. */
  #readsWhole(field: string): boolean {
    const rule = JSON.stringify(valueAt(this.#place.document.value, this.#place.base)) ?? "";
    return rule
      .split(field)
      .some((after, index) => index > 0 && !/^(\.sort(_desc)?\(\))*\[/.test(after));
  }

  /** Replaces the faults of an expression in another tool's syntax by one fault whose help is the valid form. */
  corrected(
    source: string,
    path: Path,
    faults: readonly ExpressionFault[],
  ): readonly ExpressionFault[] {
    const form = this.meant(source, path);
    const [first] = faults;
    if (form === undefined && first !== undefined && /^(?:captures|match|groups)\b/.test(source)) {
      const help = groupHelp(valueAt(this.#place.document.value, this.#place.base), source);
      if (help !== undefined) return [{ ...first, mistake: { ...first.mistake, help } }];
    }
    if (form === undefined && first !== undefined && LAST_ANSWER.test(source.trim())) {
      const help = answerHelp(valueAt(this.#place.document.value, this.#place.base));
      if (help !== undefined) {
        const message = `there is no "${source.trim()}"`;
        const mistake = { code: "unknown-field", message, help };
        return [{ mistake, offset: 0, length: source.length }];
      }
    }
    if (form === undefined || first === undefined)
      return faults.map((fault) => this.#quoted(path, fault));
    const condition = memberCondition(form, isCondition(path));
    const help = /^[\w.]+$/.test(source)
      ? `did you mean "${form}"?`
      : `write  ${condition ?? form}`;
    return [{ mistake: { ...first.mistake, help }, offset: 0, length: source.length }];
  }

  /** Translates an expression of another tool into this language. Returns only a form that compiles. */
  meant(source: string, path: Path): string | undefined {
    const declared = [...(this.#place.scope.declared?.keys() ?? [])];
    const isKnown = (name: string): boolean =>
      this.#place.scope.fields.has(name) ||
      (/^(?:vars|captures|state\.(?:sender|conversation|account))\.\w+$/.test(name) &&
        (!name.startsWith("state.sender.") || this.#place.scope.fields.has("sender.id")));
    const read = (name: string): string =>
      meantField(name, isKnown) ?? declaredName(name, declared, isKnown) ?? name;
    const form = withEmptyTexts(celOfRefused(source, read), (name) => {
      const field = this.#place.scope.fields.get(name);
      return field?.type === "text" && !field.mayBeAbsent;
    });
    const operators = withOperators(form);
    for (const one of [
      form,
      form.replaceAll(STEP_RESULT, "steps.$1.text"),
      form.replaceAll(KEPT_ANSWER, "steps.$1.text"),
      form.replaceAll(STEP_ALONE, "steps.$1.text"),
      withItem(form) ?? form,
      operators,
    ]) {
      if (one === source) continue;
      const compiled = compileExpression(
        one,
        this.#place.environment,
        this.#place.scope,
        this.#place.types,
      );
      if ("faults" in compiled) continue;
      const looserForm = asPeopleCompare(
        one,
        exactComparisons(compiled.ast, this.#place.types.answers),
      );
      // if only operators differ, each of them gets a fault with its own correction
      const isPlaced = one === operators && looserForm === one && !one.startsWith("!");
      return isPlaced && form === source ? undefined : this.#inQuotes(path, looserForm);
    }
    return undefined;
  }

  /**
   * Returns an expression, or its translation like {@link meant}, if it compiles to a value with a text form. Adds an
   * empty text as default to a value that may be absent.
   */
  shownForm(source: string, path: Path): string | undefined {
    const form = this.#isShown(source) ? source : (this.meant(source, path) ?? source);
    const withDefault = /^[\w.]+$/.test(form) ? [`${form}.orValue("")`] : [];
    const shown = [form, ...withDefault].find((one) => this.#isShown(one));
    return shown === undefined ? undefined : this.#inQuotes(path, shown);
  }

  #isShown(form: string): boolean {
    const { environment, scope, types } = this.#place;
    const compile = (inner: string) => compileExpression(inner, environment, scope, types);
    return !("faults" in compileTemplate(`\${{ ${form} }}`, compile));
  }

  #compiles(source: string): boolean {
    return !(
      "faults" in
      compileExpression(source, this.#place.environment, this.#place.scope, this.#place.types)
    );
  }

  /** Adds the field that was probably meant to a fault about a value without a text form: `write  steps.x.text`. */
  shown(source: string, fault: ExpressionFault): ExpressionFault {
    if (fault.mistake.code !== "not-showable") return fault;
    const name = source.slice(fault.offset, fault.offset + fault.length);
    const isStep = /^steps\.\w+$/.test(name) && this.#compiles(`${name}.text`);
    const meant = isStep
      ? `${name}.text`
      : meantField(name, (one) => this.#place.scope.fields.has(one));
    return meant === undefined
      ? fault
      : { ...fault, mistake: { ...fault.mistake, help: `write  ${meant}` } };
  }

  /** Adapts the help of a fault, so that the proposed expression fits between the quotes around the text. */
  #quoted(path: Path, fault: ExpressionFault): ExpressionFault {
    const { mistake } = fault;
    if (mistake.help?.startsWith("write ") !== true) return fault;
    return { ...fault, mistake: { ...mistake, help: this.#inQuotes(path, mistake.help) } };
  }

  #inQuotes(path: Path, expression: string): string {
    const { sourceLine = "", column } = this.#place.document.problemAt(path, NO_MISTAKE);
    const quote = sourceLine[column - 1];
    if (quote === '"') return inSingleQuotes(expression);
    // in YAML, an exclamation mark at the beginning of a value marks a tag
    const isTag = expression.startsWith("!") && quote !== "'" && quote !== "|" && quote !== ">";
    return isTag ? `"${inSingleQuotes(expression)}"` : expression;
  }
}

/** Matches a text that must be in a list of words of people, and the list: `"sale" in message.hashtags`. */
const MEMBER =
  /(?<not>!?)\(?(?<text>"[^"]*\p{L}[^"]*"|'[^']*\p{L}[^']*') in (?<list>[\w.]+\.(?:hashtags|cashtags|mentions|thread_mentions))\)?/u;

/**
 * Returns the condition for an expression that looks for a text in a list of words of people: the condition ignores case, and
 * `in` does not. Where it can't replace the expression, returns both. Undefined for other expressions.
 */
function memberCondition(form: string, replacesAll: boolean): string | undefined {
  const { 0: whole = "", groups: { not = "", text = "", list = "" } = {} } =
    MEMBER.exec(form) ?? {};
  if (text === "") return undefined;
  const matcher = `${list}: { contains: ${inlineYaml(text.slice(1, -1))} }`;
  if (!replacesAll || whole !== form)
    return `${form}  for exactly this case, or in any case the condition  ${matcher}`;
  return `the condition  ${not === "" ? matcher : `not: { ${matcher} }`}`;
}

/** Returns whether the expression at `path` is a condition, which other conditions can replace. */
function isCondition(path: Path): boolean {
  const place = path.slice(0, -1).findLast((one) => typeof one === "string");
  return path.at(-1) === "if" && /^(?:conditions|all|any|not)$/.test(place ?? "");
}

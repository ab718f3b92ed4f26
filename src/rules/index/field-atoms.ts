import type { FieldValue } from "../../events/fields.ts";
import type { Evaluation } from "../evaluation/evaluation.ts";
import { ALIKE } from "../lists/list-form.ts";
import type { Atom, IndexedField, TextForm, TextSearch } from "./atom.ts";
import { type Interval, IntervalIndex } from "./interval-index.ts";
import { patternForm } from "./pattern-literals.ts";

type Scalar = Extract<Atom, { kind: "value" }>["value"];

/** Values and ranges of one field that rules require. The texts of all fields are in shared automata. */
export class FieldAtoms {
  /** Number of the field in the index. */
  readonly number: number;
  readonly source: IndexedField;
  /** Forms in which the field's text is searched, such as `folded` (without regard to case). */
  readonly searchedAs = new Set<TextSearch>();
  readonly #values = new Map<TextForm, Map<Scalar, number[]>>();
  readonly #intervals: Interval[] = [];
  #ranges: IntervalIndex | undefined;

  constructor(number: number, source: IndexedField) {
    this.number = number;
    this.source = source;
  }

  addValue({ form, value }: Extract<Atom, { kind: "value" }>, rule: number): void {
    // only texts are converted to a form; other values are compared unchanged
    const key = typeof value === "string" ? form : "exact";
    let rules = this.#values.get(key);
    if (!rules) this.#values.set(key, (rules = new Map<Scalar, number[]>()));
    const list = rules.get(value);
    if (list) list.push(rule);
    else rules.set(value, [rule]);
  }

  addRange({ from, to }: Extract<Atom, { kind: "range" }>, rule: number): void {
    this.#intervals.push({ from, to, owner: rule });
    this.#ranges = undefined;
  }

  /** Calls `onRule` with the rules that require exactly this value, or a range that contains it. */
  search(value: FieldValue, evaluation: Evaluation, onRule: (rule: number) => void): void {
    if (typeof value === "object") {
      for (const member of value) this.#searchValue(member, evaluation, onRule);
      return;
    }
    if (value === undefined) return;
    this.#searchValue(value, evaluation, onRule);
    if (typeof value !== "number" || this.#intervals.length === 0) return;
    this.#ranges ??= new IntervalIndex(this.#intervals);
    this.#ranges.search(value, onRule);
  }

  #searchValue(value: Scalar, evaluation: Evaluation, onRule: (rule: number) => void): void {
    for (const [form, rules] of this.#values) {
      const key = typeof value === "string" ? formOf(value, form, evaluation) : value;
      for (const rule of rules.get(key) ?? []) onRule(rule);
    }
  }
}

/** Converts a text of the event into the form in which it is searched. */
export function formOf(text: string, form: TextSearch, evaluation: Evaluation): string {
  if (form === "exact" || form === "patterns cased") return text;
  if (form === "patterns") return evaluation.tidy(text);
  if (form === "alike") return evaluation.formed(text, ALIKE);
  return form === "folded" ? evaluation.fold(text) : patternForm(text);
}

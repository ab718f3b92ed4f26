import type { InPieces } from "../../system/in-pieces.ts";
import type { FieldValue } from "../../events/fields.ts";
import type { EventKindName } from "../../events/kinds/kinds.ts";
import type { Evaluation } from "../evaluation/evaluation.ts";
import { fieldsOf } from "../schema/fields.ts";
import type { Atom, IndexedField, TextForm, TextSearch } from "./atom.ts";
import { FieldAtoms, formOf } from "./field-atoms.ts";
import { type PatternEntry, PatternSets } from "./pattern-sets.ts";
import { type TextEntry, TextIndex } from "./text-index.ts";

/**
 * Calls `onRule` with the index of each rule of which an atom (elementary test) holds for the event, sometimes twice.
 *
 * @returns Functions that the caller runs afterwards, in pieces. They find further rules by patterns, which takes
 * longer.
 */
export type AtomSearch = (
  evaluation: Evaluation,
  onRule: (rule: number) => void,
) => readonly (() => void)[];

/** Index of the atoms (elementary tests of an event) of all rules. */
export class AtomIndex {
  readonly #fields = new Map<string, FieldAtoms>();
  readonly #texts = new Map<TextForm, TextEntry[]>();
  readonly #patterns = new Map<TextSearch, PatternEntry[]>();

  add(atom: Atom, rule: number): void {
    const field = this.#field(atom.field);
    if (atom.kind === "range") field.addRange(atom, rule);
    else if (atom.kind === "value") field.addValue(atom, rule);
    else if (atom.kind === "pattern") {
      const search = atom.cased ? "patterns cased" : "patterns";
      field.searchedAs.add(search);
      const entries = this.#patterns.get(search) ?? [];
      this.#patterns.set(search, entries);
      entries.push({ atom, field: field.number, rule });
    } else {
      field.searchedAs.add(atom.form);
      const entries = this.#texts.get(atom.form) ?? [];
      this.#texts.set(atom.form, entries);
      entries.push({ atom, field: field.number, rule });
    }
  }

  /** Builds the search over all added atoms. No atoms can be added afterwards. */
  *searcher(): InPieces<AtomSearch> {
    const indexes = new Map<TextSearch, TextIndex | PatternSets>();
    for (const [form, entries] of this.#texts) {
      indexes.set(form, yield* TextIndex.building(entries));
    }
    for (const [search, entries] of this.#patterns) {
      indexes.set(search, yield* PatternSets.building(entries));
    }
    this.#texts.clear();
    this.#patterns.clear();
    const byKind = new Map<EventKindName, readonly Probe[]>();
    return (evaluation, onRule) => {
      const { event } = evaluation;
      let probes = byKind.get(event.kind);
      if (!probes) byKind.set(event.kind, (probes = probesOf(event.kind, this.#fields.values())));
      const texts: SearchedText[] = [];
      for (const { field, read } of probes) {
        const value = read(evaluation);
        field.search(value, evaluation, onRule);
        if (field.searchedAs.size > 0) noteTexts(texts, value, field);
      }
      let pieces = NO_PIECES;
      for (const { text, fields, forms } of texts) {
        for (const form of forms) {
          const pendingPieces = indexes
            .get(form)
            ?.search(formOf(text, form, evaluation), fields, onRule);
          if (pendingPieces) pieces = pieces.concat(pendingPieces);
        }
      }
      return pieces;
    };
  }

  #field(source: IndexedField): FieldAtoms {
    const name = typeof source === "string" ? source : JSON.stringify(source);
    let field = this.#fields.get(name);
    if (!field) this.#fields.set(name, (field = new FieldAtoms(this.#fields.size, source)));
    return field;
  }
}

const NO_PIECES: readonly (() => void)[] = [];

/** Text of the event, the numbers of the fields that contain the text, and the methods of searching the text. */
interface SearchedText {
  readonly text: string;
  readonly fields: number[];
  forms: ReadonlySet<TextSearch>;
}

/** Adds the texts of a value. Each text of a list is searched on its own: user state may be a list under any operator. */
function noteTexts(texts: SearchedText[], value: FieldValue, field: FieldAtoms): void {
  if (typeof value === "string") noteText(texts, value, field);
  else if (typeof value === "object") for (const one of value) noteText(texts, one, field);
}

/** Adds a text once, even if several fields contain it: `text` and `message.text` are the same text. */
function noteText(texts: SearchedText[], text: string, { number, searchedAs }: FieldAtoms): void {
  const same = texts.find((one) => one.text === text);
  if (same === undefined) texts.push({ text, fields: [number], forms: searchedAs });
  else if (!same.fields.includes(number)) {
    same.fields.push(number);
    same.forms = new Set([...same.forms, ...searchedAs]);
  }
}

/** Field that rules require, with its reader for events of one kind. */
interface Probe {
  readonly field: FieldAtoms;
  readonly read: (evaluation: Evaluation) => FieldValue;
}

function probesOf(kind: EventKindName, fields: Iterable<FieldAtoms>): readonly Probe[] {
  return [...fields].flatMap((field): readonly Probe[] => {
    const { source } = field;
    if (typeof source === "object") {
      const { use, type } = source;
      return [
        {
          field,
          read: (evaluation) =>
            type === "presence" ? evaluation.presence(use) : evaluation.state(use, type),
        },
      ];
    }
    const eventField = fieldsOf(kind).get(source);
    return eventField === undefined ? [] : [{ field, read: ({ event }) => eventField.read(event) }];
  });
}

import { type FieldEvaluation, formsOf, type ListForm, type Normalization } from "./list-form.ts";
import { inOnePiece } from "../../system/in-pieces.ts";
import { handleOf } from "../../text/handle.ts";
import { standsAsWord } from "../../text/words.ts";
import { sortedWords, WordAutomaton } from "./word-automaton.ts";

/** Ways in which a list compares an entry with a text. */
export const LIST_MATCHES = ["exact", "word", "contains", "starts_with", "ends_with"] as const;
export type ListMatch = (typeof LIST_MATCHES)[number];

/** List of texts that conditions search for in a text. */
export interface RuleList {
  /** Comparison with each entry. If absent, the whole text must be an entry. */
  readonly match: ListMatch | undefined;
  /** Entries, converted to each form in which the list compares texts. */
  readonly written: readonly { readonly form: ListForm; readonly entries: readonly string[] }[];
  /** Returns whether `text` matches an entry. */
  readonly has: (text: string, evaluation: FieldEvaluation) => boolean;
}

/** Removes the `@` of entries (`@ann` becomes `ann`), because handles in events have no `@`. */
export function listOfHandles(list: RuleList): RuleList {
  const isWritten = list.written.some(({ entries }) => entries.some((one) => one.startsWith("@")));
  if (!isWritten) return list;
  const written = list.written.map(({ form, entries }) => ({
    form,
    entries: entries.map(handleOf),
  }));
  return searchable(list.match, written);
}

export interface ListContent {
  readonly entries: readonly string[];
  readonly match?: ListMatch | undefined;
  readonly normalize: readonly Normalization[];
}

/** Builds a list whose search takes time linear in the text, whatever the number of entries. */
export function makeList({ entries, match, normalize }: ListContent): RuleList {
  const written = formsOf(normalize).map((form) => ({
    form,
    entries: [...new Set(entries.map((entry) => formed(entry, form, match)))].filter(
      (entry) => entry !== "",
    ),
  }));
  return searchable(match, written);
}

function searchable(match: ListMatch | undefined, written: RuleList["written"]): RuleList {
  let searches: readonly { form: ListForm; find: (text: string) => boolean }[] | undefined;
  return {
    match,
    written,
    has(text, evaluation) {
      searches ??= written.map(({ form, entries: all }) => ({ form, find: search(all, match) }));
      return searches.some(({ form, find }) => find(evaluation.formed(text, form)));
    },
  };
}

/** Converts an entry to a form. White space at an end is removed where the text must begin or end with the entry. */
export function formed(entry: string, { of }: ListForm, match: ListMatch | undefined): string {
  const text = of(entry);
  if (match === "contains") return text;
  if (match === "starts_with" && text.trim() !== "") return text.trimStart();
  return match === "ends_with" && text.trim() !== "" ? text.trimEnd() : text.trim();
}

function search(entries: readonly string[], match: ListMatch = "exact"): (text: string) => boolean {
  if (match === "exact") {
    const all = new Set(entries);
    return (text) => all.has(text);
  }
  const automaton = inOnePiece(WordAutomaton.building(sortedWords(entries)));
  const fits = FITS[match];
  return (text) => {
    let isListed = false;
    automaton.search(text, (_, start, end) => {
      isListed ||= fits(text, start, end);
    });
    return isListed;
  };
}

/** Returns, by the value of `match`, whether an entry found from `start` to `end` of a text counts. */
const FITS: Readonly<
  Record<Exclude<ListMatch, "exact">, (text: string, start: number, end: number) => boolean>
> = {
  contains: () => true,
  word: standsAsWord,
  starts_with: (_, start) => start === 0,
  ends_with: (text, _, end) => end === text.length,
};

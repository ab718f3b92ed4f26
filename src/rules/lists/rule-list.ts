import { type FieldEvaluation, formsOf, type ListForm, type Normalization } from "./list-form.ts";
import { inOnePiece } from "../../system/in-pieces.ts";
import { handleOf } from "../../text/handle.ts";
import { standsAsWord } from "../../text/words.ts";
import { sortedWords, WordAutomaton } from "./word-automaton.ts";

/** How an entry of a list and a text are compared. */
export const LIST_MATCHES = ["exact", "word", "contains", "starts_with", "ends_with"] as const;
export type ListMatch = (typeof LIST_MATCHES)[number];

/** A list of texts that conditions ask about, ready to be searched for in a text. */
export interface RuleList {
  /** Absent where the list doesn't say: then the whole text must be an entry. */
  readonly match: ListMatch | undefined;
  /** The entries as each form has them: what is looked for. */
  readonly written: readonly { readonly form: ListForm; readonly entries: readonly string[] }[];
  /** Is one of its entries what `text` is, or is it in it? */
  readonly has: (text: string, evaluation: FieldEvaluation) => boolean;
}

/** The same list for handles, which events have without `@`: `@ann` in it is `ann`. */
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

/** Makes a list of texts one that is searched in the time that reading the text takes, however long it is. */
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

/** White space around an entry counts where a part of a text is looked for, and where an entry is the start or end of one. */
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
    let found = false;
    automaton.search(text, (_, start, end) => {
      found ||= fits(text, start, end);
    });
    return found;
  };
}

/** Whether what stands between two places of a text is what is looked for. */
const FITS: Readonly<
  Record<Exclude<ListMatch, "exact">, (text: string, start: number, end: number) => boolean>
> = {
  contains: () => true,
  word: standsAsWord,
  starts_with: (_, start) => start === 0,
  ends_with: (text, _, end) => end === text.length,
};

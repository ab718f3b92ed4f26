import MiniSearch from "minisearch";
import type { DocsPage } from "./page.ts";

/** Weights of the indexed texts: a title counts most. */
export const FIELD_WEIGHTS = { title: 4, also: 3, about: 2, text: 1 };

/** Maximum results of a search in the terminal. */
const MAX_PAGES = 3;

/** Finds the pages that match `words` best, the best first. */
export type PageSearch = (words: string, maxPages?: number) => readonly DocsPage[];

/** Indexes pages, and returns the function that searches them. */
export function indexPages(pages: readonly DocsPage[]): PageSearch {
  const index = new MiniSearch<DocsPage>({
    idField: "path",
    fields: Object.keys(FIELD_WEIGHTS),
    processTerm: toTerm,
    searchOptions: SEARCH_OPTIONS,
  });
  index.addAll(pages);
  const byPath = new Map(pages.map((page) => [page.path, page]));
  return (words, maxPages = MAX_PAGES) =>
    index
      .search(words)
      .slice(0, maxPages)
      .flatMap(({ id }) => byPath.get(String(id)) ?? []);
}

/**
 * Options of every search. The site's generator copies the source text of these functions into the search script of the
 * web site, so the functions use no names from outside.
 */
export const SEARCH_OPTIONS = {
  boost: FIELD_WEIGHTS,
  prefix: (term: string): boolean => term.length > 3,
  fuzzy: (term: string): number | false => (term.length > 4 ? 0.2 : false),
  boostDocument: weightOf,
};

/** Returns the weight of a page by its path; the guide comes before the reference. */
function weightOf(path: string): number {
  const places: readonly (readonly [begin: RegExp, weight: number])[] = [
    [/^\/?(?:config|bots)\/(?:README\.md|index\.html)?$/, 0.2],
    [/^\/?(?:config\/reference|bots)\//, 0.7],
    [/^\/?examples\//, 0.6],
    [/^\/?config\//, 1],
  ];
  // All other pages, such as the front page and the pages for developers, repeat what the guide explains.
  const weight = places.find(([begin]) => begin.test(path))?.[1] ?? 0.1;
  return path.includes("#") ? weight / 2 : weight;
}

/**
 * Returns a word's stem in lower case; undefined for filler words. The site copies this function's source text, so the
 * function uses no names from outside.
 */
export function toTerm(word: string): string | undefined {
  const term = word.toLowerCase();
  const isFiller =
    /^(?:a|about|again|all|an|and|another|any|are|as|at|be|bot|can|could|did|do|does|for|from|get|has|have|how|i|if|in|into|is|its?|just|let|make|me|my|need|of|on|or|our|please|should|so|some|somebody|someone|something|than|that|the|their|them|then|there|they|this|to|up|us|use|using|want|was|we|what|when|where|which|will|with|would|you|your)$/;
  if (isFiller.test(term)) return undefined;
  return term.replace(/ies$/, "y").replace(/(?<=\w{3})(?:ing|ed|es|(?<!s)s)$/, "");
}

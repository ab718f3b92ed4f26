import MiniSearch from "minisearch";
import { type DocsPage, readPages } from "./pages.ts";

/** Words that say nothing about what a reader looks for. */
const FILLERS = new Set(
  `a about again all an and another any are as at be bot can could did do does for from get has have how i if in into is it
  its just let make me my need of on or our please should so some somebody someone something than that the their them then
  there they this to up us use using want was we what when where which will with would you your`.split(
    /\s+/,
  ),
);

/** Texts that are searched, each with the weight of a match in it. */
const WEIGHTS = { title: 4, also: 3, about: 2, text: 1 };

/** Weights of pages by the beginning of their paths; the guide comes before the reference. */
const PLACES: readonly (readonly [begin: string, weight: number])[] = [
  ["config/README.md", 0.2],
  ["bots/README.md", 0.2],
  ["config/reference/", 0.7],
  ["bots/", 0.7],
  ["examples/", 0.6],
];

/** Most pages that a search returns. */
const MAX_PAGES = 3;

/** Finds the pages that fit `words` best, the best first; none where no page has any of the words. */
export async function searchPages(words: string): Promise<readonly DocsPage[]> {
  const pages = await readPages();
  const index = new MiniSearch<DocsPage>({
    idField: "path",
    fields: Object.keys(WEIGHTS),
    processTerm: toTerm,
  });
  index.addAll(pages);
  const matches = index.search(words, {
    boost: WEIGHTS,
    prefix: (term) => term.length > 3,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    boostDocument: (path: string) => {
      const [, weight = 1] = PLACES.find(([begin]) => path.startsWith(begin)) ?? [];
      return path.includes("#") ? weight / 2 : weight;
    },
  });
  const byPath = new Map(pages.map((page) => [page.path, page]));
  return matches.slice(0, MAX_PAGES).flatMap(({ id }) => byPath.get(String(id)) ?? []);
}

/** Word without its ending, in lower case; undefined for fillers. */
function toTerm(word: string): string | undefined {
  const term = word.toLowerCase();
  if (FILLERS.has(term)) return undefined;
  return term.replace(/ies$/, "y").replace(/(?<=\w{3})(?:ing|ed|es|(?<!s)s)$/, "");
}

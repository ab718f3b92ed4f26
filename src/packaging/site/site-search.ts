import { join } from "node:path";
import { type DocsPage, toPages } from "../../docs/page.ts";
import { FIELD_WEIGHTS, SEARCH_OPTIONS, toTerm } from "../../docs/search-pages.ts";
import { type SiteTexts, sourceOf } from "./site-texts.ts";

/**
 * Section of a page for the site's generator. `text` is JSON of all indexed fields, because the generator passes no
 * other fields on.
 */
interface PageSection {
  readonly anchor: string;
  readonly titles: readonly string[];
  readonly text: string;
}

/** Section in the form in which the generator passes it to the index. */
interface IndexedSection {
  readonly id: string;
  readonly title: string;
  readonly titles: readonly string[];
  readonly text: string;
}

/**
 * Returns the search settings of the site: the index and options are the same as those of `answerback docs`.
 *
 * @param input Folder of the pages' sources.
 */
export function siteSearch({ texts, groups }: SiteTexts, input: string) {
  const pages = texts.filter(({ path }) => path.endsWith(".md"));
  const groupOf = new Map(
    groups.flatMap(({ title, pages: listed }) => listed.map(({ path }) => [path, title] as const)),
  );
  const sections = new Map(
    pages.map((page) => [
      join(input, sourceOf(page.path)),
      toPages(page).map((one) => sectionOf(one, groupOf.get(page.path))),
    ]),
  );
  return {
    detailedView: false,
    // A text that is not empty: for an empty text the generator skips the page.
    _render: (): string => "indexed from its source",
    miniSearch: {
      options: {
        fields: Object.keys(FIELD_WEIGHTS),
        storeFields: ["title", "titles"],
        processTerm: toTerm,
        extractField: ({ id, title, titles, text }: IndexedSection, field: string): unknown =>
          ({ id, title, titles, ...JSON.parse(text) })[field],
      },
      searchOptions: SEARCH_OPTIONS,
      _splitIntoSections: (file: string) => sections.get(file) ?? [],
    },
  };
}

function sectionOf({ path, title, ...fields }: DocsPage, group: string | undefined): PageSection {
  const [, anchor = ""] = path.split("#");
  return {
    anchor,
    titles: [group, title].flatMap((one) => (one === undefined ? [] : asHtml(one))),
    text: JSON.stringify(fields),
  };
}

/** Escapes a title, which the search's window inserts as HTML. */
function asHtml(title: string): string {
  return title.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

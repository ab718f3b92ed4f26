import { useEffect, useLayoutEffect, useMemo } from "preact/hooks";
import { contentsOf, type DocsGroup } from "../../../../docs/contents.ts";
import { type DocsText, toPages } from "../../../../docs/page.ts";
import { indexPages } from "../../../../docs/search-pages.ts";
import { useQuestion } from "../../asking/use-asked.ts";
import { SearchField } from "../../parts/search-field.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { decoded } from "../../routing/decoded.ts";
import { route } from "../../routing/route.ts";
import { DOCS, rendered } from "./render.ts";

/** Maximum number of search results. */
const MAX_RESULTS = 10;

/** Page with the documentation of the installed package. */
export function Page() {
  const answer = useQuestion("documentation", {});
  return (
    <main id="main" tabIndex={-1}>
      {answer.value === undefined && <h1>Docs</h1>}
      <Shown answer={answer}>{(texts) => <Documentation texts={texts} />}</Shown>
    </main>
  );
}

function Documentation({ texts }: { readonly texts: readonly DocsText[] }) {
  const { parts, query } = route.value;
  const groups = useMemo(() => contentsOf(texts), [texts]);
  const path = parts.slice(1).join("/");
  const words = query.get("words") ?? "";
  return (
    <>
      <search class="row docs-search">
        <SearchField label="Search the documentation" name="words" size={44} />
        {parts.length > 1 && <a href={DOCS}>All pages</a>}
      </search>
      {words === "" ? (
        <Contents path={path} texts={texts} groups={groups} />
      ) : (
        <Results words={words} texts={texts} />
      )}
    </>
  );
}

interface ContentsProps {
  /** Path of the shown page; empty for the list of all pages. */
  readonly path: string;
  readonly texts: readonly DocsText[];
  readonly groups: readonly DocsGroup[];
}

function Contents({ path, texts, groups }: ContentsProps) {
  if (path === "") return <AllPages groups={groups} />;
  const text = texts.find((one) => one.path === path);
  if (text !== undefined) return <Article text={text} />;
  return (
    <>
      <h1>There is no such page</h1>
      <Empty>
        The documentation has no page <code>{path}</code>.
      </Empty>
    </>
  );
}

function AllPages({ groups }: { readonly groups: readonly DocsGroup[] }) {
  return (
    <>
      <h1>Docs</h1>
      <div class="docs-groups">
        {groups.map(({ title, pages }) => (
          <section key={title}>
            <h2>{title}</h2>
            <ul>
              {pages.map(({ path, title: name }) => (
                <li key={path}>
                  <a href={`${DOCS}/${path}`}>{name}</a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}

function Article({ text }: { readonly text: DocsText }) {
  const html = useMemo(() => rendered(text), [text]);
  useLayoutEffect(() => {
    document.getElementById(decoded(location.hash.slice(1)))?.scrollIntoView();
  }, [html, location.hash]);
  return <article class="docs" dangerouslySetInnerHTML={{ __html: html }} />;
}

interface ResultsProps {
  readonly words: string;
  readonly texts: readonly DocsText[];
}

function Results({ words, texts }: ResultsProps) {
  const search = useMemo(
    () => indexPages(texts.filter(({ path }) => path.endsWith(".md")).flatMap(toPages)),
    [texts],
  );
  useEffect(() => scrollTo(0, 0), [words]);
  const pages = search(words, MAX_RESULTS);
  return (
    <>
      <h1>Pages about “{words}”</h1>
      {pages.length === 0 && <Empty>No page contains these words.</Empty>}
      <ol class="docs-results">
        {pages.map(({ path, title, about }) => (
          <li key={path}>
            <a href={`${DOCS}/${path}`}>{title}</a>
            <p>{about}</p>
          </li>
        ))}
      </ol>
    </>
  );
}

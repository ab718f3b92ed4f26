import { signal } from "@preact/signals";
import { decoded } from "./decoded.ts";

/** Address of the shown page: its path, the parts of the path, and its query. */
export interface PageAddress {
  readonly path: string;
  /** Parts of the path, such as `["traces", "40"]`. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

export const route = signal<PageAddress>(here());

function here(): PageAddress {
  const { pathname, search } = location;
  const parts = pathname.split("/").filter((part) => part !== "");
  return {
    path: pathname,
    parts: parts.map(decoded),
    query: new URLSearchParams(search),
  };
}

/**
 * Opens another address of the console.
 *
 * @param replace Whether the current address is replaced in the browser's history.
 */
export function go(to: string, replace = false): void {
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  route.value = here();
}

/** Query parameters that select an older part: of a list, and of the conversation beside it. */
const [LIST_PART, CONVERSATION_PART] = ["before", "turns"];

/**
 * Changes one query parameter of the address; undefined removes it. A changed filter shows the newest part of the list
 * again, because its matches may all be newer than the shown part.
 */
export function setQuery(name: string, value: string | undefined): void {
  const next = new URLSearchParams(route.value.query);
  if (name !== CONVERSATION_PART) next.delete(LIST_PART);
  if (value === undefined || value === "") next.delete(name);
  else next.set(name, value);
  go(`${route.value.path}${searchOf(next)}`, true);
}

/** Returns the query of a link to another conversation: the list's filters, but not the part of this conversation. */
export function listSearch(): string {
  const next = new URLSearchParams(route.value.query);
  next.delete(CONVERSATION_PART);
  return searchOf(next);
}

function searchOf(query: URLSearchParams): string {
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

/** Starts client-side routing: links to pages of the console change the address and the page without a reload. */
export function startRouting(paths: readonly string[]): void {
  addEventListener("popstate", () => (route.value = here()));
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || link.origin !== location.origin || link.target !== "") return;
    if (link.hasAttribute("download") || !paths.some((path) => link.pathname.startsWith(path)))
      return;
    const isSamePage = link.pathname === location.pathname && link.search === location.search;
    // The browser itself handles links to an anchor within the current page.
    if (isSamePage && link.hash !== "") return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
    if (link.hash === "") scrollTo(0, 0);
  });
}

import type { ApiResponse } from "../http/api-caller.ts";
import { ProtocolError } from "../errors.ts";

/**
 * Result of a paged call: awaiting it returns the first page, iterating it yields the items of all
 * pages, and `pages()` yields the pages. Each page is requested when the loop reaches it.
 *
 * @example
 * for await (const user of client.follows.followers("42", { maxResults: 1000 })) {
 *   if (user.username === "somebody") break;
 * }
 */
export type Paged<Item, Page> = Promise<Page> &
  AsyncIterable<Item> & {
    /** Yields the pages in order. */
    pages(): AsyncIterableIterator<Page>;
  };

/** A page and the token of the next page. */
export interface FetchedPage<Page> {
  readonly page: Page;
  readonly next: string | undefined;
  readonly answer: ApiResponse;
}

/**
 * Creates a paged call. `fetch` requests the page for a page token, or the first page without a token.
 *
 * The first page is requested at once, and iterating starts with the same page, so awaiting and iterating together cost
 * one request.
 *
 * @throws ProtocolError from the loop if the platform repeats a token.
 */
export function paged<Item, Page>(
  fetch: (token: string | undefined) => Promise<FetchedPage<Page>>,
  itemsOf: (page: Page) => readonly Item[],
): Paged<Item, Page> {
  const first = fetch(undefined);
  const page = first.then((fetched) => fetched.page);
  async function* pages(): AsyncGenerator<Page, void, undefined> {
    const seen = new Set<string>();
    // The iteration reports a failure of the first page; without this `catch`, Node would report an unhandled rejection
    // too.
    page.catch(() => undefined);
    let fetched = await first;
    for (;;) {
      yield fetched.page;
      const { next, answer } = fetched;
      if (next === undefined || next === "") return;
      if (seen.has(next)) {
        const { endpoint, status } = answer;
        throw new ProtocolError(`${endpoint} gave the same page token twice`, { endpoint, status });
      }
      seen.add(next);
      fetched = await fetch(next);
    }
  }
  async function* items(): AsyncGenerator<Item, void, undefined> {
    for await (const page of pages()) yield* itemsOf(page);
  }
  return Object.assign(page, { pages, [Symbol.asyncIterator]: items });
}

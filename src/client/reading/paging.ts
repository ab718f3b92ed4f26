import type { ApiResponse } from "../http/api-caller.ts";
import { ProtocolError } from "../errors.ts";

/**
 * A call that answers in pages: awaiting it returns the first page, iterating it yields every item of
 * every page, `pages()` yields the pages. Each page is requested when the loop gets to it.
 *
 * @example
 * for await (const user of client.follows.followers("42", { maxResults: 1000 })) {
 *   if (user.username === "somebody") break;
 * }
 */
export type Paged<Item, Page> = Promise<Page> &
  AsyncIterable<Item> & {
    /** The pages, one after the other. */
    pages(): AsyncIterableIterator<Page>;
  };

/** A page and the token of the next. */
export interface FetchedPage<Page> {
  readonly page: Page;
  readonly next: string | undefined;
  readonly answer: ApiResponse;
}

/**
 * Makes a paged call of a function that fetches the page of a token.
 *
 * The first page is requested at once; iterating starts from that same page, so that awaiting and
 * iterating together cost one request.
 *
 * @throws ProtocolError from the loop when the platform repeats a token.
 */
export function paged<Item, Page>(
  fetch: (token: string | undefined) => Promise<FetchedPage<Page>>,
  itemsOf: (page: Page) => readonly Item[],
): Paged<Item, Page> {
  const first = fetch(undefined);
  const page = first.then((fetched) => fetched.page);
  async function* pages(): AsyncGenerator<Page, void, undefined> {
    const seen = new Set<string>();
    // The iteration reports a failure of the first page; without this, the promise beside it would be unhandled.
    page.catch(() => undefined);
    let fetched = await first;
    for (;;) {
      yield fetched.page;
      const { next, answer } = fetched;
      if (next === undefined) return;
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

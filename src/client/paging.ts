import type { Answer } from "./caller.ts";
import { ProtocolError } from "./errors.ts";

/**
 * A call that answers in pages: awaiting it gives the first page, iterating it gives every item of
 * every page, `pages()` gives the pages. Each page is asked for when the loop gets to it.
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
export interface Fetched<Page> {
  readonly page: Page;
  readonly next: string | undefined;
  readonly answer: Answer;
}

/**
 * Makes a paged call of a function that fetches the page of a token.
 *
 * The first page is asked for at once; iterating starts from that same page, so that awaiting and
 * iterating together cost one request.
 *
 * @throws ProtocolError from the loop when the platform gives a token a second time.
 */
export function paged<Item, Page>(
  fetch: (token: string | undefined) => Promise<Fetched<Page>>,
  itemsOf: (page: Page) => readonly Item[],
): Paged<Item, Page> {
  const first = fetch(undefined);
  const page = first.then((fetched) => fetched.page);
  async function* pages(): AsyncGenerator<Page, void, undefined> {
    const seen = new Set<string>();
    // A first page that fails is told to whoever iterates; the promise beside it then needs no other reader.
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

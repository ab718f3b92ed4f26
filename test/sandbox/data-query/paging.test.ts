import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ListPage,
  pageOf,
  decodeCursor,
  type PagedList,
} from "../../../src/sandbox/kernel/world/paging.ts";

const sourceOf = (ids: readonly number[], keep: (id: number) => boolean): PagedList<number> => ({
  descending: (below) => ids.toReversed().filter((id) => below === undefined || id < Number(below)),
  ascending: (above) => ids.filter((id) => id > Number(above)),
  orderOf: String,
  keep,
});

const lists = fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { maxLength: 60 });
const size = fc.integer({ min: 1, max: 20 });

/** Reads all pages from the first to the last, by their tokens. */
function walk(source: PagedList<number>, most: number): ListPage<number>[] {
  const pages: ListPage<number>[] = [];
  for (let token: string | undefined = ""; token !== undefined; token = pages.at(-1)?.next) {
    pages.push(pageOf(source, { size: most, cursor: decodeCursor(token) }));
  }
  return pages;
}

describe("pages of a list", () => {
  it("contain each stored object once, newest first", () => {
    fc.assert(
      fc.property(lists, size, (ids, most) => {
        const source = sourceOf(
          ids.toSorted((a, b) => a - b),
          (id) => id % 3 > 0,
        );

        expect(walk(source, most).flatMap(({ items }) => items)).toEqual(
          ids.filter((id) => id % 3 > 0).toSorted((a, b) => b - a),
        );
      }),
    );
  });

  it("lead back to the page they came from", () => {
    fc.assert(
      fc.property(lists, size, (ids, most) => {
        const source = sourceOf(
          ids.toSorted((a, b) => a - b),
          () => true,
        );
        const pages = walk(source, most);

        for (const [at, { previous }] of pages.entries()) {
          if (previous === undefined) continue;
          const request = { size: most, cursor: decodeCursor(previous) };
          expect(pageOf(source, request).items).toEqual(pages[at - 1]?.items);
        }
        expect(pages[0]?.previous).toBeUndefined();
        expect(pages.at(-1)?.next).toBeUndefined();
      }),
    );
  });
});

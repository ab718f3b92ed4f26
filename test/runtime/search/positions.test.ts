import { expect, it } from "vitest";
import { SearchPositions } from "../../../src/runtime/search/positions.ts";

/** Stands in for the store: one named value in memory. If `isFull`, writes fail. */
function memory() {
  const file = { text: undefined as string | undefined, isFull: false };
  return {
    file,
    getMeta: async () => file.text,
    setMeta: async (_name: string, text: string) => {
      if (file.isFull) throw new Error("disk full");
      file.text = text;
    },
  };
}

it("keeps the first use of a query that the store refused at first", async () => {
  const store = memory();
  store.file.isFull = true;
  const positions = new SearchPositions(store);
  await expect(positions.open(new Set(["1 tea"]), 100)).rejects.toThrow("disk full");
  expect(positions.get("1 tea")).toBeUndefined();

  store.file.isFull = false;
  await positions.open(new Set(["1 tea"]), 200);
  expect(positions.get("1 tea")).toEqual({ from: 200 });

  const later = new SearchPositions(store);
  await later.open(new Set(["1 tea"]), 300);
  expect(later.get("1 tea")).toEqual({ from: 200 });
});

it("keeps its position if the store refuses a move", async () => {
  const store = memory();
  const positions = new SearchPositions(store);
  await positions.open(new Set(["1 tea"]), 100);
  const moved = { from: 100, newest: { id: "7", at: 150 } };
  store.file.isFull = true;
  await expect(positions.move(new Map([["1 tea", moved]]))).rejects.toThrow("disk full");
  expect(positions.get("1 tea")).toEqual({ from: 100 });

  store.file.isFull = false;
  await positions.move(new Map([["1 tea", moved]]));
  const later = new SearchPositions(store);
  await later.open(new Set(["1 tea"]), 300);
  expect(later.get("1 tea")).toEqual(moved);
});

it("deletes a query that is no longer used, and starts it again from the beginning", async () => {
  const store = memory();
  const positions = new SearchPositions(store);
  await positions.open(new Set(["1 tea", "1 coffee"]), 100);
  await positions.open(new Set(["1 coffee"]), 200);
  await positions.open(new Set(["1 coffee", "1 tea"]), 300);

  expect(positions.get("1 coffee")).toEqual({ from: 100 });
  expect(positions.get("1 tea")).toEqual({ from: 300 });
});

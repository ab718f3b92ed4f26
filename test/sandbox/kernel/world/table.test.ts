import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { defineTable, type Table } from "../../../../src/sandbox/kernel/world/table.ts";
import { SandboxWorld } from "../../../../src/sandbox/kernel/world/sandbox-world.ts";

interface Fruit {
  readonly id: string;
  readonly colour: string;
  readonly shops: string[];
}

const fruits = defineTable({
  name: "fruits",
  schema: z.strictObject({ id: z.string(), colour: z.string(), shops: z.array(z.string()) }),
  key: (row: Fruit) => row.id,
  indexes: { colour: (row: Fruit) => row.colour, shop: (row: Fruit) => row.shops },
});

let table: Table<Fruit, "colour" | "shop">;
beforeEach(() => {
  const world = new SandboxWorld({
    tables: [fruits],
    seed: "s",
    now: () => 0,
    highWaterMark: "0",
    storeHighWaterMark: () => undefined,
  });
  table = fruits.in(world);
  table.put({ id: "apple", colour: "red", shops: ["a", "b"] });
  table.put({ id: "cherry", colour: "red", shops: ["b"] });
});

const ids = (rows: readonly Fruit[]): string[] => rows.map(({ id }) => id);

describe("an index", () => {
  it("keeps a row in its place when another field changes", () => {
    table.update("apple", { shops: ["b", "c"] });

    expect(ids(table.where("colour", "red"))).toEqual(["apple", "cherry"]);
    expect(ids(table.where("shop", "b"))).toEqual(["apple", "cherry"]);
  });

  it("follows a row whose value changes", () => {
    table.update("apple", { colour: "green", shops: ["c"] });

    expect(ids(table.where("colour", "red"))).toEqual(["cherry"]);
    expect(ids(table.where("colour", "green"))).toEqual(["apple"]);
    expect([table.count("shop", "a"), table.count("shop", "c")]).toEqual([0, 1]);
  });

  it("forgets a row that is deleted", () => {
    table.delete("apple");

    expect(ids(table.where("shop", "b"))).toEqual(["cherry"]);
  });
});

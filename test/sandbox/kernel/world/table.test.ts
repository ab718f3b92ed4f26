import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import {
  type AnyTable,
  defineTable,
  type Table,
} from "../../../../src/sandbox/kernel/world/table.ts";
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

function worldOf(tables: readonly AnyTable[]): SandboxWorld {
  return new SandboxWorld({
    tables,
    seed: "s",
    now: () => 0,
    highWaterMark: "0",
    storeHighWaterMark: () => undefined,
  });
}

let table: Table<Fruit, "colour" | "shop">;
beforeEach(() => {
  table = fruits.in(worldOf([fruits]));
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

it("takes rows of any order as fast as rows in theirs", () => {
  const ordered = defineTable({
    name: "ordered",
    schema: z.strictObject({ id: z.string(), owner: z.string() }),
    key: (row: { id: string; owner: string }) => row.id,
    order: (row) => row.id,
    indexes: { owner: (row) => row.owner },
  });
  const world = worldOf([ordered]);
  const cost = (ids: readonly number[]): number => {
    const started = process.cpuUsage();
    const rows = ids.map((id) => [String(id), { id: String(id), owner: "a" }] as const);
    ordered.in(world).replace(new Map(rows));
    return process.cpuUsage(started).user;
  };
  const rising = Array.from({ length: 200_000 }, (_, n) => 1_000_000 + n);

  cost(rising);
  const inOrder = cost(rising);
  const backwards = cost(rising.toReversed());

  expect(backwards).toBeLessThan(5 * inOrder + 500_000);
  expect([...ordered.in(world).descending("owner", "a")][0]?.id).toBe("1199999");
});

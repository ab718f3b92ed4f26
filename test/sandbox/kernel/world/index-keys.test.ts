import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OrderedKeys } from "../../../../src/sandbox/kernel/world/index-keys.ts";

/** Generator of rows in which the alphabetical order of `key` and the order by `order` are unrelated. */
const rows = fc.uniqueArray(fc.record({ key: fc.uuid(), order: fc.nat(2_000).map(String) }), {
  maxLength: 40,
  selector: ({ order }) => order,
});

function indexOf(rowsOf: readonly { key: string; order: string }[]): OrderedKeys {
  const orders = new Map(rowsOf.map(({ key, order }) => [key, order]));
  const keys = new OrderedKeys((key) => orders.get(key) ?? "0");
  for (const { key, order } of rowsOf) keys.add("v", key, order);
  return keys;
}

const byOrder = (a: { order: string }, b: { order: string }): number =>
  Number(a.order) - Number(b.order);
const keysOf = (rowsOf: readonly { key: string }[]): string[] => rowsOf.map(({ key }) => key);

describe("keys in the order of an id", () => {
  it("are sorted and unique, whatever the order of insertion", () => {
    fc.assert(
      fc.property(rows, (rowsOf) => {
        const keys = indexOf([...rowsOf, ...rowsOf]);

        expect([...keys.of("v")]).toEqual(keysOf(rowsOf.toSorted(byOrder)));
        expect(keys.count("v")).toBe(rowsOf.length);
        expect(keys.first("v")).toBe(rowsOf.toSorted(byOrder)[0]?.key);
      }),
    );
  });

  it("are read down from an id and up from it, without the id itself", () => {
    fc.assert(
      fc.property(rows, fc.nat(2_000), (rowsOf, at) => {
        const keys = indexOf(rowsOf);
        const sorted = rowsOf.toSorted(byOrder);

        expect([...keys.descending("v", String(at))]).toEqual(
          keysOf(sorted.filter(({ order }) => Number(order) < at).toReversed()),
        );
        expect([...keys.ascending("v", String(at))]).toEqual(
          keysOf(sorted.filter(({ order }) => Number(order) > at)),
        );
      }),
    );
  });

  it("forget removed keys, and no others", () => {
    fc.assert(
      fc.property(rows, fc.func(fc.boolean()), (rowsOf, goes) => {
        const keys = indexOf(rowsOf);
        for (const row of rowsOf) if (goes(row.order)) keys.remove("v", row.key, row.order);
        keys.remove("v", "never there", "1");

        expect([...keys.of("v")]).toEqual(
          keysOf(rowsOf.filter(({ order }) => !goes(order)).toSorted(byOrder)),
        );
      }),
    );
  });
});

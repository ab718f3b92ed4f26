import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CoverageChange } from "../../../src/runtime/store/coverage.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import type { Place } from "./contract.ts";

const A = { account: "100" };

/** Tests for every store engine: coverage of an account's time. */
export function describeCoverage(name: string, place: () => Promise<Place>): void {
  describe(`coverage on ${name}`, () => {
    let here: Place;
    let store: Store;
    beforeEach(async () => {
      here = await place();
      store = await here.open();
    });
    afterEach(async () => {
      await store.close();
      await here.remove();
    });

    it("grows with time, without more spans", async () => {
      await store.cover([{ ...A, from: 0, to: 10, state: "delivered" }]);
      await store.cover([{ ...A, from: 10, to: 20, state: "delivered" }]);

      expect(await store.coverage()).toEqual([{ ...A, from: 0, to: 20, state: "delivered" }]);
    });

    it("uses the last state of a period, and keeps the rest", async () => {
      await store.cover([
        { ...A, from: 0, to: 100, state: "delivered" },
        { ...A, from: 40, to: 60, state: "open" },
        { ...A, from: 50, to: 60, state: "lost", reason: "over 24 hours" },
      ]);

      expect(await store.coverage({ account: "100" })).toEqual([
        { ...A, from: 0, to: 40, state: "delivered" },
        { ...A, from: 50, to: 60, state: "lost", reason: "over 24 hours" },
        { ...A, from: 60, to: 100, state: "delivered" },
      ]);
    });

    it("keeps accounts apart, survives a restart and is listed from a time on", async () => {
      await store.cover([
        { account: "200", from: 5, to: 9, state: "replayed" },
        { ...A, from: 0, to: 3, state: "delivered" },
      ]);
      await store.close();
      store = await here.open();

      expect((await store.coverage()).map(({ account }) => account)).toEqual(["100", "200"]);
      expect(await store.coverage({ after: 3 })).toEqual([
        { account: "200", from: 5, to: 9, state: "replayed" },
      ]);
    });

    it("lists the gaps between the spans of each account", async () => {
      expect(await store.coverageGaps()).toEqual([]);

      await store.cover([
        { account: "200", from: 5, to: 9, state: "delivered" },
        { account: "200", from: 12, to: 15, state: "lost", reason: "over 24 hours" },
        { account: "200", from: 15, to: 20, state: "delivered" },
        { account: "200", from: 21, to: Number.MAX_SAFE_INTEGER, state: "delivered" },
        { ...A, from: 0, to: 3, state: "delivered" },
        { ...A, from: 8, to: 10, state: "replayed" },
        { account: "300", from: 0, to: 10, state: "delivered" },
      ]);

      expect(await store.coverageGaps()).toEqual([
        { ...A, from: 3, to: 8 },
        { account: "200", from: 9, to: 12 },
        { account: "200", from: 20, to: 21 },
      ]);
      expect(await store.coverageGaps(A)).toEqual([{ ...A, from: 3, to: 8 }]);
      expect(await store.coverageGaps({ account: "300" })).toEqual([]);
    });

    it("is deleted with data older than the retention time", async () => {
      await store.cover([
        { ...A, from: 0, to: 10, state: "delivered" },
        { ...A, from: 20, to: 30, state: "delivered" },
      ]);
      await store.prune({ before: 15, now: 15 });

      expect(await store.coverage()).toEqual([{ ...A, from: 20, to: 30, state: "delivered" }]);
    });

    it("has the last recorded state for every moment", async () => {
      const change = fc
        .record({
          account: fc.constantFrom("100", "200"),
          from: fc.integer({ min: 0, max: 29 }),
          length: fc.integer({ min: 0, max: 15 }),
          state: fc.constantFrom("open", "delivered", "replayed", "lost"),
        })
        .map(({ length, ...rest }): CoverageChange => ({
          ...rest,
          to: rest.from + length,
        }));
      await fc.assert(
        fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
          const wipe = ["100", "200"].map((account) => ({ account, from: 0, to: 50 }));
          await store.cover(wipe.map((one) => ({ ...one, state: "open" })));
          await store.cover(changes);
          const spans = await store.coverage();
          for (const account of ["100", "200"]) {
            for (let at = 0; at < 45; at++) {
              const holds = (one: { account: string; from: number; to: number }): boolean =>
                one.account === account && one.from <= at && at < one.to;
              const said = changes.findLast(holds)?.state ?? "open";
              expect(spans.filter(holds).map(({ state }) => state)).toEqual(
                said === "open" ? [] : [said],
              );
            }
          }
        }),
        { numRuns: 60 },
      );
    });
  });
}

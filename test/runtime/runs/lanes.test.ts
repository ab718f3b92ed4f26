import fc from "fast-check";
import { expect, it } from "vitest";
import { lanes } from "../../../src/runtime/runs/lanes.ts";

it("keeps each lane's order and never processes two entries of one lane at once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.nat(3)), { maxLength: 40 }),
      fc.integer({ min: 1, max: 4 }),
      async (pieces, width) => {
        const done: [string, number][] = [];
        const busy = new Set<string>();
        let most = 0;
        const work = lanes(width);

        pieces.forEach(([lane, turns], n) =>
          work.run(lane, async () => {
            expect(busy.has(lane)).toBe(false);
            busy.add(lane);
            most = Math.max(most, busy.size);
            for (let turn = 0; turn < turns; turn++) await Promise.resolve();
            busy.delete(lane);
            done.push([lane, n]);
          }),
        );
        await work.idle();

        expect(done).toHaveLength(pieces.length);
        expect(most).toBeLessThanOrEqual(width);
        for (const name of ["a", "b", "c"]) {
          const order = done.filter(([lane]) => lane === name).map(([, n]) => n);
          expect(order).toEqual(order.toSorted((one, other) => one - other));
        }
      },
    ),
  );
});

it("lets other lanes continue while one waits", async () => {
  const work = lanes(2);
  let release = (): void => {};
  const waits = new Promise<void>((resolve) => (release = resolve));
  const done: string[] = [];

  work.run("slow", () => waits);
  for (const name of ["x", "y", "z"]) {
    work.run(name, async () => {
      done.push(name);
      if (done.length === 3) release();
    });
  }
  await work.idle();

  expect(done).toEqual(["x", "y", "z"]);
});

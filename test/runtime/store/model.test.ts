import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { ItemStatus } from "../../../src/runtime/store/item.ts";
import type { Transition } from "../../../src/runtime/store/transition.ts";
import { Pair, type Step } from "./pair.ts";
import { folderPlace } from "./place.ts";

const index = fc.nat({ max: 40 });
const status = fc.constantFrom<ItemStatus[]>(
  "pending",
  "sending",
  "sent",
  "failed",
  "expired",
  "unknown",
);
const outcome = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Transition["outcome"]>("done") },
  { weight: 2, arbitrary: fc.constantFrom<Transition["outcome"][]>("retry", "dead-lettered") },
);
const retryIn = fc.nat({ max: 6 });
const named = <Name extends Step["do"]>(name: Name) => fc.constant(name);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: named("append"), key: fc.nat({ max: 25 }) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: named("commit"),
      index,
      outcome,
      retryIn,
      items: fc.nat({ max: 3 }),
      staleRead: fc.boolean(),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({ do: named("move"), index, from: fc.option(status), to: status }),
  },
  { weight: 4, arbitrary: fc.record({ do: named("take settled") }) },
  { weight: 4, arbitrary: fc.record({ do: named("read") }) },
  { weight: 2, arbitrary: fc.record({ do: named("take over") }) },
  { weight: 2, arbitrary: fc.record({ do: named("prune"), age: fc.nat({ max: 30 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom<("crash" | "restart")[]>("crash", "restart") }),
  },
);

it("agrees with a model of itself, whatever happens in whatever order", async () => {
  const agrees = fc.asyncProperty(
    fc.array(step, { minLength: 20, maxLength: 100, size: "max" }),
    async (steps) => {
      const place = await folderPlace();
      const pair = new Pair(place.folder, await place.open());
      try {
        for (const one of steps) await pair.take(one);
        await pair.check();
      } finally {
        await pair.close();
        await place.remove();
      }
    },
  );

  await expect(fc.assert(agrees, { numRuns: 12, endOnFailure: true })).resolves.toBeUndefined();
}, 120_000);

import assert from "node:assert/strict";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ItemStatus } from "../../../src/runtime/store/item.ts";
import type { Lease } from "../../../src/runtime/store/lease.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import type { LaneInput } from "../../../src/runtime/store/transition.ts";
import { LaneHeap } from "../../../src/runtime/store/sqlite/waiting/lane-heap.ts";
import { entry, item, moved, takenIn } from "./builders.ts";
import { folderPlace } from "./place.ts";

describe("lanes in order", () => {
  it("are ordered like a sorted list, whatever was set and deleted before", () => {
    const step = fc.record({
      lane: fc.nat({ max: 12 }).map((n) => `l${n}`),
      first: fc.option(fc.nat({ max: 5 }), { freq: 3 }),
      second: fc.nat({ max: 5 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const heap = new LaneHeap();
        const naive = new Map<string, readonly [number, number]>();
        for (const { lane, first, second } of steps) {
          if (first === null) {
            heap.delete(lane);
            naive.delete(lane);
          } else {
            heap.set(lane, first, second);
            naive.set(lane, [first, second]);
          }
          const places = [...heap.inOrder()].map(({ first, second }) => [first, second]);
          expect(places).toEqual([...naive.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]));
          expect(new Set([...heap.inOrder()].map(({ lane }) => lane))).toEqual(
            new Set(naive.keys()),
          );
        }
      }),
      { numRuns: 200 },
    );
  });
});

const LANES = ["100/a", "100/b", "100/c", "100/d"];
const lane = fc.constantFrom(...LANES);
const soon = fc.nat({ max: 8 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("append" as const), lane }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("commit" as const),
      index: fc.nat({ max: 20 }),
      retryIn: fc.option(soon, { freq: 2 }),
      items: fc.array(soon, { maxLength: 3 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("move" as const),
      index: fc.nat({ max: 20 }),
      to: fc.constantFrom<ItemStatus[]>("pending", "sending", "sent", "failed", "unknown"),
      notBefore: soon,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("fault" as const), lane }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("reopen" as const) }) },
);

/** An outbox item, as a full scan of the table reads it. */
interface Scanned {
  readonly id: number;
  readonly lane: string;
  readonly status: ItemStatus;
  readonly notBefore: number;
}

/** Expected result of `dueItems`, computed from all outbox items one by one. */
function naiveDue(items: readonly Scanned[], now: number): number[] {
  return LANES.flatMap((lane) => {
    const open = items.filter(
      (one) => one.lane === lane && ["pending", "sending", "unknown"].includes(one.status),
    );
    const head = open
      .sort((a, b) => a.id - b.id)
      .find(({ status, notBefore }) => status !== "unknown" || notBefore > now);
    return head?.status === "pending" && head.notBefore <= now ? [head.id] : [];
  });
}

describe("waiting inputs in a store", () => {
  let place: Awaited<ReturnType<typeof folderPlace>>;
  let store: Store;
  let leases: readonly Lease[];
  beforeEach(async () => {
    place = await folderPlace();
    store = await place.open();
    leases = await store.lease("w", 60_000);
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });

  it("are offered as a full scan would offer them, at any time and after a restart", async () => {
    /** Undecided journal entries by number (`seq`), each with the time of its next attempt. */
    const open = new Map<number, { readonly input: LaneInput; retryAt: number }>();
    let keys = 0;
    const offered = async (now: number) => {
      const inputs = await store.fetch(leases, now, 1_000);
      return inputs.map(({ input }) => input);
    };
    const check = async (): Promise<void> => {
      for (const now of [0, 4, 9]) {
        const waiting = new Set(
          [...open.values()].filter((one) => one.retryAt > now).map(({ input }) => input.lane),
        );
        expect(await offered(now)).toEqual(
          [...open]
            .filter(([, { input }]) => !waiting.has(input.lane))
            .sort(([a], [b]) => a - b)
            .map(([, { input }]) => input.input),
        );
        const all = await store.items({ limit: 1_000 });
        const due = (await store.dueItems(leases, now, 1_000)).map(({ id }) => id);
        expect(due.sort((a, b) => a - b)).toEqual(naiveDue(all, now).sort((a, b) => a - b));
      }
    };
    const steps = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (all) => {
      for (const one of all) {
        if (one.do === "append") {
          await store.append([entry({ key: `k${++keys}`, lane: one.lane })]);
          const [added] = (await store.fetch(leases, Number.MAX_SAFE_INTEGER, 10_000)).filter(
            (input) => input.kind === "event" && !open.has(input.entry.seq),
          );
          if (added?.kind === "event") open.set(added.entry.seq, { input: added, retryAt: 0 });
        } else if (one.do === "commit") {
          const chosen = [...open][one.index % Math.max(1, open.size)];
          if (chosen === undefined) continue;
          const [seq, { input }] = chosen;
          const items = one.items.map((notBefore, n) =>
            item({ key: `i${++keys}/${n}`, lane: input.lane, seq, notBefore }),
          );
          const retry = one.retryIn === null ? {} : { outcome: "retry", retryAt: one.retryIn };
          const over = { items, ...retry } as Parameters<typeof takenIn>[2];
          const done = takenIn(leases, input, over);
          assert.deepEqual(await store.commit("w", [done]), ["committed"]);
          if (one.retryIn === null) open.delete(seq);
          else open.set(seq, { input, retryAt: one.retryIn });
        } else if (one.do === "move") {
          const items = await store.items({ limit: 1_000 });
          const chosen = items[one.index % Math.max(1, items.length)];
          if (chosen === undefined) continue;
          await store.changeItems("w", [moved(leases, chosen, one.to, one)]);
        } else if (one.do === "fault") {
          // The store refuses the broken entry, and rolls back the whole transaction.
          const broken = JSON.parse(JSON.stringify({ ...entry({ lane: one.lane }), key: null }));
          const good = entry({ key: `k${++keys}`, lane: one.lane });
          await assert.rejects(store.append([good, broken]), { code: "store-data" });
        } else {
          await store.close();
          store = await place.open();
          leases = await store.lease("w", 60_000);
        }
      }
      await check();
    });

    await expect(fc.assert(steps, { numRuns: 12, endOnFailure: true })).resolves.toBeUndefined();
  });
});

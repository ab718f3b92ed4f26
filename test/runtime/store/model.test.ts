import { cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import pg from "pg";
import { expect, it } from "vitest";
import { openStore } from "../../../src/runtime/store/open.ts";
import type { ItemStatus } from "../../../src/runtime/store/item.ts";
import type { Transition } from "../../../src/runtime/store/transition.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { Pair, type Reopen, type Step } from "./pair.ts";
import { folderPlace } from "./place.ts";
import { postgresPlace } from "./postgres-place.ts";

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

/** Number of random sequences of actions. For more: MODEL_RUNS=200 npx vitest run test/runtime/store/model.test.ts */
const RUNS = Number(process.env["MODEL_RUNS"] ?? 12);

/** Store under test, with a function that restarts it. */
interface ModelPlace {
  readonly store: Store;
  readonly reopen: Reopen;
  remove(): Promise<void>;
}

/**
 * Creates a store in a folder. After a crash, a copy of the folder is opened, which was made while the store was open.
 */
async function inFolder(): Promise<ModelPlace> {
  const place = await folderPlace();
  let { folder } = place;
  let crashes = 0;
  return {
    store: await place.open(),
    async reopen(store, how) {
      const next = how === "crash" ? join(dirname(folder), `after-${(crashes += 1)}`) : folder;
      if (how === "crash") await cp(folder, next, { recursive: true });
      await store.close();
      folder = next;
      return openStore(`file:${next}`);
    },
    remove: () => place.remove(),
  };
}

/** Creates a store in a database. After a crash, all leases have expired, and the crashed store stays connected. */
async function inPostgres(): Promise<ModelPlace> {
  const place = await postgresPlace();
  const pool = new pg.Pool({ connectionString: place.url, max: 1 });
  // After a failed test the server may end before this connection, so the connection's error is ignored.
  pool.on("error", () => {});
  const abandoned: Store[] = [];
  return {
    store: await place.open(),
    async reopen(store, how) {
      if (how === "restart") {
        await store.close();
        return place.open();
      }
      abandoned.push(store);
      await pool.query("UPDATE leases SET until = '-infinity'");
      await pool.query("UPDATE workers SET until = '-infinity'");
      return place.open();
    },
    async remove() {
      for (const store of abandoned) await store.close();
      await pool.end();
      await place.remove();
    },
  };
}

it.each([
  { engine: "SQLite", place: inFolder },
  { engine: "PostgreSQL", place: inPostgres },
])(
  "$engine has the same results as its model, for any actions in any order",
  async ({ place: makePlace }) => {
    const agrees = fc.asyncProperty(
      fc.array(step, { minLength: 20, maxLength: 100, size: "max" }),
      async (steps) => {
        const place = await makePlace();
        const pair = new Pair(place.store, place.reopen);
        try {
          for (const one of steps) await pair.take(one);
          await pair.check();
        } finally {
          await pair.close();
          await place.remove();
        }
      },
    );

    await expect(fc.assert(agrees, { numRuns: RUNS, endOnFailure: true })).resolves.toBeUndefined();
  },
);

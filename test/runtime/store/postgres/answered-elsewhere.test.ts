import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Lease } from "../../../../src/runtime/store/lease.ts";
import { RESTORED_FROM } from "../../../../src/runtime/store/restored.ts";
import type { Store } from "../../../../src/runtime/store/store.ts";
import type { Transition } from "../../../../src/runtime/store/transition.ts";
import { when } from "../../../support/when.ts";
import { entriesOf, entry, item, takenIn } from "../builders.ts";
import { postgresPlace } from "../postgres-place.ts";

const WORKER = "worker";

let place: Awaited<ReturnType<typeof postgresPlace>>;
/** Store of the process that decides. */
let store: Store;
/** Store of the process that learns that another store answered. */
let other: Store;
let admin: pg.Client;
let leases: readonly Lease[];
beforeEach(async () => {
  place = await postgresPlace();
  [store, other] = [await place.open(), await place.open()];
  admin = new pg.Client({ connectionString: place.url });
  await admin.connect();
  leases = await store.lease(WORKER, 15_000);
});
afterEach(async () => {
  await admin.end();
  for (const one of [store, other]) await one.close();
  await place.remove();
});

/** Stores a message of the time `at`. Returns the transition that answers it. */
async function answering(key: string, at: number): Promise<Transition> {
  await store.append([entry({ key, at })]);
  const inputs = await store.fetch(leases, 10_000, 9);
  const input = inputs.find((one) => entriesOf([one])[0]?.key === key);
  if (input?.kind !== "event") throw new Error("the entry is not offered");
  return takenIn(leases, input, { items: [item({ key: `item of ${key}`, seq: input.entry.seq })] });
}

const commit = (transition: Transition) => store.commit(WORKER, [transition]);
const statusOf = async (key: string) =>
  (await store.items({ limit: 9 })).find((one) => one.key === `item of ${key}`)?.status;

async function startRestored(now: number): Promise<number> {
  await other.setMeta(RESTORED_FROM, "1");
  return other.startRestored(now, 600);
}

it("answers to earlier events are in doubt in every process of the store", async () => {
  await commit(await answering("dm:1", 4_000));
  expect(await statusOf("dm:1")).toBe("pending");
  expect(await startRestored(5_000)).toBe(1);
  await commit(await answering("dm:before", 4_000));
  await commit(await answering("dm:after", 5_000));

  expect(await statusOf("dm:1")).toBe("unknown");
  expect(await statusOf("dm:before")).toBe("unknown");
  expect(await statusOf("dm:after")).toBe("pending");
});

it("an answer that another process is about to commit is in doubt", async () => {
  const blocked = { key: "blocked", value: "1", version: 0 };
  await store.commit(WORKER, [
    { ...(await answering("dm:1", 1_000)), items: [], state: [blocked] },
  ]);
  await admin.query("BEGIN; SELECT 1 FROM state FOR UPDATE");
  const version = (await store.load(["blocked"])).get("blocked")?.version ?? 0;
  const state = [{ ...blocked, value: "2", version }];
  const committing = commit({ ...(await answering("dm:2", 4_000)), state });
  await when(async () => ((await waiting()) === 1 ? true : undefined));

  let hasStarted = false;
  const starting = startRestored(5_000).finally(() => (hasStarted = true));
  await when(async () => (hasStarted || (await waiting()) === 2 ? true : undefined));
  await admin.query("COMMIT");

  expect([await committing, await starting]).toEqual([["committed"], 1]);
  expect(await statusOf("dm:2")).toBe("unknown");
});

/** Returns the number of transactions that wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await admin.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rows.length;
}

import { afterEach, beforeEach, expect, it } from "vitest";
import type { Lease } from "../../../../src/runtime/store/lease.ts";
import type { Store } from "../../../../src/runtime/store/store.ts";
import { entry, item, takenIn } from "../builders.ts";
import { postgresPlace } from "../postgres-place.ts";

const ANA = "20000000001";
const WORKER = "worker";

let place: Awaited<ReturnType<typeof postgresPlace>>;
let store: Store;
let other: Store;
let leases: readonly Lease[];
beforeEach(async () => {
  place = await postgresPlace();
  [store, other] = [await place.open(), await place.open()];
  leases = await store.lease(WORKER, 15_000);
});
afterEach(async () => {
  for (const one of [store, other]) await one.close();
  await place.remove();
});

/** Stores a message of Ana and queues an answer, under a limit of one answer. Returns the answer's status. */
async function answer(key: string): Promise<string | undefined> {
  const lane = `100/${ANA}`;
  await store.append([entry({ key, lane })]);
  const [input] = await store.fetch(leases, 1, 9);
  if (input === undefined) throw new Error("the entry is not offered");
  const limits = [{ of: "answers", max: 1, inMs: 100, reason: "one to one" }] as const;
  const action = { type: "reply_dm", to: ANA, text: "hello" } as const;
  const items = [item({ key, lane, action, counted: { at: 1, limits } })];
  expect(await store.commit(WORKER, [takenIn(leases, input, { items })])).toEqual(["committed"]);
  return (await store.items({ limit: 1 }))[0]?.status;
}

it("counts no answers that another process removed, from the next renewal of the leases on", async () => {
  expect([await answer("dm:1"), await answer("dm:2")]).toEqual(["pending", "held"]);
  await other.forget({ id: ANA, now: 1 });
  leases = await store.lease(WORKER, 15_000);

  expect([await answer("dm:3"), await answer("dm:4")]).toEqual(["pending", "held"]);
});

it("reports an erasure by another process at the next renewal of the leases, once", async () => {
  await answer("dm:1");
  let erasures = 0;
  const unfollow = store.onErased?.(() => (erasures += 1));
  await other.forget({ id: ANA, now: 1 });
  await store.lease(WORKER, 15_000);
  await store.lease(WORKER, 15_000);
  expect(erasures).toBe(1);

  unfollow?.();
  await answer("dm:2");
  await other.forget({ id: ANA, now: 2 });
  await store.lease(WORKER, 15_000);
  expect(erasures).toBe(1);
});

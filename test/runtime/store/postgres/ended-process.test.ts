import { afterEach, beforeEach, expect, it } from "vitest";
import type { Lease } from "../../../../src/runtime/store/lease.ts";
import { openPostgresStore } from "../../../../src/runtime/store/postgres/postgres-store.ts";
import type { Store } from "../../../../src/runtime/store/store.ts";
import { entriesOf, entry } from "../builders.ts";
import { postgresPlace } from "../postgres-place.ts";

const TTL_MS = 600_000;

let place: Awaited<ReturnType<typeof postgresPlace>>;
let killed: Store;
let next: Store;
/** Leases of the killed process. */
let before: readonly Lease[];

beforeEach(async () => {
  place = await postgresPlace();
  await (await place.open()).close();
  killed = await openPostgresStore(place.url);
  next = await openPostgresStore(place.url);
  before = await killed.lease("killed_1", TTL_MS);
  await killed.attend("killed_1", "", TTL_MS);
  await killed.append([entry({ key: "one", lane: "100:200" })]);
});
afterEach(async () => {
  for (const one of [killed, next]) await one.close();
  await place.remove();
});

const namesOf = async () => (await next.attend("next", "", TTL_MS)).map(({ process }) => process);

it("leaves its work to the next process at once, which raises the epochs", async () => {
  expect(await next.lease("next", TTL_MS)).toEqual([]);
  await next.releaseEnded("killed_1");
  const leases = await next.lease("next", TTL_MS);

  expect(leases.map(({ partition, epoch }) => [partition, epoch])).toEqual(
    before.map(({ partition, epoch }) => [partition, epoch + 1]),
  );
  expect(entriesOf(await next.fetch(leases, 10_000, 10))).toHaveLength(1);
  expect(await namesOf()).toEqual(["next"]);
});

it("is fenced if it still runs", async () => {
  await next.releaseEnded("killed_1");
  await next.lease("next", TTL_MS);

  expect(await killed.fetch(before, 10_000, 10)).toEqual([]);
  expect(await killed.lease("killed_1", TTL_MS)).toEqual([]);
});

it("keeps its leases if only a process with a like name has ended", async () => {
  for (const name of ["killed", "killed_", "killed%1", "killed-1", "killed_11"]) {
    await next.releaseEnded(name);
  }

  expect(await next.lease("next", TTL_MS)).toEqual([]);
  expect(await namesOf()).toEqual(["killed_1", "next"]);
});

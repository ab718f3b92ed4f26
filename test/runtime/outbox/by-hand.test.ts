import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLog } from "../../../src/runtime/log.ts";
import { byHand, type ByHand } from "../../../src/runtime/outbox/by-hand.ts";
import { changeItem } from "../../../src/runtime/outbox/change-item.ts";
import type { ItemStatus } from "../../../src/runtime/store/item.ts";
import type { Lease } from "../../../src/runtime/store/lease.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { handClock, type HandClock } from "../../support/hand-clock.ts";
import { entry, item, moved, takenIn } from "../store/builders.ts";
import { folderPlace } from "../store/place.ts";

let place: Awaited<ReturnType<typeof folderPlace>>;
let store: Store;
let leases: readonly Lease[];
let clock: HandClock;
let hand: ByHand;
let wakings: number;
beforeEach(async () => {
  place = await folderPlace();
  store = await place.open();
  leases = await store.lease("me", 60_000);
  clock = handClock();
  wakings = 0;
  const log = openLog({ level: "silent" });
  hand = byHand({
    store,
    change: changeItem({ name: "me", store, clock, log, events: { publish: () => {} } }),
    clock,
    holders: () => leases.map((lease) => ({ worker: "me", lease })),
    wake: () => void (wakings += 1),
  });
});
afterEach(async () => {
  await store.close();
  await place.remove();
});

/** Stores an outbox item with this status. It expires at the clock's current time. */
async function itemThatIs(status: ItemStatus): Promise<void> {
  await store.append([entry()]);
  const [open] = await store.fetch(leases, 0, 9);
  if (open === undefined) throw new Error("nothing to decide");
  const items = [item({ expiresAt: clock.now() })];
  await store.commit("me", [takenIn(leases, open, { items })]);
  for (const to of status === "pending" ? [] : ["sending" as const, status]) {
    const [one] = await store.items({ limit: 1 });
    if (one !== undefined) await store.changeItems("me", [moved(leases, one, to)]);
  }
}
const only = async () => (await store.items({ limit: 1 }))[0];

describe("an item that the operator", () => {
  it.each(["failed", "expired", "pending"] as const)(
    "retries although it is %s is due at once, and has a day",
    async (from) => {
      await itemThatIs(from);

      expect(await hand.retry(1, false)).toEqual({ done: true, from, to: "pending" });
      expect(await store.dueItems(leases, clock.now(), 9)).toHaveLength(1);
      expect((await only())?.expiresAt).toBe(clock.now() + 24 * 60 * 60_000);
      expect(wakings).toBe(1);
    },
  );

  it.each(["sent", "sending"] as const)("retries stays %s", async (status) => {
    await itemThatIs(status);

    expect(await hand.retry(1, true)).toMatchObject({ done: false });
    expect(await only()).toMatchObject({ status });
  });

  it("retries after an unknown outcome is sent only if the operator accepts the risk", async () => {
    await itemThatIs("unknown");
    const answer = await hand.retry(1, false);

    expect(answer).toMatchObject({ done: false, reason: expect.stringContaining("twice") });
    expect(answer).toMatchObject({ hint: expect.stringContaining("--anyway") });
    expect(await hand.retry(1, true)).toMatchObject({ from: "unknown", to: "pending" });
  });

  it("settles as sent keeps the platform's id", async () => {
    await itemThatIs("unknown");
    await hand.settle(1, { as: "sent", platformId: "77" });

    expect(await only()).toMatchObject({
      status: "sent",
      platformId: "77",
      reason: "settled by the operator as sent",
    });
  });

  it("settles as failed has no id of the platform", async () => {
    await itemThatIs("unknown");

    expect(await hand.settle(1, { as: "failed", platformId: "77" })).toEqual({
      done: false,
      reason: "an action that failed has no id on the platform",
      hint: "if it has arrived: answerback outbox settle 1 --as sent --platform-id 77",
    });
    expect(await only()).toMatchObject({ status: "unknown" });
  });

  it.each(["pending", "sent", "failed"] as const)("settles must not be %s", async (status) => {
    await itemThatIs(status);

    expect(await hand.settle(1, { as: "failed" })).toMatchObject({ done: false });
  });

  it("drops has failed, for that reason", async () => {
    await itemThatIs("pending");

    expect(await hand.drop(1)).toEqual({ done: true, from: "pending", to: "failed" });
    expect(await only()).toMatchObject({ status: "failed", reason: "dropped by the operator" });
  });

  it("retries after a drop is sent, and the answer names the drop", async () => {
    await itemThatIs("pending");
    await hand.drop(1);

    expect(await hand.retry(1, false)).toEqual({
      done: true,
      from: "failed",
      to: "pending",
      wasDropped: true,
    });
  });

  it("retries after a failure names no drop", async () => {
    await itemThatIs("failed");

    expect(await hand.retry(1, false)).toEqual({ done: true, from: "failed", to: "pending" });
  });

  it.each(["unknown", "sending", "sent"] as const)("drops must not be %s", async (status) => {
    await itemThatIs(status);

    expect(await hand.drop(1)).toMatchObject({ done: false });
    expect(await only()).toMatchObject({ status });
  });

  it("names must exist", async () => {
    expect(await hand.drop(9)).toMatchObject({ done: false, reason: "there is no item 9" });
  });

  it("changes stays unchanged if another process holds it now", async () => {
    await itemThatIs("pending");
    await store.release("me");
    await store.lease("other", 60_000);

    expect(await hand.drop(1)).toMatchObject({ done: false });
    expect(await only()).toMatchObject({ status: "pending" });
  });
});

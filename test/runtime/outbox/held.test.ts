import { afterEach, beforeEach, expect, it } from "vitest";
import { openLog } from "../../../src/runtime/log.ts";
import { changeItem } from "../../../src/runtime/outbox/change-item.ts";
import {
  type HeldAnswers,
  heldAnswers,
  type HeldAnswersNeeds,
} from "../../../src/runtime/outbox/held.ts";
import { StoreError } from "../../../src/runtime/store/errors.ts";
import { HELD_QUIET } from "../../../src/runtime/store/item.ts";
import type { Lease } from "../../../src/runtime/store/lease.ts";
import { partitionOf } from "../../../src/runtime/store/partition.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import { handClock, type HandClock } from "../../support/hand-clock.ts";
import { heldLeases } from "../../support/held-leases.ts";
import { when } from "../../support/when.ts";
import { entry, item, takenIn } from "../store/builders.ts";
import type { Place } from "../store/contract.ts";
import { folderPlace } from "../store/place.ts";

const NIGHT = 1_000;
const MORNING = 2_000;

let place: Place;
let store: Store;
let clock: HandClock;
let all: readonly Lease[];
let held: HeldAnswers;
beforeEach(async () => {
  place = await folderPlace();
  store = await place.open();
  clock = handClock(NIGHT);
  all = await store.lease("me", 60_000);
});
afterEach(async () => {
  await held.stop();
  await store.close();
  await place.remove();
});

/** Stores an answer in each of these lanes, held for this reason until the morning. */
async function holding(lanes: readonly string[], holdReason: string): Promise<void> {
  await store.append([entry()]);
  const [open] = await store.fetch(all, NIGHT, 9);
  if (open === undefined) throw new Error("the entry is not offered");
  const items = lanes.map((lane) => item({ key: lane, lane, holdReason, notBefore: MORNING }));
  await store.commit("me", [takenIn(all, open, { items })]);
}

/** Watches the held answers. `looks` counts the reads that have ended. */
function watching(over: Pick<HeldAnswersNeeds, "leases"> & Partial<HeldAnswersNeeds>) {
  const counted = { looks: 0 };
  held = heldAnswers({
    store: {
      async openItems(...query) {
        const items = await (over.store ?? store).openItems(...query);
        counted.looks += 1;
        return items;
      },
    },
    change: changeItem({
      name: "me",
      store,
      clock,
      log: openLog({ level: "silent" }),
      events: { publish: () => {} },
    }),
    clock,
    log: openLog({ level: "silent" }),
    leases: over.leases,
    holders: () => over.leases.held().map((lease) => ({ worker: "me", lease })),
    onHeld: over.onHeld ?? (async () => {}),
    wake: () => {},
  });
  return counted;
}

const statuses = async (): Promise<readonly string[]> =>
  (await store.items({ limit: 9 })).map(({ status }) => status);
/** Waits until this many answers are no longer held. Returns the status of each answer. */
const released = (count: number): Promise<readonly string[]> =>
  when(async () => {
    const all = await statuses();
    return all.filter((status) => status !== "held").length === count ? all : undefined;
  });

it("answers are sent in the morning, even if the machine slept when the quiet hours ended", async () => {
  await holding(["100/200"], HELD_QUIET);
  let valid = all;
  const counted = watching({ leases: { ...heldLeases(all), held: () => valid } });
  await when(() => (counted.looks > 0 ? true : undefined));
  // After the sleep the leases have expired. They are renewed in the same epoch, so no partition is taken.
  valid = [];
  clock.advance(MORNING);
  const { looks } = counted;
  await when(() => (counted.looks > looks + 1 ? true : undefined));
  expect(await statuses()).toEqual(["held"]);
  valid = all;

  expect(await released(1)).toEqual(["pending"]);
});

it("an operator releases held answers in the moment in which the leases have expired, too", async () => {
  await holding(["100/200"], "too many answers");
  let valid: readonly Lease[] = [];
  watching({
    leases: {
      ...heldLeases(all),
      held: () => valid,
      async whenValid() {
        valid = all;
        return all;
      },
    },
  });
  const listed = await held.list();
  valid = [];

  expect(listed).toMatchObject([{ lane: "100/200", items: 1 }]);
  expect(await held.release("100/200", "sent")).toBe(1);
});

it("answers of a partition that is taken while another one is read are sent in the morning", async () => {
  const lanes = Array.from({ length: 1_000 }, (_, n) => `100/${n}`);
  const [ofFirst, ofSecond] = [0, 1].map((partition) =>
    lanes.find((lane) => partitionOf(lane, store.partitions) === partition),
  );
  await holding([ofFirst ?? "", ofSecond ?? ""], HELD_QUIET);
  const leases = heldLeases(all.filter(({ partition }) => partition === 1));
  let isTaken = false;
  watching({
    leases,
    store: {
      async openItems(...query) {
        const items = await store.openItems(...query);
        if (!isTaken && items.length > 0) {
          isTaken = true;
          await leases.take(all.filter(({ partition }) => partition === 0));
        }
        return items;
      },
    },
  });
  await when(() => isTaken || undefined);
  clock.advance(MORNING);

  expect(await released(2)).toEqual(["pending", "pending"]);
});

it.each([
  {
    error: new StoreError("store-io", "the database server restarts"),
    what: "again",
    why: "the store failed",
    lanes: ["100/200", "100/200", "100/300"],
  },
  {
    error: new TypeError("no such event"),
    what: "no more",
    why: "the same error would come again",
    lanes: ["100/200", "100/300"],
  },
])("a lane whose report failed is reported $what: $why", async ({ error, lanes }) => {
  await holding(["100/200", "100/300"], "too many answers");
  const reports: string[] = [];
  const counted = watching({
    leases: heldLeases(all),
    onHeld: async ({ lane }) => {
      reports.push(lane);
      if (reports.length === 1) throw error;
    },
  });
  await when(() => (counted.looks > 3 ? true : undefined));

  expect(reports).toEqual(lanes);
});

import { afterEach, beforeEach, expect, it } from "vitest";
import { openLog } from "../../../src/runtime/log.ts";
import { StoreError } from "../../../src/runtime/store/errors.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import {
  type SubscriptionAges,
  subscriptionAges,
} from "../../../src/runtime/webhook-link/subscription-ages.ts";
import { folderPlace } from "../store/place.ts";

let place: Awaited<ReturnType<typeof folderPlace>>;
let store: Store;
beforeEach(async () => {
  place = await folderPlace();
  store = await place.open();
});
afterEach(async () => {
  await store.close();
  await place.remove();
});

const opened = async (): Promise<SubscriptionAges> => {
  const ages = subscriptionAges({ store, log: openLog({ level: "silent" }) });
  await ages.load();
  return ages;
};

const stands = (
  ages: SubscriptionAges,
  at: number,
  { isNew = false, webhookId = "w1" }: { isNew?: boolean; webhookId?: string } = {},
): number | undefined => {
  ages.stands({ account: "a", webhookId, isNew, at });
  return ages.since("a");
};

it("an existing subscription is as old as at its first check", async () => {
  const ages = await opened();
  expect(ages.since("a")).toBeUndefined();
  expect(stands(ages, 100)).toBe(100);
  expect(stands(ages, 200)).toBe(100);
});

it("a subscription is new if it was created again, belongs to another webhook, or is older than the clock after a set-back", async () => {
  const ages = await opened();
  stands(ages, 100);
  expect(stands(ages, 200, { isNew: true })).toBe(200);
  expect(stands(ages, 300, { webhookId: "w2" })).toBe(300);
  expect(stands(ages, 250, { webhookId: "w2" })).toBe(250);
});

it("the next process has the same ages, once this one has stopped", async () => {
  const ages = await opened();
  stands(ages, 100);
  ages.stands({ account: "b", webhookId: "w1", isNew: true, at: 150 });
  await ages.stop();

  const next = await opened();
  expect(next.since("b")).toBe(150);
  expect(stands(next, 400)).toBe(100);
});

it("ages that could not be stored are stored at the next check", async () => {
  let isFull = true;
  const setMeta: Store["setMeta"] = async (name, text) => {
    if (isFull) throw new StoreError("store-full", "the disk is full");
    await store.setMeta(name, text);
  };
  const log = openLog({ level: "silent" });
  const ages = subscriptionAges({
    store: { getMeta: (name) => store.getMeta(name), setMeta },
    log,
  });
  stands(ages, 100);
  await ages.stop();
  isFull = false;
  expect(stands(ages, 200)).toBe(100);
  await ages.stop();

  expect((await opened()).since("a")).toBe(100);
});

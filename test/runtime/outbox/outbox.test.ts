import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLog } from "../../../src/runtime/log.ts";
import { changeItem } from "../../../src/runtime/outbox/change-item.ts";
import { startOutbox, type OutboxNeeds } from "../../../src/runtime/outbox/outbox.ts";
import { retryingWrites } from "../../../src/runtime/loop/retrying-store.ts";
import { StoreError } from "../../../src/runtime/store/errors.ts";
import type { Item, NewItem } from "../../../src/runtime/store/item.ts";
import type { OutboxPort, Store } from "../../../src/runtime/store/store.ts";
import { handClock } from "../../support/hand-clock.ts";
import { when } from "../../support/when.ts";
import { heldLeases } from "../../support/held-leases.ts";
import { entry, item, moved, takenIn } from "../store/builders.ts";
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

const log = openLog({ level: "silent" });

interface Over extends Partial<Omit<OutboxNeeds, "store">> {
  readonly store?: OutboxPort;
  /** The worker that holds the leases. */
  readonly name?: string;
}

/** An outbox with `items` queued. */
async function sending(items: readonly NewItem[], { name = "me", ...over }: Over) {
  const clock = handClock();
  await store.append([entry({ key: "dm:queued" })]);
  const leases = items.length > 0 ? await store.lease("me", 60_000) : [];
  const [open] = await store.fetch(leases, 0, 9);
  if (open !== undefined) await store.commit("me", [takenIn(leases, open, { items })]);
  return startOutbox({
    store,
    change: changeItem({ name, store: over.store ?? store, clock, log, onSettled: () => {} }),
    clock,
    log,
    leases: heldLeases(leases),
    perform: async () => ({ kind: "accepted", platformId: "1" }),
    random: () => 0,
    requestTimeoutMs: 1_000,
    ...over,
  });
}

/** The store, with some of its calls made otherwise. */
const storeWith = (over: Partial<OutboxPort>): OutboxPort => ({
  dueItems: (...args) => store.dueItems(...args),
  openItems: (...args) => store.openItems(...args),
  changeItems: (...args) => store.changeItems(...args),
  ...over,
});

const people = (count: number): NewItem[] =>
  Array.from({ length: count }, (_, n) => item({ key: `k${n}`, lane: `100/${n}` }));

const allOf = (status: Item["status"], count: number): Promise<true> =>
  when(async () => ((await store.stats()).items[status] === count ? true : undefined));

describe("the outbox", () => {
  it("has no more than 64 requests under way, however many lanes wait", async () => {
    let underWay = 0;
    let most = 0;
    const outbox = await sending(people(400), {
      perform: async () => {
        most = Math.max(most, ++underWay);
        await new Promise((resolve) => setImmediate(resolve));
        underWay -= 1;
        return { kind: "accepted", platformId: "1" };
      },
    });
    await allOf("sent", 400);
    await outbox.stop();

    expect(most).toBe(64);
  }, 20_000);

  it("sends the items of a lane in order, one at a time", async () => {
    const sent: string[] = [];
    const texts = ["one", "two", "three", "four"];
    const items = texts.map((text) =>
      item({ key: text, action: { type: "reply_dm", to: "200", text } }),
    );
    const outbox = await sending(items, {
      perform: async (_account, action) => {
        if ("text" in action) sent.push(action.text);
        return { kind: "accepted", platformId: "1" };
      },
    });
    await allOf("sent", 4);
    await outbox.stop();

    expect(sent).toEqual(texts);
  });

  it("records what came of a request once the disk takes it again, and sends it once", async () => {
    let requests = 0;
    let refusals = 0;
    const writes = retryingWrites(
      {
        commit: (...args) => store.commit(...args),
        changeItems: async (worker, changes) => {
          if (changes.some(({ to }) => to === "sent") && refusals++ < 4)
            throw new StoreError("store-full", "no room");
          return store.changeItems(worker, changes);
        },
      },
      { log, signal: new AbortController().signal, firstDelayMs: 1 },
    );
    const outbox = await sending([item()], {
      store: storeWith({ changeItems: writes.changeItems }),
      perform: async () => {
        requests += 1;
        return { kind: "accepted", platformId: "77" };
      },
    });
    await allOf("sent", 1);
    await outbox.stop();

    expect(requests).toBe(1);
    expect(refusals).toBe(5);
  });

  it("does not spin on a store that fails", async () => {
    let changes = 0;
    const outbox = await sending([item()], {
      store: storeWith({
        changeItems: async () => {
          changes += 1;
          throw new Error("broken");
        },
      }),
    });
    await when(() => (changes > 0 ? true : undefined));
    for (let turn = 0; turn < 50; turn++) await store.stats();
    await outbox.stop();

    expect(changes).toBe(1);
  });

  it("ends although a request never does", async () => {
    const outbox = await sending([item()], {
      perform: () => new Promise(() => {}),
      requestTimeoutMs: 10,
    });
    await allOf("sending", 1);
    await outbox.stop();

    expect((await store.stats()).items.sending).toBe(1);
  });

  describe("when it takes partitions", () => {
    const like = { type: "like", postId: "1", to: "200" } as const;

    it.each([
      {
        action: item().action,
        to: "unknown",
        reason: "the process ended while the request was under way",
        why: "it may have arrived",
      },
      { action: like, to: "sent", reason: undefined, why: "doing it twice is the same as once" },
    ] as const)("moves what was under way to $to: $why", async ({ action, to, reason }) => {
      await store.append([entry()]);
      const earlier = await store.lease("earlier", 60_000);
      const [open] = await store.fetch(earlier, 0, 9);
      if (open === undefined) throw new Error("nothing to decide");
      await store.commit("earlier", [takenIn(earlier, open, { items: [item({ action })] })]);
      const [queued] = await store.items({ limit: 1 });
      if (queued === undefined) throw new Error("nothing queued");
      await store.changeItems("earlier", [moved(earlier, queued, "sending")]);
      await store.release("earlier");

      const leases = heldLeases([]);
      const outbox = await sending([], { leases, name: "later" });
      expect((await store.stats()).items.sending).toBe(1);
      await leases.take(await store.lease("later", 60_000));
      await allOf(to, 1);
      await outbox.stop();

      expect((await store.items({ limit: 1 }))[0]?.reason).toBe(reason);
    });
  });
});

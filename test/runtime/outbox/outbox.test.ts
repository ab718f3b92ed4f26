import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openLog } from "../../../src/runtime/log.ts";
import { startOutbox, type OutboxNeeds } from "../../../src/runtime/outbox/outbox.ts";
import { patient } from "../../../src/runtime/patient-store.ts";
import { StoreError } from "../../../src/runtime/store/errors.ts";
import type { Item, NewItem, Store } from "../../../src/runtime/store/store.ts";
import { handClock } from "../../support/hand-clock.ts";
import { when } from "../../support/when.ts";
import { decided, entry, item } from "../store/builders.ts";
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

/** An outbox with `items` queued. */
async function sending(items: readonly NewItem[], over: Partial<OutboxNeeds>) {
  await store.append([entry()]);
  const leases = await store.lease("me", 60_000);
  const [open] = await store.fetch(leases, 0, 9);
  if (open === undefined) throw new Error("nothing to decide");
  await store.commit("me", [decided(leases, open, { items })]);
  return startOutbox({
    name: "me",
    store,
    clock: handClock(),
    log,
    leases: () => leases,
    perform: async () => ({ kind: "accepted", platformId: "1" }),
    random: () => 0,
    requestTimeoutMs: 1_000,
    onSettled: () => {},
    ...over,
  });
}

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
    const writes = patient(
      {
        commit: (...args) => store.commit(...args),
        mark: async (worker, marks) => {
          if (marks.some(({ to }) => to === "sent") && refusals++ < 4)
            throw new StoreError("E_STORE_FULL", "no room");
          return store.mark(worker, marks);
        },
      },
      { log, signal: new AbortController().signal, firstDelayMs: 1 },
    );
    const outbox = await sending([item()], {
      store: {
        outbox: (...args) => store.outbox(...args),
        items: (query) => store.items(query),
        mark: writes.mark,
      },
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
    let marks = 0;
    const outbox = await sending([item()], {
      store: {
        outbox: (...args) => store.outbox(...args),
        items: (query) => store.items(query),
        mark: async (worker, all) => {
          if (all.length > 0 && ++marks > 0) throw new Error("broken");
          return store.mark(worker, all);
        },
      },
    });
    await when(() => (marks > 0 ? true : undefined));
    for (let turn = 0; turn < 50; turn++) await store.stats();
    await outbox.stop();

    expect(marks).toBe(1);
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
});

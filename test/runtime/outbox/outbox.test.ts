import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openLog } from "../../../src/runtime/log.ts";
import { changeItem } from "../../../src/runtime/outbox/change-item.ts";
import { type OutboxNeeds, Outbox } from "../../../src/runtime/outbox/outbox.ts";
import type { LeaseListener } from "../../../src/runtime/loop/leases.ts";
import { postponer } from "../../../src/runtime/outbox/postpone.ts";
import { retryingWrites } from "../../../src/runtime/loop/retrying-store.ts";
import { StoreError } from "../../../src/runtime/store/errors.ts";
import type { Item, NewItem } from "../../../src/runtime/store/item.ts";
import { partitionOf } from "../../../src/runtime/store/partition.ts";
import type { OutboxPort, Store } from "../../../src/runtime/store/store.ts";
import type { RateLimit, RateLimits } from "../../../src/client/http/rate-limits.ts";
import type { Clock } from "../../../src/runtime/clock/clock.ts";
import { Gate } from "../../../src/runtime/outbox/gate/gate.ts";
import type { Sending } from "../../../src/runtime/outbox/plan.ts";
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

/** A gate (rate limiter) that allows every request at once. */
const OPEN_GATE: OutboxNeeds["gate"] = {
  ask: () => ({ kind: "go" }),
  begin: () => () => {},
  setBack: () => {},
};

const log = openLog({ level: "silent" });

interface Over extends Partial<Omit<OutboxNeeds, "store">> {
  readonly store?: OutboxPort & Pick<Store, "items">;
  /** Name of this worker; the leases belong to `me`, the default. */
  readonly name?: string;
}

/** Starts an outbox whose store has these items queued for sending. */
async function sending(items: readonly NewItem[], { name = "me", ...over }: Over) {
  const clock = over.clock ?? handClock();
  await store.append([entry({ key: "dm:queued" })]);
  const leases = items.length > 0 ? await store.lease("me", 60_000) : [];
  const [open] = await store.fetch(leases, 0, 9);
  if (open !== undefined) await store.commit("me", [takenIn(leases, open, { items })]);
  const outbox: Outbox = new Outbox({
    store,
    change: changeItem({
      name,
      store: over.store ?? store,
      clock,
      log,
      events: { publish: () => {} },
      ...(over.isWokenByOutcomes === true && { onOutcomeSent: () => outbox.wake() }),
    }),
    postpone: postponer({ name, store: over.store ?? store, clock, log }),
    gate: OPEN_GATE,
    clock,
    log,
    leases: heldLeases(leases),
    perform: async () => ({ kind: "accepted", platformId: "1" }),
    random: () => 0,
    requestTimeoutMs: 1_000,
    ...over,
  });
  return outbox;
}

/** Returns the store with some calls replaced. */
const storeWith = (over: Partial<OutboxPort>): OutboxPort & Pick<Store, "items"> => ({
  items: (...args) => store.items(...args),
  dueItems: (...args) => store.dueItems(...args),
  openItems: (...args) => store.openItems(...args),
  overdueItems: (...args) => store.overdueItems(...args),
  changeItems: (...args) => store.changeItems(...args),
  ...over,
});

/** Limits of a response whose headers report this window of a quarter of an hour. */
const limitsWith = (window: RateLimit): RateLimits => ({
  endpoint: "POST /2/dm_conversations/with/:participant_id/messages",
  window,
  appDay: { limit: 9_999, remaining: 9_999, resetAt: window.resetAt },
  userDay: { limit: 9_999, remaining: 9_999, resetAt: window.resetAt },
  account: undefined,
});

const gateAt = (clock: Clock): Gate =>
  new Gate({ now: () => clock.now(), onTrouble: () => {}, onSolved: () => {} });

const people = (count: number): NewItem[] =>
  Array.from({ length: count }, (_, n) => item({ key: `k${n}`, lane: `100/${n}` }));

const allOf = (status: Item["status"], count: number): Promise<true> =>
  when(async () => ((await store.stats()).items[status] === count ? true : undefined));

describe("the outbox", () => {
  it("has at most 64 requests in progress, however many lanes wait", async () => {
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
  });

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

  it("looks for the next items while outcomes are being stored, and needs no regular poll", async () => {
    // With fake timers no regular poll happens, so an item that only a poll would find is never sent.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let polls = 0;
    let attempts = 0;
    const items = people(150).flatMap((one) => [one, { ...one, key: `${one.key}/second` }]);
    const outbox = await sending(items, {
      isWokenByOutcomes: true,
      store: storeWith({
        dueItems: (...query) => {
          polls += 1;
          return store.dueItems(...query);
        },
      }),
      perform: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        attempts += 1;
        return attempts % 10 === 0
          ? { kind: "unavailable", reason: "503" }
          : { kind: "accepted", platformId: "1" };
      },
    });
    await allOf("sent", items.length);
    vi.useRealTimers();
    await outbox.stop();

    expect(attempts).toBeGreaterThan(items.length);
    expect(polls).toBeGreaterThan(0);
  });

  it("polls once for a single item, together with its outcome", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const calls: string[] = [];
    const outbox = await sending([item()], {
      isWokenByOutcomes: true,
      store: storeWith({
        dueItems: (...query) => {
          calls.push("dueItems");
          return store.dueItems(...query);
        },
        changeItems: (worker, changes) => {
          calls.push(...changes.map(({ to }) => to));
          return store.changeItems(worker, changes);
        },
      }),
    });
    await allOf("sent", 1);
    await when(() => (outbox.status().sending === 0 ? true : undefined));
    vi.useRealTimers();
    await outbox.stop();

    expect(calls).toEqual(["dueItems", "sending", "sent", "dueItems"]);
  });

  it("records the outcome when the disk accepts writes again, and sends the item once", async () => {
    let requests = 0;
    let refusals = 0;
    const writes = retryingWrites(
      {
        items: (...args) => store.items(...args),
        runsOf: (seq) => store.runsOf(seq),
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

  it("looks up an item whose outcome the store refuses, and does not leave it in sending", async () => {
    const outbox = await sending([item()], {
      store: storeWith({
        changeItems: async (worker, changes) => {
          if (changes.some(({ to }) => to === "sent")) throw new StoreError("store-data", "odd id");
          return store.changeItems(worker, changes);
        },
      }),
    });
    await when(async () => {
      outbox.wake();
      return (await store.stats()).items.unknown === 1 ? true : undefined;
    });
    await outbox.stop();

    expect((await store.stats()).items.sending).toBe(0);
  });

  it("looks up an item whose request ends while another item of its partition is looked up", async () => {
    const lanes = Array.from({ length: 1_000 }, (_, n) => `100/${n}`);
    const [early, late] = lanes.filter((lane) => partitionOf(lane, store.partitions) === 0);
    let performed = 0;
    const refused: Item["id"][] = [];
    let endSlow = (): void => {};
    const slow = new Promise<void>((resolve) => (endSlow = resolve));
    const outbox = await sending(
      [item({ key: "slow", lane: early ?? "" }), item({ key: "quick", lane: late ?? "" })],
      {
        perform: async () => {
          // The first request ends while the second item is marked as unknown.
          if (performed++ === 0) await slow;
          return { kind: "accepted", platformId: "1" };
        },
        store: storeWith({
          changeItems: async (worker, changes) => {
            if (changes.some(({ to }) => to === "sent")) {
              refused.push(...changes.map(({ id }) => id));
              throw new StoreError("store-data", "odd id");
            }
            if (changes.some(({ to }) => to === "unknown")) {
              endSlow();
              await when(() => (refused.length === 2 ? true : undefined));
            }
            return store.changeItems(worker, changes);
          },
        }),
      },
    );
    await when(async () => {
      outbox.wake();
      return (await store.stats()).items.unknown === 2 ? true : undefined;
    });
    await outbox.stop();

    expect((await store.stats()).items.sending).toBe(0);
  });

  it("does not poll a failing store without a pause", async () => {
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

  it("stops even if a request never ends", async () => {
    const outbox = await sending([item()], {
      perform: () => new Promise(() => {}),
      requestTimeoutMs: 10,
    });
    await allOf("sending", 1);
    await outbox.stop();

    expect((await store.stats()).items.sending).toBe(1);
  });

  it.each([
    { renewed: true, status: "sent" },
    { renewed: false, status: "pending" },
  ] as const)(
    "uses the lease at the time when the request leaves, which an upload may delay: renewed $renewed",
    async ({ renewed, status }) => {
      const first = await store.lease("me", 60_000);
      let held = first;
      const refused: unknown[] = [];
      const outbox = await sending([item()], {
        leases: { held: () => held, onTaken: () => () => {} },
        perform: async (_account, _action, beforeWrite) => {
          // The lease that the worker held when it fetched the item expires here.
          for (const lease of first) Object.assign(lease, { until: 0 });
          held = renewed ? await store.lease("me", 60_000) : [];
          try {
            beforeWrite();
          } catch (error) {
            refused.push(error);
            held = await store.lease("me", 60_000);
            return { kind: "limited", reason: "kept back", resetAt: Number.MAX_SAFE_INTEGER };
          }
          return { kind: "accepted", platformId: "1" };
        },
      });
      await when(async () => {
        const [one] = await store.items({ limit: 1 });
        return one?.status === status && one.attempts === 1 ? true : undefined;
      });
      await outbox.stop();

      expect(refused).toHaveLength(renewed ? 0 : 1);
    },
  );

  it("reads an item again if its lease was lost and regained during its request", async () => {
    let current = await store.lease("me", 60_000);
    const listeners: LeaseListener[] = [];
    const outbox = await sending([item()], {
      leases: {
        held: () => current,
        onTaken: (listener) => {
          listeners.push(listener);
          return () => {};
        },
      },
      perform: async () => {
        await store.release("me");
        current = await store.lease("me", 60_000);
        for (const listener of listeners) await listener(current);
        return { kind: "accepted", platformId: "77" };
      },
    });
    await allOf("unknown", 1);
    await outbox.stop();

    expect((await store.stats()).items.sending).toBe(0);
  });

  describe("when a limit does not allow all items", () => {
    const QUARTER = 15 * 60_000;

    /** Starts an outbox behind a gate that allows `limit` requests in a quarter of an hour. Returns what it sent. */
    async function limited(
      items: readonly NewItem[],
      limit: number,
      clock = handClock(),
      over: Partial<Pick<OutboxNeeds, "leases">> = {},
    ) {
      const sent: string[] = [];
      let remaining = limit;
      let resetAt = clock.now() + QUARTER;
      let refusals = 0;
      const outbox = await sending(items, {
        clock,
        ...over,
        gate: gateAt(clock),
        perform: async (_account, action): Promise<Sending> => {
          if (clock.now() >= resetAt) [remaining, resetAt] = [limit, clock.now() + QUARTER];
          const window = () => ({ limit, remaining, resetAt });
          if (remaining === 0) {
            refusals += 1;
            return {
              kind: "limited",
              reason: "429",
              resetAt,
              reportedLimits: limitsWith(window()),
            };
          }
          remaining -= 1;
          sent.push(action.to);
          return { kind: "accepted", platformId: action.to, reportedLimits: limitsWith(window()) };
        },
      });
      return { outbox, clock, sent, refusals: () => refusals };
    }
    const toEach = (people: readonly string[], over: Partial<NewItem> = {}): NewItem[] =>
      people.map((to, n) =>
        item({
          key: `${over.priority ?? 0}-${to}-${n}`,
          lane: `100/${to}`,
          action: { type: "reply_dm", to, text: "hi" },
          ...over,
        }),
      );
    const waits = (count: number): Promise<true> =>
      when(async () => {
        const reasons = (await store.items({ status: "pending", limit: 999 })).filter(
          ({ reason }) => reason?.includes("limit") === true,
        );
        return reasons.length === count ? true : undefined;
      });

    it("sends as many items as a limit allows, lets the others wait for the reset, and is never refused", async () => {
      const { outbox, clock, sent, refusals } = await limited(people(40), 15);
      await waits(25);
      expect(sent).toHaveLength(15);
      clock.advance(QUARTER + 20_000);
      await waits(10);
      clock.advance(QUARTER + 20_000);
      await allOf("sent", 40);
      await outbox.stop();

      expect(refusals()).toBe(0);
    });

    it("gives each lane its turn, however many items another lane has queued", async () => {
      const busy = Array.from({ length: 40 }, () => "busy");
      const { outbox, clock, sent } = await limited(toEach([...busy, "ana", "ben"]), 3);
      await waits(1);
      clock.advance(QUARTER + 20_000);
      await when(() => (sent.length === 6 ? true : undefined));
      await outbox.stop();

      expect(new Set(sent)).toEqual(new Set(["busy", "ana", "ben"]));
    });

    it("sends answers to people before other items", async () => {
      const news = toEach(
        Array.from({ length: 20 }, (_, n) => `follower_${n}`),
        { priority: 1 },
      );
      const { outbox, sent } = await limited([...news, ...toEach(["ana", "ben", "cem"])], 3);
      await waits(20);
      await outbox.stop();

      expect(sent.toSorted()).toEqual(["ana", "ben", "cem"]);
    });

    it.each([
      { isExpired: false, why: "held" },
      { isExpired: true, why: "expired, and are renewed afterwards" },
    ])(
      "waits no longer than planned when the clock is set back while the leases are $why",
      async ({ isExpired }) => {
        const all = await store.lease("me", 60_000);
        let valid = all;
        const leases = { ...heldLeases(all), held: () => valid };
        const { outbox, clock, sent } = await limited(people(4), 2, handClock(), { leases });
        await waits(2);
        if (isExpired) valid = [];
        clock.advance(-5 * 60 * 60_000);
        // The outbox has polled meanwhile.
        for (let turn = 0; turn < 20; turn += 1) await store.stats();
        valid = all;
        const back = clock.now();
        await when(async () => {
          outbox.wake();
          const [one] = await store.items({ status: "pending", limit: 1 });
          return one !== undefined && one.notBefore <= back + QUARTER + 2_000 ? true : undefined;
        });
        await outbox.stop();

        expect(sent).toHaveLength(2);
      },
    );
  });

  it("holds a lane whose first item is unknown when the clock steps back and is corrected", async () => {
    const hand = handClock();
    const start = hand.now();
    let requests = 0;
    const outbox = await sending([item({ key: "first" }), item({ key: "second" })], {
      clock: { ...hand, jumpsAreCorrections: true },
      perform: async () => {
        requests += 1;
        return { kind: "unknown", reason: "the connection failed" };
      },
    });
    const held = (isMoved: (notBefore: number) => boolean): Promise<true> =>
      when(async () => {
        const [first] = await store.items({ status: "unknown", limit: 1 });
        return first !== undefined && isMoved(first.notBefore) ? true : undefined;
      });
    await held((notBefore) => notBefore > start);
    hand.advance(-60 * 60_000);
    await held((notBefore) => notBefore < start);
    hand.advance(60 * 60_000);
    await when(async () => {
      const [first] = (await store.items({ limit: 9 })).filter(({ key }) => key === "first");
      return requests > 1 || (first?.notBefore ?? 0) > start ? true : undefined;
    });
    await outbox.stop();

    expect(requests).toBe(1);
  });

  it("sends nothing to an endpoint that keeps failing; waiting items stay unsent and do not become unknown", async () => {
    const clock = handClock();
    let away = true;
    let requests = 0;
    const outbox = await sending(people(200), {
      clock,
      gate: gateAt(clock),
      perform: async () => {
        requests += 1;
        if (away) return { kind: "unknown", reason: "503" };
        return {
          kind: "accepted",
          reportedLimits: limitsWith({ limit: 999, remaining: 999, resetAt: 9e15 }),
        };
      },
    });
    await when(async () => {
      const { pending, unknown } = (await store.stats()).items;
      const waiting = await store.items({ status: "pending", limit: 999 });
      const areExplained = waiting.every(({ reason }) => reason?.includes("503") === true);
      return areExplained && pending + unknown === 200 ? true : undefined;
    });
    expect(requests).toBe(5);
    away = false;
    clock.advance(10_000);
    await allOf("sent", 195);
    await outbox.stop();

    expect((await store.stats()).items).toMatchObject({ unknown: 5, pending: 0 });
  });

  it("expires items that have waited too long, also behind other items", async () => {
    const clock = handClock();
    const until = clock.now() + 1_000;
    const held = item({ key: "first", notBefore: clock.now() + 60_000 });
    const outbox = await sending([held, item({ key: "second", expiresAt: until })], { clock });
    clock.advance(1_000);
    await allOf("expired", 1);
    await outbox.stop();

    expect(await store.items({ status: "pending", limit: 9 })).toMatchObject([{ key: "first" }]);
  });

  it.each([
    { was: "a year ahead", behind: 365 * 24 * 60 * 60_000, status: "sent", requests: 1 },
    { was: "right", behind: 0, status: "expired", requests: 0 },
  ])(
    "neither expires nor sends an old item before the time is known; the clock was $was",
    async ({ behind, status, requests }) => {
      const hand = handClock();
      let isKnown = false;
      const expiresAt = hand.now() + 365 * 24 * 60 * 60_000 - 1;
      hand.advance(365 * 24 * 60 * 60_000);
      let sent = 0;
      const outbox = await sending([item({ expiresAt })], {
        clock: { ...hand, isKnown: () => isKnown },
        perform: async () => {
          sent += 1;
          return { kind: "accepted", platformId: "1" };
        },
      });
      for (let turn = 0; turn < 20; turn += 1) await store.stats();
      expect([await store.items({ limit: 1 }), sent]).toMatchObject([[{ status: "pending" }], 0]);
      hand.advance(-behind);
      isKnown = true;
      await when(async () => {
        outbox.wake();
        return (await store.stats()).items.pending === 0 || undefined;
      });
      await outbox.stop();

      expect([await store.items({ limit: 1 }), sent]).toMatchObject([[{ status }], requests]);
    },
  );

  it("retries an item whose retry comes too late by a clock that may be wrong", async () => {
    const hand = handClock();
    let attempts = 0;
    const outbox = await sending([item({ expiresAt: hand.now() + 60_000 })], {
      clock: { ...hand, isKnown: () => false },
      perform: async () => {
        attempts += 1;
        if (attempts > 1) return { kind: "accepted", platformId: "1" };
        hand.advance(365 * 24 * 60 * 60_000);
        return { kind: "unavailable", reason: "the platform does not answer" };
      },
    });
    await when(() => attempts > 0 || undefined);
    hand.advance(-365 * 24 * 60 * 60_000);
    await when(async () => {
      outbox.wake();
      return (await store.stats()).items.sent === 1 || undefined;
    });
    await outbox.stop();

    expect(attempts).toBe(2);
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
    ] as const)("moves items in progress to $to: $why", async ({ action, to, reason }) => {
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
